package wire

import (
	"errors"
	"fmt"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// ErrClosed reports a connection that the peer closed between two frames.
var ErrClosed = errors.New("peer closed the connection")

// ErrNoLayout reports a REGISTER message without a layout.
var ErrNoLayout = errors.New("registration has no layout")

// PrefaceError reports a peer that does not begin as this protocol does.
type PrefaceError struct{ Got []byte }

func (e *PrefaceError) Error() string {
	return fmt.Sprintf("peer does not speak the transfer protocol: it began with %q", e.Got)
}

// VersionError reports a peer of another version of the protocol.
type VersionError struct{ Ours, Theirs uint16 }

func (e *VersionError) Error() string {
	return fmt.Sprintf("peer speaks version %d of the transfer protocol, this side version %d", e.Theirs, e.Ours)
}

// TypeError reports a frame of a type that does not exist, or with flags that nobody sets.
type TypeError struct{ Type, Flags uint8 }

func (e *TypeError) Error() string {
	return fmt.Sprintf("frame has type %d and flags %d, which this protocol does not have", e.Type, e.Flags)
}

// LengthError reports a frame that is longer than its type allows.
type LengthError struct {
	Type        Type
	Length, Max uint32 // bytes of the body
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("%s frame has a body of %d bytes, at most %d are allowed", e.Type, e.Length, e.Max)
}

// CountError reports a table that does not go with the frame it is in.
type CountError struct {
	Type   Type
	Count  uint16
	Length uint32
}

func (e *CountError) Error() string {
	return fmt.Sprintf("%s frame of %d bytes cannot have a table of %d copies", e.Type, e.Length, e.Count)
}

// TableError reports a table whose copies do not add up to the bytes that follow it.
type TableError struct{ Sum, Payload int64 }

func (e *TableError) Error() string {
	return fmt.Sprintf("copies of a frame add up to %d bytes, but %d follow the table", e.Sum, e.Payload)
}

// EmptyCopyError reports a copy of nothing.
type EmptyCopyError struct{ Region layout.RegionID }

func (e *EmptyCopyError) Error() string {
	return fmt.Sprintf("frame has a copy of 0 bytes into region %d", e.Region)
}

// UnexpectedError reports a frame that the peer may not send now.
type UnexpectedError struct {
	Got  Type
	When string // what this side was doing
}

func (e *UnexpectedError) Error() string {
	return fmt.Sprintf("peer sent a %s frame while %s", e.Got, e.When)
}

// TruncatedError reports a message that ends before its fields do.
type TruncatedError struct {
	Message Type
	Field   string
	Need    int // bytes that the field needs
	Have    int // bytes that are left
}

func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%s message ends in field %s: it needs %d bytes and has %d", e.Message, e.Field, e.Need, e.Have)
}

// TrailingError reports a message with bytes behind its last field.
type TrailingError struct {
	Message Type
	Bytes   int
}

func (e *TrailingError) Error() string {
	return fmt.Sprintf("%s message has %d bytes behind its last field", e.Message, e.Bytes)
}

// ValueError reports a field with a value that it cannot have.
type ValueError struct {
	Message Type
	Field   string
	Value   int64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s message has %d in its field %s, which cannot be", e.Message, e.Value, e.Field)
}

// FrameSumError reports a control frame that was changed on its way.
type FrameSumError struct {
	Type      Type
	Want, Got uint32 // CRC-32C
}

func (e *FrameSumError) Error() string {
	return fmt.Sprintf("%s frame has sum %08x, its bytes add up to %08x", e.Type, e.Want, e.Got)
}

// LayoutError reports a REGISTER message whose layout cannot be read.
type LayoutError struct{ Cause error }

func (e *LayoutError) Error() string {
	return fmt.Sprintf("layout in a REGISTER message cannot be read: %v", e.Cause)
}

// Unwrap gives the reader's error.
func (e *LayoutError) Unwrap() error { return e.Cause }

// TooLargeError reports a message that does not fit into a frame. It is this side's own: the limits are the protocol's.
type TooLargeError struct {
	Message Type
	Bytes   int
	Max     uint32
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s message of %d bytes does not fit into a frame, which takes %d", e.Message, e.Bytes, e.Max)
}

// StallError reports a peer that stopped in the middle of a frame.
type StallError struct {
	Doing string // "sending" or "receiving"
	Peer  string
	After time.Duration
}

func (e *StallError) Error() string {
	return fmt.Sprintf("%s a frame stalled for %s with %s", e.Doing, e.After, e.Peer)
}

// Timeout tells callers of net.Error's kind what happened.
func (e *StallError) Timeout() bool { return true }

// LostError reports a connection that broke.
type LostError struct {
	Doing string // "sending" or "receiving"
	Peer  string
	Cause error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("connection with %s was lost while %s a frame: %v", e.Peer, e.Doing, e.Cause)
}

// Unwrap gives the transport's error.
func (e *LostError) Unwrap() error { return e.Cause }
