package main

import "fmt"

// LoadFailedError reports a load of which not all requests arrived.
type LoadFailedError struct {
	Failed, Requests int
	First            string
}

func (e *LoadFailedError) Error() string {
	return fmt.Sprintf("%d of %d requests failed; the first: %s", e.Failed, e.Requests, e.First)
}

// DirtyError reports a decode rank whose memory is not as it was.
type DirtyError struct{ Cause error }

func (e *DirtyError) Error() string {
	return fmt.Sprintf("memory of a decode rank is not clean: %v", e.Cause)
}

// Unwrap gives the cause.
func (e *DirtyError) Unwrap() error { return e.Cause }
