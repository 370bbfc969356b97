package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Reader hands out the bytes of files of one revision, to one goroutine at a time.
type Reader struct {
	repo    *Repository
	walker  *walker  // for files of a folder
	objects *objects // for objects of git
}

// Reader starts a reader, which the caller closes. Objects of git come from one long-lived process, which ends with the context.
func (r *Repository) Reader(ctx context.Context, v Revision) (*Reader, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if v.work || !r.git {
		w, err := newWalker(r.root)
		return &Reader{repo: r, walker: w}, err
	}
	x := &Reader{repo: r, objects: newObjects(ctx, r.dir)}
	return x, x.objects.start()
}

// Close ends the reader and its process.
func (x *Reader) Close() error {
	if x.walker != nil {
		x.walker.close()
		return nil
	}
	return x.objects.close()
}

// Read returns the bytes of a file that List listed, as they are stored; see Decode. A content other than the one that was listed is an
// error, since its facts would be filed under a content that it does not have. SkippedFor makes of the error what a report counts.
func (x *Reader) Read(f File) ([]byte, error) {
	if x.walker != nil {
		data, _, err := x.walker.read(f.Path, nil, x.repo.options.MaxFileSize)
		if err == nil && BlobHash(data) != f.Hash {
			return nil, &skipError{ReasonChanged, ""}
		}
		return data, err
	}
	data, err := x.objects.blob(f.Hash, x.repo.options.MaxFileSize)
	if err != nil {
		return nil, err
	}
	return data, notSource(data)
}

// ReadPath returns the decoded text of one file of a revision. Bytes that cannot be decoded are replaced without an error.
func (r *Repository) ReadPath(ctx context.Context, v Revision, path string) ([]byte, error) {
	data, err := r.readPath(ctx, v, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, _, _ := Decode(data)
	return text, nil
}

// readPath returns the bytes of one file of a revision.
func (r *Repository) readPath(ctx context.Context, v Revision, path string) ([]byte, error) {
	if v.work || !r.git {
		w, err := newWalker(r.root)
		if err != nil {
			return nil, err
		}
		defer w.close()
		data, _, err := w.read(path, nil, r.options.MaxFileSize)
		return data, err
	}
	if strings.ContainsAny(path, "\n\x00") {
		return nil, errors.New("a path with a line break cannot be asked for")
	}
	o := newObjects(ctx, r.dir)
	defer o.close()
	_, kind, data, err := o.get(v.Commit+":"+r.prefix+path, r.options.MaxFileSize)
	switch {
	case err == errMissing:
		return nil, fmt.Errorf("%s: no such file in commit %s", r.location, v.Commit)
	case err != nil:
		return nil, err
	case kind != "blob":
		return nil, errors.New("it is a folder")
	}
	return data, nil
}
