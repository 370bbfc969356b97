package room

import (
	"errors"
	"fmt"
	"time"
)

// ErrNoRoom refuses room number 0.
var ErrNoRoom = errors.New("room 0 cannot be used: 0 marks a metadata slot that nobody has written")

// ErrAborted is the reason of a room that its caller gave up.
var ErrAborted = errors.New("room was aborted by its caller")

// ErrSucceeded is why the context of a room that succeeded has ended.
var ErrSucceeded = errors.New("room has succeeded")

// StateNameError reports a word that names no state.
type StateNameError struct{ Name string }

func (e *StateNameError) Error() string { return fmt.Sprintf("no room state is called %q", e.Name) }

// DuplicateError refuses to open a room that is open.
type DuplicateError struct {
	Room  ID
	State State // of the open one
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("room %d is in use, in state %s; a request needs a room of its own", e.Room, e.State)
}

// FullError refuses to open one room more than the table may hold.
type FullError struct {
	Room ID
	Max  int
}

func (e *FullError) Error() string {
	return fmt.Sprintf("room %d cannot be opened: all %d rooms are in use", e.Room, e.Max)
}

// UnknownError reports a room that is not open: never was, or closed already.
type UnknownError struct{ Room ID }

func (e *UnknownError) Error() string { return fmt.Sprintf("room %d is not open on this rank", e.Room) }

// TimeoutError is the reason of a room that outstayed its state.
type TimeoutError struct {
	Room  ID
	State State
	After time.Duration // the stay that was allowed
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("room %d timed out after %.1fs in %s", e.Room, e.After.Seconds(), e.State)
}

// Timeout tells callers of net.Error's kind that waiting longer is what was refused.
func (e *TimeoutError) Timeout() bool { return true }

// TransferError is what a failed room ends with: the room and the first reason that was given.
type TransferError struct {
	Room   ID
	Reason error
}

func (e *TransferError) Error() string {
	return fmt.Sprintf("KV cache transfer of room %d failed: %v", e.Room, e.Reason)
}

// Unwrap gives the reason.
func (e *TransferError) Unwrap() error { return e.Reason }
