package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// Files of folders are listed in two steps: the names with what the file system says of them, on one goroutine; then the contents that
// no memo knows, on all processors.

// found is a file that was found in a folder and is still to be hashed.
type found struct {
	name     string
	language string // "" if the first line is to tell
	stat     stat
}

// folders lists the files of a work tree or of a plain folder.
func (l *lister) folders(known memo) error {
	walker, err := newWalker(l.root)
	if err != nil {
		return err
	}
	defer walker.close()
	scan := &scanner{lister: l, walker: walker, known: known, next: make(memo, len(known))}
	if l.git {
		err = scan.workTree()
	} else {
		err = scan.folder(".", nil, 0)
	}
	if err == nil {
		err = scan.hash()
	}
	if scan.ignored > 0 {
		l.out.Skipped = append(l.out.Skipped, Skipped{Reason: ReasonIgnored, Count: scan.ignored})
	}
	l.out.Memo = scan.next.encode(l.table.recipe())
	return err
}

// scanner finds the files of a folder.
type scanner struct {
	*lister
	walker  *walker
	known   memo
	next    memo
	todo    []found
	ignored int        // files of languages that are read, and whole folders
	mu      sync.Mutex // guards the listing and next while workers hash
}

// workTree finds what git tracks, and what it would track.
func (s *scanner) workTree() error {
	last := ""
	err := records(s.ctx, s.dir, func(record []byte) error {
		head, name, ok := strings.Cut(string(record), "\t")
		if !ok {
			return fmt.Errorf("%w: it lists %q", ErrGit, record)
		}
		if name == last {
			return nil // in a merge a file stands there up to three times
		}
		last = name
		if strings.HasPrefix(head, modeSubmodule) {
			s.skip(name, ReasonSubmodule, "")
			return nil
		}
		return s.file(name)
	}, "ls-files", "-z", "--cached", "--stage", "--", ".")
	if err != nil {
		return err
	}
	err = records(s.ctx, s.dir, func(record []byte) error {
		name := string(record)
		if strings.HasSuffix(name, "/") {
			s.skip(strings.TrimSuffix(name, "/"), ReasonSubmodule, "a repository of its own")
			return nil
		}
		return s.file(name)
	}, "ls-files", "-z", "--others", "--exclude-standard", "--", ".")
	if err != nil {
		return err
	}
	inside := "/" // of a folder that is counted; git names some folders in it again
	return records(s.ctx, s.dir, func(record []byte) error {
		name := string(record)
		folder := strings.HasSuffix(name, "/")
		if !strings.HasPrefix(name, inside) && (folder || s.table.byName(name) != "") {
			s.ignored++
		}
		if folder && !strings.HasPrefix(name, inside) {
			inside = name
		}
		return s.count()
	}, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", ".")
}

// file finds one file.
func (s *scanner) file(name string) error {
	if err := errors.Join(s.ctx.Err(), s.count()); err != nil {
		return err
	}
	language := s.table.byName(name)
	switch {
	case language == "":
		s.script(name)
		return nil
	case s.unwanted(name):
		return nil
	case !fs.ValidPath(name):
		s.skip(strings.ToValidUTF8(name, "\uFFFD"), ReasonName, "")
		return nil
	}
	now, err := s.walker.stat(name)
	switch {
	case err != nil:
		s.note(name, err)
	case now.is(unix.S_IFLNK):
		s.skip(name, ReasonSymlink, "")
	case now.is(unix.S_IFDIR): // a folder where git has a file: its files are listed by themselves
	case !now.is(unix.S_IFREG):
		s.skip(name, ReasonUnreadable, "not a regular file")
	case now.size > s.options.MaxFileSize:
		s.note(name, tooLarge(now.size))
	default:
		s.remember(found{name, language, now})
	}
	return nil
}

// script finds a file whose first line may tell its language. Nothing says of one that cannot be read that it is a source file.
func (s *scanner) script(name string) {
	if !s.table.maybeScript(name, true, 0) || !fs.ValidPath(name) || s.options.SkipVendored && kindOf(name) == Vendored {
		return
	}
	now, err := s.walker.stat(name)
	if err == nil && now.is(unix.S_IFREG) && now.size <= s.options.MaxFileSize && s.table.maybeScript(name, now.executable(), now.size) {
		s.remember(found{name, "", now})
	}
}

// remember lists a file that the memo knows, and puts others aside to be hashed.
func (s *scanner) remember(f found) {
	e, ok := s.known.find(f.name, f.stat)
	if byLine := e.none || e.language != ""; !ok || byLine != (f.language == "") {
		s.todo = append(s.todo, f)
		return
	}
	s.next.add(f.name, e, s.began)
	if f.language == "" {
		f.language = e.language
	}
	if !e.none {
		s.list(f, e.hash)
	}
}

// list lists a file.
func (s *scanner) list(f found, h Hash) {
	s.out.Files = append(s.out.Files, File{Path: f.name, Hash: h, Size: f.stat.size, Language: f.language, Kind: kindOf(f.name)})
}

// folder finds the files of a plain folder. Ignore files count from where they stand.
func (s *scanner) folder(dir string, rules []ignoreFile, depth int) error {
	entries, err := s.readDir(dir)
	if err != nil {
		if depth == 0 {
			return err
		}
		s.note(dir, err)
		return nil
	}
	if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }); i >= 0 {
		rules = s.rules(dir, rules)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && isRepositoryFolder(e.Name()):
			continue
		case ignored(rules, name, e.IsDir()):
			if e.IsDir() || s.table.byName(name) != "" {
				s.ignored++
			}
			continue
		case e.IsDir() && s.unwanted(name+"/"): // the whole of it
			continue
		case e.IsDir():
			err = s.folder(name, rules, depth+1)
		default:
			err = s.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDir lists a folder, sorted by name.
func (s *scanner) readDir(dir string) ([]fs.DirEntry, error) {
	if err := errors.Join(s.ctx.Err(), s.count()); err != nil {
		return nil, err
	}
	open, err := s.walker.folder(dir)
	if err != nil {
		return nil, err
	}
	fd, err := openAt(open, ".", unix.O_DIRECTORY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	f := os.NewFile(uintptr(fd), path.Join(s.dir, dir))
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// isRepositoryFolder reports whether a folder is where a version control system keeps its own.
func isRepositoryFolder(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".bzr", ".jj":
		return true
	}
	return false
}

// rules adds the ignore file of a folder to those of the folders around it.
func (s *scanner) rules(dir string, rules []ignoreFile) []ignoreFile {
	name := path.Join(dir, ".gitignore")
	data, _, err := s.walker.read(name, nil, maxIgnoreBytes)
	if err != nil {
		s.note(name, err)
		return rules
	}
	if dir == "." {
		dir = ""
	} else {
		dir += "/"
	}
	return append(slices.Clip(rules), parseIgnore(dir, string(data)))
}

// hash hashes what the memo does not know, on all processors. Workers take runs of files, which lie in few folders.
func (s *scanner) hash() error {
	const run = 32
	var group errgroup.Group
	var next atomic.Int64
	take := func() []found {
		to := int(next.Add(run))
		return s.todo[min(to-run, len(s.todo)):min(to, len(s.todo))]
	}
	for range min(runtime.GOMAXPROCS(0), 8, 1+len(s.todo)/run) {
		group.Go(func() error { return s.hashSome(take) })
	}
	return group.Wait()
}

// hashSome is one worker of hash.
func (s *scanner) hashSome(take func() []found) error {
	w, err := newWalker(s.root)
	if err != nil {
		return err
	}
	defer w.close()
	var buffer []byte
	for files := take(); len(files) > 0; files = take() {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		for _, f := range files {
			e, data, err := s.look(w, &f, buffer)
			buffer = data[:0:cap(data)]
			s.settle(f, e, err)
		}
	}
	return nil
}

// look reads a file and hashes it. The bytes are returned for their memory.
func (s *scanner) look(w *walker, f *found, buffer []byte) (memoEntry, []byte, error) {
	data, now, err := w.read(f.name, buffer, s.options.MaxFileSize)
	if changed := (*skipError)(nil); errors.As(err, &changed) && changed.reason == ReasonChanged {
		data, now, err = w.read(f.name, buffer, s.options.MaxFileSize) // whoever wrote it may be done
	}
	if err != nil {
		return memoEntry{}, buffer, err
	}
	f.stat = now
	e := memoEntry{stat: now}
	if f.language == "" {
		f.language = s.table.byShebang(data)
		e.language, e.none = f.language, f.language == ""
	}
	if e.none {
		return e, data, nil
	}
	if err := notSource(data); err != nil {
		return e, data, err
	}
	e.hash = BlobHash(data)
	return e, data, nil
}

// settle lists a file that was read, or notes why it was not.
func (s *scanner) settle(f found, e memoEntry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if f.language != "" { // nothing says of others that they are source files
			s.note(f.name, err)
		}
		return
	}
	s.next.add(f.name, e, s.began)
	if !e.none {
		s.list(f, e.hash)
	}
}

// wide is the encoding with more than one byte a character that a byte order mark tells; "" for none.
func wide(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")):
		return "utf-32le"
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return "utf-32be"
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}
