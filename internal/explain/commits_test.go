package explain_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/explain"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/source"
)

const before = `class RingOverflow(ValueError):
    pass


def push(ring, item):
    if len(ring) > 8:
        raise RingOverflow(f"the ring holds {len(ring)} entries already")
    ring.append(item)
`

// A page says which commits the text and the check stem from, and what the documentation says of the error.
func TestHistoryAndDocumentation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rings")
	// The last commit has one argument more than those before it, and so a later time.
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=2024-05-06T07:08:09Z", "GIT_COMMITTER_DATE=2024-05-06T07:08:0"+
				string(rune('0'+len(args)))+"Z")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	put("ring.py", "def push(ring, item):\n    ring.append(item)\n")
	git("add", "-A")
	git("commit", "-qm", "Rings")
	put("ring.py", before)
	git("add", "-A")
	git("commit", "-qm", "Rings have a bound")
	put("ring.py", strings.Replace(before, "> 8", ">= 8", 1))
	put("docs/rings.md", "# Rings\n\nA push beyond the bound raises `RingOverflow`.\n")
	git("add", "-A")
	git("commit", "-q", "-m", "Fix #12: one entry too many")

	page := pageOf(t, dir)
	var said []string
	for _, s := range append(page.Situations, page.Solutions...) {
		said = append(said, s.Text)
	}
	text := strings.Join(said, "\n")
	for _, want := range []string{"docs/rings.md mentions `RingOverflow`: “A push beyond the bound raises 'RingOverflow'.”", " brought this text into the file: “Rings have a bound”",
		" of 2024-05-06 made the check in line 6 what it is: “Fix #12: one entry too many”",
		"Compare your version with commit "} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

// pageOf indexes a repository and makes the page of its first error.
func pageOf(t *testing.T, dir string) *api.Page {
	t.Helper()
	ctx, languages := context.Background(), all.Languages()
	var known []source.Language
	for _, l := range languages {
		known = append(known, source.Language{Name: l.Name, Extensions: l.Extensions})
	}
	repo, err := source.Open(ctx, dir, source.Options{Languages: known})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, filepath.Join(t.TempDir(), "catalog.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Languages: languages}); err != nil {
		t.Fatal(err)
	}
	errs, err := c.Errors(ctx, 0)
	if err != nil || len(errs) == 0 {
		t.Fatalf("%d errors, %v", len(errs), err)
	}
	page, err := explain.New(c, languages, index.NewSources(languages, t.TempDir())).Page(ctx, errs[0].ID, "")
	if err != nil {
		t.Fatal(err)
	}
	return page
}
