// Package source lists the files of a repository at a revision and hands out their bytes by content hash. Nothing of the tree is
// run, and nothing outside of it is read: symbolic links are not followed.
//
// A repository is a git work tree or a folder inside one, a bare repository, a URL (cloned shallowly into a cache folder) or a
// plain folder. Contents are named by their git blob id, whether git knows them or not, so that one cache of facts serves all.
//
// # What is read
//
// A revision that is named, and that of a bare repository, is read from git's objects, without a checkout. Without a name a work
// tree is read as it is: from the objects of HEAD while it does not differ from them, and otherwise from its files, those that git
// tracks and those that it would track; the revision is then called dirty. A plain folder is read from its files, without those
// that the .gitignore files in it leave out.
//
// # Why git's program, and how it is kept harmless
//
// git's own program reads objects 3.5 times as fast as the library for it that is written in Go, and it knows every format that
// repositories come in. A repository can tell git to run programs: by hooks, a file system monitor, filters, signature checks,
// transports, ssh and upload commands. Each of these is switched off or not asked for; see command.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The faults that callers tell apart.
var (
	ErrNotFound        = errors.New("no such file or folder")
	ErrUnknownRevision = errors.New("unknown revision")
	ErrEmpty           = errors.New("the repository has no commit yet")
	ErrGit             = errors.New("git failed")
)

// defaultMaxFileSize is the largest file that is read unless the caller says otherwise. The largest hand-written sources that are
// known reach about 3 MB (a type checker in one file); what is beyond 4 MiB is generated, or data with the ending of a program.
const defaultMaxFileSize = 4 << 20

// Options say how a repository is read. The zero value reads no language.
type Options struct {
	// MaxFileSize is the size in bytes above which files are left out and counted; 0 for 4 MiB.
	MaxFileSize int64
	// CacheDir is where URLs are cloned to. Without it there is no opening of URLs.
	CacheDir string
	// Languages are those whose files are listed.
	Languages []Language
	// SkipVendored leaves out what others wrote, which is otherwise read, and called vendored. Folders of packages that are not ignored
	// can hold many times what a project wrote.
	SkipVendored bool
	// Beside are folders whose files are read beside source, as Below reads them: a work tree in which one differs is read as it is.
	Beside []string
	// Revisions are fetched when a URL is opened, so that an unknown one fails there. Others are fetched when they are resolved.
	Revisions []string
}

// Language says which files are in a language.
type Language struct {
	Name string
	// Extensions are endings of file names with the dot, in lower case; Filenames are whole names.
	Extensions, Filenames []string
	// Paths limits the files with these names to some; nil: all of them. It sees slash-separated paths relative to the root.
	Paths func(path string) bool
	// Interpreters are the programs that the first line of a script names, without folder and version: "x" takes in x3 and x3.11.
	Interpreters []string
}

// Hash is a git blob id: the SHA-1 of "blob", the length and the bytes.
type Hash [20]byte

// File is a file of a revision in a language that is read.
type File struct {
	Path     string // slash-separated, relative to the folder that was opened, valid UTF-8
	Hash     Hash
	Size     int64 // bytes
	Kind     Kind  // by the path alone; see ContentKind
	Language string
}

// Revision is a state of a repository.
type Revision struct {
	Commit string // 40 hex digits; empty for a plain folder and for a work tree without a commit
	// Dirty says that the work tree is read because it differs from the commit, or because that cannot be told.
	Dirty bool
	Tree  string    // id of the tree that is read, of the opened folder; empty where the files are not those of a commit
	Time  time.Time // of the commit; of the moment where there is none
	Names []string  // tags, then branches, that point at the commit; tags from the highest version down
	work  bool      // files are read from the work tree
}

// Listing is the files of a revision.
type Listing struct {
	Files   []File    // by path
	Skipped []Skipped // by path; counts come first
	// Memo remembers what was hashed, to be given to the next List of the same repository, which then reads only what changed.
	// Where git's objects were listed it is the memo that was given.
	Memo []byte
}

// Repository is an open repository. It is safe for concurrent use.
type Repository struct {
	options  Options
	location string // as it may be shown: without credentials
	dir      string // the folder that is read, or the git directory of a bare repository
	git      bool
	bare     bool   // there are objects, and no files to read
	prefix   string // of dir within the work tree with a slash at its end, for a folder inside one
	origin   string // URL of the remote, without credentials
	root     *os.File
	table    *languageTable
	clone    *clone // of a URL; nil for what is local
}

// Open opens the repository at a location: a path, or a URL whose scheme is https, http, ssh or file, or of the form host:path
// that ssh takes. Errors name the location, without credentials. The context bounds the opening alone.
func Open(ctx context.Context, location string, o Options) (*Repository, error) {
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = defaultMaxFileSize
	}
	r := &Repository{options: o, table: newLanguageTable(o.Languages)}
	if isAddress(location) {
		if err := r.openClone(ctx, location); err != nil {
			return nil, err
		}
		return r, nil
	}
	dir, err := localFolder(location)
	if err != nil {
		return nil, err
	}
	r.dir, r.location = dir, dir
	// The folder is opened before git is asked, so that a folder that may not be read is said to be that.
	if r.root, err = openRoot(dir); err != nil {
		return nil, err
	}
	if err := r.detect(ctx); err != nil {
		return nil, errors.Join(err, r.root.Close())
	}
	return r, nil
}

// localFolder is the absolute path of a folder that exists.
func localFolder(location string) (string, error) {
	info, err := os.Stat(location)
	switch {
	case location == "":
		return "", fmt.Errorf("the location of the repository is empty: %w", ErrNotFound)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s: %w", location, ErrNotFound)
	case err != nil:
		return "", fmt.Errorf("%s: %s", location, cause(err))
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; give the folder of the repository", location)
	}
	return filepath.Abs(location)
}

// Close releases the repository. Readers that are open stay so.
func (r *Repository) Close() error {
	if r.root == nil {
		return nil
	}
	return r.root.Close()
}

// Location is where the repository was opened from, without credentials: an absolute path, or the URL.
func (r *Repository) Location() string { return r.location }

// Recipe is what of the options decides which files are read.
func (r *Repository) Recipe() string {
	recipe := fmt.Sprintf("max-file-size %d", r.options.MaxFileSize)
	if r.options.SkipVendored {
		recipe += ", without vendored"
	}
	return recipe
}

// Name is the repository's own name: owner/name of its remote, otherwise that of its folder. A folder inside a work tree has its
// path added, so that it is not taken for the whole.
func (r *Repository) Name() string {
	name := remoteName(r.origin)
	if name == "" {
		name = r.folderName()
	}
	if r.prefix != "" {
		name += "/" + strings.TrimSuffix(r.prefix, "/")
	}
	return name
}

// folderName is the name of the folder that holds the whole repository.
func (r *Repository) folderName() string {
	whole := strings.TrimSuffix(filepath.ToSlash(r.location), "/")
	if r.prefix != "" {
		whole = strings.TrimSuffix(strings.TrimSuffix(whole, strings.TrimSuffix(r.prefix, "/")), "/")
	}
	if r.bare {
		whole = strings.TrimSuffix(strings.TrimSuffix(whole, ".git"), "/")
	}
	return path.Base(whole)
}

// Resolve finds a revision. With rev "" it is what the repository holds now: the work tree as it is, or a bare repository's HEAD.
// An unknown revision is an ErrUnknownRevision that names the nearest tags; a repository without a commit that holds no files
// either is ErrEmpty.
func (r *Repository) Resolve(ctx context.Context, rev string) (Revision, error) {
	if r.git {
		return r.resolve(ctx, rev)
	}
	if rev != "" {
		return Revision{}, fmt.Errorf("%s is a plain folder: it has no revision %s", r.location, rev)
	}
	return Revision{Time: time.Now().UTC(), work: true}, nil
}

// OpenIndexed opens a repository that was indexed from a location before, without fetching anything, to read files of it by path.
// There is no bound on their size then but 1 GiB, since the bound of the index was the caller's.
func OpenIndexed(ctx context.Context, location string, o Options) (*Repository, error) {
	o.MaxFileSize = 1 << 30
	if !isAddress(location) {
		return Open(ctx, location, o)
	}
	a, err := parseAddress(location)
	if err != nil {
		return nil, err
	}
	dir := cloneDir(a, o)
	return &Repository{options: o, table: newLanguageTable(nil), location: a.shown, dir: dir, git: true, bare: true, origin: a.shown}, nil
}

// At is the revision of a commit that is known to exist; what the folder holds now for "".
func (r *Repository) At(commit string) Revision { return Revision{Commit: commit, work: commit == ""} }
