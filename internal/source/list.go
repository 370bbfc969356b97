package source

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxEntries bounds the files of a listing. A few hundred bytes of git objects can stand for more files than there are atoms.
const maxEntries = 5_000_000

// List lists the files of a revision in the languages that are read. memo is what an earlier List of this repository returned; nil for
// none. What cannot be listed of a single file is in Listing.Skipped; an error means that nothing could be listed.
func (r *Repository) List(ctx context.Context, v Revision, memo []byte) (*Listing, error) {
	l := &lister{Repository: r, ctx: ctx, began: time.Now()}
	var err error
	if v.work || !r.git {
		err = l.folders(readMemo(memo, r.table.recipe()))
	} else {
		err = l.objects(v.Commit)
		l.out.Memo = memo
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", r.location, err)
	}
	if l.vendored > 0 {
		l.out.Skipped = append(l.out.Skipped, Skipped{Reason: ReasonVendored, Count: l.vendored})
	}
	slices.SortFunc(l.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	sortSkipped(l.out.Skipped)
	return &l.out, nil
}

// lister makes one listing.
type lister struct {
	*Repository
	ctx      context.Context
	out      Listing
	began    time.Time
	entries  int
	vendored int // files, and of plain folders whole folders, that are left out as vendored
}

// unwanted reports whether a file is left out as vendored, and counts it.
func (l *lister) unwanted(name string) bool {
	if !l.options.SkipVendored || kindOf(name) != Vendored {
		return false
	}
	l.vendored++
	return true
}

func (l *lister) skip(name, reason, detail string) {
	l.out.Skipped = append(l.out.Skipped, Skipped{Path: name, Reason: reason, Detail: detail})
}

// count notes an entry that was seen, and says when there are too many.
func (l *lister) count() error {
	if l.entries++; l.entries > maxEntries {
		return fmt.Errorf("there are more than %d files", maxEntries)
	}
	return nil
}

// treeEntry is a line of git's: of ls-tree with a size, of ls-files with a stage.
type treeEntry struct {
	mode, kind, id string
	size           int64
	path           string
}

// The modes that git gives to what is no ordinary file.
const (
	modeLink       = "120000"
	modeSubmodule  = "160000"
	modeExecutable = "100755"
)

// objects lists the files of a commit from git's objects.
func (l *lister) objects(commit string) error {
	var scripts []treeEntry
	// In a folder inside a work tree git lists what is below it, with paths relative to it.
	err := records(l.ctx, l.dir, func(record []byte) error {
		e, err := parseTreeEntry(record)
		if err != nil {
			return err
		}
		if err := l.count(); err != nil {
			return err
		}
		if language := l.table.byName(e.path); language != "" || e.kind != "blob" {
			return l.entry(e, language)
		}
		if l.table.maybeScript(e.path, e.mode == modeExecutable, e.size) {
			scripts = append(scripts, e)
		}
		return nil
	}, "ls-tree", "-r", "-z", "-l", commit)
	if err != nil || len(scripts) == 0 {
		return err
	}
	return l.scripts(scripts)
}

// parseTreeEntry reads "mode kind id size\tpath".
func parseTreeEntry(record []byte) (treeEntry, error) {
	head, name, ok := bytes.Cut(record, []byte("\t"))
	fields := strings.Fields(string(head))
	if !ok || len(fields) != 4 {
		return treeEntry{}, fmt.Errorf("%w: it lists %q", ErrGit, record)
	}
	e := treeEntry{mode: fields[0], kind: fields[1], id: fields[2], path: string(name)}
	if e.kind == "blob" {
		var err error
		if e.size, err = strconv.ParseInt(fields[3], 10, 64); err != nil {
			e.size = -1 // the object is missing or damaged
		}
	}
	return e, nil
}

// entry lists one entry of a tree that is in a language by its name, or that is no file.
func (l *lister) entry(e treeEntry, language string) error {
	switch {
	case e.kind == "commit":
		l.skip(e.path, ReasonSubmodule, "")
		return nil
	case language == "" || l.unwanted(e.path):
		return nil
	case !fs.ValidPath(e.path):
		l.skip(strings.ToValidUTF8(e.path, "\uFFFD"), ReasonName, "")
		return nil
	case e.mode == modeLink:
		l.skip(e.path, ReasonSymlink, "")
		return nil
	case e.size < 0:
		l.skip(e.path, ReasonUnreadable, "object "+e.id+" is missing or damaged")
		return nil
	case e.size > l.options.MaxFileSize:
		l.skip(e.path, ReasonTooLarge, fmt.Sprintf("%d bytes", e.size))
		return nil
	}
	f := File{Path: e.path, Size: e.size, Language: language, Kind: kindOf(e.path)}
	if n, err := hex.Decode(f.Hash[:], []byte(e.id)); err != nil || n != len(f.Hash) {
		return fmt.Errorf("%w: object %s is not one of a repository that names by SHA-1", ErrGit, e.id)
	}
	l.out.Files = append(l.out.Files, f)
	return nil
}

// scripts lists those entries whose first line names a program of a language.
func (l *lister) scripts(entries []treeEntry) error {
	o := newObjects(l.ctx, l.dir)
	defer o.close()
	for _, e := range entries {
		_, _, data, err := o.get(e.id, maxScript)
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if err != nil {
			continue // nothing says that it is a source file
		}
		if language := l.table.byShebang(data); language != "" {
			if err := l.entry(e, language); err != nil {
				return err
			}
		}
	}
	return nil
}

// note notes why one file is left out.
func (l *lister) note(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return // listed, and gone since
	}
	l.out.Skipped = append(l.out.Skipped, SkippedFor(File{Path: name}, err))
}
