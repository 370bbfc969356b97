package syntax

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// BenchmarkParse measures three ways on the same files, in turns, by the CPU time of the process, so that their ratios hold on a busy
// machine: the binding as it comes (parse only), Check of this package, and Parse.
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct {
		name, root, extension string
		language              unsafe.Pointer
	}{
		{"python", "/usr/lib/python3*", ".py", python.Language()},
		{"javascript", "/usr/lib/node_modules", ".js", javascript.Language()},
		{"typescript", "/usr/lib/node_modules", ".ts", typescript.LanguageTypescript()},
	} {
		b.Run(c.name, func(b *testing.B) { measure(b, readCorpus(b, c.root, c.extension), c.language) })
	}
}

func measure(b *testing.B, files [][]byte, language unsafe.Pointer) {
	g := grammar(b, language)
	stock := sitter.NewParser()
	defer stock.Close()
	if err := stock.SetLanguage(sitter.NewLanguage(language)); err != nil {
		b.Fatal(err)
	}
	p := NewParser()
	defer useShimAllocator()
	var spent [3]time.Duration
	total := 0
	for b.Loop() {
		for way, run := range []func(src []byte){
			func(src []byte) { stock.Parse(src, nil).Close() },
			func(src []byte) { p.Check(g, src, Options{}) },
			func(src []byte) { p.Parse(g, src, Options{}) },
		} {
			if way == 0 {
				sitter.SetAllocator(nil, nil, nil, nil)
			} else {
				useShimAllocator()
			}
			start := cpuTime(b)
			for _, src := range files {
				run(src)
			}
			spent[way] += cpuTime(b) - start
		}
		for _, src := range files {
			total += len(src)
		}
	}
	speed := func(way int) float64 { return float64(total) / 1e6 / spent[way].Seconds() }
	b.ReportMetric(speed(0), "binding-MB/cpu-s")
	b.ReportMetric(speed(1), "parse-MB/cpu-s")
	b.ReportMetric(speed(2), "flatten-MB/cpu-s")
	b.ReportMetric(speed(1)/speed(0), "parse/binding")
	b.ReportMetric(speed(2)/speed(1), "flatten/parse")
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// readCorpus reads files below the folders that a pattern matches, up to about 4 MB, or skips the test where there are none.
func readCorpus(t testing.TB, pattern, extension string) [][]byte {
	t.Helper()
	roots, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	total := 0
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, extension) {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if out, total = append(out, src), total+len(src); total > 4<<20 {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) == 0 {
		t.Skipf("no %s files below %s on this machine", extension, pattern)
	}
	return out
}
