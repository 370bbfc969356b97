package catalog

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// stored makes a catalog with some states and returns its file's bytes.
func stored(t *testing.T, path string) []byte {
	t.Helper()
	c := opened(t, path)
	for n := 1; n <= 20; n++ {
		mustSave(t, c, fmt.Sprint("label", n), n)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// refused opens a file both ways and tries to change it: each way must fail with the kind, in one line, and leave the bytes.
func refused(t *testing.T, path string, kind error) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(how string, err error) {
		t.Helper()
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v", how, err, kind)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the file is another one, %v", how, err)
		}
	}
	c, err := OpenRead(t.Context(), path)
	if err == nil {
		err = readAll(t.Context(), c)
		c.Close()
	}
	try("read", err)
	c, err = OpenWrite(t.Context(), path, nil)
	if err == nil {
		err = save(t.Context(), c, "head", 99)
		c.Close()
	}
	try("write", err)
}

// readAll reads everything that is in a catalog.
func readAll(ctx context.Context, c *Catalog) error {
	repos, err := c.Repos(ctx)
	if err != nil {
		return err
	}
	if _, err := c.Errors(ctx, 0); err != nil {
		return err
	}
	version := func(string) int { return 1 }
	for _, repo := range repos {
		revisions, err := c.Revisions(ctx, repo.ID)
		if err != nil {
			return err
		}
		for _, rev := range revisions {
			files, err := c.Files(ctx, rev.ID)
			if err != nil {
				return err
			}
			var keys []FactsKey
			for i := range files {
				keys = append(keys, files[i].Key())
			}
			each := func(FactsKey, []byte) error { return nil }
			if _, err := c.Units(ctx, rev.ID); err != nil {
				return err
			}
			if err := c.Cores(ctx, keys, version, each); err != nil {
				return err
			}
			if err := c.Outlines(ctx, keys, version, each); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestNotACatalog(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"text": strings.Repeat("this is no database\n", 300), "pages": strings.Repeat("no database.....\n", 512), "short": "x", "zeros": strings.Repeat("\x00", 9000)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, path, ErrDamaged)
	}
	// Another program's database.
	path := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE other (x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	refused(t, path, ErrDamaged)
	for _, open := range []func() (*Catalog, error){func() (*Catalog, error) { return OpenRead(t.Context(), dir) },
		func() (*Catalog, error) { return OpenWrite(t.Context(), dir, nil) }} {
		if _, err := open(); err == nil || !strings.HasSuffix(err.Error(), dir+" is a folder; name a file in it with --catalog") {
			t.Errorf("%v", err)
		}
	}
}

func TestNewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	stored(t, path)
	c := opened(t, path)
	if _, err := c.db.ExecContext(t.Context(), "PRAGMA user_version=99"); err != nil {
		t.Fatal(err)
	}
	c.Close()
	refused(t, path, ErrNewer)
}

func TestTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	data := stored(t, path)
	for _, size := range []int{10, 100, 511, 512, 2000, 4096, len(data) / 2, len(data) - 4096, len(data) - 1} {
		if err := os.WriteFile(path, data[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, path, ErrDamaged)
		if t.Failed() {
			t.Fatalf("cut to %d of %d bytes", size, len(data))
		}
	}
}

// Pages that are overwritten are found by whoever reads them, and before anything is changed.
func TestOverwrittenPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	data := stored(t, path)
	for page := 1; page < len(data)/4096; page += 3 {
		damaged := bytes.Clone(data)
		for i := range 4096 {
			damaged[page*4096+i] = byte(i*7 + page)
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := OpenWrite(t.Context(), path, nil)
		if err == nil {
			err = save(t.Context(), c, "head", 99)
			c.Close()
		}
		if !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "\n") {
			t.Errorf("page %d: %v", page, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, damaged) {
			t.Errorf("page %d: changed, %v", page, err)
		}
	}
}

// With any bit flipped, reading ends: well, or with one line that names the file.
func TestFlippedBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	data := stored(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		damaged := bytes.Clone(data)
		damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := OpenRead(t.Context(), path)
		if err != nil {
			continue
		}
		if err := readAll(t.Context(), c); err != nil && (strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path)) {
			t.Errorf("%v", err)
		}
		c.Close()
	}
}

// A stored value with a flipped bit is not taken for another value.
func TestSums(t *testing.T) {
	p, err := newPacker()
	if err != nil {
		t.Fatal(err)
	}
	plain := bytes.Repeat([]byte("some facts, "), 40)
	packed := p.pack(plain)
	for i := range packed {
		packed[i] ^= 4
		if got, err := p.unpack(nil, packed); err == nil && !bytes.Equal(got, plain) {
			t.Errorf("byte %d: taken for %q", i, got)
		} else if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: %v", i, err)
		}
		packed[i] ^= 4
	}
}

// Every schema that there was becomes the newest one, with what is in it.
func TestMigrations(t *testing.T) {
	names, err := migrationNames(migrations)
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for version := 1; version <= len(names); version++ {
		path := filepath.Join(t.TempDir(), "catalog.db")
		former := fstest.MapFS{}
		for _, name := range names[:version] {
			text, err := migrations.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			former[name] = &fstest.MapFile{Data: text}
		}
		old := &Catalog{path: path}
		if err := errors.Join(old.connect(url.Values{}), old.migrate(t.Context(), former)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, old, "PRAGMA user_version"); n != version {
			t.Fatalf("schema %d, want %d", n, version)
		}
		// Rows of the first schema.
		if _, err := old.db.ExecContext(t.Context(), `INSERT INTO repo (id, name, location) VALUES (1, 'old', '/old');
			INSERT INTO error (id, repo, language, kind, type, template) VALUES ('00000000000000aa', 1, 'Toy', 'error', 'E', x'00')`); err != nil {
			t.Fatal(err)
		}
		old.Close()
		// A reader that comes first finds it as well.
		if e, err := read(t, path).Error(t.Context(), "00000000000000aa"); err != nil || e.Type != "E" {
			t.Errorf("from %d, read: %+v, %v", version, e, err)
		}
		c := opened(t, path)
		if n := count(t, c, "PRAGMA user_version"); n != len(names) {
			t.Errorf("from %d: schema %d", version, n)
		}
		if e, err := c.Error(t.Context(), "00000000000000aa"); err != nil || e.Type != "E" {
			t.Errorf("from %d: %+v, %v", version, e, err)
		}
		mustSave(t, c, "head", 1)
	}
}

// A migration that fails leaves the schema before it.
func TestMigrationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	stored(t, path)
	names, err := migrationNames(migrations)
	if err != nil {
		t.Fatal(err)
	}
	next := fstest.MapFS{"migrations/9001.sql": {Data: []byte("CREATE TABLE extra (x)")},
		"migrations/9002.sql": {Data: []byte("CREATE TABLE half (x); CREATE TABLE half (y)")}}
	for _, name := range names {
		next[name] = &fstest.MapFile{} // done already
	}
	c := opened(t, path)
	want := fmt.Sprintf("migrate to schema %d: ", len(names)+2)
	if err := c.migrate(t.Context(), next); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if n := count(t, c, "PRAGMA user_version"); n != len(names)+1 {
		t.Errorf("schema %d", n)
	}
	if n := count(t, c, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"); n != 0 {
		t.Error("half a migration was kept")
	}
}

func TestFullDisk(t *testing.T) { mounting(t, "full") }

// onFullDisk fills a small file system: a save that does not fit leaves the former state, and works when there is room again.
func onFullDisk(ctx context.Context, dir string) error {
	if err := mount(dir, 1<<20); err != nil {
		return err
	}
	path := filepath.Join(dir, "catalog.db")
	c, err := OpenWrite(ctx, path, nil)
	if err != nil {
		return err
	}
	if err := save(ctx, c, "head", 1); err != nil {
		return err
	}
	filler := filepath.Join(dir, "filler")
	if err := fill(filler); err != nil {
		return err
	}
	n := 2
	for ; err == nil && n < 1000; n++ {
		err = save(ctx, c, "head", n)
	}
	former := n - 2
	if err == nil || !strings.Contains(err.Error(), "the disk is full; the catalog keeps its former state") || strings.Contains(err.Error(), "\n") {
		return fmt.Errorf("on a full disk: %w", err)
	}
	if got, err := state(ctx, c); err != nil || got != former {
		return fmt.Errorf("the writer sees state %d, want %d: %w", got, former, err)
	}
	if err := c.Close(); err != nil && !strings.Contains(err.Error(), "full") {
		return fmt.Errorf("close: %w", err)
	}
	r, err := OpenRead(ctx, path)
	if err != nil {
		return fmt.Errorf("read on a full disk: %w", err)
	}
	if got, err := state(ctx, r); err != nil || got != former {
		return fmt.Errorf("a reader sees state %d, want %d: %w", got, former, err)
	}
	r.Close()
	if err := os.Remove(filler); err != nil {
		return err
	}
	if c, err = OpenWrite(ctx, path, nil); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	return errors.Join(save(ctx, c, "head", 1000), c.Close())
}

// fill writes a file until the file system is full.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return f.Close()
}

func TestReadOnly(t *testing.T) { mounting(t, "readonly") }

// onReadOnly makes a file system read-only: its catalog can be read, and writing says that it cannot be written.
func onReadOnly(ctx context.Context, dir string) error {
	if err := mount(dir, 4<<20); err != nil {
		return err
	}
	path := filepath.Join(dir, "catalog.db")
	c, err := OpenWrite(ctx, path, nil)
	if err != nil {
		return err
	}
	if err := errors.Join(save(ctx, c, "head", 1), c.Close()); err != nil {
		return err
	}
	if err := syscall.Mount("none", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("%s: %w", notMounted, err)
	}
	r, err := OpenRead(ctx, path)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	defer r.Close()
	if n, err := state(ctx, r); err != nil || n != 1 {
		return fmt.Errorf("state %d: %w", n, err)
	}
	for _, name := range []string{path, filepath.Join(dir, "new.db"), filepath.Join(dir, "new", "new.db")} {
		_, err := OpenWrite(ctx, name, nil)
		if !errors.Is(err, ErrReadOnly) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "read-only file system") {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}
