package message

import (
	"errors"
	"fmt"
	"strings"
)

// The notation
//
// A template is written as its text with each hole in braces: "age {} of {len(x)} is negative". Literal braces are doubled. A hole
// is the expression, then what the reader cannot see, each behind a bar: the format, and the kind where the format does not say it
// ("{name|%q}", "{why||error}", "{mode||enum r,w}"). Inside a hole a backslash makes the next of \ | , { } literal; the
// expression's own braces need none where they are paired and do not stand first.

// ErrNotation is returned for a text that is not a template in the package's notation.
var ErrNotation = errors.New("not a template")

// String prints the template in the notation that [Parse] reads.
func (t Template) String() string {
	var b strings.Builder
	for _, p := range t.Pieces {
		if p.Hole != nil {
			p.Hole.write(&b)
			continue
		}
		for i := 0; i < len(p.Text); i++ {
			if c := p.Text[i]; c == '{' || c == '}' {
				b.WriteByte(c)
			}
			b.WriteByte(p.Text[i])
		}
	}
	return b.String()
}

// write prints a hole in the notation.
func (h *Hole) write(b *strings.Builder) {
	b.WriteByte('{')
	escape(b, h.Text, `\|`, !paired(h.Text) || strings.HasPrefix(h.Text, "{"))
	usual, _ := formatKind(h.Format)
	explicit := h.Kind != usual || h.Values != nil
	if h.Format != "" || explicit {
		b.WriteByte('|')
		escape(b, h.Format, `\|`, true)
	}
	if explicit {
		b.WriteString("|" + h.Kind.String())
		for i, v := range h.Values {
			b.WriteByte(" ,"[min(i, 1)])
			escape(b, v, `\|,`, true)
		}
	}
	b.WriteByte('}')
}

// escape writes s with a backslash before each byte of special, and before braces if asked.
func escape(b *strings.Builder, s, special string, braces bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if strings.IndexByte(special, c) >= 0 || braces && (c == '{' || c == '}') {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}

// paired reports whether every brace of s has its partner.
func paired(s string) bool {
	depth := 0
	for i := 0; i < len(s) && depth >= 0; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	return depth == 0
}

// Parse reads a template in the notation that [Template.String] prints. Errors wrap [ErrNotation] and name the byte.
func Parse(s string) (Template, error) {
	var pieces []Piece
	start := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '{' && s[i] != '}':
		case i+1 < len(s) && s[i+1] == s[i]:
			pieces = append(pieces, Piece{Text: s[start : i+1]})
			i++
			start = i + 1
		case s[i] == '}':
			return Template{}, fmt.Errorf("%w: brace closed at byte %d but not opened", ErrNotation, i)
		default:
			h, size, err := parseHole(s[i:])
			if err != nil {
				return Template{}, fmt.Errorf("%w at byte %d", err, i)
			}
			pieces = append(pieces, Piece{Text: s[start:i]}, Piece{Hole: h})
			i += size - 1
			start = i + 1
		}
	}
	return normal(append(pieces, Piece{Text: s[start:]})), nil
}

// parseHole reads the hole at the start of s and returns how long it is.
func parseHole(s string) (*Hole, int, error) {
	fields := []string{""}
	var values []string
	last := func() *string {
		if values != nil {
			return &values[len(values)-1]
		}
		return &fields[len(fields)-1]
	}
	depth := 0
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			c = s[i]
		case c == '|' && len(fields) < 3:
			if depth > 0 {
				return nil, 0, fmt.Errorf("%w: brace left open in a hole", ErrNotation)
			}
			fields = append(fields, "")
			continue
		case c == ' ' && len(fields) == 3 && values == nil, c == ',' && values != nil:
			values = append(values, "")
			continue
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}':
			h, err := holeOf(fields, values)
			return h, i + 1, err
		}
		*last() += string([]byte{c})
	}
	return nil, 0, fmt.Errorf("%w: hole not closed", ErrNotation)
}

// holeOf makes a hole of the fields between its bars.
func holeOf(fields, values []string) (*Hole, error) {
	h := &Hole{Text: fields[0]}
	if len(fields) > 1 {
		h.Format = fields[1]
	}
	h.Kind, h.Width = formatKind(h.Format)
	if len(fields) > 2 {
		kind, ok := kindNamed(fields[2])
		if !ok {
			return nil, fmt.Errorf("%w: %q is no kind of hole", ErrNotation, fields[2])
		}
		h.Kind, h.Values = kind, values
	}
	return h, nil
}

// formatKind reads the kind of value and the least width out of a format, whatever its dialect: a verb behind "%", or what
// braces hold ("!r", ":>10.2f"). A width that is computed counts as 1.
func formatKind(format string) (Kind, int) {
	if format == "" {
		return Any, 0
	}
	if format[0] == '%' {
		return verbKind(format[len(format)-1]), width(format[1:])
	}
	conversion, spec, _ := strings.Cut(format, ":")
	kind := Any
	if conversion == "!r" || conversion == "!a" {
		kind = Repr
	}
	if conversion == "" || strings.HasPrefix(conversion, "=") {
		kind = specKind(spec)
	}
	if strings.HasPrefix(conversion, "=") && spec == "" && !strings.HasSuffix(conversion, "!s") {
		kind = Repr
	}
	return kind, specWidth(spec)
}

// verbKind is what a verb prints, in all dialects that have it: where they differ, the wider kind.
func verbKind(verb byte) Kind {
	switch verb {
	case 'd', 'i', 'u', 'b', 'o':
		return Int
	case 'x', 'X':
		return Hex
	case 'f', 'F', 'e', 'E', 'g', 'G':
		return Float
	case 'q':
		return Quoted
	case 'r', 'a':
		return Repr
	case 'c':
		return Char
	case 't':
		return Bool
	case 'p':
		return Pointer
	case 'T':
		return Type
	case 'w':
		return Error
	case 'j':
		return JSON
	}
	return Any
}

// width reads the first number of a verb's flags, which is the width unless a point stands before it.
func width(flags string) int {
	for i := 0; i < len(flags); i++ {
		switch c := flags[i]; {
		case c == '*':
			return 1
		case '1' <= c && c <= '9':
			return leadingNumber(flags[i:])
		case strings.IndexByte("+-# 0,'(", c) < 0:
			return 0
		}
	}
	return 0
}

// leadingNumber reads a small number; a larger one is cut to what a width can be.
func leadingNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), maxWidth)
	}
	return n
}

// maxWidth bounds the padding that is printed.
const maxWidth = 1 << 10

// specKind reads the type letter of a format specification in braces. Specifications that are no numbers' ("%Y-%m-%d") are Any.
func specKind(spec string) Kind {
	if spec == "" {
		return Any
	}
	if spec == "?" || spec == "#?" {
		return Repr
	}
	head, letter := spec[:len(spec)-1], spec[len(spec)-1]
	if len(head) > 0 && strings.ContainsAny(head, "%/:") {
		return Any
	}
	switch letter {
	case 'd', 'n', 'b', 'o':
		return Int
	case ',':
		return Float
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		return Float
	case 'x', 'X':
		return Hex
	case 'c':
		return Char
	}
	return Any
}

// specWidth is the least width that a specification in braces asks for.
func specWidth(spec string) int {
	if strings.Contains(spec, "{") {
		return 1
	}
	for i := 0; i < len(spec); i++ {
		switch c := spec[i]; {
		case c == '.' || c == '%':
			return 0
		case '1' <= c && c <= '9':
			return leadingNumber(spec[i:])
		}
	}
	return 0
}
