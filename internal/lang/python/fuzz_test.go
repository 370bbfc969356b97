package python

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// FuzzExtract holds the extractor to what everything behind it relies on, whatever the file is.
func FuzzExtract(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				f.Add(file.Data)
			}
		}
	}
	for seed := range 10 {
		f.Add([]byte(generated(int64(seed))))
	}
	extract := Language().NewExtractor()
	f.Fuzz(func(t *testing.T, src []byte) {
		facts := extract(src, lang.Options{Timeout: 5 * time.Second})
		sound(t, facts, src)
		langtest.Sections(facts)
	})
}

func sound(t *testing.T, f *raise.Facts, src []byte) {
	t.Helper()
	last := strings.Count(string(src), "\n") + 1
	for i := range f.Sites {
		s := &f.Sites[i]
		switch {
		case s.Line < 1 || s.EndLine < s.Line || s.EndLine > last:
			t.Fatalf("site %d: lines %d-%d of %d", i, s.Line, s.EndLine, last)
		case s.End < s.Start || int(s.End) > len(src):
			t.Fatalf("site %d: bytes %d-%d of %d", i, s.Start, s.End, len(src))
		case s.Function < raise.NoFunction || s.Function >= len(f.Functions):
			t.Fatalf("site %d: function %d of %d", i, s.Function, len(f.Functions))
		case i > 0 && s.Start < f.Sites[i-1].Start:
			t.Fatalf("site %d stands before the one before it", i)
		}
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		if fn.Parent >= i || fn.Parent < raise.NoFunction || fn.Line < 1 || fn.EndLine < fn.Line || fn.EndLine > last {
			t.Fatalf("function %d: parent %d, lines %d-%d of %d", i, fn.Parent, fn.Line, fn.EndLine, last)
		}
	}
	if len(raise.EncodeCore(f)) == 0 || len(raise.EncodeOutline(f)) == 0 {
		t.Fatal("nothing encoded")
	}
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
			sound(t, facts, []byte(src))
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
