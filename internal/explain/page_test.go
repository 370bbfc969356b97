package explain_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/markdown"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// TestPages makes the page of the first product error of each archive, as Markdown, and holds it against the archive's want. With
// UPDATE=1 that is rewritten.
func TestPages(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			page := firstPage(t, ar)
			page.Provenance.Indexed = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
			var b strings.Builder
			if err := markdown.Page(&b, page); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			for i := range ar.Files {
				f := &ar.Files[i]
				switch {
				case f.Name != "want":
				case os.Getenv("UPDATE") != "":
					f.Data = []byte(got)
					if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
				default:
					if diff := cmp.Diff(string(f.Data), got); diff != "" {
						t.Errorf("(-want +got):\n%s", diff)
					}
				}
			}
		})
	}
}

// firstPage indexes the files of an archive and makes the page of the error of the first site.
func firstPage(t *testing.T, ar *txtar.Archive) *api.Page {
	t.Helper()
	files := map[string]string{}
	for _, f := range ar.Files {
		if f.Name != "want" {
			files[f.Name] = string(f.Data)
		}
	}
	var first *api.Page
	for _, p := range pagesOf(t, files) {
		if first == nil || p.Sites[0].Path+"\x00"+string(rune(p.Sites[0].Line)) < first.Sites[0].Path+"\x00"+string(rune(first.Sites[0].Line)) {
			first = p
		}
	}
	return first
}

// pagesOf indexes files and makes the pages of all their errors.
func pagesOf(t *testing.T, files map[string]string) []*api.Page {
	t.Helper()
	ctx, root := context.Background(), filepath.Join(t.TempDir(), "r")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	languages := all.Languages()
	repo, err := source.Open(ctx, root, source.Options{Languages: index.Files(languages)})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, filepath.Join(t.TempDir(), "catalog.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: "r", Languages: languages}); err != nil {
		t.Fatal(err)
	}
	x := explain.New(c, languages, index.NewSources(languages, t.TempDir()))
	errs, err := c.Errors(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []*api.Page
	for _, e := range errs {
		p, err := x.Page(ctx, e.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}
