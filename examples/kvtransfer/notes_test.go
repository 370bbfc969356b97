package kvtransfer

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notesDir is where the notes on the errors of this example are, seen from here.
const notesDir = "../../.wherefore/notes/kvtransfer"

// Every declared error has a note and every note is about a declared error. That each note fits what the index lists is held by
// notesAreInOrder.
func TestEveryErrorHasANote(t *testing.T) {
	var noted []string
	err := fs.WalkDir(os.DirFS(notesDir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			dir, name := filepath.Split(strings.TrimSuffix(path, ".md"))
			noted = append(noted, strings.TrimSuffix(dir, "/")+"."+name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, d := range declarations(t) {
		declared = append(declared, d.name)
	}
	for _, name := range declared {
		if !slices.Contains(noted, name) {
			t.Errorf("%s has no note below %s", name, notesDir)
		}
	}
	for _, name := range noted {
		if !slices.Contains(declared, name) {
			t.Errorf("the note %s is about no declared error", name)
		}
	}
}

// notesAreInOrder lets wherefore check the notes against its index of this repository, and looks for the note on the page of each error.
func notesAreInOrder(t *testing.T, run runner) {
	t.Helper()
	if out := run("", "lint"); len(out) > 0 {
		t.Errorf("lint:\n%s", out)
	}
	var e struct {
		ID    string `json:"id"`
		Kind  string `json:"kind"`
		Sites []site `json:"sites"`
	}
	pages := 0
	dec := json.NewDecoder(bytes.NewReader(run("", "list", "--json", "--path", "examples/kvtransfer/slice/")))
	for dec.More() {
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		if e.Kind != "error" || strings.HasSuffix(e.Sites[0].Path, "_test.go") || !strings.HasPrefix(e.Sites[0].Path, "examples/kvtransfer/slice/") {
			continue
		}
		pages++
		if page := run("", "show", e.ID, "--format", "json"); !bytes.Contains(page, []byte(`"origin": "reviewed"`)) {
			t.Errorf("the page of %s %q has no reviewed sentence", e.ID, e.Sites[0].Template)
		}
	}
	if pages < 10 {
		t.Errorf("%d pages of the slicing code", pages)
	}
}
