package ecmascript

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

// FuzzExtract holds the extractors to what everything behind them relies on, whatever the file is.
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
	var extractors []lang.Extractor
	for _, l := range languages() {
		extractors = append(extractors, l.NewExtractor())
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, extract := range extractors {
			facts := extract(src, lang.Options{Timeout: 5 * time.Second})
			holds(t, facts, src)
			langtest.Sections(facts)
		}
	})
}

func holds(t *testing.T, f *raise.Facts, src []byte) {
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
		if p := f.Functions[i].Parent; p >= i || p < raise.NoFunction {
			t.Fatalf("function %d: parent %d", i, p)
		}
	}
	for i := range f.Values {
		if s := f.Values[i].Site; s >= len(f.Sites) {
			t.Fatalf("value %d: site %d of %d", i, s, len(f.Sites))
		}
	}
	if len(raise.EncodeCore(f)) == 0 || len(raise.EncodeOutline(f)) == 0 {
		t.Fatal("nothing encoded")
	}
}

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
			holds(t, facts, []byte(src))
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
