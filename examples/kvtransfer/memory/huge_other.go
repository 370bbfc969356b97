//go:build unix && !linux

package memory

// huge does nothing where large pages cannot be asked for.
func huge([]byte) {}
