package room

import "fmt"

// ID names a room: one request's transfer. The router picks it at random and gives it to both sides; 0 is no room, because a
// metadata slot that nobody has written yet holds 0.
type ID uint64

// State is how far a room has come. The order counts: a room never goes back, and a group of ranks is as far as its last one.
type State uint8

// The states, in SGLang's numbering.
const (
	Failed          State = iota // over, with a reason on record
	Bootstrapping                // prefill: no page lists yet; decode: not yet registered with its peers
	WaitingForInput              // prefill: every peer has sent its page lists; decode: the lists are sent, bytes may arrive
	Transferring                 // prefill only: chunks are on their way
	Success                      // over, all bytes are there
)

// String names the state as SGLang's logs do.
func (s State) String() string {
	switch s {
	case Failed:
		return "Failed"
	case Bootstrapping:
		return "Bootstrapping"
	case WaitingForInput:
		return "WaitingForInput"
	case Transferring:
		return "Transferring"
	case Success:
		return "Success"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// MarshalText prints the name, for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name; the error is a *StateNameError.
func (s *State) UnmarshalText(text []byte) error {
	for known := Failed; known <= Success; known++ {
		if known.String() == string(text) {
			*s = known
			return nil
		}
	}
	return &StateNameError{Name: string(text)}
}

// Terminal tells whether the state is an end.
func (s State) Terminal() bool { return s == Failed || s == Success }

// Next is the state that follows when a room in state old is told to be in state new. A failure sticks: nothing that arrives
// later, not even a success, takes it back. Everything else only goes forward, so that reports may come in any order.
func Next(old, new State) State {
	if old == Failed || new == Failed {
		return Failed
	}
	return max(old, new)
}

// Least is the state of a group of ranks: the least of theirs, so that one failure fails all. A group of none is a success.
func Least(states ...State) State {
	least := Success
	for _, s := range states {
		least = min(least, s)
	}
	return least
}
