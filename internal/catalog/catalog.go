// Package catalog keeps what was indexed: revisions, files, sites and errors, in one SQLite file.
//
// Every change is one transaction, so that a process that is killed leaves the former or the new state. Readers work while a
// writer writes. Format and tables stand at the head of migrations/0001_first.sql.
package catalog

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite": needs no cgo of its own
)

// The kinds of fault that callers tell apart.
var (
	// ErrNone: there is no catalog at the path.
	ErrNone = errors.New("no catalog")
	// ErrNewer: the catalog was written by a newer version; it is left untouched.
	ErrNewer = errors.New("catalog is from a newer version of wherefore")
	// ErrOlder: the catalog was written by an older version, and cannot be brought up to date where it is.
	ErrOlder = errors.New("catalog is from an older version of wherefore, and cannot be brought up to date")
	// ErrDamaged: the file is not a catalog, or a damaged one; it is left untouched.
	ErrDamaged = errors.New("not a catalog, or a damaged one")
	// ErrReadOnly: the file or its folder cannot be written.
	ErrReadOnly = errors.New("catalog cannot be written")
	// ErrHeld: another process is writing.
	ErrHeld = errors.New("catalog is being written by another process")
	// ErrUnknown: no such repository, revision or error.
	ErrUnknown = errors.New("unknown")
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks our SQLite files ("whfr").
const applicationID = 0x77686672

// Catalog is an open catalog. It is safe for concurrent use.
type Catalog struct {
	path string
	db   *sql.DB
	lock *lock // nil when opened for reading
	packer
	looked  sync.Mutex // guards isWhole
	isWhole bool       // a writer found no damage
	older   bool       // the schema, when it was opened, was not the newest
}

// Path is where the catalog is.
func (c *Catalog) Path() string { return c.path }

// OpenRead opens an existing catalog for reading. It does not change the file, and works where it cannot be written,
// unless an older version wrote it: that is migrated, or ErrOlder.
func OpenRead(ctx context.Context, path string) (*Catalog, error) {
	if err := readable(path); err != nil {
		return nil, err
	}
	options := url.Values{"mode": {"ro"}}
	if !writable(filepath.Dir(path)) && !exists(path+"-wal") {
		// SQLite cannot make its shared memory file there; nobody can write either, so that reading without locks is safe.
		options.Set("immutable", "1")
	}
	c := &Catalog{path: path}
	if err := c.connect(options); err != nil {
		return nil, err
	}
	err := c.check(ctx)
	if err == nil && c.older {
		// What an older version wrote is read in the form of this one: it is brought up to date first, as a writer would do.
		if err = c.db.Close(); err == nil {
			err = upgrade(ctx, path)
		}
		if err == nil {
			return OpenRead(ctx, path)
		}
	}
	if err != nil {
		return nil, errors.Join(err, c.db.Close())
	}
	return c, nil
}

// upgradeWithin bounds how long a reader of an older catalog waits for a writer.
const upgradeWithin = 30 * time.Second

// upgrade migrates an older catalog. A writer that is at work may have done so when it ends, or else is waited for.
func upgrade(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, upgradeWithin)
	defer cancel()
	c, err := OpenWrite(ctx, path, nil)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrOlder, err)
	}
	return c.Close()
}

// readable says why a catalog cannot be opened for reading, better than the driver does.
func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		// An empty file is what a writer leaves that is killed in its first moment.
		return fmt.Errorf("%w at %s", ErrNone, path)
	case err != nil:
		return fmt.Errorf("open catalog: %w", err)
	}
	if err := plausible(path, info); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open catalog: %w", err)
	}
	return f.Close()
}

// leastDatabase is the size in bytes of the smallest page, of which a database has a whole number unless a log is to complete it. SQLite
// takes a shorter file for an empty database and would write over it, and reads zeros where the last page is cut off.
const leastDatabase = 512

// plausible refuses what cannot be a catalog by what the file system says of it.
func plausible(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("catalog %s is a folder; name a file in it with --catalog", path)
	case info.Size() > 0 && info.Size() < leastDatabase, info.Size()%leastDatabase != 0 && !exists(path+"-wal"):
		return fmt.Errorf("%s: %w (choose another file with --catalog)", path, ErrDamaged)
	}
	return nil
}

// OpenWrite opens a catalog for writing, makes it where there is none, and migrates an older one. One process writes at a time:
// while another does, OpenWrite waits as long as ctx allows, and then says who holds it. waiting, if not nil, is called once
// when it has to wait.
func OpenWrite(ctx context.Context, path string, waiting func(holder string)) (*Catalog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	held, err := acquire(ctx, path+".lock", waiting)
	if err != nil {
		return nil, err
	}
	c := &Catalog{path: path, lock: held}
	err = c.openForWriting(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Catalog) openForWriting(ctx context.Context) error {
	if info, err := os.Stat(c.path); err == nil {
		if err := plausible(c.path, info); err != nil {
			return err
		}
		if f, err := os.OpenFile(c.path, os.O_RDWR, 0); err != nil {
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		} else if err := f.Close(); err != nil {
			return err
		}
	}
	if err := c.connect(url.Values{"_txlock": {"immediate"}}); err != nil {
		return err
	}
	if err := c.check(ctx); err != nil && !errors.Is(err, ErrNone) {
		return err
	}
	// WAL lets readers go on while a revision is written. NORMAL syncs at checkpoints: a crash of the machine may lose the last
	// commit, never the state before it.
	for _, pragma := range []string{"journal_mode=WAL", "synchronous=NORMAL", "temp_store=MEMORY"} {
		if _, err := c.db.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return c.wrap(err)
		}
	}
	return c.migrate(ctx, migrations)
}

func (c *Catalog) connect(options url.Values) error {
	options.Add("_pragma", "busy_timeout(10000)")
	options.Add("_pragma", "cache_size(-16000)")
	options.Add("_pragma", "mmap_size(268435456)")
	name := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: c.path}).EscapedPath(), RawQuery: options.Encode()}).String()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return c.wrap(err)
	}
	c.db = db
	c.packer, err = newPacker()
	return err
}

// check refuses what is not a catalog, or one that this version cannot read. A database without anything in it is ErrNone: its
// writer was killed before the first migration.
func (c *Catalog) check(ctx context.Context) error {
	var app, version, tables int
	if err := c.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&app); err != nil {
		return c.wrap(err)
	}
	if err := c.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return c.wrap(err)
	}
	if err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return c.wrap(err)
	}
	names, err := migrationNames(migrations)
	switch {
	case err != nil:
		return err
	case app == 0 && version == 0 && tables == 0:
		return fmt.Errorf("%w at %s", ErrNone, c.path)
	case app != applicationID:
		return fmt.Errorf("%s: %w (choose another file with --catalog)", c.path, ErrDamaged)
	case version < len(names):
		c.older = true
	case version > len(names):
		return fmt.Errorf("%s: %w (its schema is %d, this version knows up to %d)", c.path, ErrNewer, version, len(names))
	}
	return nil
}

func migrationNames(from fs.FS) ([]string, error) {
	names, err := fs.Glob(from, "migrations/*.sql")
	sort.Strings(names)
	return names, err
}

// migrate applies the migrations that the catalog lacks, each in a transaction of its own together with its number.
func (c *Catalog) migrate(ctx context.Context, from fs.FS) error {
	names, err := migrationNames(from)
	if err != nil {
		return err
	}
	var version int
	if err := c.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return c.wrap(err)
	}
	for i := version; i < len(names); i++ {
		text, err := fs.ReadFile(from, names[i])
		if err != nil {
			return err
		}
		err = c.write(ctx, func(tx *sql.Tx) error {
			steps := fmt.Sprintf("%s;\nPRAGMA application_id=%d;\nPRAGMA user_version=%d;", text, applicationID, i+1)
			_, err := tx.ExecContext(ctx, steps)
			return err
		})
		if err != nil {
			return fmt.Errorf("migrate to schema %d: %w", i+1, err)
		}
	}
	return nil
}

// whole looks once through a catalog before the first change of it: one that is damaged anywhere is left as it is.
func (c *Catalog) whole(ctx context.Context) error {
	c.looked.Lock()
	defer c.looked.Unlock()
	if c.isWhole {
		return nil
	}
	var said string
	if err := c.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		// The first line names the tree, the second what is wrong in it.
		return fmt.Errorf("%s: %w: %s", c.path, ErrDamaged, strings.Join(strings.Fields(said), " "))
	}
	c.isWhole = true
	return nil
}

// write runs f in one transaction, which is kept only if f returns nil.
func (c *Catalog) write(ctx context.Context, f func(*sql.Tx) error) error {
	if err := c.whole(ctx); err != nil {
		return c.wrap(err)
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return c.wrap(err)
	}
	if err := f(tx); err != nil {
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return c.wrap(err)
	}
	return c.wrap(tx.Commit())
}

// wrap names the fault of a store's error for those who tell them apart.
func (c *Catalog) wrap(err error) error {
	if err == nil {
		return nil
	}
	for _, known := range []error{ErrNewer, ErrDamaged, ErrReadOnly, ErrHeld, ErrUnknown, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			if known == ErrDamaged && !strings.Contains(err.Error(), c.path) {
				return fmt.Errorf("%s: %w", c.path, err)
			}
			return err
		}
	}
	text := err.Error()
	kind := error(nil)
	switch {
	case strings.Contains(text, "SQLITE_NOTADB"), strings.Contains(text, "file is not a database"), strings.Contains(text, "malformed"), strings.Contains(text, "SQLITE_CORRUPT"):
		kind = ErrDamaged
	case strings.Contains(text, "readonly"), strings.Contains(text, "SQLITE_READONLY"), strings.Contains(text, "unable to open database"):
		kind = ErrReadOnly
	case strings.Contains(text, "SQLITE_FULL"), strings.Contains(text, "disk is full"):
		return fmt.Errorf("%s: the disk is full; the catalog keeps its former state: %w", c.path, err)
	}
	if kind != nil {
		return fmt.Errorf("%s: %w: %w", c.path, kind, err)
	}
	return fmt.Errorf("catalog %s: %w", c.path, err)
}

// Close releases the catalog. A writer folds its log into the main file first, so that the file alone is complete.
func (c *Catalog) Close() error {
	var err error
	if c.db != nil {
		err = c.db.Close()
	}
	if c.lock != nil {
		err = errors.Join(err, c.lock.release())
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writable reports whether files can be made in a folder, by its mode for this user.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".wherefore-*")
	if err != nil {
		return false
	}
	f.Close()
	os.Remove(f.Name())
	return true
}
