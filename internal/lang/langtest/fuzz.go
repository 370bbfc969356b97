package langtest

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// FuzzExtract holds extractors to what everything behind them relies on, whatever the file is. It starts from the sources in the
// calling package's archives and from seeds.
func FuzzExtract(f *testing.F, languages []*lang.Language, seeds ...string) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no archives in testdata (%v)", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				f.Add(file.Data)
			}
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	var extractors []lang.Extractor
	for _, l := range languages {
		extractors = append(extractors, l.NewExtractor())
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, extract := range extractors {
			facts := extract(src, lang.Options{Timeout: 5 * time.Second})
			Holds(t, facts, src)
			Sections(facts)
		}
	})
}

// Holds fails the test if facts break a rule that holds of those of every file.
func Holds(t *testing.T, f *raise.Facts, src []byte) {
	t.Helper()
	if err := broken(f, src); err != nil {
		t.Fatal(err)
	}
}

// broken is the first rule of all facts that these break, nil if they keep them: lines and bytes lie in the file, sites stand in the
// order of the file, indices are of what there is, and the facts can be stored.
func broken(f *raise.Facts, src []byte) error {
	last := strings.Count(string(src), "\n") + 1
	for i := range f.Sites {
		s := &f.Sites[i]
		switch {
		case s.Line < 1 || s.EndLine < s.Line || s.EndLine > last:
			return fmt.Errorf("site %d: lines %d-%d of %d", i, s.Line, s.EndLine, last)
		case s.End < s.Start || int(s.End) > len(src):
			return fmt.Errorf("site %d: bytes %d-%d of %d", i, s.Start, s.End, len(src))
		case s.Function < raise.NoFunction || s.Function >= len(f.Functions):
			return fmt.Errorf("site %d: function %d of %d", i, s.Function, len(f.Functions))
		case i > 0 && s.Start < f.Sites[i-1].Start:
			return fmt.Errorf("site %d stands before the one before it", i)
		}
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		if fn.Parent >= i || fn.Parent < raise.NoFunction || fn.Line < 1 || fn.EndLine < fn.Line || fn.EndLine > last {
			return fmt.Errorf("function %d: parent %d, lines %d-%d of %d", i, fn.Parent, fn.Line, fn.EndLine, last)
		}
	}
	for i := range f.Values {
		if s := f.Values[i].Site; s >= len(f.Sites) {
			return fmt.Errorf("value %d: site %d of %d", i, s, len(f.Sites))
		}
	}
	if len(raise.EncodeCore(f)) == 0 || len(raise.EncodeOutline(f)) == 0 {
		return errors.New("nothing encoded")
	}
	return nil
}
