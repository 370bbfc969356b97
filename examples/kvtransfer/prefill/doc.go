// Package prefill is the sending side: one rank of an engine that computes KV caches and writes them to decode ranks.
//
// An [Engine] listens. A decode rank connects, registers its layout, which is paired with this rank's once, and sends an INFO for
// every room: where its pages go. A request comes from the router by [Engine.Submit], before or after. From there on a
// goroutine per request leads it (file request.go):
//
//	Bootstrapping     wait for the INFO of every decode rank that has a share
//	WaitingForInput   wait until all ranks of the engine agree that the room may start (file ring.go, package consensus)
//	Transferring      lease pages, compute chunk by chunk, hand each chunk to the sessions
//	Success, Failed   tell the decode ranks, wait until nothing is under way, give the pages back, conclude with the other ranks
//
// A session (file session.go) is one connection. Its reader never blocks on data; its sender takes jobs from a queue, one at
// a time, and looks between two frames whether the room is still wanted. So whatever is told a decode rank about a room
// after its last bytes arrives after its last bytes: a status, and the acknowledgement of an abort, both mean that nothing
// more will be written.
//
// Whatever goes wrong with a room fails that room and nothing else. A connection that breaks fails the rooms that use it.
package prefill
