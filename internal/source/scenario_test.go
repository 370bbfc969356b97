package source

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// The languages of the tests: by ending, by name, by interpreter.
func testOptions() Options {
	return Options{MaxFileSize: 4000, Languages: []Language{
		{Name: "Python", Extensions: []string{".py", ".pyi"}, Interpreters: []string{"python"}},
		{Name: "Go", Extensions: []string{".go"}},
		{Name: "JavaScript", Extensions: []string{".js", ".mjs"}, Filenames: []string{"Jakefile"}, Interpreters: []string{"node"}},
		{Name: "TypeScript", Extensions: []string{".ts"}},
	}}
}

// needGit skips what needs git on a developer's machine without it. Where everything must run, its absence fails.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// runGit runs git in a folder, apart from the configuration of the machine, and returns what it prints.
func runGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000",
		"GIT_ALLOW_PROTOCOL=file")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// write writes files into a folder: name, content, name, content.
func write(t testing.TB, dir string, files ...string) {
	t.Helper()
	for pair := range slices.Chunk(files, 2) {
		name := filepath.Join(dir, pair[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pair[1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newRepo makes a repository with one commit.
func newRepo(t testing.TB, files ...string) string {
	t.Helper()
	needGit(t)
	dir := filepath.Join(t.TempDir(), "project")
	write(t, dir, files...)
	runGit(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "first")
	return dir
}

func commit(t testing.TB, dir, message string) string {
	t.Helper()
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", message)
	return runGit(t, dir, "rev-parse", "HEAD")
}

func open(t testing.TB, location string, change ...func(*Options)) *Repository {
	t.Helper()
	o := testOptions()
	for _, c := range change {
		c(&o)
	}
	r, err := Open(t.Context(), location, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func resolve(t testing.TB, r *Repository, rev string) Revision {
	t.Helper()
	v, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func list(t testing.TB, r *Repository, v Revision, memo []byte) *Listing {
	t.Helper()
	l, err := r.List(t.Context(), v, memo)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// show prints a listing as archives want it, and makes sure that each file can be read as it was listed.
func show(t testing.TB, r *Repository, v Revision, l *Listing) string {
	t.Helper()
	x, err := r.Reader(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var b strings.Builder
	for _, f := range l.Files {
		data, err := x.Read(f)
		if err != nil {
			s := SkippedFor(f, err)
			fmt.Fprintf(&b, "unread %s: %s\n", s.Path, strings.TrimSuffix(s.Reason+": "+s.Detail, ": "))
			continue
		}
		if BlobHash(data) != f.Hash || int64(len(data)) != f.Size {
			t.Errorf("%s: listed %x with %d bytes, read %x with %d", f.Path, f.Hash, f.Size, BlobHash(data), len(data))
		}
		fmt.Fprintf(&b, "%s %s %s\n", f.Kind, f.Language, f.Path)
	}
	for _, s := range l.Skipped {
		what := s.Path
		if s.Count > 0 {
			what = fmt.Sprint(s.Count)
		}
		fmt.Fprintf(&b, "skipped %s: %s\n", what, strings.TrimSuffix(s.Reason+": "+s.Detail, ": "))
	}
	return b.String()
}

// TestScenarios lists the tree of each archive in the ways in which a tree can be there: as a plain folder, as a work tree in which
// nothing is committed, as one in which all is, and as the bare repository that is cloned from that. The files of an archive but
// "setup" and "want…" are the tree; setup adds what an archive cannot hold. want is what each way yields that has no want/WAY.
func TestScenarios(t *testing.T) {
	needGit(t)
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { scenario(t, path) })
	}
}

func scenario(t *testing.T, path string) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "tree")
	setup := ""
	for _, f := range ar.Files {
		if f.Name == "setup" {
			setup = string(f.Data)
		} else if f.Name != "want" && !strings.HasPrefix(f.Name, "want/") {
			write(t, dir, f.Name, string(f.Data))
		}
	}
	for line := range strings.Lines(setup) {
		prepare(t, dir, strings.Fields(line))
	}
	got := map[string]string{}
	look := func(way, location string) {
		r := open(t, location)
		v := resolve(t, r, "")
		l := list(t, r, v, nil)
		got[way] = show(t, r, v, l)
		if again := show(t, r, v, list(t, r, v, l.Memo)); again != got[way] {
			t.Errorf("%s: with its memo it lists\n%snot\n%s", way, again, got[way])
		}
	}
	look("folder", dir)
	runGit(t, dir, "init", "-q", "-b", "main")
	look("untracked", dir)
	commit(t, dir, "all")
	look("committed", dir)
	bare := filepath.Join(t.TempDir(), "bare.git")
	runGit(t, dir, "clone", "-q", "--bare", ".", bare)
	look("bare", bare)
	judge(t, path, ar, got)
}

// prepare does what an archive's setup says.
func prepare(t *testing.T, dir string, words []string) {
	t.Helper()
	name := filepath.Join(dir, words[1])
	var err error
	switch words[0] {
	case "link": // link NAME TARGET
		err = os.Symlink(words[2], name)
	case "executable": // executable NAME
		err = os.Chmod(name, 0o755)
	case "bytes": // bytes NAME QUOTED: as Go quotes it
		var text string
		if _, err = fmt.Sscanf(strings.Join(words[2:], " "), "%q", &text); err == nil {
			write(t, dir, words[1], text)
		}
	case "fill": // fill NAME SIZE
		var size int
		if _, err = fmt.Sscan(words[2], &size); err == nil {
			write(t, dir, words[1], strings.Repeat("x", size))
		}
	default:
		t.Fatalf("setup: %q", words)
	}
	if err != nil {
		t.Fatalf("setup: %q: %v", words, err)
	}
}

func judge(t *testing.T, path string, ar *txtar.Archive, got map[string]string) {
	t.Helper()
	var general []byte
	own := map[string]bool{}
	wants := 0
	for i := range ar.Files {
		f := &ar.Files[i]
		way := strings.TrimPrefix(f.Name, "want/")
		switch {
		case f.Name == "want":
			way = "folder"
			general = f.Data
		case way == f.Name:
			continue
		}
		wants++
		own[way] = true
		if _, ok := got[way]; !ok {
			t.Fatalf("%s: no way %s", path, way)
		}
		if os.Getenv("UPDATE") != "" {
			f.Data = []byte(got[way])
		} else if diff := cmp.Diff(string(f.Data), got[way]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", way, diff)
		}
	}
	for way, text := range got {
		if diff := cmp.Diff(string(general), text); !own[way] && diff != "" && os.Getenv("UPDATE") == "" {
			t.Errorf("%s (-want +got):\n%s", way, diff)
		}
	}
	if wants == 0 {
		t.Fatalf("%s wants nothing", path)
	}
	if os.Getenv("UPDATE") != "" && !bytes.Equal(txtar.Format(ar), nil) {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
