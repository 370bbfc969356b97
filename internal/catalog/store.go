package catalog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Hash is a git blob id.
type Hash [20]byte

// FactsKey names cached facts.
type FactsKey struct {
	Hash     Hash
	Language string
}

// Facts are the cached facts of one content, encoded by package raise.
type Facts struct {
	FactsKey
	Version             int
	Core, Outline, Head []byte
}

// PutFacts adds facts to the cache, in one transaction. Facts of the same content and language are replaced.
func (c *Catalog) PutFacts(ctx context.Context, all []Facts) error {
	return c.write(ctx, func(tx *sql.Tx) error {
		st, err := tx.PrepareContext(ctx, `INSERT INTO facts (hash, language, version, core, outline, head) VALUES (?,?,?,?,?,?)
			ON CONFLICT (hash, language) DO UPDATE SET version=excluded.version, core=excluded.core, outline=excluded.outline, head=excluded.head`)
		if err != nil {
			return err
		}
		defer st.Close()
		for i := range all {
			f := &all[i]
			if _, err := st.ExecContext(ctx, f.Hash[:], f.Language, f.Version, c.pack(f.Core), c.pack(f.Outline), c.pack(f.Head)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Cores calls each with the cached core of every wanted content that has one of the right version; the rest is left out.
// version says which version of a language's facts is right. core is only valid during the call.
func (c *Catalog) Cores(ctx context.Context, want []FactsKey, version func(language string) int, each func(FactsKey, []byte) error) error {
	return c.facts(ctx, "core", want, version, each)
}

// Outlines is Cores for the outlines.
func (c *Catalog) Outlines(ctx context.Context, want []FactsKey, version func(language string) int, each func(FactsKey, []byte) error) error {
	return c.facts(ctx, "outline", want, version, each)
}

// Heads is Cores for the heads.
func (c *Catalog) Heads(ctx context.Context, want []FactsKey, version func(language string) int, each func(FactsKey, []byte) error) error {
	return c.facts(ctx, "head", want, version, each)
}

// facts reads in one statement for many contents: the driver's cost is a statement's, not a row's.
func (c *Catalog) facts(ctx context.Context, column string, want []FactsKey, version func(string) int, each func(FactsKey, []byte) error) error {
	for chunk := range slices.Chunk(want, 4096) {
		var keys strings.Builder
		keys.WriteByte('[')
		for i, k := range chunk {
			if i > 0 {
				keys.WriteByte(',')
			}
			fmt.Fprintf(&keys, `"%s"`, hex.EncodeToString(k.Hash[:]))
		}
		keys.WriteByte(']')
		rows, err := c.db.QueryContext(ctx, `SELECT f.hash, f.language, f.version, f.`+column+`
			FROM json_each(?) j CROSS JOIN facts f ON f.hash = unhex(j.value)`, keys.String())
		if err != nil {
			return c.wrap(err)
		}
		if err := c.eachFacts(rows, version, each); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) eachFacts(rows *sql.Rows, version func(string) int, each func(FactsKey, []byte) error) error {
	defer rows.Close()
	var buffer []byte
	for rows.Next() {
		var hash, data sql.RawBytes
		var k FactsKey
		var v int
		if err := rows.Scan(&hash, &k.Language, &v, &data); err != nil {
			return c.wrap(err)
		}
		if v != version(k.Language) || len(hash) != len(k.Hash) {
			continue
		}
		copy(k.Hash[:], hash)
		plain, err := c.unpack(buffer[:0], data)
		if err != nil {
			return c.wrap(fmt.Errorf("facts of %x: %w", k.Hash, err))
		}
		buffer = plain
		if err := each(k, plain); err != nil {
			return err
		}
	}
	return c.wrap(rows.Err())
}

// Repo is a repository of the catalog.
type Repo struct {
	ID       int64
	Name     string
	Location string
	Host     string
	Stat     []byte
}

// Revision is an indexed revision, without its manifest.
type Revision struct {
	ID      int64
	Repo    int64
	Label   string
	Commit  string
	Dirty   bool
	Tree    string
	Names   []string
	Time    time.Time
	Indexed time.Time
	Recipe  string
	// Coverage is the JSON of what was understood, written by package index.
	Coverage json.RawMessage
	// Notes are the texts that people wrote about errors, by path.
	Notes map[string]string
}

// Title is what a person calls the revision: its first name, or the start of its commit.
func (r *Revision) Title() string {
	switch {
	case len(r.Names) > 0:
		return r.Names[0]
	case len(r.Label) == 40:
		return r.Label[:12]
	}
	return r.Label
}

// Named reports whether a person who says rev can mean the revision: its label, the start of its commit, or one of its names.
func (r *Revision) Named(rev string) bool {
	return r.Label == rev || len(rev) >= 7 && strings.HasPrefix(r.Commit, rev) || slices.Contains(r.Names, rev)
}

// FileEntry is a file of a revision with what was linked in it.
type FileEntry struct {
	Path     string
	Hash     Hash
	Language string
	Kind     string
	Size     int64
	Unit     []byte   // encoded by package link; empty if the file has no site
	Errors   []string // ids of the errors in the unit
}

// ErrorEntry is an error as the catalog lists it.
type ErrorEntry struct {
	ID       string
	Repo     int64
	Language string
	Kind     string
	Type     string
	Template []byte // encoded by package message
	// Translations are the templates in other locales, in any order; lists of errors come without them.
	Translations [][]byte
}

// SaveRevision makes files and errors the content of a revision, in one transaction.
// A revision of the same label is replaced; what only the replaced one used is removed, but errors stay known.
func (c *Catalog) SaveRevision(ctx context.Context, repo *Repo, rev *Revision, files []FileEntry, errs []ErrorEntry) error {
	return c.write(ctx, func(tx *sql.Tx) error {
		s := &saver{packer: c.packer, ctx: ctx, tx: tx}
		s.repo(repo)
		s.known(repo.ID)
		s.errors(repo.ID, errs)
		manifest := s.files(repo.ID, files)
		s.revision(repo.ID, rev, manifest)
		if s.replaced {
			s.sweep(repo.ID)
		}
		s.exec(`UPDATE meta SET value = value + 1 WHERE key = 'generation'`)
		if s.added {
			s.exec(`UPDATE meta SET value = value + 1 WHERE key = 'templates'`)
		}
		return s.err
	})
}

// saver holds one SaveRevision. After the first fault it does nothing more.
type saver struct {
	packer
	ctx      context.Context
	tx       *sql.Tx
	err      error
	fileIDs  map[string]int64
	unitIDs  map[string]int64
	errorIDs map[string]bool
	added    bool // an error that was not known
	replaced bool
}

func (s *saver) exec(query string, args ...any) int64 {
	if s.err != nil {
		return 0
	}
	result, err := s.tx.ExecContext(s.ctx, query, args...)
	if err != nil {
		s.err = err
		return 0
	}
	id, err := result.LastInsertId()
	s.err = err
	return id
}

func (s *saver) rows(query string, arg any, each func(*sql.Rows) error) {
	if s.err != nil {
		return
	}
	rows, err := s.tx.QueryContext(s.ctx, query, arg)
	if err != nil {
		s.err = err
		return
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			s.err = err
			return
		}
	}
	s.err = rows.Err()
}

func (s *saver) repo(r *Repo) {
	s.exec(`INSERT INTO repo (name, location, host, stat) VALUES (?,?,?,?)
		ON CONFLICT (name) DO UPDATE SET location=excluded.location, host=excluded.host, stat=excluded.stat`, r.Name, r.Location, r.Host, s.pack(r.Stat))
	if s.err == nil {
		s.err = s.tx.QueryRowContext(s.ctx, `SELECT id FROM repo WHERE name = ?`, r.Name).Scan(&r.ID)
	}
}

// known reads what the repository has, so that only what is new is written.
func (s *saver) known(repo int64) {
	s.fileIDs, s.unitIDs, s.errorIDs = map[string]int64{}, map[string]int64{}, map[string]bool{}
	s.rows(`SELECT id, path, hash, kind FROM file WHERE repo = ?`, repo, func(r *sql.Rows) error {
		var id int64
		var name, kind string
		var hash []byte
		err := r.Scan(&id, &name, &hash, &kind)
		s.fileIDs[fileKey(name, hash, kind)] = id
		return err
	})
	s.rows(`SELECT unit.id, unit.file, unit.hash FROM unit JOIN file ON file.id = unit.file WHERE file.repo = ?`, repo, func(r *sql.Rows) error {
		var id, file int64
		var hash []byte
		err := r.Scan(&id, &file, &hash)
		s.unitIDs[unitKey(file, hash)] = id
		return err
	})
	s.rows(`SELECT id FROM error WHERE repo = ?`, repo, func(r *sql.Rows) error {
		var id string
		err := r.Scan(&id)
		s.errorIDs[id] = true
		return err
	})
}

func fileKey(path string, hash []byte, kind string) string {
	return string(hash) + kind + "\x00" + path
}

func unitKey(file int64, hash []byte) string {
	return string(binary.AppendVarint(append([]byte{}, hash...), file))
}

func (s *saver) errors(repo int64, errs []ErrorEntry) {
	s.prepared(`INSERT INTO error (id, repo, language, kind, type, template) VALUES (?,?,?,?,?,?)`, func(put func(...any) int64) {
		for i := range errs {
			e := &errs[i]
			if !s.errorIDs[e.ID] {
				s.errorIDs[e.ID], s.added = true, true
				put(e.ID, repo, e.Language, e.Kind, e.Type, e.Template)
			}
		}
	})
	before := s.count(`SELECT count(*) FROM translation`)
	s.prepared(`INSERT OR IGNORE INTO translation (error, template) VALUES (?,?)`, func(put func(...any) int64) {
		for i := range errs {
			for _, t := range errs[i].Translations {
				put(errs[i].ID, t)
			}
		}
	})
	s.added = s.added || s.count(`SELECT count(*) FROM translation`) != before
}

// count is the number that a query gives.
func (s *saver) count(query string) (n int) {
	if s.err == nil {
		s.err = s.tx.QueryRowContext(s.ctx, query).Scan(&n)
	}
	return n
}

// prepared runs f with a prepared statement; put returns the last insert id.
func (s *saver) prepared(query string, f func(put func(...any) int64)) {
	if s.err != nil {
		return
	}
	st, err := s.tx.PrepareContext(s.ctx, query)
	if err != nil {
		s.err = err
		return
	}
	defer st.Close()
	f(func(args ...any) int64 {
		if s.err != nil {
			return 0
		}
		result, err := st.ExecContext(s.ctx, args...)
		if err != nil {
			s.err = err
			return 0
		}
		id, err := result.LastInsertId()
		s.err = err
		return id
	})
}

// files writes new files and units and returns the manifest: for each file its id and the unit's, both as differences.
func (s *saver) files(repo int64, files []FileEntry) []byte {
	type pair struct{ file, unit int64 }
	all := make([]pair, len(files))
	s.prepared(`INSERT INTO file (repo, path, name, hash, language, kind, size) VALUES (?,?,?,?,?,?,?)`, func(put func(...any) int64) {
		for i := range files {
			f := &files[i]
			key := fileKey(f.Path, f.Hash[:], f.Kind)
			id, ok := s.fileIDs[key]
			if !ok {
				id = put(repo, f.Path, path.Base(f.Path), f.Hash[:], f.Language, f.Kind, f.Size)
				s.fileIDs[key] = id
			}
			all[i].file = id
		}
	})
	var added []int
	s.prepared(`INSERT INTO unit (file, hash, sites) VALUES (?,?,?)`, func(put func(...any) int64) {
		for i := range files {
			f := &files[i]
			if len(f.Unit) == 0 {
				continue
			}
			sum := sha256.Sum256(f.Unit)
			key := unitKey(all[i].file, sum[:8])
			id, ok := s.unitIDs[key]
			if !ok {
				id = put(all[i].file, sum[:8], s.pack(f.Unit))
				s.unitIDs[key] = id
				added = append(added, i)
			}
			all[i].unit = id
		}
	})
	s.prepared(`INSERT OR IGNORE INTO error_unit (error, unit) VALUES (?,?)`, func(put func(...any) int64) {
		for _, i := range added {
			for _, e := range files[i].Errors {
				put(e, all[i].unit)
			}
		}
	})
	slices.SortFunc(all, func(a, b pair) int { return int(a.file - b.file) })
	manifest := make([]byte, 0, 4*len(all))
	var last pair
	for _, p := range all {
		manifest = binary.AppendVarint(manifest, p.file-last.file)
		manifest = binary.AppendVarint(manifest, p.unit-last.unit)
		last = p
	}
	return s.pack(manifest)
}

func (s *saver) revision(repo int64, r *Revision, manifest []byte) {
	if s.err != nil {
		return
	}
	var old int64
	err := s.tx.QueryRowContext(s.ctx, `SELECT id FROM revision WHERE repo = ? AND label = ?`, repo, r.Label).Scan(&old)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		s.err = err
		return
	}
	if old != 0 {
		s.replaced = true
		s.exec(`DELETE FROM revision WHERE id = ?`, old)
	}
	names, err := json.Marshal(append([]string{}, r.Names...))
	if err != nil {
		s.err = err
		return
	}
	written, err := json.Marshal(r.Notes)
	if err != nil || len(r.Notes) == 0 {
		written = []byte("{}")
	}
	r.Repo = repo
	r.ID = s.exec(`INSERT INTO revision (repo, label, commitid, dirty, tree, names, time, indexed, recipe, manifest, coverage, notes)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`, repo, r.Label, r.Commit, r.Dirty, r.Tree, string(names), r.Time.Unix(), r.Indexed.Unix(),
		r.Recipe, manifest, string(r.Coverage), string(written))
}

// sweep removes files and units that no revision of the repository names any more.
func (s *saver) sweep(repo int64) {
	used, units := map[int64]bool{}, map[int64]bool{}
	s.rows(`SELECT manifest FROM revision WHERE repo = ?`, repo, func(r *sql.Rows) error {
		var data []byte
		if err := r.Scan(&data); err != nil {
			return err
		}
		entries, err := s.manifest(data)
		for _, e := range entries {
			used[e.File], units[e.Unit] = true, true
		}
		return err
	})
	for _, id := range s.unitIDs {
		if !units[id] {
			s.exec(`DELETE FROM error_unit WHERE unit = ?`, id)
			s.exec(`DELETE FROM unit WHERE id = ?`, id)
		}
	}
	for _, id := range s.fileIDs {
		if !used[id] {
			s.exec(`DELETE FROM file WHERE id = ?`, id)
		}
	}
}
