package match_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// git runs git in a folder, apart from the user's settings.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %s", args, out)
	}
}

// TestVersions looks a message up that two versions print under different conditions, and one that only the older prints.
func TestVersions(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	commit := func(tag, code string) {
		if err := os.WriteFile(filepath.Join(dir, "pool.py"), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-q", "-m", tag)
		git(t, dir, "tag", tag)
	}
	commit("v1", "def take(pages, room):\n    if pages > room:\n        raise ValueError(f\"no room for {pages} pages, {room} are free\")\n"+
		"    if not pages:\n        raise ValueError(\"nothing was asked of the pool\")\n")
	commit("v2", "import os\n\n\ndef take(pages, room):\n    if pages >= room:\n        raise ValueError(f\"no room for {pages} pages, {room} are free\")\n")

	languages := all.Languages()
	repo, err := source.Open(ctx, dir, source.Options{Languages: index.Files(all.Languages())})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, filepath.Join(t.TempDir(), "catalog.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, rev := range []string{"v1", "v2"} {
		if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Rev: rev, Name: "r", Languages: languages}); err != nil {
			t.Fatal(err)
		}
	}
	x, err := index.OpenMatch(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	finder := match.NewFinder(c, x, languages, all.Traces())

	a, err := finder.Find(ctx, "ValueError: no room for 8 pages, 8 are free", match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := a.Observations[0].Candidates[0]
	if got.Line != 6 || got.Condition.Text != "pages >= room" || got.Condition.Verdict != "true" {
		t.Errorf("found line %d of %v, %q is %s", got.Line, got.Revisions, got.Condition.Text, got.Condition.Verdict)
	}
	if len(got.Revisions) != 1 {
		t.Errorf("can have printed 8 of 8: %v; v1 raises only beyond", got.Revisions)
	}
	if a, err = finder.Find(ctx, "ValueError: no room for 9 pages, 8 are free", match.Options{}); err != nil {
		t.Fatal(err)
	}
	got = a.Observations[0].Candidates[0]
	if o := got.Condition.Others; got.Line != 6 || len(o) != 1 || !slices.Equal(o[0].Revisions, got.Revisions[1:]) || o[0].Line != 3 || o[0].Text != "pages > room" || o[0].Verdict != "true" {
		t.Errorf("in other versions: %+v", o)
	}
	if a, err = finder.Find(ctx, "ValueError: nothing was asked of the pool", match.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := a.Observations[0].Candidates[0]; len(got.Revisions) != 1 || got.Line != 5 {
		t.Errorf("found line %d of %v, want line 5 of v1 alone", got.Line, got.Revisions)
	}
}
