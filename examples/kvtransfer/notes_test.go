package kvtransfer

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// notesAreInOrder lets wherefore check the notes against its index of this repository, and holds what people wrote on the page of each
// error to be what its own note says, section by section.
func notesAreInOrder(t *testing.T, w *command) {
	t.Helper()
	if out := w.run(t, "", "lint"); len(out) > 0 {
		t.Errorf("lint:\n%s", out)
	}
	address := w.serve(t)
	all := declarations(t)
	seen := map[string]bool{}
	for _, e := range entries(t, w) {
		s := e.Sites[0]
		i := slices.IndexFunc(all, func(d declaration) bool { return d.prints(s.Template) && d.isType(s.Type) })
		if i < 0 {
			continue // errorsAreFound says so
		}
		name := all[i].name
		seen[name] = true
		var page map[string]any
		get(t, address+"/api/errors/"+e.ID, &page)
		dir, file, _ := strings.Cut(name, ".")
		path := "kvtransfer/" + dir + "/" + file + ".md"
		for title, part := range map[string]string{"What it means": "meaning", "When it happens": "situations", "Solutions": "solutions"} {
			want, got := section(t, filepath.Join(notesDir, dir, file+".md"), title), written(page[part], path)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s of the note and of page %s (-note +page):\n%s", name, title, e.ID, diff)
			}
		}
	}
	for _, d := range all {
		if !seen[d.name] {
			t.Errorf("no page of %s was looked at", d.name)
		}
	}
}

// section lists the paragraphs and the items of a section of a note; it must have some.
func section(t *testing.T, path, title string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## "+title+"\n")
	if !ok {
		t.Errorf("%s has no section %q", path, title)
		return nil
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	var out []string
	fresh := true
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		item := regexp.MustCompile(`^\d+\. |^- `).FindString(line)
		switch {
		case line == "":
			fresh = true
			continue
		case fresh || item != "":
			out = append(out, strings.TrimPrefix(line, item))
		default:
			out[len(out)-1] += " " + line
		}
		fresh = false
	}
	if len(out) == 0 {
		t.Errorf("%s: the section %q is empty", path, title)
	}
	return out
}

// written lists the sentences of a part of a page that people wrote, with the note beside those of another one.
func written(part any, path string) []string {
	var out []string
	sentences, _ := part.([]any)
	for _, s := range sentences {
		s := s.(map[string]any)
		if s["origin"] != "reviewed" {
			continue
		}
		text := s["text"].(string)
		if note := s["evidence"].([]any)[0].(map[string]any)["path"].(string); !strings.HasSuffix(note, path) {
			text += " (of " + note + ")"
		}
		out = append(out, text)
	}
	return out
}

// get reads a JSON answer.
func get(t *testing.T, url string, into any) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(into); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, r.Status, err)
	}
}
