package langtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Traces runs trace forms over archives: each report/NAME is a pasted text, want/NAME what each form finds in it. With UPDATE=1
// what is wanted is rewritten.
func Traces(t *testing.T, glob string, forms []lang.Trace) {
	t.Helper()
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out []txtar.File
		for i, f := range ar.Files {
			name, ok := strings.CutPrefix(f.Name, "report/")
			if !ok {
				continue
			}
			got := Observed(string(f.Data), forms)
			out = append(out, f, txtar.File{Name: "want/" + name, Data: []byte(got)})
			if os.Getenv("UPDATE") != "" {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) {
				if i+1 >= len(ar.Files) || ar.Files[i+1].Name != "want/"+name {
					t.Fatalf("no want/%s", name)
				}
				if diff := cmp.Diff(string(ar.Files[i+1].Data), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
		if os.Getenv("UPDATE") != "" {
			ar.Files = out
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Observed prints what forms find in a report.
func Observed(text string, forms []lang.Trace) string {
	var b strings.Builder
	for _, form := range forms {
		for i, o := range form.Find(text) {
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
			fmt.Fprintf(&b, "\n  message: %q\n  span: %q\n", o.Message, edges(text[o.Span.Start:o.Span.End]))
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

// edges is a text of which the middle is left out if it is long.
func edges(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:60] + " [...] " + s[len(s)-50:]
}

// FuzzTraces checks what holds of every form on every text: it does not panic, spans are in order and inside the text, and what an
// observation is of comes before it.
func FuzzTraces(f *testing.F, glob string, forms []lang.Trace) {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		f.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if strings.HasPrefix(file.Name, "report/") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range forms {
			if err := Sound(text, form.Find(text)); err != nil {
				t.Fatalf("%s: %v", form.Name, err)
			}
		}
	})
}

// Sound reports the first observation that breaks a rule that holds of all of them.
func Sound(text string, all []raise.Observation) error {
	for i, o := range all {
		if o.Span.Start < 0 || o.Span.End < o.Span.Start || o.Span.End > len(text) {
			return fmt.Errorf("observation %d: span %v of %d bytes", i, o.Span, len(text))
		}
		if o.Of >= i || o.Of < -1 || (o.Of >= 0) != (o.Link != "") {
			return fmt.Errorf("observation %d: is %q of %d", i, o.Link, o.Of)
		}
		for _, f := range o.Frames {
			if f.Line < 0 {
				return fmt.Errorf("observation %d: line %d", i, f.Line)
			}
		}
	}
	return nil
}
