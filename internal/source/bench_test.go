package source

import (
	"crypto/sha1"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchRoot is the largest tree of sources that is on every machine that builds this.
func benchRoot(b *testing.B) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

func benchOptions() Options {
	return Options{Languages: []Language{{Name: "Go", Extensions: []string{".go"}}, {Name: "Python", Extensions: []string{".py"}, Interpreters: []string{"python"}}}}
}

func openBench(b *testing.B, root string) (*Repository, Revision) {
	r, err := Open(b.Context(), root, benchOptions())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	v, err := r.Resolve(b.Context(), "")
	if err != nil {
		b.Fatal(err)
	}
	return r, v
}

func bytesOf(files []File) (n int64) {
	for _, f := range files {
		n += f.Size
	}
	return n
}

// BenchmarkList lists and hashes a folder: without a memo, and with one.
func BenchmarkList(b *testing.B) {
	r, v := openBench(b, benchRoot(b))
	var memo []byte
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			l, err := r.List(b.Context(), v, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(bytesOf(l.Files))
			memo = l.Memo
		}
		b.ReportMetric(float64(len(memo)), "B/memo")
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			l, err := r.List(b.Context(), v, memo)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(bytesOf(l.Files))
		}
	})
	// What the first listing cannot be faster than on one processor: walking, reading and hashing without anything else.
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			b.SetBytes(bareHash(b, benchRoot(b)))
		}
	})
}

func bareHash(b *testing.B, root string) (n int64) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		sha1.Sum(data)
		n += int64(len(data))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkRead reads every file of a folder, checked against its hash.
func BenchmarkRead(b *testing.B) {
	r, v := openBench(b, benchRoot(b))
	l, err := r.List(b.Context(), v, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		readAll(b, r, v, l.Files)
	}
	b.SetBytes(bytesOf(l.Files))
}

func readAll(b *testing.B, r *Repository, v Revision, files []File) {
	x, err := r.Reader(b.Context(), v)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for _, f := range files {
		if _, err := x.Read(f); err != nil {
			b.Fatal(f.Path, err)
		}
	}
}
