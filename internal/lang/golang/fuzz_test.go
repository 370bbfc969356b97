package golang

import (
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) { langtest.FuzzExtract(f, []*lang.Language{Language()}) }

// Nesting of any depth, lines of any length and bytes of any kind are read without a fault.
func TestHostileFiles(t *testing.T) {
	extract := newExtractor()
	within := func(s string) string { return "package p\nimport \"errors\"\nfunc f() error {\n" + s + "\n}\n" }
	for name, src := range map[string]string{
		"parentheses": within("return " + strings.Repeat("(", 50000) + "errors.New(\"deep\")" + strings.Repeat(")", 50000)),
		"blocks":      within(strings.Repeat("{", 20000) + "return errors.New(\"deep\")" + strings.Repeat("}", 20000)),
		"functions":   within(strings.Repeat("func() {", 5000) + "panic(\"deep\")" + strings.Repeat("}()", 5000)),
		"sums":        within("return errors.New(\"a\"" + strings.Repeat(" + b", 50000) + ")"),
		"else if":     within("if a { x() }" + strings.Repeat(" else if b { return errors.New(\"c d\") }", 5000)),
		"members":     within("return errors.New(a" + strings.Repeat(".b", 50000) + ")"),
		"long line":   within("return errors.New(\"" + strings.Repeat("x", 4<<20) + "\")"),
		"conversions": "package p\ntype T string\nfunc (t T) Error() string { return string(t) }\nfunc f() error { return " + strings.Repeat("T(", 2000) + "x" + strings.Repeat(")", 2000) + " }",
		"statements":  within(strings.Repeat("x = 1; if y { return errors.New(\"z z\") }\n", 5000)),
		"NUL":         within("return errors.New(\"a\x00b\")\x00"),
		"invalid":     within("return errors.New(\"\xff\xfe\")"),
	} {
		t.Run(name, func(t *testing.T) {
			facts := extract([]byte(src), lang.Options{})
			langtest.Holds(t, facts, []byte(src))
			if len(facts.Sites) == 0 && len(facts.Problems) == 0 {
				t.Error("no site and no problem")
			}
		})
	}
}

func TestMutated(t *testing.T) { langtest.Mutate(t, Language()) }
