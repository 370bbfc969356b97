package catalog

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// ManifestEntry is a file of a revision: its id, and the id of its unit, 0 if it has no site.
type ManifestEntry struct{ File, Unit int64 }

// manifest unpacks a stored manifest.
func (p packer) manifest(data []byte) ([]ManifestEntry, error) {
	plain, err := p.unpack(nil, data)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	var out []ManifestEntry
	var last ManifestEntry
	for len(plain) > 0 {
		file, n := binary.Varint(plain)
		if n <= 0 {
			return nil, fmt.Errorf("%w: manifest", ErrDamaged)
		}
		unit, m := binary.Varint(plain[n:])
		if m <= 0 {
			return nil, fmt.Errorf("%w: manifest", ErrDamaged)
		}
		plain = plain[n+m:]
		last = ManifestEntry{last.File + file, last.Unit + unit}
		out = append(out, last)
	}
	return out, nil
}

// Generation counts the states of the catalog: it changes with every saved revision.
func (c *Catalog) Generation(ctx context.Context) (string, error) {
	var g string
	err := c.db.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'generation'`).Scan(&g)
	return g, c.wrap(err)
}

// Templates names the set of templates of all errors: it changes when an error is added that was not known.
func (c *Catalog) Templates(ctx context.Context) (string, error) {
	var g string
	err := c.db.QueryRowContext(ctx, `SELECT group_concat(value, '/') FROM meta WHERE key IN ('templates', 'catalog')`).Scan(&g)
	return g, c.wrap(err)
}

// Repos lists the repositories by name.
func (c *Catalog) Repos(ctx context.Context) ([]Repo, error) {
	return query(ctx, c, `SELECT id, name, location, host, stat FROM repo ORDER BY name`, func(r *sql.Rows, v *Repo) error {
		var memo []byte
		err := r.Scan(&v.ID, &v.Name, &v.Location, &v.Host, &memo)
		if err == nil {
			v.Stat, err = c.unpack(nil, memo)
		}
		return err
	})
}

// Repo finds a repository by name; [ErrUnknown] if there is none.
func (c *Catalog) Repo(ctx context.Context, name string) (*Repo, error) {
	all, err := c.Repos(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, &UnknownError{Kind: "repository", Name: name, Known: names}
}

// UnknownError says what was not found and what there is.
type UnknownError struct {
	Kind, Name string
	Known      []string
}

// Error names the thing and, where they are few, what is known instead.
func (e *UnknownError) Error() string {
	text := fmt.Sprintf("unknown %s %s", e.Kind, e.Name)
	if n := len(e.Known); n > 0 && n <= 12 {
		text += "; known:"
		for i, k := range e.Known {
			if i > 0 {
				text += ","
			}
			text += " " + k
		}
	}
	return text
}

// Is makes an UnknownError an [ErrUnknown].
func (e *UnknownError) Is(target error) bool { return target == ErrUnknown }

// Revisions lists the revisions of a repository, newest first.
func (c *Catalog) Revisions(ctx context.Context, repo int64) ([]Revision, error) {
	return query(ctx, c, `SELECT id, repo, label, commitid, dirty, tree, names, time, indexed, recipe, coverage, notes FROM revision
		WHERE repo = ? ORDER BY time DESC, id DESC`, func(r *sql.Rows, v *Revision) error {
		var names, coverage, notes string
		var at, indexed int64
		err := r.Scan(&v.ID, &v.Repo, &v.Label, &v.Commit, &v.Dirty, &v.Tree, &names, &at, &indexed, &v.Recipe, &coverage, &notes)
		v.Time, v.Indexed, v.Coverage = time.Unix(at, 0).UTC(), time.Unix(indexed, 0).UTC(), json.RawMessage(coverage)
		return errors.Join(err, json.Unmarshal([]byte(names), &v.Names), json.Unmarshal([]byte(notes), &v.Notes))
	}, repo)
}

// Manifest lists the files of a revision.
func (c *Catalog) Manifest(ctx context.Context, revision int64) ([]ManifestEntry, error) {
	var data []byte
	err := c.db.QueryRowContext(ctx, `SELECT manifest FROM revision WHERE id = ?`, revision).Scan(&data)
	if err != nil {
		return nil, c.wrap(err)
	}
	entries, err := c.manifest(data)
	return entries, c.wrap(err)
}

// File is a path with a content.
type File struct {
	ID       int64
	Repo     int64
	Path     string
	Hash     Hash
	Language string
	Kind     string
	Size     int64
}

// Key is the key of the file's facts.
func (f *File) Key() FactsKey { return FactsKey{f.Hash, f.Language} }

// Unit is the linked sites of a file, encoded by package link.
type Unit struct {
	ID    int64
	File  File
	Sites []byte
}

const fileColumns = `file.id, file.repo, file.path, file.hash, file.language, file.kind, file.size`

func scanFile(f *File, hash *[]byte) []any {
	return []any{&f.ID, &f.Repo, &f.Path, hash, &f.Language, &f.Kind, &f.Size}
}

// Files lists the files of a revision by path.
func (c *Catalog) Files(ctx context.Context, revision int64) ([]File, error) {
	entries, err := c.Manifest(ctx, revision)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(entries))
	for i, e := range entries {
		ids[i] = e.File
	}
	return query(ctx, c, `SELECT `+fileColumns+` FROM json_each(?) j JOIN file ON file.id = j.value ORDER BY file.path`, func(r *sql.Rows, v *File) error {
		var hash []byte
		err := r.Scan(scanFile(v, &hash)...)
		copy(v.Hash[:], hash)
		return err
	}, jsonInts(ids))
}

// FilesNamed lists the files, of any revision, whose last path element is name, by path.
func (c *Catalog) FilesNamed(ctx context.Context, name string) ([]File, error) {
	return query(ctx, c, `SELECT `+fileColumns+` FROM file WHERE name = ? ORDER BY path, id`, func(r *sql.Rows, v *File) error {
		var hash []byte
		err := r.Scan(scanFile(v, &hash)...)
		copy(v.Hash[:], hash)
		return err
	}, name)
}

// Units lists the units of a revision, by path.
func (c *Catalog) Units(ctx context.Context, revision int64) ([]Unit, error) {
	entries, err := c.Manifest(ctx, revision)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, e := range entries {
		if e.Unit != 0 {
			ids = append(ids, e.Unit)
		}
	}
	return c.units(ctx, `json_each(?) j JOIN unit ON unit.id = j.value JOIN file ON file.id = unit.file`, nil, jsonInts(ids))
}

// UnitsOf lists the units, of any revision, in which an error has sites. Those that the caller knows (known may be nil) come without
// their sites, since unpacking them is what costs.
func (c *Catalog) UnitsOf(ctx context.Context, errorID string, known func(unit int64) bool) ([]Unit, error) {
	return c.units(ctx, `error_unit eu JOIN unit ON eu.error = ? AND unit.id = eu.unit JOIN file ON file.id = unit.file`, known, errorID)
}

// Unit reads a unit by its number; [ErrUnknown] if there is none.
func (c *Catalog) Unit(ctx context.Context, id int64) (*Unit, error) {
	all, err := c.units(ctx, `unit JOIN file ON unit.id = ? AND file.id = unit.file`, nil, id)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &UnknownError{Kind: "unit", Name: strconv.FormatInt(id, 10)}
	}
	return &all[0], nil
}

// UnitsNamed lists the units, of any revision, of the files whose last path element is name, as UnitsOf does.
func (c *Catalog) UnitsNamed(ctx context.Context, name string, known func(unit int64) bool) ([]Unit, error) {
	return c.units(ctx, `unit JOIN file ON file.id = unit.file AND file.name = ?`, known, name)
}

func (c *Catalog) units(ctx context.Context, from string, known func(int64) bool, arg any) ([]Unit, error) {
	return query(ctx, c, `SELECT unit.id, unit.sites, `+fileColumns+` FROM `+from+` ORDER BY file.path`, func(r *sql.Rows, v *Unit) error {
		var hash, sites []byte
		err := r.Scan(append([]any{&v.ID, &sites}, scanFile(&v.File, &hash)...)...)
		if err != nil {
			return err
		}
		copy(v.File.Hash[:], hash)
		if known == nil || !known(v.ID) {
			v.Sites, err = c.unpack(nil, sites)
		}
		return err
	}, arg)
}

func jsonInts(ids []int64) string {
	text, err := json.Marshal(append([]int64{}, ids...))
	if err != nil {
		// Integers always marshal.
		panic(err)
	}
	return string(text)
}

// Error finds an error by id; [ErrUnknown] if it never existed here.
func (c *Catalog) Error(ctx context.Context, id string) (*ErrorEntry, error) {
	all, err := c.errors(ctx, `WHERE id = ?`, id)
	if err == nil && len(all) == 0 {
		err = &UnknownError{Kind: "error", Name: id}
	}
	if err != nil {
		return nil, err
	}
	return &all[0], nil
}

// ErrorsWithPrefix lists the errors whose id begins with prefix, at most limit.
func (c *Catalog) ErrorsWithPrefix(ctx context.Context, prefix string, limit int) ([]ErrorEntry, error) {
	return c.errors(ctx, `WHERE id >= ? AND id < ? || 'g' LIMIT ?`, prefix, prefix, limit)
}

// Errors lists all errors of a repository; of all repositories for repo 0.
func (c *Catalog) Errors(ctx context.Context, repo int64) ([]ErrorEntry, error) {
	return c.errors(ctx, `WHERE ? IN (0, repo)`, repo)
}

func (c *Catalog) errors(ctx context.Context, where string, args ...any) ([]ErrorEntry, error) {
	return query(ctx, c, `SELECT id, repo, language, kind, type, template FROM error `+where, func(r *sql.Rows, v *ErrorEntry) error {
		return r.Scan(&v.ID, &v.Repo, &v.Language, &v.Kind, &v.Type, &v.Template)
	}, args...)
}

// Translations calls f with each template that an error has in another locale.
func (c *Catalog) Translations(ctx context.Context, f func(id string, template []byte)) error {
	_, err := query(ctx, c, `SELECT error, template FROM translation`, func(r *sql.Rows, _ *struct{}) error {
		var id string
		var template []byte
		if err := r.Scan(&id, &template); err != nil {
			return err
		}
		f(id, template)
		return nil
	})
	return err
}

// query reads rows into values.
func query[T any](ctx context.Context, c *Catalog, text string, scan func(*sql.Rows, *T) error, args ...any) ([]T, error) {
	rows, err := c.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, c.wrap(err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, c.wrap(err)
		}
		out = append(out, v)
	}
	return out, c.wrap(rows.Err())
}
