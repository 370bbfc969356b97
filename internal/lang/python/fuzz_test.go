package python

import (
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) {
	var seeds []string
	for seed := range 10 {
		seeds = append(seeds, generated(int64(seed)))
	}
	langtest.FuzzExtract(f, []*lang.Language{Language()}, seeds...)
}

// Nesting of any depth, lines of any length and bytes of any kind are read without a fault, within their bounds.
func TestHostileFiles(t *testing.T) {
	extract := Language().NewExtractor()
	for name, src := range map[string]string{
		"parentheses": strings.Repeat("(", 100000),
		"calls":       "x = " + strings.Repeat("f(", 20000) + "1" + strings.Repeat(")", 20000),
		"blocks":      staircase(300, "if x:\n") + strings.Repeat(" ", 300) + "raise ValueError('deep')\n",
		"functions":   staircase(300, "def f():\n") + strings.Repeat(" ", 300) + "raise ValueError('deep')\n",
		"sums":        "raise ValueError('a'" + strings.Repeat(" + b", 20000) + ")\n",
		"else if":     "if a:\n  x()\n" + strings.Repeat("elif b:\n  raise ValueError('c')\n", 3000),
		"members":     "raise a" + strings.Repeat(".b", 20000) + ".Error()\n",
		"holes":       "raise ValueError(" + strings.Repeat("f'{f\"{", 200) + "x" + strings.Repeat("}\"}'", 200) + ")\n",
		"long line":   "raise ValueError('" + strings.Repeat("x", 8<<20) + "')\n",
		"statements":  "def f():\n" + strings.Repeat("  x = 1\n  if y:\n    raise ValueError('z')\n", 3000),
		"NUL":         "raise ValueError('a\x00b')\x00\n",
		"invalid":     "raise ValueError('\xff\xfe')\n",
		"no end":      "def f():\n  x = '''" + strings.Repeat("y\n", 1000),
		"only tabs":   strings.Repeat("\t", 100000),
	} {
		t.Run(name, func(t *testing.T) {
			facts := extract([]byte(src), lang.Options{})
			langtest.Holds(t, facts, []byte(src))
			if strings.Contains(src, "raise ValueError('") && len(facts.Sites) == 0 && len(facts.Problems) == 0 {
				t.Error("no site and no problem")
			}
		})
	}
}

// staircase is a line in the block of one like it, and so on.
func staircase(depth int, line string) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + line)
	}
	return b.String()
}

func TestMutated(t *testing.T) { langtest.Mutate(t, Language()) }
