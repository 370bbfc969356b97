package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// made opens a new catalog for writing.
func made(t testing.TB) *Catalog {
	t.Helper()
	return opened(t, filepath.Join(t.TempDir(), "catalog.db"))
}

func opened(t testing.TB, path string) *Catalog {
	t.Helper()
	c, err := OpenWrite(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func read(t testing.TB, path string) *Catalog {
	t.Helper()
	c, err := OpenRead(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// testFiles is how many files a state has.
const testFiles = 5

// save writes the n-th state of repository r: every file, unit, error and name in it tells n.
func save(ctx context.Context, c *Catalog, label string, n int) error {
	hash := func(i int) Hash { return Hash{byte(i), byte(n), byte(n >> 8), byte(n >> 16)} }
	var files []FileEntry
	var facts []Facts
	for i := range testFiles {
		files = append(files, FileEntry{Path: fmt.Sprintf("f%d.toy", i), Hash: hash(i), Language: "Toy", Kind: "product", Size: int64(n),
			Unit: fmt.Appendf(nil, "unit %d of %d", i, n), Errors: []string{fmt.Sprintf("%016x", n)}})
		facts = append(facts, Facts{FactsKey{hash(i), "Toy"}, 1, fmt.Appendf(nil, "core of %d", n), fmt.Appendf(nil, "outline of %d", n), nil})
	}
	if err := c.PutFacts(ctx, facts); err != nil {
		return err
	}
	rev := &Revision{Label: label, Names: []string{fmt.Sprint("n", n)}, Time: time.Unix(int64(n), 0), Indexed: time.Unix(int64(n), 0), Recipe: "test",
		Coverage: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))}
	return c.SaveRevision(ctx, &Repo{Name: "r", Location: "/r", Stat: fmt.Appendf(nil, "memo %d", n)}, rev, files,
		[]ErrorEntry{{ID: fmt.Sprintf("%016x", n), Language: "Toy", Kind: "error", Type: "E", Template: fmt.Appendf(nil, "text %d", n)}})
}

func mustSave(t testing.TB, c *Catalog, label string, n int) {
	t.Helper()
	if err := save(t.Context(), c, label, n); err != nil {
		t.Fatal(err)
	}
}

// state reads revision "head" of r as a whole and says which state it is; anything that does not fit together is a fault.
func state(ctx context.Context, c *Catalog) (int, error) {
	repo, err := c.Repo(ctx, "r")
	if err != nil {
		return 0, err
	}
	revisions, err := c.Revisions(ctx, repo.ID)
	if err != nil {
		return 0, err
	}
	if len(revisions) != 1 {
		return 0, fmt.Errorf("%d revisions", len(revisions))
	}
	var n int
	if _, err := fmt.Sscanf(revisions[0].Names[0], "n%d", &n); err != nil {
		return 0, err
	}
	if want := fmt.Sprintf(`{"n":%d}`, n); string(revisions[0].Coverage) != want || string(repo.Stat) != fmt.Sprint("memo ", n) {
		return n, fmt.Errorf("state %d: coverage %s, memo %s", n, revisions[0].Coverage, repo.Stat)
	}
	files, err := c.Files(ctx, revisions[0].ID)
	if err != nil {
		return n, err
	}
	units, err := c.Units(ctx, revisions[0].ID)
	if err != nil {
		return n, err
	}
	if len(files) != testFiles || len(units) != testFiles {
		return n, fmt.Errorf("state %d: %d files, %d units", n, len(files), len(units))
	}
	for i := range files {
		if files[i].Size != int64(n) || string(units[i].Sites) != fmt.Sprintf("unit %d of %d", i, n) {
			return n, fmt.Errorf("state %d: file %+v, unit %s", n, files[i], units[i].Sites)
		}
	}
	if e, err := c.Error(ctx, fmt.Sprintf("%016x", n)); err != nil || string(e.Template) != fmt.Sprint("text ", n) {
		return n, fmt.Errorf("state %d: error %+v, %w", n, e, err)
	}
	return n, nil
}

func mustState(t testing.TB, c *Catalog, want int) {
	t.Helper()
	if n, err := state(t.Context(), c); err != nil || n != want {
		t.Fatalf("state %d, want %d: %v", n, want, err)
	}
}

// count runs a query that yields a number.
func count(t testing.TB, c *Catalog, query string) (n int) {
	t.Helper()
	if err := c.db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSaveAndRead(t *testing.T) {
	c := made(t)
	mustSave(t, c, "head", 1)
	mustState(t, c, 1)
	r := read(t, c.Path())
	mustState(t, r, 1)
	var cores []string
	version := func(string) int { return 1 }
	want := []FactsKey{{Hash{0, 1}, "Toy"}, {Hash{9, 9}, "Toy"}}
	err := r.Cores(t.Context(), want, version, func(_ FactsKey, core []byte) error { cores = append(cores, string(core)); return nil })
	if err != nil || len(cores) != 1 || cores[0] != "core of 1" {
		t.Errorf("cores %q, %v", cores, err)
	}
	err = r.Cores(t.Context(), want, func(string) int { return 2 }, func(FactsKey, []byte) error { return errors.New("of another version") })
	if err != nil {
		t.Error(err)
	}
}

// A revision of the same label takes the place of the former one, whose files go; errors stay known.
func TestReplace(t *testing.T) {
	c := made(t)
	for n := 1; n <= 3; n++ {
		mustSave(t, c, "head", n)
	}
	mustState(t, c, 3)
	for query, want := range map[string]int{"SELECT count(*) FROM file": testFiles, "SELECT count(*) FROM unit": testFiles,
		"SELECT count(*) FROM error_unit": testFiles, "SELECT count(*) FROM error": 3, "SELECT count(*) FROM revision": 1} {
		if n := count(t, c, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
}

// Revisions share files and units; the generation counts every save, the set of templates changes with new errors alone.
func TestShared(t *testing.T) {
	c := made(t)
	names := func() (string, string) {
		g, err := c.Generation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Templates(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return g, s
	}
	mustSave(t, c, "a", 1)
	g1, t1 := names()
	mustSave(t, c, "b", 1)
	g2, t2 := names()
	mustSave(t, c, "c", 2)
	g3, t3 := names()
	if g1 == g2 || g2 == g3 || t1 != t2 || t2 == t3 {
		t.Errorf("generations %s %s %s, templates %s %s %s", g1, g2, g3, t1, t2, t3)
	}
	if n := count(t, c, "SELECT count(*) FROM file"); n != 2*testFiles {
		t.Errorf("%d files", n)
	}
	other := made(t)
	mustSave(t, other, "a", 1)
	if s, err := other.Templates(t.Context()); err != nil || s == t1 {
		t.Errorf("two catalogs have the set of templates %s, %v", s, err)
	}
}

func TestUnknown(t *testing.T) {
	c := made(t)
	mustSave(t, c, "head", 1)
	_, err := c.Repo(t.Context(), "other")
	if !errors.Is(err, ErrUnknown) || err.Error() != "unknown repository other; known: r" {
		t.Errorf("%v", err)
	}
	if _, err := c.Error(t.Context(), "00000000000000ff"); !errors.Is(err, ErrUnknown) || err.Error() != "unknown error 00000000000000ff" {
		t.Errorf("%v", err)
	}
}
