package kotlin

import (
	"bytes"
	"regexp"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// What the grammar does not take would cost the whole class around it:
//
//   - modifiers on a line of their own before the word constructor, where it ends the declaration;
//   - context parameters;
//   - the marks before a text with several dollar signs;
//   - calls of functions named get and set behind a variable, which it takes for that variable's accessors.
var (
	modifiers = regexp.MustCompile(`(?m)^[ \t]*((?:(?:@[\w.]+(?:\([^()\n]*\))?|actual|internal|private|protected|public)\s+)+)constructor\s*\(`)
	contexts  = regexp.MustCompile(`(?m)^[ \t]*(context[ \t]*\([^()\n]*\))[ \t]*$`)
	dollars   = regexp.MustCompile(`(\$\$+)"`)
	accessors = regexp.MustCompile(`(?m)^[ \t]*([ \t])(?:get\([^)\n]|set\([^()\n]*,)`)
)

// extractor reads files with what the grammar does not take left out.
func extractor(g *syntax.Grammar) lang.Extractor {
	extract := lower.Extractor(dialect(g))
	return func(src []byte, o lang.Options) *raise.Facts { return extract(masked(src), o) }
}

// masked is a source of the same length and lines that the grammar takes: blanks stand for what it does not.
func masked(src []byte) []byte {
	var out []byte
	put := func(from, to int, by byte) {
		if out == nil {
			out = bytes.Clone(src)
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = by
			}
		}
	}
	for _, m := range []struct {
		word string
		form *regexp.Regexp
	}{{"constructor", modifiers}, {"context", contexts}, {"$$", dollars}} {
		if bytes.Contains(src, []byte(m.word)) {
			for _, at := range m.form.FindAllSubmatchIndex(src, -1) {
				put(at[2], at[3], ' ')
			}
		}
	}
	for _, at := range accessors.FindAllSubmatchIndex(src, -1) {
		// Only behind a statement can another one be set off.
		before := bytes.TrimRight(src[:at[0]], " \t\r\n")
		if k := len(before); k > 0 && (before[k-1] == ')' || before[k-1] == '"' || before[k-1] == '_' || before[k-1] == '}' || before[k-1] == ']' || before[k-1]|0x20 >= 'a' && before[k-1]|0x20 <= 'z') {
			put(at[2], at[3], ';')
		}
	}
	if out == nil {
		return src
	}
	return out
}
