package python

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// pair are two extractors: the one that users have, and one that parses every file whole.
type pair struct{ skims, whole *extractor }

func newPair(t testing.TB) pair {
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		t.Fatal(err)
	}
	p := pair{newExtractor(g), newExtractor(g)}
	p.whole.whole = true
	return p
}

// same fails the test where the two say different things of a file. It reports whether something was left out.
func (p pair) same(t *testing.T, name string, src []byte) bool {
	t.Helper()
	x := langtest.Sections(p.skims.extract(src, lang.Options{}))
	y := langtest.Sections(p.whole.extract(src, lang.Options{}))
	if diff := cmp.Diff(y, x); diff != "" {
		t.Errorf("%s (-whole +skimmed):\n%s", name, diff)
	}
	return p.skims.elided != nil
}

// What a file says does not depend on which functions were parsed.
func TestSkimmedFilesSayTheSame(t *testing.T) {
	p, skimmed := newPair(t), 0
	count := func(left bool) {
		if left {
			skimmed++
		}
	}
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if filepath.Ext(f.Name) == ".py" {
				count(p.same(t, path+" "+f.Name, f.Data))
			}
		}
	}
	for seed := range 80 {
		count(p.same(t, "generated", []byte(generated(int64(seed)))))
	}
	if skimmed == 0 {
		t.Error("no file had anything to leave out")
	}
}

// TestSkimmedCorpus does the same over the folders that WHEREFORE_PY_CORPUS lists.
func TestSkimmedCorpus(t *testing.T) {
	paths, files := corpus(t)
	p := newPair(t)
	skimmed, parsed, bytes := 0, 0, 0
	for i, src := range files {
		bytes += len(src)
		if p.same(t, paths[i], src) {
			skimmed++
			parsed += len(p.skims.compact)
		} else {
			parsed += len(src)
			if p.skims.skim() == nil {
				t.Logf("lost in %s", paths[i])
			}
		}
	}
	t.Logf("%d files, %d skimmed, %.1f %% of %d bytes parsed", len(files), skimmed, 100*float64(parsed)/float64(bytes), bytes)
}
