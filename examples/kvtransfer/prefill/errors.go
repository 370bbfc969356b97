package prefill

import (
	"errors"
	"fmt"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Reasons without figures.
var (
	// ErrNoBootstrap refuses an engine of several ranks that could not find each other.
	ErrNoBootstrap = errors.New("prefill engine of several ranks needs a bootstrap server")
	// ErrClosed is the reason of rooms that end with their engine.
	ErrClosed = errors.New("prefill rank shuts down")
	// ErrElsewhere is the reason of a room that another rank of the engine has failed; its own record says why.
	ErrElsewhere = errors.New("room failed on another prefill rank")
	// ErrNotRegistered refuses an INFO before a layout.
	ErrNotRegistered = errors.New("decode rank sent an INFO before it registered its layout")
	// ErrRegisteredTwice refuses a second layout on one connection.
	ErrRegisteredTwice = errors.New("decode rank registered a second layout on one connection")
	// ErrTooManyEarly refuses an INFO for a room that nobody has submitted, where too many wait already.
	ErrTooManyEarly = errors.New("too many rooms await their request on this prefill rank")
)

// PlaceError reports a rank that its engine does not have.
type PlaceError struct {
	Axis       string // "TP", "CP", "PP", "DP"
	Rank, Size int
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("prefill engine has no %s rank %d: its size is %d", e.Axis, e.Rank, e.Size)
}

// SwitchError reports a way of pairing that does not exist.
type SwitchError struct{ Name, Value, A, B string }

func (e *SwitchError) Error() string {
	return fmt.Sprintf("prefill rank has %s %q, want %s or %s", e.Name, e.Value, e.A, e.B)
}

// ListenError reports an address that cannot be listened on.
type ListenError struct {
	Addr  string
	Cause error
}

func (e *ListenError) Error() string {
	return fmt.Sprintf("prefill rank cannot listen on %s: %v", e.Addr, e.Cause)
}

// Unwrap gives the system's error.
func (e *ListenError) Unwrap() error { return e.Cause }

// TokensError refuses a request of no or too many tokens.
type TokensError struct{ Tokens, Max int }

func (e *TokensError) Error() string {
	return fmt.Sprintf("request of %d tokens cannot be prefilled, 1 to %d can", e.Tokens, e.Max)
}

// RouteError refuses a room that belongs to another data-parallel rank.
type RouteError struct {
	Room          room.ID
	Here, Belongs int // data-parallel ranks
}

func (e *RouteError) Error() string {
	return fmt.Sprintf("room %d was sent to data-parallel rank %d, but its number makes it belong to %d", e.Room, e.Here, e.Belongs)
}

// RequiredError reports decode ranks that do not agree on how many of them there are.
type RequiredError struct{ First, Then uint32 }

func (e *RequiredError) Error() string {
	return fmt.Sprintf("decode ranks disagree on how many share the room: one said %d, another %d", e.First, e.Then)
}

// SurplusError refuses a decode rank that is one too many for a room: most likely two requests use the same room.
type SurplusError struct {
	Room     room.ID
	Required uint32
}

func (e *SurplusError) Error() string {
	return fmt.Sprintf("room %d has heard from all of its %d decode ranks already; is the room in use twice?", e.Room, e.Required)
}

// PrefixError reports a prefix that does not end with a page, or lies behind the end of the request.
type PrefixError struct {
	Prefix uint64
	Page   int // tokens that a prefix must be a multiple of
	Tokens int // of the request
}

func (e *PrefixError) Error() string {
	return fmt.Sprintf("decode says it has %d tokens already, which is no multiple of %d up to the request's %d", e.Prefix, e.Page, e.Tokens)
}

// PageListError reports a list of destination pages that does not fit the request.
type PageListError struct{ Want, Got int }

func (e *PageListError) Error() string {
	return fmt.Sprintf("decode sent %d destination pages for a request that needs %d", e.Got, e.Want)
}

// StateListError reports fewer state lists than the layout has.
type StateListError struct{ Want, Got int }

func (e *StateListError) Error() string {
	return fmt.Sprintf("decode sent indices for %d state lists, this rank's layout has %d", e.Got, e.Want)
}

// PeerAbortError is the reason of a room that a decode rank took back.
type PeerAbortError struct{ Peer string }

func (e *PeerAbortError) Error() string {
	return fmt.Sprintf("decode rank %s aborted the room", e.Peer)
}

// SessionError is the reason of rooms whose decode rank is gone.
type SessionError struct {
	Peer  string
	Cause error
}

func (e *SessionError) Error() string {
	return fmt.Sprintf("connection with decode rank %s ended: %v", e.Peer, e.Cause)
}

// Unwrap gives the cause.
func (e *SessionError) Unwrap() error { return e.Cause }

// ComputeError is the reason of a room whose chunk could not be computed.
type ComputeError struct {
	From, To int
	Cause    error
}

func (e *ComputeError) Error() string {
	return fmt.Sprintf("tokens %d to %d could not be computed: %v", e.From, e.To, e.Cause)
}

// Unwrap gives the model's error.
func (e *ComputeError) Unwrap() error { return e.Cause }

// PanicError is the reason of a room in whose work something panicked. The worker goes on with the next.
type PanicError struct {
	Room  room.ID
	Value any
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("work on room %d panicked: %v", e.Room, e.Value)
}

// OverError refuses a room that has ended here lately.
type OverError struct {
	Room room.ID
	Ago  time.Duration
	How  string // it ended
}

func (e *OverError) Error() string {
	return fmt.Sprintf("room %d ended here %s ago (%s); a request needs a room of its own", e.Room, e.Ago.Round(time.Millisecond), e.How)
}

// RingError reports that the next rank of the engine could not be reached.
type RingError struct {
	Next  string
	Cause error
}

func (e *RingError) Error() string {
	return fmt.Sprintf("next rank of the prefill engine (%s) cannot be reached: %v", e.Next, e.Cause)
}

// Unwrap gives the cause.
func (e *RingError) Unwrap() error { return e.Cause }
