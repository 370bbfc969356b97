package ecmascript

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// pair are two extractors for a file's ending: the one that users have, and one that parses every file whole.
type pair struct{ skims, whole *extractor }

func pairs(t testing.TB) map[string]pair {
	out := map[string]pair{}
	for _, l := range languages() {
		for _, ending := range l.Extensions {
			d, err := newDialect(grammarOf(ending))
			if err != nil {
				t.Fatal(err)
			}
			jsx := l.Name != "TypeScript"
			a, b := &extractor{dialect: d, jsx: jsx}, &extractor{dialect: d, jsx: jsx, whole: true}
			a.parser, b.parser = newParser(), newParser()
			out[ending] = pair{a, b}
		}
	}
	return out
}

// What a file says must not depend on which functions were parsed: sites, types, constants, imports and expectations are the same.
func TestSkimmedFilesSayTheSame(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives")
	}
	all := pairs(t)
	skimmed := 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if p, ok := all[filepath.Ext(f.Name)]; ok {
				same(t, p, path+" "+f.Name, f.Data)
				if s := p.skims.skim(string(f.Data)); s != nil && s.include() != nil {
					skimmed++
				}
			}
		}
	}
	if skimmed == 0 {
		t.Error("no file had anything to leave out")
	}
}

func same(t *testing.T, p pair, name string, src []byte) {
	t.Helper()
	a, b := p.skims.extract(src, lang.Options{}), p.whole.extract(src, lang.Options{})
	x, y := langtest.Sections(a), langtest.Sections(b)
	for _, section := range []string{"sites", "types", "values", "imports", "expectations"} {
		if diff := cmp.Diff(y[section], x[section]); diff != "" {
			t.Errorf("%s: %s (-whole +skimmed):\n%s", name, section, diff)
		}
	}
	if missing, total := missingCalls(a, b); missing*50 > total && missing > 1 {
		t.Errorf("%s: %d of %d calls are missing", name, missing, total)
	}
}

// missingCalls counts the callees of b's functions with a name that neither the same function of a calls nor one in it.
func missingCalls(a, b *raise.Facts) (missing, total int) {
	calls := map[string]bool{}
	for i := range a.Functions {
		for _, c := range a.Functions[i].Calls {
			calls[c.Callee] = true
		}
	}
	for i := range b.Functions {
		for _, c := range b.Functions[i].Calls {
			if total++; !calls[c.Callee] {
				missing++
			}
		}
	}
	return missing, total
}

// TestSkimmedCorpus does the same over the folders that WHEREFORE_JS_CORPUS lists.
func TestSkimmedCorpus(t *testing.T) {
	roots := filepath.SplitList(os.Getenv("WHEREFORE_JS_CORPUS"))
	if len(roots) == 0 {
		t.Skip("WHEREFORE_JS_CORPUS names no folder")
	}
	all := pairs(t)
	files, skimmed, parsed, bytes := 0, 0, 0, 0
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			p, ok := all[filepath.Ext(path)]
			if err != nil || d.IsDir() || !ok || strings.HasSuffix(path, ".d.ts") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil || len(src) > 1<<20 {
				return err
			}
			files++
			bytes += len(src)
			same(t, p, path, src)
			if s := p.skims.skim(string(src)); s == nil {
				t.Logf("lost in %s", path)
				parsed += len(src)
			} else if in := s.include(); in == nil {
				parsed += len(src)
			} else {
				skimmed++
				for _, part := range in {
					parsed += part.size
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d skimmed, %.1f %% of %d bytes parsed", files, skimmed, 100*float64(parsed)/float64(max(bytes, 1)), bytes)
}
