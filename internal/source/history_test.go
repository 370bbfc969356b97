package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhichCommitsChangedWhat(t *testing.T) {
	dir := newRepo(t, "a.py", "one", "b.py", "other")
	write(t, dir, "a.py", "two")
	second := commit(t, dir, "a says two\n\nAnd more.")
	write(t, dir, "b.py", "unrelated")
	commit(t, dir, "b changes")
	r := open(t, dir)
	c, err := r.Changes(t.Context(), resolve(t, r, ""), 10)
	if err != nil || !c.Whole || len(c.Commits) != 3 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got, want := fmt.Sprint(c.Files, c.Commits[1].Subject), "map[a.py:[1 2] b.py:[0 2]]a says two"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	texts, err := r.TextsAt(t.Context(), "a.py", []string{second, second + "^", c.Commits[2].Hash + "^"})
	if err != nil || string(texts[0]) != "two" || string(texts[1]) != "one" || texts[2] != nil {
		t.Errorf("texts %q, %v", texts, err)
	}
	if c, err := r.Changes(t.Context(), resolve(t, r, second), 1); err != nil || c.Whole || len(c.Commits) != 1 || c.Commits[0].Hash != second {
		t.Errorf("the last one of two: %+v, %v", c, err)
	}
}

// A clone that was cut off knows nothing of what was before, and a folder knows nothing at all.
func TestNoCommits(t *testing.T) {
	dir := newRepo(t, "a.py", "one")
	write(t, dir, "a.py", "two")
	commit(t, dir, "second")
	shallow := filepath.Join(t.TempDir(), "shallow")
	runGit(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, shallow)
	plain := t.TempDir()
	write(t, plain, "a.py", "one")
	for _, where := range []string{shallow, plain} {
		r := open(t, where)
		if c, err := r.Changes(t.Context(), resolve(t, r, ""), 10); err != nil || len(c.Commits) != 0 {
			t.Errorf("%s: %+v, %v", where, c, err)
		}
	}
}

func TestDocuments(t *testing.T) {
	files := []string{"README", "read me", "CHANGES.rst", "changes", "docs/deep/a.md", "a", "docs/a.py", "x", "src/notes.md", "no", "notes.txt", "no"}
	bare := newRepo(t, files...)
	plain := t.TempDir()
	write(t, plain, files...)
	for _, where := range []string{bare, plain} {
		r := open(t, where)
		v := resolve(t, r, "")
		for _, v := range []Revision{v, r.At(v.Commit)} {
			texts, err := r.Documents(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for p, text := range texts {
				got = append(got, p+"="+string(text))
			}
			slices.Sort(got)
			if want := "CHANGES.rst=changes README=read me docs/deep/a.md=a"; strings.Join(got, " ") != want {
				t.Errorf("%s: %q, want %q", where, got, want)
			}
		}
	}
}
