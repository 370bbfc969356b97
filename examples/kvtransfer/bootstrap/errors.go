package bootstrap

import (
	"errors"
	"fmt"
)

// The texts of MissingInputsError, NotRegisteredError and RankNotFoundError are SGLang's, since clients look for them.

// MissingInputsError reports a GET /route without all four ranks.
type MissingInputsError struct{}

func (e *MissingInputsError) Error() string { return "Missing inputs for bootstrap server." }

// ErrNoPrefillRank reports that the server knows no data-parallel rank for a room yet.
var ErrNoPrefillRank = errors.New("no prefill rank has announced this room to the bootstrap server yet")

// PayloadError reports a request body that is not what the route takes.
type PayloadError struct {
	Route string
	Cause error
}

func (e *PayloadError) Error() string {
	return fmt.Sprintf("payload sent to bootstrap route %s cannot be read: %v", e.Route, e.Cause)
}

// Unwrap gives the reader's error.
func (e *PayloadError) Unwrap() error { return e.Cause }

// FieldError reports a registration with a value that is out of its range.
type FieldError struct {
	Field      string
	Value      int
	Least, Max int // the range, inclusive
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("registration has %s=%d, outside %d to %d", e.Field, e.Value, e.Least, e.Max)
}

// HostError reports a registration whose address is no IP address or host name.
type HostError struct{ Host string }

func (e *HostError) Error() string {
	return fmt.Sprintf("registration has rank_ip=%q, which no peer can dial", e.Host)
}

// ShapeError refuses a rank that describes another engine than the ranks before it.
type ShapeError struct{ Have, Got ServerInfo }

func (e *ShapeError) Error() string {
	return fmt.Sprintf("rank describes an engine of %+v, but the ranks before it described %+v; restart the bootstrap server to change it",
		e.Got, e.Have)
}

// NotRegisteredError reports an engine of which not all ranks have registered.
type NotRegisteredError struct{ Workers int }

func (e *NotRegisteredError) Error() string {
	return fmt.Sprintf("Prefill server not fully registered yet (%d workers registered).", e.Workers)
}

// RankNotFoundError reports a rank that the engine does not have.
type RankNotFoundError struct{ Key RankKey }

func (e *RankNotFoundError) Error() string {
	return fmt.Sprintf("Bootstrap info not found for dp_rank=%d cp_rank=%d tp_rank=%d pp_rank=%d",
		e.Key.DP, e.Key.CP, e.Key.TP, e.Key.PP)
}

// TooManyRoomsError refuses a query or a note beyond the server's bounds.
type TooManyRoomsError struct{ Count, Max int }

func (e *TooManyRoomsError) Error() string {
	return fmt.Sprintf("bootstrap server was given %d rooms, at most %d fit", e.Count, e.Max)
}

// StatusError is what a client makes of an answer that is no success.
type StatusError struct {
	Call   string // method and address
	Status int    // HTTP status
	Text   string // first line of the body, shortened
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("bootstrap server answered %s with status %d: %s", e.Call, e.Status, e.Text)
}

// ReachError is what a client makes of a server that did not answer.
type ReachError struct {
	Call  string
	Cause error
}

func (e *ReachError) Error() string {
	return fmt.Sprintf("bootstrap server did not answer %s: %v", e.Call, e.Cause)
}

// Unwrap gives the transport's error.
func (e *ReachError) Unwrap() error { return e.Cause }

// AnswerError reports a success whose body makes no sense.
type AnswerError struct {
	Call  string
	Cause error
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("answer to %s makes no sense: %v", e.Call, e.Cause)
}

// Unwrap gives the reader's error.
func (e *AnswerError) Unwrap() error { return e.Cause }

// LookupError reports that the shape of an engine could not be had in the number of tries that a lookup makes.
type LookupError struct {
	Server string
	Cause  error
}

func (e *LookupError) Error() string {
	return fmt.Sprintf("prefill engine at %s could not be looked up: %v", e.Server, e.Cause)
}

// Unwrap gives the cause, with the failure of the last try in its chain.
func (e *LookupError) Unwrap() error { return e.Cause }
