package control

import (
	"errors"
	"fmt"
)

// ErrBusy refuses to look at memory that requests hold.
var ErrBusy = errors.New("rooms are open on this rank; memory can be looked at when none is")

// PayloadError reports a request body that is not what the path takes.
type PayloadError struct {
	Path  string
	Cause error
}

func (e *PayloadError) Error() string {
	return fmt.Sprintf("control server cannot read the body for %s: %v", e.Path, e.Cause)
}

// Unwrap gives the reader's error.
func (e *PayloadError) Unwrap() error { return e.Cause }

// RoomNumberError reports a path without a room's number.
type RoomNumberError struct{ Text string }

func (e *RoomNumberError) Error() string { return fmt.Sprintf("%q is no number of a room", e.Text) }

// WaitError reports a time to wait that is none, or is too long.
type WaitError struct {
	Text string
	Max  string
}

func (e *WaitError) Error() string {
	return fmt.Sprintf("cannot wait %q, want a duration like 30s, at most %s", e.Text, e.Max)
}

// ReachError is what a client makes of a rank whose control server did not answer.
type ReachError struct {
	Call  string // method and address
	Cause error
}

func (e *ReachError) Error() string {
	return fmt.Sprintf("control server did not answer %s: %v", e.Call, e.Cause)
}

// Unwrap gives the transport's error.
func (e *ReachError) Unwrap() error { return e.Cause }

// StatusError is what a client makes of an answer that is no success.
type StatusError struct {
	Call   string
	Status int    // HTTP status
	Text   string // first line of the body, shortened
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("control server answered %s with status %d: %s", e.Call, e.Status, e.Text)
}

// AnswerError reports a success whose body makes no sense.
type AnswerError struct {
	Call  string
	Cause error
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("control server's answer to %s cannot be read: %v", e.Call, e.Cause)
}

// Unwrap gives the reader's error.
func (e *AnswerError) Unwrap() error { return e.Cause }
