package source

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// List lists the files of a revision in the languages that are read. memo is what an earlier List of the same folder returned.
func (r *Repository) List(ctx context.Context, v Revision, memo []byte) (*Listing, error) {
	l := &lister{Repository: r, ctx: ctx, memo: readMemo(memo), next: map[string]stat{}}
	var err error
	switch {
	case !v.work && r.git:
		err = l.tree(v.Commit)
	case r.git:
		err = l.workTree()
	default:
		err = l.folder(".", nil, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", r.location, err)
	}
	slices.SortFunc(l.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if v.work || !r.git {
		l.out.Memo = writeMemo(l.next)
	}
	return &l.out, nil
}

// lister makes one listing.
type lister struct {
	*Repository
	ctx  context.Context
	out  Listing
	memo map[string]stat
	next map[string]stat
}

// stat is what the file system says of a file, with the hash of what was read then.
type stat struct {
	Size, Time int64
	Inode      uint64
	Hash       Hash
}

func (l *lister) skip(name, reason, detail string) {
	l.out.Skipped = append(l.out.Skipped, Skipped{Path: name, Reason: reason, Detail: detail})
}

// tree lists the files of a commit from git's objects.
func (l *lister) tree(commit string) error {
	// In a folder inside a work tree git lists what is below it, with paths relative to it.
	out, err := git(l.ctx, l.dir, "ls-tree", "-r", "-z", "-l", commit)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		head, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 4 {
			continue
		}
		language := l.byName.language(name)
		switch {
		case fields[0] == "120000":
			if language != "" {
				l.skip(name, ReasonSymlink, "")
			}
			continue
		case fields[1] == "commit":
			l.skip(name, ReasonSubmodule, "")
			continue
		case language == "":
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil {
			return fmt.Errorf("git lists %s without a size", name)
		}
		if size > l.options.MaxFileSize {
			l.skip(name, ReasonTooLarge, fmt.Sprint(size, " bytes"))
			continue
		}
		f := File{Path: name, Size: size, Language: language, Kind: kindOf(name)}
		if n, err := hex.Decode(f.Hash[:], []byte(fields[2])); err != nil || n != len(f.Hash) {
			return fmt.Errorf("git lists %s with the object id %s, which is not SHA-1", name, fields[2])
		}
		l.out.Files = append(l.out.Files, f)
	}
	return nil
}

// workTree lists the files of a work tree that git tracks or would track.
func (l *lister) workTree() error {
	out, err := git(l.ctx, l.dir, "ls-files", "-z", "-c", "-o", "--exclude-standard", "--", ".")
	if err != nil {
		return err
	}
	last := ""
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if name == last || name == "" {
			continue
		}
		last = name
		if err := l.file(name); err != nil {
			return err
		}
	}
	return nil
}

// file lists one file of the file system.
func (l *lister) file(name string) error {
	if l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	language := l.byName.language(name)
	info, err := l.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // tracked, but deleted in the work tree
	case err != nil:
		if language != "" {
			l.skip(name, ReasonUnreadable, cause(err))
		}
		return nil
	case info.IsDir():
		l.skip(name, ReasonSubmodule, "")
		return nil
	case language == "":
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		l.skip(name, ReasonSymlink, "")
		return nil
	case !info.Mode().IsRegular():
		l.skip(name, ReasonUnreadable, "not a regular file")
		return nil
	case info.Size() > l.options.MaxFileSize:
		l.skip(name, ReasonTooLarge, fmt.Sprint(info.Size(), " bytes"))
		return nil
	}
	now := stat{Size: info.Size(), Time: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		now.Inode = sys.Ino
	}
	old, known := l.memo[name]
	if known && old.Size == now.Size && old.Time == now.Time && old.Inode == now.Inode {
		now.Hash = old.Hash
	} else {
		data, err := l.readFile(name)
		if err != nil {
			l.skip(name, ReasonUnreadable, cause(err))
			return nil
		}
		if reason := unreadable(data); reason != "" {
			l.skip(name, reason, "")
			return nil
		}
		now.Hash, now.Size = BlobHash(data), int64(len(data))
	}
	l.next[name] = now
	l.out.Files = append(l.out.Files, File{Path: name, Hash: now.Hash, Size: now.Size, Language: language, Kind: kindOf(name)})
	return nil
}

// cause is an error without the path, which is named beside it.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// readFile reads a file of the folder, up to the size limit.
func (r *Repository) readFile(name string) ([]byte, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, r.options.MaxFileSize+1))
	if err == nil && int64(len(data)) > r.options.MaxFileSize {
		return nil, errors.New("it grew beyond the size limit while it was read")
	}
	return data, err
}

// BlobHash is the id that git gives to a content.
func BlobHash(data []byte) Hash {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return Hash(h.Sum(nil))
}

// unreadable says why a content is no source text, "" if it is.
func unreadable(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")):
		return ReasonLFS
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "" // UTF-16 is full of NUL bytes
	case bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0:
		return ReasonBinary
	}
	return ""
}

// maxFolders bounds the nesting of a plain folder.
const maxFolders = 200

// folder lists a plain folder. Ignore files count from where they stand.
func (l *lister) folder(dir string, rules []ignoreFile, depth int) error {
	if depth > maxFolders {
		l.skip(dir, ReasonUnreadable, "folders are nested too deeply")
		return nil
	}
	entries, err := fs.ReadDir(l.root.FS(), dir)
	if err != nil {
		if depth == 0 {
			return err
		}
		l.skip(dir, ReasonUnreadable, cause(err))
		return nil
	}
	rules = l.ignores(dir, rules)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.Name() == ".git" || ignored(rules, name, e.IsDir()) {
			continue
		}
		if e.IsDir() {
			err = l.folder(name, rules, depth+1)
		} else {
			err = l.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) ignores(dir string, rules []ignoreFile) []ignoreFile {
	data, err := l.readFile(path.Join(dir, ".gitignore"))
	if err != nil {
		return rules
	}
	return append(slices.Clip(rules), parseIgnore(dir, string(data)))
}

func readMemo(data []byte) map[string]stat {
	out := map[string]stat{}
	if len(data) > 0 && json.Unmarshal(data, &out) != nil {
		return map[string]stat{} // read everything again
	}
	return out
}

func writeMemo(m map[string]stat) []byte {
	data, err := json.Marshal(m)
	if err != nil {
		return nil // without a memo everything is read again
	}
	return data
}
