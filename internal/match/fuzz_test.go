package match_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// FuzzFind looks up any text in a small catalog. What holds of every answer: spans are inside the text, a decision has what it needs,
// probabilities are in falling order.
func FuzzFind(f *testing.F) {
	root := f.TempDir()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			switch kind, _, _ := strings.Cut(file.Name, "/"); kind {
			case "report":
				f.Add(strings.TrimSuffix(string(file.Data), "\n"))
			case "want":
			default:
				name := filepath.Join(root, strings.TrimSuffix(filepath.Base(path), ".txtar"), file.Name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					f.Fatal(err)
				}
				if err := os.WriteFile(name, file.Data, 0o644); err != nil {
					f.Fatal(err)
				}
			}
		}
	}
	finder := finderOf(f, root)
	f.Fuzz(func(t *testing.T, text string) {
		answer, err := finder.Find(context.Background(), text, match.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range answer.Observations {
			sound(t, &o, text)
		}
		for line := range strings.Lines(text) {
			o, err := finder.Line(context.Background(), line, match.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if o != nil && (o.Decision != api.Found || len(o.Candidates) != 1) {
				t.Fatalf("line %q: %s with %d candidates", line, o.Decision, len(o.Candidates))
			}
		}
	})
}

func sound(t *testing.T, o *api.Observation, text string) {
	if o.Span[0] < 0 || o.Span[1] < o.Span[0] || o.Span[1] > len(text) {
		t.Fatalf("%q: span %v of %d bytes", o.Message, o.Span, len(text))
	}
	last := 1.0
	for _, c := range o.Candidates {
		if c.Probability < 0 || c.Probability > last {
			t.Fatalf("%q: probability %v behind %v", o.Message, c.Probability, last)
		}
		last = c.Probability
		for _, b := range c.Bindings {
			if b.Span[0] < 0 || b.Span[1] < b.Span[0] || b.Span[1] > len(o.Message) {
				t.Fatalf("%q: binding %q has the span %v", o.Message, b.Value, b.Span)
			}
		}
	}
	switch {
	case o.Decision == api.Refused:
	case len(o.Candidates) == 0, o.Decision == api.Tie && len(o.Candidates) < 2:
		t.Fatalf("%q: %s with %d candidates", o.Message, o.Decision, len(o.Candidates))
	}
}
