// Package room keeps the state of transfers on one side: rooms, how far each has come, and why it failed.
//
// A room is opened once and closed once. Between the two its state moves by the rules of [Next]: forward only, and failure is final.
// The first reason for a failure is kept and handed out by [Table.Close], once. Every state but the two ends may have a
// longest stay; [Table.Expire] fails the rooms that outstay it, so that nothing waits for a peer that will never answer.
//
// The states and their numbers, and the default stay of 300 s, are those of SGLang. Three rules differ on purpose: failure
// sticks on every path, an open room's id is refused to a second request, and reports about rooms that are not open are
// ignored whatever they say, so that a late one brings no room back.
package room
