package router

import (
	"errors"
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// ErrNoRanks refuses a service without prefill or without decode ranks.
var ErrNoRanks = errors.New("router needs the control address of at least one prefill and one decode rank")

// LoadError refuses a load that cannot be made.
type LoadError struct {
	Field           string
	Value, Min, Max int
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("router cannot make a load with %s=%d, want %d to %d", e.Field, e.Value, e.Min, e.Max)
}

// FailedError reports a room that failed on a decode rank.
type FailedError struct {
	Room   room.ID
	Rank   string // its control address
	Reason string // in the rank's words
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("request in room %d failed on decode rank %s: %s", e.Room, e.Rank, e.Reason)
}

// PendingError reports a room that had no end within the router's patience.
type PendingError struct {
	Room  room.ID
	Rank  string
	State room.State
}

func (e *PendingError) Error() string {
	return fmt.Sprintf("request in room %d has no end yet on decode rank %s, it is in state %s", e.Room, e.Rank, e.State)
}
