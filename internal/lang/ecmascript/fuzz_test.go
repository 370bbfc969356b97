package ecmascript

import (
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) { langtest.FuzzExtract(f, languages()) }

// Nesting of any depth, lines of any length and bytes of any kind are read without a fault, within their bounds.
func TestHostileFiles(t *testing.T) {
	extract := JavaScript().NewExtractor()
	for name, src := range map[string]string{
		"parentheses": strings.Repeat("(", 100000),
		"blocks":      strings.Repeat("{ if (x) ", 20000) + "throw new Error('deep')" + strings.Repeat("}", 20000),
		"calls":       strings.Repeat("f(", 20000) + "new Error('deep')" + strings.Repeat(")", 20000),
		"functions":   strings.Repeat("function f() { ", 5000) + "throw new Error('deep');" + strings.Repeat("}", 5000),
		"arrows":      strings.Repeat("() => ", 5000) + "new Error('deep')",
		"sums":        "throw new Error('a'" + strings.Repeat(" + b", 50000) + ")",
		"ternaries":   "throw " + strings.Repeat("a ? ", 3000) + "new Error('x')" + strings.Repeat(" : new Error('y')", 3000),
		"assignments": strings.Repeat("exports.a = ", 5000) + "1",
		"else if":     "if (a) x();" + strings.Repeat(" else if (b) throw new Error('c');", 5000),
		"members":     "throw new a" + strings.Repeat(".b", 50000) + "Error()",
		"templates":   "throw new Error(" + strings.Repeat("`${", 5000) + "x" + strings.Repeat("}`", 5000) + ")",
		"long line":   "throw new Error('" + strings.Repeat("x", 8<<20) + "')",
		"statements":  "function f() {" + strings.Repeat("x = 1; if (y) throw new Error('z');\n", 5000) + "}",
		"names":       "function f() {" + numbered("let v%d = 'a'; if (v%d) v%d = 'b';\n", 2000) + "throw new Error(v1) }",
		"NUL":         "throw new Error('a\x00b')\x00;",
		"invalid":     "throw new Error('\xff\xfe')",
	} {
		t.Run(name, func(t *testing.T) {
			facts := extract([]byte(src), lang.Options{})
			langtest.Holds(t, facts, []byte(src))
			if strings.Contains(src, "throw new Error('") && len(facts.Sites) == 0 && len(facts.Problems) == 0 {
				t.Error("no site and no problem")
			}
		})
	}
}

func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26%80)))
	}
	return b.String()
}

func TestMutated(t *testing.T) { langtest.Mutate(t, languages()...) }
