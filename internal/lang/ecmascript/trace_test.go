package ecmascript

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// An archive holds a report and, under want, what each trace form finds in it.
func TestTraces(t *testing.T) {
	paths, err := filepath.Glob("testdata/traces/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "report" })
			j := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
			if i < 0 || j < 0 {
				t.Fatal("no report or no want")
			}
			got := observed(string(ar.Files[i].Data))
			if os.Getenv("UPDATE") != "" {
				ar.Files[j].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(ar.Files[j].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// observed prints what all forms find in a report. Where two find the same span, the one with fewer frames is left out, as paste
// does it.
func observed(text string) string {
	var all [][]raise.Observation
	for _, form := range traces() {
		all = append(all, form.Find(text))
	}
	var b strings.Builder
	for _, form := range all {
		for i, o := range form {
			if len(o.Frames) == 0 && o.Of < 0 && covered(all, o) {
				continue
			}
			fmt.Fprintf(&b, "%d %s: %s", i, o.Form, o.Type)
			if o.Code != "" {
				fmt.Fprintf(&b, " [%s]", o.Code)
			}
			if o.Of >= 0 {
				fmt.Fprintf(&b, " %s of %d", o.Link, o.Of)
			}
			if o.Cut {
				b.WriteString(" cut")
			}
			fmt.Fprintf(&b, "\n  message: %q\n  span: %q\n", o.Message, text[o.Span.Start:o.Span.End])
			for _, f := range o.Frames {
				fmt.Fprintf(&b, "  %s:%d %s", f.Path, f.Line, f.Function)
				if f.Source != "" {
					fmt.Fprintf(&b, " | %s", f.Source)
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func covered(all [][]raise.Observation, o raise.Observation) bool {
	for _, form := range all {
		for _, p := range form {
			if len(p.Frames) > 0 && p.Span.Start < o.Span.End && o.Span.Start < p.Span.End {
				return true
			}
		}
	}
	return false
}

func FuzzTraces(f *testing.F) {
	paths, _ := filepath.Glob("testdata/traces/*.txtar")
	for _, path := range paths {
		if ar, err := txtar.ParseFile(path); err == nil {
			f.Add(string(ar.Files[0].Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range traces() {
			found := form.Find(text)
			for i, o := range found {
				if o.Span.Start < 0 || o.Span.End < o.Span.Start || o.Span.End > len(text) {
					t.Fatalf("%s: span %v of %d bytes", form.Name, o.Span, len(text))
				}
				if o.Of >= i || o.Of < -1 {
					t.Fatalf("%s: observation %d is of %d", form.Name, i, o.Of)
				}
			}
		}
	})
}
