package source

import (
	"crypto/sha1"
	"fmt"
	"io"
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

// BenchmarkObjects lists and reads the same sources from git's objects, and reads them through git by hand.
func BenchmarkObjects(b *testing.B) {
	needGit(b)
	dir := b.TempDir()
	runGit(b, dir, "init", "-q", "--bare")
	runGit(b, dir, "--work-tree="+benchRoot(b), "add", ".")
	runGit(b, dir, "--work-tree="+benchRoot(b), "commit", "-q", "-m", "all")
	runGit(b, dir, "repack", "-q", "-a", "-d")
	r, v := openBench(b, dir)
	l, err := r.List(b.Context(), v, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("resolve", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Resolve(b.Context(), "HEAD"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.List(b.Context(), v, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(bytesOf(l.Files))
		for b.Loop() {
			readAll(b, r, v, l.Files)
		}
	})
	var ids strings.Builder
	for _, f := range l.Files {
		fmt.Fprintf(&ids, "%x\n", f.Hash)
	}
	// Without answers one by one, without a look at what came.
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(bytesOf(l.Files))
		for b.Loop() {
			c := exec.Command("git", "cat-file", "--batch", "--buffer")
			c.Dir, c.Stdin, c.Stdout = dir, strings.NewReader(ids.String()), io.Discard
			if err := c.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
