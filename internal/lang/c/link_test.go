package c

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
)

// An archive holds the files of a repository and, under want, the messages that its sites are found to raise.
func TestLinked(t *testing.T) {
	paths, err := filepath.Glob("testdata/link/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	extract := map[string]lang.Extractor{".c": C().NewExtractor(), ".h": C().NewExtractor(), ".cpp": CPP().NewExtractor()}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var files []link.File
			want := -1
			for i, f := range ar.Files {
				if f.Name == "want" {
					want = i
				} else {
					files = append(files, link.File{Path: f.Name, Facts: extract[filepath.Ext(f.Name)](f.Data, lang.Options{})})
				}
			}
			got := messages(link.Link("repo", []*lang.Language{C(), CPP()}, files))
			switch {
			case want < 0:
				t.Fatal("no want")
			case os.Getenv("UPDATE") != "":
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				if d := diff.Diff(string(ar.Files[want].Data), got); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
		})
	}
}

// messages prints what each site raises, in the order of files and lines.
func messages(rev *link.Revision) string {
	var b strings.Builder
	for i := range rev.Sites {
		sites := slices.Clone(rev.Sites[i])
		slices.SortStableFunc(sites, func(x, y link.Site) int { return cmp.Compare(x.Line, y.Line) })
		for _, s := range sites {
			for _, v := range s.Variants {
				fmt.Fprintf(&b, "%s:%d %s", rev.Files[i].Path, s.Line, s.Kind)
				if v.Type != "" {
					fmt.Fprintf(&b, " %s", v.Type)
				}
				fmt.Fprintf(&b, ": %s", v.Template.Display())
				if v.Via != nil {
					fmt.Fprintf(&b, " (from %s:%d)", rev.Files[v.Via.File].Path, v.Via.Line)
				}
				if v.Unknown != "" {
					fmt.Fprintf(&b, " (%s)", v.Unknown)
				}
				b.WriteByte('\n')
			}
			for _, p := range s.Returned {
				fmt.Fprintf(&b, "  raised at %s:%d\n", rev.Files[p.File].Path, p.Line)
			}
		}
	}
	return b.String()
}
