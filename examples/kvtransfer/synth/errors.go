package synth

import "fmt"

// WrongByteError reports memory that does not hold what it should.
type WrongByteError struct {
	Region string
	Item   int64
	Offset int64 // in the item, of the first wrong byte
}

func (e *WrongByteError) Error() string {
	return fmt.Sprintf("wrong byte at offset %d of item %d of %s", e.Offset, e.Item, e.Region)
}
