package backoff

import (
	"fmt"
	"time"
)

// GaveUpError reports work that failed at every attempt.
type GaveUpError struct {
	Attempts int
	Last     error // of the last attempt
}

func (e *GaveUpError) Error() string {
	return fmt.Sprintf("gave up after %d failed attempts, the last one: %v", e.Attempts, e.Last)
}

// Unwrap gives the failure of the last attempt.
func (e *GaveUpError) Unwrap() error { return e.Last }

// DownError refuses to use a peer that failed lately.
type DownError struct {
	Peer     string
	Failures int           // in a row
	RetryIn  time.Duration // until it may be tried again
	Last     error         // the latest failure
}

func (e *DownError) Error() string {
	return fmt.Sprintf("peer %s failed %d times in a row and is left alone for another %s: %v",
		e.Peer, e.Failures, e.RetryIn.Round(time.Millisecond), e.Last)
}

// Unwrap gives the latest failure.
func (e *DownError) Unwrap() error { return e.Last }
