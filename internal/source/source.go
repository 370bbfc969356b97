// Package source lists the files of a repository at a revision and hands out their bytes by content hash. Nothing of the tree is
// run, and nothing outside of it is read: symbolic links are not followed.
//
// A repository is a git work tree, a bare repository, a URL (cloned shallowly into a cache folder) or a plain folder. Contents are
// named by their git blob id, whether git knows them or not, so that one cache of facts serves all.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// Options say how a repository is read.
type Options struct {
	// MaxFileSize is the size in bytes above which files are left out and counted; 0 for 4 MiB. Sources that people write stay
	// far below; what is larger is generated or data.
	MaxFileSize int64
	// CacheDir is where URLs are cloned to.
	CacheDir string
	// Languages are those whose files are listed.
	Languages []Language
	// Revisions are fetched when a URL is cloned, besides the default branch.
	Revisions []string
}

// Language says which files are in a language.
type Language struct {
	Name                                string
	Extensions, Filenames, Interpreters []string
}

// Hash is a git blob id.
type Hash [20]byte

// Kind is what a file is for.
type Kind string

// The kinds. What is not product is indexed as what it is, and ranked last.
const (
	Product   Kind = "product"
	Test      Kind = "test"
	Example   Kind = "example"
	Generated Kind = "generated"
	Vendored  Kind = "vendored"
	Minified  Kind = "minified"
)

// File is a file of a revision in a language that is read.
type File struct {
	Path     string // slash-separated, relative to the root
	Hash     Hash
	Size     int64
	Kind     Kind
	Language string
}

// The reasons for which files are left out.
const (
	ReasonSymlink    = "symbolic link, not followed"
	ReasonSubmodule  = "submodule, not read"
	ReasonLFS        = "Git LFS pointer, its content is not here"
	ReasonTooLarge   = "larger than the size limit"
	ReasonBinary     = "binary content in a source file"
	ReasonUnreadable = "could not be read"
)

// Skipped is a file that was left out, or several for one reason.
type Skipped struct {
	Path, Reason, Detail string
	Count                int // 0 and 1 both mean one
}

// Revision is a state of a repository.
type Revision struct {
	Commit string // 40 hex digits; empty for a plain folder
	Dirty  bool   // the work tree differs from the commit, and the work tree is read
	Tree   string // id of the commit's tree; empty where the files are not those of a commit
	Time   time.Time
	Names  []string // tags and branches that point at the commit
	work   bool     // files are read from the work tree
}

// Listing is the files of a revision.
type Listing struct {
	Files   []File // by path
	Skipped []Skipped
	// Memo remembers the stats of a folder's files, to be given to the next List; nil for objects of git.
	Memo []byte
}

// Repository is an open repository. It is safe for concurrent use.
type Repository struct {
	options  Options
	location string // as it may be shown: without credentials
	dir      string // the folder that is read, or the git directory of a bare repository
	git      bool
	bare     bool
	prefix   string // of dir within the work tree, for a folder inside one
	remote   string
	root     *os.Root // of dir; nil for a bare repository
	byName   *languageTable
}

// Open opens the repository at a location: a path or a URL. Errors name the location, without credentials.
func Open(ctx context.Context, location string, o Options) (*Repository, error) {
	if o.MaxFileSize <= 0 {
		o.MaxFileSize = 4 << 20
	}
	r := &Repository{options: o, byName: newLanguageTable(o.Languages)}
	if isURL(location) {
		r.location = withoutCredentials(location)
		dir, err := clone(ctx, location, o)
		if err != nil {
			return nil, err
		}
		r.dir, r.git, r.bare, r.remote = dir, true, true, r.location
		return r, nil
	}
	info, err := os.Stat(location)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", location, ErrNotFound)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; give the folder of the repository", location)
	}
	if r.dir, err = filepath.Abs(location); err != nil {
		return nil, err
	}
	r.location = r.dir
	if err := r.detect(ctx); err != nil {
		return nil, err
	}
	if !r.bare {
		if r.root, err = os.OpenRoot(r.dir); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Close releases the repository.
func (r *Repository) Close() error {
	if r.root == nil {
		return nil
	}
	return r.root.Close()
}

// Location is where the repository was opened from, without credentials.
func (r *Repository) Location() string { return r.location }

// Recipe is what of the options decides which files are read.
func (r *Repository) Recipe() string { return fmt.Sprintf("max-file-size %d", r.options.MaxFileSize) }

// Name is the repository's own name: owner/name of its remote, otherwise that of its folder.
func (r *Repository) Name() string {
	if r.remote != "" {
		path := r.remote
		if i := strings.Index(path, "://"); i >= 0 {
			path = path[i+3:]
			if _, rest, ok := strings.Cut(path, "/"); ok {
				path = rest
			}
		} else if host, rest, ok := strings.Cut(path, ":"); ok && !strings.Contains(host, "/") {
			path = rest
		}
		parts := strings.Split(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), "/")
		if n := len(parts); n >= 2 {
			return parts[n-2] + "/" + parts[n-1]
		}
	}
	name := filepath.Base(r.dir)
	if r.bare {
		name = strings.TrimSuffix(name, ".git")
		if name == "" {
			name = filepath.Base(filepath.Dir(r.dir))
		}
	}
	return name
}

// Resolve finds a revision. With rev "" it is what the repository holds now: the work tree as it is, or a bare repository's HEAD.
func (r *Repository) Resolve(ctx context.Context, rev string) (Revision, error) {
	if !r.git {
		if rev != "" {
			return Revision{}, fmt.Errorf("%s is a plain folder: it has no revision %s", r.location, rev)
		}
		return Revision{Time: time.Now().UTC(), work: true}, nil
	}
	return r.resolve(ctx, rev)
}

// OpenIndexed opens a repository that was indexed from a location before, without fetching anything.
func OpenIndexed(ctx context.Context, location string, o Options) (*Repository, error) {
	if isURL(location) {
		dir := cloneDir(location, o)
		r := &Repository{options: o, byName: newLanguageTable(nil), location: location, dir: dir, git: true, bare: true, remote: location}
		r.options.MaxFileSize = 1 << 30
		return r, nil
	}
	o.MaxFileSize = 1 << 30
	return Open(ctx, location, o)
}

// At is the revision of a commit that is known to exist; what the folder holds now for "".
func (r *Repository) At(commit string) Revision { return Revision{Commit: commit, work: commit == ""} }
