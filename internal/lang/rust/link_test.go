package rust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
)

// An archive holds the files of a repository and, as want, the messages that its sites are found to raise.
func TestLinked(t *testing.T) {
	paths, err := filepath.Glob("testdata/link/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	extract := Language().NewExtractor()
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		last := len(ar.Files) - 1
		if ar.Files[last].Name != "want" {
			t.Fatalf("%s: want is not the last file", path)
		}
		var files []link.File
		for _, f := range ar.Files[:last] {
			files = append(files, link.File{Path: f.Name, Facts: extract(f.Data, lang.Options{})})
		}
		got := messages(link.Link("repo", []*lang.Language{Language()}, files))
		if os.Getenv("UPDATE") != "" {
			ar.Files[last].Data = []byte(got)
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if d := cmp.Diff(string(ar.Files[last].Data), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

// messages prints what each site raises.
func messages(rev *link.Revision) string {
	var b strings.Builder
	for i := range rev.Sites {
		for _, s := range rev.Sites[i] {
			for _, v := range s.Variants {
				fmt.Fprintf(&b, "%s:%d %s %s: %s", rev.Files[i].Path, s.Line, s.Kind, v.Type, v.Template.Display())
				if v.Unknown != "" {
					fmt.Fprintf(&b, " (%s)", v.Unknown)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}
