package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// opened is a service over a program of several folders.
func opened(t *testing.T) *Service {
	t.Helper()
	ctx, root, path := context.Background(), t.TempDir(), filepath.Join(t.TempDir(), "c.db")
	for name, n := range map[string]int{"a/one.py": 3, "a/deep/two.py": 2, "b/three.py": 4, "tests/test_x.py": 1} {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "def f%d(x):\n    raise ValueError(f'%s number %d has {x}')\n\n\n", i, strings.ReplaceAll(name, "/", " "), i)
		}
		s.WriteString("def g(x):\n    raise KeyError('all of them say this')\n")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(s.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	repo, err := source.Open(ctx, root, source.Options{Languages: index.Files(all.Languages())})
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: "r", Languages: all.Languages()}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(index.BuildMatch(ctx, c), c.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, path, Options{Languages: all.Languages(), Traces: all.Traces()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestList(t *testing.T) {
	s := opened(t)
	for _, c := range []struct {
		q     Query
		total int
	}{
		{Query{}, 11}, {Query{Repo: "r"}, 11}, {Query{Path: "a"}, 6}, {Query{Path: "a/"}, 6}, {Query{Path: "a/deep"}, 3}, {Query{Path: "a/one.py"}, 4}, {Query{Path: "a/on"}, 0},
		{Query{Type: "KeyError"}, 1}, {Query{Words: "NUMBER one.py"}, 3}, {Query{FileKind: "test"}, 2}, {Query{FileKind: "test", Path: "b"}, 0}, {Query{Kind: "panic"}, 0},
		{Query{Words: "two.py", Path: "a", Type: "ValueError", FileKind: "product"}, 2},
	} {
		l, err := s.List(context.Background(), c.q)
		if err != nil || l.Total != c.total {
			t.Errorf("%+v: %v, %v, want %d", c.q, l, err, c.total)
		}
	}
	for _, bad := range []Query{{Sort: "moon"}, {Cursor: "x"}, {Cursor: "-1.y"}} {
		if _, err := s.List(context.Background(), bad); !errors.Is(err, ErrQuery) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if _, err := s.List(context.Background(), Query{Repo: "none"}); !errors.Is(err, catalog.ErrUnknown) {
		t.Error(err)
	}
}

// Parts of a list follow each other without gaps, in every order.
func TestParts(t *testing.T) {
	s := opened(t)
	for _, sort := range []string{SortPlace, SortName, SortSize, SortNew} {
		whole, err := s.List(context.Background(), Query{Sort: sort})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, e := range whole.Errors {
			want = append(want, e.ID)
		}
		for cursor := ""; ; {
			part, err := s.List(context.Background(), Query{Sort: sort, Cursor: cursor, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range part.Errors {
				got = append(got, e.ID)
			}
			if cursor = part.Next; cursor == "" {
				break
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("by %q: parts %v, whole %v", sort, got, want)
		}
		// A cursor of a former state, in which the error stood elsewhere, goes on behind the error.
		part, err := s.List(context.Background(), Query{Sort: sort, Cursor: "9." + want[1], Limit: 1})
		if err != nil || part.Errors[0].ID != want[2] {
			t.Errorf("by %q: behind %s comes %v (%v)", sort, want[1], part, err)
		}
	}
	bySize, _ := s.List(context.Background(), Query{Sort: SortSize, Limit: 1})
	if n := len(bySize.Errors[0].Sites); n != 4 {
		t.Errorf("the largest has %d sites", n)
	}
}

func TestFolders(t *testing.T) {
	s := opened(t)
	root, err := s.Folders(context.Background(), Query{Repo: "r"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range root.Folders {
		got = append(got, fmt.Sprint(f.Path, f.Errors))
		for _, g := range f.Folders {
			got = append(got, fmt.Sprint(" ", g.Path, g.Errors))
		}
	}
	if text := strings.Join(got, ","); text != "a/6, a/one.py4, a/deep/3,b/5, b/three.py5,tests/2, tests/test_x.py2" || root.Errors != 11 {
		t.Errorf("%d: %s", root.Errors, text)
	}
}

func TestClosed(t *testing.T) {
	s := opened(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Repos(context.Background()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
