package decode

import (
	"errors"
	"fmt"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// Reasons without figures.
var (
	// ErrClosed is the reason of rooms that end with their engine.
	ErrClosed = errors.New("decode rank shuts down")
	// ErrNoMetadata is the reason of a room for which all ranks reported success, but none wrote the metadata.
	ErrNoMetadata = errors.New("all prefill ranks reported success, but the metadata slot was never written")
	// ErrNoTarget is the reason of a room that no prefill rank has a share in.
	ErrNoTarget = errors.New("no prefill rank has data for this decode rank")
)

// PlaceError reports a rank that its engine does not have.
type PlaceError struct {
	Axis       string // "TP", "PP", "DCP"
	Rank, Size int
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("decode engine has no %s rank %d: its size is %d", e.Axis, e.Rank, e.Size)
}

// TokensError refuses a request of no or too many tokens, or with a prefix that is longer.
type TokensError struct{ Tokens, Prefix, Max int }

func (e *TokensError) Error() string {
	return fmt.Sprintf("request of %d tokens, %d of them here already, cannot be received; 1 to %d can", e.Tokens, e.Prefix, e.Max)
}

// DtypeError reports a prefill engine with another type of KV cache. The beginning of the text is SGLang's RuntimeError.
type DtypeError struct{ Prefill, Decode string }

func (e *DtypeError) Error() string {
	return fmt.Sprintf("KV cache dtype mismatch: prefill server has kv_cache_dtype=%s, but decode server has kv_cache_dtype=%s", e.Prefill, e.Decode)
}

// CPError reports a context-parallel prefill engine, which cannot serve context-parallel decode. The text is SGLang's.
type CPError struct{ CP int }

func (e *CPError) Error() string {
	return fmt.Sprintf("PD decode DCP currently requires prefill attention CP=1, got %d.", e.CP)
}

// ConnectError reports a prefill rank that cannot be reached.
type ConnectError struct {
	Peer  string
	Cause error
}

func (e *ConnectError) Error() string {
	return fmt.Sprintf("prefill rank %s cannot be reached: %v", e.Peer, e.Cause)
}

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Cause }

// RefusedError reports a prefill rank that cannot pair this rank's layout with its own.
type RefusedError struct {
	Peer   string
	Reason string // in the peer's words
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("prefill rank %s refused this rank's layout: %s", e.Peer, e.Reason)
}

// LostError is the reason of rooms whose prefill rank is gone.
type LostError struct {
	Peer  string
	Cause error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("connection with prefill rank %s ended: %v", e.Peer, e.Cause)
}

// Unwrap gives the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// HeartbeatError is why a prefill rank that says nothing is given up.
type HeartbeatError struct {
	Misses   int
	Interval time.Duration
}

func (e *HeartbeatError) Error() string {
	return fmt.Sprintf("no sign of life in %d heartbeats of %s", e.Misses, e.Interval)
}

// AckError is why a prefill rank that does not answer an abort is disconnected: only then are the room's pages safe.
type AckError struct {
	Room  room.ID
	After time.Duration
}

func (e *AckError) Error() string {
	return fmt.Sprintf("abort of room %d was not acknowledged in %s", e.Room, e.After)
}

// PrefillError is the reason of a room that failed on a prefill rank.
type PrefillError struct {
	Peer   string
	Reason string // in the peer's words
}

func (e *PrefillError) Error() string {
	return fmt.Sprintf("prefill rank %s failed the room: %s", e.Peer, e.Reason)
}

// GrantError is the reason of a room whose rank wrote where it had not been told to. Nothing of the frame was placed.
type GrantError struct {
	Room           room.ID
	Region         layout.RegionID
	Offset, Length uint64
}

func (e *GrantError) Error() string {
	return fmt.Sprintf("frame would write bytes %d to %d of region %d, which room %d was not given", e.Offset, e.Offset+e.Length, e.Region, e.Room)
}

// ListError is the reason of a room whose rank put bytes of one list into a frame of another.
type ListError struct {
	Room   room.ID
	Frame  wire.Type
	Region layout.RegionID
}

func (e *ListError) Error() string {
	return fmt.Sprintf("%s frame for room %d has bytes of region %d, which is in another list", e.Frame, e.Room, e.Region)
}

// DummyError is the reason of a room to which a rank wrote that was asked for nothing.
type DummyError struct {
	Room room.ID
	Peer string
}

func (e *DummyError) Error() string {
	return fmt.Sprintf("prefill rank %s wrote for room %d, of which it has no share", e.Peer, e.Room)
}

// CopiesError is the reason of a room whose checksum would take too much to remember.
type CopiesError struct {
	Room room.ID
	Max  int
}

func (e *CopiesError) Error() string {
	return fmt.Sprintf("room %d came in more than %d pieces, too many for a checksum", e.Room, e.Max)
}

// MetadataError is the reason of a room whose metadata slot holds another room's. The beginning of the text is SGLang's.
type MetadataError struct{ Room, Found room.ID }

func (e *MetadataError) Error() string {
	return fmt.Sprintf("Metadata corruption detected - bootstrap_room mismatch: slot of room %d holds %d", e.Room, e.Found)
}

// ChecksumError is the reason of a room whose pages do not hold what a prefill rank sent.
type ChecksumError struct {
	Room      room.ID
	Peer      string
	Want, Got uint32 // CRC-32C
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("pages of room %d do not hold what prefill rank %s sent: checksum %08x, sent %08x", e.Room, e.Peer, e.Got, e.Want)
}

// NoChecksumError is the reason of a room for which a prefill rank sent no checksum although one was asked for.
type NoChecksumError struct {
	Room room.ID
	Peer string
}

func (e *NoChecksumError) Error() string {
	return fmt.Sprintf("prefill rank %s sent no checksum for room %d", e.Peer, e.Room)
}

// PanicError is the reason of a room in whose work something panicked.
type PanicError struct {
	Room  room.ID
	Value any
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("receiving room %d panicked: %v", e.Room, e.Value)
}
