// Package router sends requests to a service the way the router of an inference service does: it picks a room, gives the request to every
// rank of both engines, waits for the decode ranks, and takes the room back everywhere when something went wrong.
package router
