package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// handlers adds the places that ask whether a value is an error of a type: a clause names none here. They are found in the text, since
// the bodies of functions that raise nothing are not parsed.
func handlers(facts *raise.Facts, src string) {
	const word = " instanceof "
	line, at := 1, 0
	for {
		i := strings.Index(src[at:], word)
		if i < 0 {
			return
		}
		line += strings.Count(src[at:at+i], "\n")
		at += i
		name := src[at+len(word):]
		end := 0
		for end < len(name) && (identByte(name[end]) || name[end] == '.') {
			end++
		}
		if name = strings.TrimRight(name[:end], "."); errorLike(lastName(name)) && !inComment(src[:at]) {
			facts.Handled(raise.Handler{Line: line, Types: []string{name}})
		}
		at += len(word)
	}
}

// inComment reports whether a text ends in a line that is a comment.
func inComment(before string) bool {
	line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.HasPrefix(line, "*") || strings.Contains(line, "//")
}
