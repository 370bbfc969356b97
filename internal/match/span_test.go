package match_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wherefore-dev/wherefore/internal/match"
)

// Spans are those of the pasted text, in its order, whatever was done to read it.
func TestFindSpans(t *testing.T) {
	root := t.TempDir()
	src := `package store

import (
	"errors"
	"fmt"
)

var ErrFull = errors.New("store has no room for another entry")

func Put(key string) error {
	if full {
		return fmt.Errorf("cannot put entry %q: %w", key, ErrFull)
	}
	panic("store was not opened before it was used")
}

var full bool
`
	if err := os.WriteFile(filepath.Join(root, "store.go"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	text := "2026-01-02 03:04:05 ERROR store has no room for another entry\n" +
		"2026-01-02 03:04:06 ERROR {\"err\": \"cannot put entry \\\"k\\\": store has no room for another entry\"}\n" +
		"\n> \x1b[31mpanic: store was not opened before it was used\x1b[0m\n> \n> goroutine 1 [running]:\n> store.Put(...)\n> \t/src/store/store.go:14\n" +
		"\nstore has no room for another entry\n"
	answer, err := finderOf(t, root).Find(context.Background(), text, match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range answer.Observations {
		got = append(got, o.Decision+" "+o.Link+" "+text[o.Span[0]:o.Span[1]])
	}
	want := []string{
		"found  store has no room for another entry",
		`found  cannot put entry \"k\": store has no room for another entry`,
		"found wrapped store has no room for another entry",
		"found  panic: store was not opened before it was used",
		"found  store has no room for another entry",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
