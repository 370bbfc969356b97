package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	dir := newRepo(t, "a.py", "one", "b.py", "other")
	write(t, dir, "a.py", "two")
	second := commit(t, dir, "a says two\n\nAnd more.")
	write(t, dir, "b.py", "unrelated")
	commit(t, dir, "b changes")
	if err := os.Remove(filepath.Join(dir, "a.py")); err != nil {
		t.Fatal(err)
	}
	commit(t, dir, "a goes")
	r := open(t, dir)
	all, whole, err := r.History(t.Context(), resolve(t, r, ""), "a.py", 10)
	if err != nil || !whole || len(all) != 3 {
		t.Fatalf("%d versions, whole %v, %v", len(all), whole, err)
	}
	var got []string
	for _, v := range all {
		got = append(got, v.Subject+": "+string(v.Text))
	}
	if want := []string{"a goes: ", "a says two: two", "first: one"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if all, whole, err = r.History(t.Context(), resolve(t, r, second), "a.py", 1); err != nil || whole || len(all) != 1 || all[0].Commit != second {
		t.Errorf("from the second commit on, one: %v, whole %v, %v", all, whole, err)
	}
}

// A clone that was cut off knows nothing of what was before, and a folder knows nothing at all.
func TestNoHistory(t *testing.T) {
	dir := newRepo(t, "a.py", "one")
	write(t, dir, "a.py", "two")
	commit(t, dir, "second")
	shallow := filepath.Join(t.TempDir(), "shallow")
	runGit(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, shallow)
	plain := t.TempDir()
	write(t, plain, "a.py", "one")
	for _, where := range []string{shallow, plain} {
		r := open(t, where)
		if all, _, err := r.History(t.Context(), resolve(t, r, ""), "a.py", 10); err != nil || len(all) != 0 {
			t.Errorf("%s: %v, %v", where, all, err)
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
