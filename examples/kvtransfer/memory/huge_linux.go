package memory

import "syscall"

// huge asks for large pages. A transfer goes through gigabytes in pieces of a megabyte; with pages of 4 KB it spends a fifth of its time on
// looking them up. A system that has no large pages serves as well, only slower.
func huge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
