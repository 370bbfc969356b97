package golang

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// FuzzExtract holds the extractor to what everything behind it relies on, whatever the file is, and the skimmer to changing nothing.
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
	extract := newExtractor()
	f.Fuzz(func(t *testing.T, src []byte) {
		facts := extract(src, lang.Options{})
		holds(t, facts, src)
		langtest.Sections(facts)
	})
}

func holds(t *testing.T, f *raise.Facts, src []byte) {
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
			holds(t, facts, []byte(src))
			if len(facts.Sites) == 0 && len(facts.Problems) == 0 {
				t.Error("no site and no problem")
			}
		})
	}
}
