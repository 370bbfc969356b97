// Package decode is the receiving side: one rank of an engine that gets KV caches from prefill ranks.
//
// An [Engine] owns a pool. The router hands it requests with [Engine.Submit]; a goroutine per request leads it (file request.go):
//
//	Bootstrapping    lease pages, find the prefill ranks, connect and register the layout
//	WaitingForInput  tell every rank where the pages go; bytes arrive until each has reported
//	Success          check what arrived: the metadata's tag, the checksum where one was asked for
//	Failed           tell the ranks to stop, and keep the pages until each has answered
//
// What a rank may write is its grant: the items that the room was given, list by list. A frame is placed in the pool only
// if every copy of it lies in its room's grant, so no peer can write where it was not told to, whatever it sends.
//
// The one moment that no check can cover is a frame that is half way in when its room fails: its bytes go where they were headed. If
// the pages had a new owner by then, that request would be wrong, and nobody would know. So pages of a failed room are given back only
// when every rank that had been told of them has reported, has acknowledged the abort, or is disconnected (file release.go).
// Config.EarlyRelease turns that off; it exists to show in a test what happens then.
package decode
