package csharp

import (
	"bytes"
	"regexp"
)

// spellings are other spellings, of the same length, of a file that the grammar does not take: "async" as a name in another one,
// then without the lines of the preprocessor, then without what stands behind an #else as well. The grammar takes conditionals
// around whole members and statements, and the language takes them anywhere.
func spellings(src []byte) [][]byte {
	calm := asyncName.ReplaceAll(src, []byte("asynC$1"))
	var out [][]byte
	if !bytes.Equal(calm, src) {
		out = append(out, calm)
	}
	if bytes.Contains(src, []byte("\n#")) || bytes.Contains(src, []byte(" #")) || bytes.Contains(src, []byte("\t#")) {
		all, first := directives(calm)
		out = append(out, all, first)
	}
	return out
}

// asyncName is "async" as the name of a parameter or variable.
var asyncName = regexp.MustCompile(`\basync(\s*(?:[,);:?!&|.\]}]|=[^>]|==))`)

var directive = regexp.MustCompile(`^\s*#\s*(if|elif|else|endif|region|endregion|pragma|nullable|define|undef|error|warning|line)\b`)

// directives returns the source without the lines of the preprocessor, and without the branches behind the first of each conditional
// too. Blanks stand in their place.
func directives(src []byte) (all, first []byte) {
	all, first = bytes.Clone(src), bytes.Clone(src)
	var behind []bool // of each open conditional, whether its first branch has ended
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i
		}
		m := directive.FindSubmatch(src[at:end])
		if m != nil {
			blank(all[at:end])
			switch depth := len(behind); string(m[1]) {
			case "if":
				behind = append(behind, false)
			case "elif", "else":
				if depth > 0 {
					behind[depth-1] = true
				}
			case "endif":
				behind = behind[:max(depth-1, 0)]
			}
		}
		if m != nil || anyTrue(behind) {
			blank(first[at:end])
		}
		at = end + 1
	}
	return all, first
}

func anyTrue(list []bool) bool {
	for _, b := range list {
		if b {
			return true
		}
	}
	return false
}

func blank(line []byte) {
	for i, c := range line {
		if c != '\r' {
			line[i] = ' '
		}
	}
}
