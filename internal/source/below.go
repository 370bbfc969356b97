package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// maxBelow bounds the files that Below reads.
const maxBelow = 5000

// Below reads the files below a folder of a revision whose names end in suffix, by path: text that belongs to a repository and is
// not source. Files that cannot be read, and those beyond the size that is read of source, are left out.
func (r *Repository) Below(ctx context.Context, v Revision, folder, suffix string) (map[string][]byte, error) {
	var paths []string
	wanted := func(path string) {
		if strings.HasSuffix(path, suffix) && len(paths) < maxBelow {
			paths = append(paths, path)
		}
	}
	if v.work || !r.git {
		root, err := os.OpenRoot(r.root.Name())
		if err != nil {
			return nil, err
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return fs.SkipDir
			}
			if d.Type().IsRegular() {
				wanted(path)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("list %s of %s: %w", folder, r.location, err)
		}
	} else {
		err := records(ctx, r.dir, func(record []byte) error {
			e, err := parseTreeEntry(record)
			if err == nil && e.kind == "blob" && e.mode != modeLink {
				wanted(e.path)
			}
			return err
		}, "ls-tree", "-r", "-z", "-l", v.Commit, "--", folder+"/")
		if err != nil {
			return nil, fmt.Errorf("list %s of %s: %w", folder, r.location, err)
		}
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if text, err := r.ReadPath(ctx, v, path); err == nil {
			out[path] = text
		}
	}
	return out, ctx.Err()
}
