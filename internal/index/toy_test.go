package index_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// toy is a language for tests: every line "raise TEXT" of a file is a site. A line "crash" makes its extractor panic.
type toy struct {
	mu   sync.Mutex
	read []string // the first lines of what was extracted
	each func()   // called before each extraction; may be nil
}

func (y *toy) language() *lang.Language {
	return &lang.Language{Name: "Toy", Version: 1, Extensions: []string{".toy"},
		NewExtractor: func() lang.Extractor { return y.extract },
		Modules:      func(path string, _ *raise.Facts) []string { return []string{path} },
		Imported:     func(string, raise.Import) []string { return nil }}
}

func (y *toy) extract(src []byte, _ lang.Options) *raise.Facts {
	first, _, _ := strings.Cut(string(src), "\n")
	y.mu.Lock()
	y.read = append(y.read, first)
	y.mu.Unlock()
	if y.each != nil {
		y.each()
	}
	f := &raise.Facts{Language: "Toy"}
	for i, line := range bytes.Split(src, []byte("\n")) {
		if string(line) == "crash" {
			panic("the toy is broken")
		}
		if text, ok := bytes.CutPrefix(line, []byte("raise ")); ok {
			f.Sites = append(f.Sites, raise.Site{Kind: raise.KindError, Function: raise.NoFunction, Line: i + 1, EndLine: i + 1, TypeName: "ToyError",
				Message: expr.Str(string(text))})
		}
	}
	return f
}

// folder writes files into a new folder: name, content, name, content.
func folder(t testing.TB, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	write(t, dir, files...)
	return dir
}

func write(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// committed makes a git repository of a folder, with a tag.
func committed(t testing.TB, dir, tag string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "c"}, {"tag", tag}} {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// newCatalog opens a new catalog for writing.
func newCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.OpenWrite(t.Context(), filepath.Join(t.TempDir(), "catalog.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// runIndex indexes a folder in the toy language.
func runIndex(ctx context.Context, t testing.TB, c *catalog.Catalog, dir string, y *toy, change ...func(*index.Options, *source.Options)) (*index.Summary, error) {
	t.Helper()
	l := y.language()
	so := source.Options{Languages: index.Files([]*lang.Language{l})}
	o := index.Options{Catalog: c, Name: "r", Languages: []*lang.Language{l}, Workers: 2}
	for _, f := range change {
		f(&o, &so)
	}
	repo, err := source.Open(ctx, dir, so)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	o.Repo = repo
	return index.Run(ctx, o)
}

// mustIndex indexes a folder that can be indexed.
func mustIndex(t testing.TB, c *catalog.Catalog, dir string, y *toy, change ...func(*index.Options, *source.Options)) *index.Summary {
	t.Helper()
	s, err := runIndex(t.Context(), t, c, dir, y, change...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
