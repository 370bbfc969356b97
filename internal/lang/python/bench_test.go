package python

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// corpus reads the sources below the folders that WHEREFORE_PY_CORPUS lists, separated as in PATH; of each so many files
// (WHEREFORE_PY_EVERY) one.
func corpus(t testing.TB) (paths []string, files [][]byte) {
	every, err := strconv.Atoi(os.Getenv("WHEREFORE_PY_EVERY"))
	if err != nil {
		every = 1
	}
	n := 0
	for _, root := range filepath.SplitList(os.Getenv("WHEREFORE_PY_CORPUS")) {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if d != nil && d.Name() == "site-packages" {
					return fs.SkipDir
				}
				return err
			}
			if filepath.Ext(p) != ".py" {
				return nil
			}
			if n++; n%every != 0 {
				return nil
			}
			src, err := os.ReadFile(p)
			if err == nil && len(src) < 4<<20 {
				paths, files = append(paths, p), append(files, src)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Skip("WHEREFORE_PY_CORPUS names no folder with sources")
	}
	return paths, files
}

// BenchmarkExtract measures by the CPU time of the process, in turns, what parsing the files costs and what their facts cost.
func BenchmarkExtract(b *testing.B) {
	_, files := corpus(b)
	debug.SetGCPercent(400)
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		b.Fatal(err)
	}
	p, extract := syntax.NewParser(), Language().NewExtractor()
	var spent [2]time.Duration
	for b.Loop() {
		for way, run := range []func(src []byte){
			func(src []byte) { _ = p.Check(g, src, syntax.Options{}) },
			func(src []byte) {
				f := extract(src, lang.Options{})
				raise.EncodeCore(f)
				raise.EncodeOutline(f)
			},
		} {
			runtime.GC()
			start := cpuTime(b)
			for _, src := range files {
				run(src)
			}
			spent[way] += cpuTime(b) - start
		}
	}
	b.ReportMetric(spent[0].Seconds(), "parse-s")
	b.ReportMetric(spent[1].Seconds(), "extract-s")
	b.ReportMetric(spent[1].Seconds()/spent[0].Seconds(), "extract/parse")
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
