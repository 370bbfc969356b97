// Package control is how a router speaks to the ranks of a service: an HTTP server beside every engine, and the client for it.
//
//	POST   /requests      take a request: a prefill.Request or a decode.Request as JSON; 202
//	GET    /rooms/{room}  how it stands, an [Outcome]; with ?wait=30s wait that long for its end
//	DELETE /rooms/{room}  abort it
//	GET    /stats         the figures of the rank
//	GET    /health        200 OK
//	POST   /faults        break a connection on purpose: a [Fault]
//	GET    /clean         decode only: does memory that no request holds still hold its canary
//
// An error is a line of text with status 400, 404 (no such room), 409 (the room is in use) or 503 (full, or shutting down).
//
// The server of a decode rank plays the model's user as well: it compares every byte that a room brought with what package synth says it
// should be, and gives the room's pages back. So a success here means that the bytes are right, not only that they came.
package control
