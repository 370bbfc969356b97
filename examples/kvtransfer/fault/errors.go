package fault

import "fmt"

// KindError reports a word that names no kind of fault.
type KindError struct{ Name string }

func (e *KindError) Error() string {
	return fmt.Sprintf("no fault is called %q, want stall, cut, slow or flip", e.Name)
}
