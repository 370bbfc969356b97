// Package visible makes text of repositories and reports safe to show: what a terminal would obey, or a reader could not see, shows
// as what it is.
package visible

import (
	"fmt"
	"strings"
)

// Text returns s on one line: control characters and those that reorder or hide text are written as escapes, tabs as blanks.
func Text(s string) string { return escape(s, false) }

// Lines is [Text] for several lines: line ends stay.
func Lines(s string) string { return escape(s, true) }

func escape(s string, lines bool) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' && lines:
			b.WriteByte('\n')
		case r == '\n':
			b.WriteString("\\n")
		case r == '\t':
			b.WriteString("    ")
		case r < 0x100 && hidden(r):
			fmt.Fprintf(&b, "\\x%02x", r)
		case hidden(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports control characters, and those by which text can look other than it is: line and paragraph separators, the marks,
// embeddings and isolates of writing directions, and what has no width.
func hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f && r != 0x200d && r != 0x200c, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x2069:
		return true
	}
	return false
}
