package process

import "fmt"

// ListenError reports an address that the HTTP server of a command cannot listen on.
type ListenError struct {
	Addr  string
	Cause error
}

func (e *ListenError) Error() string {
	return fmt.Sprintf("HTTP server cannot listen on %s: %v", e.Addr, e.Cause)
}

// Unwrap gives the system's error.
func (e *ListenError) Unwrap() error { return e.Cause }

// ModelError reports a model that a rank cannot be made for.
type ModelError struct {
	File  string
	Cause error
}

func (e *ModelError) Error() string {
	return fmt.Sprintf("model description %q is of no use for a rank: %v", e.File, e.Cause)
}

// Unwrap gives the cause.
func (e *ModelError) Unwrap() error { return e.Cause }

// StageTextError reports a stage that is not START:END.
type StageTextError struct{ Text string }

func (e *StageTextError) Error() string {
	return fmt.Sprintf("stage %q is not START:END, two numbers of layers", e.Text)
}

// LevelError reports a word that is no level of a log.
type LevelError struct{ Level string }

func (e *LevelError) Error() string {
	return fmt.Sprintf("log level %q does not exist, want debug, info, warn or error", e.Level)
}
