package message

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is what the printed value of a hole looks like. Kinds constrain matching: a value that a kind rules out is no match.
type Kind uint8

// The kinds.
const (
	Any     Kind = iota // any text, the empty one too
	Int                 // digits with a sign, in any base up to ten; a bracketed list of them
	Float               // a number
	Quoted              // a quoted string, or a bracketed list of them
	Repr                // what a debugger prints: quoted if it is a string, otherwise anything
	Hex                 // hexadecimal digits, with or without 0x
	Char                // one character
	Bool                // a truth value
	Pointer             // an address
	Type                // the name of a type
	Error               // the text of another error
	Enum                // one of Hole.Values
	JSON                // a JSON value
)

// kindNames are the kinds as templates print them.
func kindNames() []string {
	return []string{"any", "int", "float", "quoted", "repr", "hex", "char", "bool", "pointer", "type", "error", "enum", "json"}
}

// String returns the kind's name.
func (k Kind) String() string {
	if names := kindNames(); int(k) < len(names) {
		return names[k]
	}
	return "any"
}

// kindNamed is the kind of a name that String returned.
func kindNamed(name string) (Kind, bool) {
	i := slices.Index(kindNames(), name)
	return Kind(max(i, 0)), i >= 0
}

// cost is how well a text fits a hole: the cost that an alignment pays for it. Alignments with the least cost win.
type cost int32

// The costs. A reader takes a hole for what keeps brackets and quotes together, is not empty and has no blanks at its ends.
const (
	fits      cost = 0
	blankEdge cost = 1  // white space at an end
	empty     cost = 4  // no text at all
	lone      cost = 8  // an apostrophe before a word, which may be a quote
	split     cost = 16 // a bracket or quote opens or closes in the hole alone, or a number goes on outside
	never     cost = -1 // the kind rules it out
)

// fit judges the text s for the hole h. before and after are the literal bytes beside it, 0 at the ends of the message.
func (h *Hole) fit(s string, before, after byte) cost {
	if h.Width > 0 {
		s = strings.Trim(s, " ")
	}
	if !h.takes(s) {
		return never
	}
	if s == "" {
		return empty
	}
	switch h.Kind {
	case Int, Float, Hex:
		if digit(before) && digit(s[0]) || digit(after) && digit(s[len(s)-1]) {
			return split
		}
		return fits
	case Bool, Pointer, Char, Enum, Quoted:
		return fits
	case Repr, JSON:
		if quotedWhole(s) {
			return fits
		}
		if isQuote(s[0]) {
			return split // the quote that opens it closes before its end
		}
	}
	var enclosing byte
	if before == after && isQuote(before) {
		enclosing = before
	}
	total := balance(s, enclosing)
	if h.Kind == Type && strings.ContainsAny(s, " \n") {
		total += blankEdge
	}
	if isSpace(s[0]) || isSpace(s[len(s)-1]) {
		total += blankEdge
	}
	return total
}

// takes reports whether the hole can have printed s, or a scrubber in its place.
func (h *Hole) takes(s string) bool {
	switch h.Kind {
	case Any, Error, Repr, Type, JSON:
		return true
	}
	if h.Width > 0 {
		s = strings.Trim(s, " ")
	}
	return h.admits(s) || isRedaction(s)
}

// digit reports whether c is a decimal digit.
func digit(c byte) bool { return '0' <= c && c <= '9' }

// isQuote reports whether c opens a quoted string.
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// isSpace reports whether c is white space that wraps and pads texts.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// admits reports whether the kind can print s. Misused conversions ("%!d(string=x)") and absent values are admitted.
func (h *Hole) admits(s string) bool {
	switch h.Kind {
	case Int:
		return number(s, digitsOnly, grouping(h.Format)) || composite(s) || absent(s)
	case Float:
		return number(s, decimal, grouping(h.Format)) || composite(s) || absent(s)
	case Hex:
		return number(s, hexadecimal, "_ ") || composite(s) || absent(s)
	case Pointer:
		return strings.HasPrefix(s, "0x") && number(s, hexadecimal, "") || s == "(nil)" || absent(s)
	case Quoted:
		return quotedWhole(s) || composite(s) || absent(s)
	case Char:
		return utf8.RuneCountInString(s) == 1 || strings.HasPrefix(s, "%!")
	case Bool:
		return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") || absent(s)
	case Enum:
		return slices.Contains(h.Values, s)
	}
	return true
}

// absent reports whether s is what a conversion prints for no value or one of the wrong type.
func absent(s string) bool {
	switch s {
	case "undefined", "null", "None", "nil", "<nil>", "NaN":
		return true
	}
	return strings.HasPrefix(s, "%!") && strings.HasSuffix(s, ")")
}

// composite reports whether s is a list, map or structure as a conversion prints it element by element.
func composite(s string) bool {
	if s == "" || s[0] != '[' && s[0] != '{' && s[0] != '(' && s[0] != '&' && s[0] != 'm' {
		return false
	}
	open := strings.IndexAny(s, "[{(")
	if open < 0 || open > 0 && s[:open] != "map" && s[:open] != "&" {
		return false
	}
	last := s[len(s)-1]
	return (last == ']' || last == '}' || last == ')') && balance(s, 0) == fits
}

// digits are the sets of digits that number takes.
type digits uint8

const (
	digitsOnly digits = iota
	decimal
	hexadecimal
)

// grouping is the set of separators that the format puts between digits.
func grouping(format string) string {
	if len(format) > 1 && strings.ContainsAny(format[1:], ",_'n") {
		return ",_.'\u00a0"
	}
	return ""
}

// number reports whether s is a number of the given digits with separators out of group.
func number(s string, set digits, group string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+' || s[0] == ' ') {
		s = s[1:]
	}
	if set != digitsOnly {
		switch strings.ToLower(s) {
		case "inf", "infinity", "nan":
			return true
		}
	}
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXbBoO", s[1]) >= 0 {
		s = s[2:]
		if set == decimal {
			set = hexadecimal
		}
	}
	seen := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			seen = true
		case set == hexadecimal && 'a' <= c|0x20 && c|0x20 <= 'f':
			seen = true
		case set == decimal && (c == '.' || seen && (c == 'e' || c == 'E') || i > 0 && (c == '+' || c == '-')):
		case i == len(s)-1 && i > 0 && (c == 'n' || c == '%' && set == decimal):
		case seen && group != "" && strings.IndexByte(group, c) >= 0:
		default:
			return false
		}
	}
	return seen
}
