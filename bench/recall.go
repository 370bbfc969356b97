package main

import (
	"io/fs"
	"path/filepath"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/golang"
	"github.com/wherefore-dev/wherefore/internal/lang/golang/oracle"
)

// goRecall counts, of the calls in a Go tree that the type checker says raise, those that are sites.
func (b *bench) goRecall(root string) error {
	extract := golang.Language().NewExtractor()
	total, missing := 0, 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		files, err := oracle.Folder(p)
		for _, f := range files {
			total += len(f.Calls)
			missing += len(oracle.Missing(f.Calls, extract(f.Src, lang.Options{}).Sites))
		}
		return err
	})
	if err != nil {
		return err
	}
	b.add("sites found, of the calls of errors.New, fmt.Errorf and panic that Go's type checker lists in the Go standard library", "≥ 99.5 %",
		"%.2f %% (%d of %d)", 100*float64(total-missing)/float64(max(total, 1)), total-missing, total)
	return nil
}
