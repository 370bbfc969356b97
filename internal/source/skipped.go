package source

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// The reasons for which files are left out. Each is a text that a report can print.
const (
	ReasonIgnored    = "ignored by the repository's rules"
	ReasonVendored   = "vendored, not wanted"
	ReasonGenerated  = "generated or minified, not wanted"
	ReasonSymlink    = "symbolic link, not followed"
	ReasonSubmodule  = "submodule, not read"
	ReasonLFS        = "Git LFS pointer, its content is not here"
	ReasonTooLarge   = "larger than the size limit"
	ReasonBinary     = "binary content in a source file"
	ReasonUnreadable = "could not be read"
	ReasonChanged    = "changed while it was read"
	ReasonName       = "name that is not UTF-8, or not one that a file can have"
)

// Skipped is a file or folder that was left out, or several for one reason.
type Skipped struct {
	Path   string // of one; empty for a count
	Reason string // one of the reasons above
	Detail string // what the system said of this file; may be empty
	Count  int    // 0 and 1 both mean one
}

// skipError says why one file is left out.
type skipError struct{ reason, detail string }

func (e *skipError) Error() string {
	if e.detail == "" {
		return e.reason
	}
	return e.reason + ": " + e.detail
}

// SkippedFor says why a file that Read could not hand out is left out.
func SkippedFor(f File, err error) Skipped {
	if s := (*skipError)(nil); errors.As(err, &s) {
		return Skipped{Path: f.Path, Reason: s.reason, Detail: s.detail}
	}
	return Skipped{Path: f.Path, Reason: ReasonUnreadable, Detail: cause(err)}
}

// cause is an error without the operation and the path, which stand beside it.
func cause(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// sortSkipped brings what was left out into an order that does not hang on the order of reading.
func sortSkipped(all []Skipped) {
	slices.SortStableFunc(all, func(a, b Skipped) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
}
