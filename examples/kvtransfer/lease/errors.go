package lease

import "fmt"

// CapacityError reports a request that needs more than the whole pool has.
type CapacityError struct {
	Kind       string // of item
	Need, Have int
}

func (e *CapacityError) Error() string {
	return fmt.Sprintf("request needs %d %s, the whole pool has %d", e.Need, e.Kind, e.Have)
}

// TypeError reports a state list of a type for which nobody knows the items of a request.
type TypeError struct{ Type string }

func (e *TypeError) Error() string {
	return fmt.Sprintf("no items are known for state of type %q", e.Type)
}
