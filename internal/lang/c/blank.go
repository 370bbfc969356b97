package c

import (
	"bytes"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// blanking is an extractor that reads a file without the macros that stand where the grammar has no place for any: attributes, and
// lines that are nothing but a macro. They become blanks, so that everything keeps its place.
func blanking(read lang.Extractor) lang.Extractor {
	return func(src []byte, o lang.Options) *raise.Facts { return read(blanked(src), o) }
}

func blanked(src []byte) []byte {
	var out []byte
	previous := byte(';') // the last byte of code before the line
	continued, comment := false, false
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i
		}
		line := bytes.TrimSpace(src[at:end])
		directive := continued || len(line) > 0 && line[0] == '#'
		continued = directive && len(line) > 0 && line[len(line)-1] == '\\'
		opens := bytes.IndexByte(line, '*') >= 0 && bytes.LastIndex(line, []byte("/*")) > bytes.LastIndex(line, []byte("*/"))
		switch {
		case comment:
			comment = !bytes.Contains(line, []byte("*/")) || opens
		case directive:
			previous = ';'
		case len(line) == 0, bytes.HasPrefix(line, []byte("//")), bytes.HasPrefix(line, []byte("/*")):
			comment = opens
		default:
			comment = opens
			if alone(line) && strings.IndexByte(";{}:>", previous) >= 0 && begins(src[end:]) {
				out = erase(out, src, at, end)
				break
			}
			out = attributes(out, src, at, end)
			previous = line[len(line)-1]
		}
		at = end + 1
	}
	if out == nil {
		return src
	}
	return out
}

// erase puts blanks in the place of a part of the file, in a copy of it.
func erase(out, src []byte, from, to int) []byte {
	if out == nil {
		out = bytes.Clone(src)
	}
	for i := from; i < to; i++ {
		if out[i] != '\r' && out[i] != '\t' {
			out[i] = ' '
		}
	}
	return out
}

// alone reports whether a line is one macro, with arguments or without, and no statement.
func alone(line []byte) bool {
	n := capitals(line)
	if n < 4 {
		return false
	}
	rest := line[n:]
	return len(rest) == 0 || rest[0] == '(' && rest[len(rest)-1] == ')' && bytes.Count(rest, []byte("(")) == 1 && !bytes.ContainsAny(rest, "\"=")
}

// begins reports whether what follows begins something of its own: a declaration, a directive, a comment.
func begins(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(rest) == 0 {
		return true
	}
	c := rest[0]
	return c == '#' || c == '/' || c == '}' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// capitals is the length of the name in capitals that a text begins with; 0 if it begins with none.
func capitals(s []byte) int {
	n := 0
	for n < len(s) && (s[n] == '_' || upper(s[n]) || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	if n < len(s) && lowerCase(s[n]) {
		return 0
	}
	return n
}

// attributes blanks the macros of a line that say something of a declaration to the compiler alone.
func attributes(out, src []byte, from, to int) []byte {
	quoted := byte(0)
	for i := from; i < to; i++ {
		c := src[i]
		switch {
		case c == '\\':
			i++
			continue
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
			continue
		case c == '"' || c == '\'':
			quoted = c
			continue
		case c == '/' && i+1 < to && (src[i+1] == '/' || src[i+1] == '*'):
			return out
		}
		if !upper(c) || i > from && word(src[i-1]) {
			continue
		}
		n := capitals(src[i:to])
		if n < 4 || !attribute(string(src[i:i+n])) {
			i += max(n-1, 0)
			continue
		}
		end := i + n
		if end < to && src[end] == '(' {
			if closed := bytes.IndexByte(src[end:to], ')'); closed >= 0 && bytes.Count(src[end:end+closed], []byte("(")) == 1 {
				end += closed + 1
			} else {
				return out
			}
		}
		out = erase(out, src, i, end)
		i = end - 1
	}
	return out
}

func word(c byte) bool {
	return c == '_' || upper(c) || lowerCase(c) || c >= '0' && c <= '9'
}

// attribute reports whether a macro is called as one that is an attribute of a declaration.
func attribute(name string) bool {
	all := words(name)
	last := all[len(all)-1]
	switch last {
	case "unused", "noreturn", "nodiscard", "noinline", "deprecated", "nonnull", "export", "api", "dllexport", "noexcept", "fallthrough", "printf_", "inline", "exported", "decl", "extern", "hidden":
		return len(all) > 1 || last == "unused" || last == "noreturn"
	}
	return slices.Contains(all, "guarded") || slices.Contains(all, "locks") && (slices.Contains(all, "required") || slices.Contains(all, "excluded")) ||
		strings.HasSuffix(name, "NON_NULL") || strings.HasSuffix(name, "MUST_BE_NULL") || strings.Contains(name, "THREAD_ANNOTATION") || name == "RETURNS_NONNULL"
}
