//go:build unix

package memory

import "syscall"

// mapped asks the system for n zeroed bytes of its own, and says how to give them back.
func mapped(n int64) ([]byte, func([]byte) error, error) {
	if n == 0 {
		return nil, nil, nil
	}
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	huge(b)
	return b, syscall.Munmap, nil
}
