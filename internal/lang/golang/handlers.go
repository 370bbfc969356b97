package golang

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// handlers adds the checks of what error a value is: errors.Is with a declared one, errors.As with a variable of a type. They are found
// in the text, since the bodies of functions that raise nothing are not parsed.
func handlers(facts *raise.Facts, src string) {
	line, at := 1, 0
	for {
		i := strings.Index(src[at:], "errors.")
		if i < 0 {
			return
		}
		line += strings.Count(src[at:at+i], "\n")
		at += i
		if types := checked(src, at); types != "" && !commented(src[:at]) {
			facts.Handled(raise.Handler{Line: line, Types: []string{types}})
		}
		at += len("errors.")
	}
}

// checked is the type or declared error that the call at an offset asks for; "" if it is no such call.
func checked(src string, at int) string {
	rest := src[at:]
	switch {
	case strings.HasPrefix(rest, "errors.Is("):
		if args := arguments(rest[len("errors.Is("):]); len(args) == 2 {
			return dottedName(args[1])
		}
	case strings.HasPrefix(rest, "errors.AsType["):
		name, _, _ := strings.Cut(rest[len("errors.AsType["):], "]")
		return dottedName(strings.TrimLeft(name, "*"))
	case strings.HasPrefix(rest, "errors.As("):
		args := arguments(rest[len("errors.As("):])
		if len(args) != 2 || !strings.HasPrefix(args[1], "&") {
			return ""
		}
		// The type is the variable's, which is declared shortly before.
		declared := "var " + args[1][1:] + " "
		if i := strings.LastIndex(src[max(0, at-400):at], declared); i >= 0 {
			name, _, _ := strings.Cut(src[max(0, at-400)+i+len(declared):at], "\n")
			return dottedName(strings.TrimLeft(strings.TrimSpace(name), "*"))
		}
	}
	return ""
}

// arguments splits what stands up to the closing parenthesis.
func arguments(text string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(text) && i < 300; i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return append(out, strings.TrimSpace(text[from:i]))
			}
		case ',':
			if depth == 0 {
				out, from = append(out, strings.TrimSpace(text[from:i])), i+1
			}
		case '"', '`', '\n':
			return nil
		}
	}
	return nil
}

// dottedName is a name or a member path; "" for anything else.
func dottedName(s string) string {
	for _, c := range s {
		if c != '.' && c != '_' && !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(c >= '0' && c <= '9') {
			return ""
		}
	}
	return s
}

// commented reports whether a text ends in a line that is a comment.
func commented(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.Contains(line, "//") || strings.HasPrefix(strings.TrimSpace(line), "*")
}
