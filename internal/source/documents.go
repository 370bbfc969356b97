package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Bounds on what is read of a repository's documentation.
const (
	maxDocuments     = 400
	maxDocumentBytes = 4 << 20
)

// Documents reads what a repository says of itself to people, by path: its README and what like it stands beside it, and the text files
// below its folder of documentation. What is beyond the bounds is left out.
func (r *Repository) Documents(ctx context.Context, v Revision) (map[string][]byte, error) {
	var paths []string
	wanted := func(name string) {
		if isDocument(name) && len(paths) < maxDocuments {
			paths = append(paths, name)
		}
	}
	if v.work || !r.git {
		root, err := os.OpenRoot(r.root.Name())
		if err != nil {
			return nil, err
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil, d.IsDir() && name != "." && !documentFolder(name):
				return fs.SkipDir
			case d.Type().IsRegular():
				wanted(name)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("list the documentation of %s: %w", r.location, err)
		}
	} else {
		err := records(ctx, r.dir, func(record []byte) error {
			e, err := parseTreeEntry(record)
			if err == nil && e.kind == "blob" && e.mode != modeLink {
				wanted(e.path)
			}
			return err
		}, "ls-tree", "-r", "-z", "-l", v.Commit)
		if err != nil {
			return nil, fmt.Errorf("list the documentation of %s: %w", r.location, err)
		}
	}
	return r.texts(ctx, v, paths)
}

// texts reads files until the bound on their bytes.
func (r *Repository) texts(ctx context.Context, v Revision, paths []string) (map[string][]byte, error) {
	var o *objects
	if !v.work && r.git {
		o = newObjects(ctx, r.dir)
		defer o.close()
	}
	out, room := map[string][]byte{}, maxDocumentBytes
	for _, p := range paths {
		var text []byte
		var err error
		if o != nil {
			_, _, text, err = o.get(v.Commit+":"+r.prefix+p, maxDocumentBytes)
		} else {
			text, err = r.readPath(ctx, v, p)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(text) > room {
			continue
		}
		room -= len(text)
		out[p], _, _ = Decode(text)
	}
	return out, nil
}

// isDocument reports whether a file is written for people: by its ending, at the top or below a folder of documentation.
func isDocument(name string) bool {
	base := path.Base(name)
	switch strings.ToLower(path.Ext(base)) {
	case ".md", ".rst", ".adoc", ".markdown":
	case ".txt", "":
		if !strings.HasPrefix(strings.ToUpper(base), "README") {
			return false
		}
	default:
		return false
	}
	folder := path.Dir(name)
	return folder == "." || documentFolder(folder)
}

// documentFolder reports whether a folder is one of documentation, which stands at the top, or below one.
func documentFolder(folder string) bool {
	top, _, _ := strings.Cut(folder, "/")
	switch strings.ToLower(top) {
	case "doc", "docs", "documentation":
		return true
	}
	return false
}
