package match_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// TestFind runs the archives of testdata: source files in, reports (report/NAME) looked up, wanted answers (want/NAME).
// With UPDATE=1 the wanted answers are rewritten.
func TestFind(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { archive(t, path) })
	}
}

func archive(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	wants := map[string]int{}
	for i, f := range ar.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			wants[name] = i
			continue
		}
		file := filepath.Join(root, f.Name)
		if strings.HasPrefix(f.Name, "report/") {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	finder := finderOf(t, root)
	for _, f := range ar.Files {
		name, ok := strings.CutPrefix(f.Name, "report/")
		if !ok {
			continue
		}
		answer, err := finder.Find(context.Background(), strings.TrimSuffix(string(f.Data), "\n"), match.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at, ok := wants[name]
		if !ok {
			t.Fatalf("%s: report %s has no want", path, name)
		}
		got := show(answer)
		if os.Getenv("UPDATE") != "" {
			ar.Files[at].Data = []byte(got)
		} else if diff := cmp.Diff(string(ar.Files[at].Data), got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", path, name, diff)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// finderOf indexes a folder into a new catalog.
func finderOf(t testing.TB, root string) *match.Finder {
	t.Helper()
	ctx := context.Background()
	languages := all.Languages()
	repo, err := source.Open(ctx, root, source.Options{Languages: index.Files(languages)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.OpenWrite(ctx, filepath.Join(t.TempDir(), "catalog.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: "r", Languages: languages}); err != nil {
		t.Fatal(err)
	}
	x, err := index.OpenMatch(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close(); c.Close(); repo.Close() })
	return match.NewFinder(c, x, languages, all.Traces())
}

// show prints an answer as a reader would write it down. Probabilities stay out: they change with every fit.
func show(a *api.Answer) string {
	var b strings.Builder
	for _, o := range a.Observations {
		passed := ""
		if o.Passed {
			passed = " passed through"
		}
		fmt.Fprintf(&b, "%s %s%s\n", o.Decision, strings.TrimSpace(o.Link+" "+fmt.Sprintf("%q", o.Message)), passed)
		if f := o.Fault; f != nil {
			fmt.Fprintf(&b, "  %s: %s; %s:%d %s %s; %s\n", f.Language, f.Says, f.Path, f.Line, f.Function, f.Repo, strings.Join(f.Expressions, " "))
		}
		for i, c := range o.Candidates {
			if o.Decision == api.Refused || i > 0 && o.Decision == api.Found {
				break
			}
			fmt.Fprintf(&b, "  %s:%d-%d %s %s %q\n", c.Path, c.Line, c.EndLine, c.Function, c.Type, c.Template)
			if c.Via != nil {
				fmt.Fprintf(&b, "    via %s:%d %s\n", c.Via.Path, c.Via.Line, c.Via.Function)
			}
			for _, r := range c.Returned {
				fmt.Fprintf(&b, "    returned %s:%d %s\n", r.Path, r.Line, r.Function)
			}
			for _, v := range c.Bindings {
				fmt.Fprintf(&b, "    %s = %s\n", v.Expression, v.Value)
			}
			if c.Condition != nil {
				for _, p := range c.Condition.Parts {
					fmt.Fprintf(&b, "    %s: %s  %s\n", p.Verdict, p.Text, p.Shown)
				}
			}
		}
	}
	return b.String()
}
