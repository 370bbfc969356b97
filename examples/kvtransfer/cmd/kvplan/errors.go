package main

import (
	"errors"
	"fmt"
)

// errFailed ends a command that has printed its error as the answer.
var errFailed = errors.New("the answer was an error, which has been printed")

// Errors of the command line itself. All of them are wrong usage.

// CommandError reports a command line without a command.
type CommandError struct{}

func (e *CommandError) Error() string { return "a command is missing: slice, plan, layout or explain" }

// MissingError reports a flag that is needed and not there.
type MissingError struct{ Flag, Why string }

func (e *MissingError) Error() string { return fmt.Sprintf("flag --%s is missing: %s", e.Flag, e.Why) }

// ExclusiveError reports two flags of which only one may be there.
type ExclusiveError struct{ A, B string }

func (e *ExclusiveError) Error() string {
	return fmt.Sprintf("flags --%s and --%s exclude each other", e.A, e.B)
}

// FlagError reports a flag whose value is wrong.
type FlagError struct {
	Flag, Value string
	Err         error
}

func (e *FlagError) Error() string {
	return fmt.Sprintf("value of flag --%s cannot be %q: %v", e.Flag, e.Value, e.Err)
}

// Unwrap returns what is wrong with the value.
func (e *FlagError) Unwrap() error { return e.Err }

// WantError says what a value should have been.
type WantError struct{ Want string }

func (e *WantError) Error() string { return "want " + e.Want }

// SideError reports that a side cannot be laid out as described.
type SideError struct {
	Who string // the flag prefix, in words
	Err error
}

func (e *SideError) Error() string { return fmt.Sprintf("cannot lay out %s: %v", e.Who, e.Err) }

// Unwrap returns what is wrong with the description.
func (e *SideError) Unwrap() error { return e.Err }

// NoMessageError reports a text without a message that could be explained.
type NoMessageError struct{}

func (e *NoMessageError) Error() string {
	return "no message of the slicing code in this text; one begins with: Unexpected compressed-MLA dst_kv_ptrs length"
}
