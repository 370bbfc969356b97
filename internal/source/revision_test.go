package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// paths lists the paths of a listing.
func paths(l *Listing) string {
	var out []string
	for _, f := range l.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

// wantError checks that an error is one line that names what it is about.
func wantError(t *testing.T, err error, kind error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if kind != nil && !errors.Is(err, kind) {
		t.Errorf("%v is not %v", err, kind)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%q does not name %q", err, p)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is more than a line", err)
	}
}

func TestRevisions(t *testing.T) {
	dir := newRepo(t, "a.py", "one\n", "sub/b.py", "b\n")
	runGit(t, dir, "tag", "v1.0")
	write(t, dir, "a.py", "two\n", "c.py", "c\n")
	second := commit(t, dir, "second")
	runGit(t, dir, "tag", "-a", "-m", "annotated", "v1.1")
	runGit(t, dir, "tag", "blob", "HEAD:a.py")
	r := open(t, dir)

	v := resolve(t, r, "v1.0")
	if len(v.Commit) != 40 || v.Dirty || !v.Time.Equal(time.Unix(1700000000, 0)) || !slices.Equal(v.Names, []string{"v1.0"}) {
		t.Errorf("v1.0 is %+v", v)
	}
	if want := runGit(t, dir, "rev-parse", "v1.0^{tree}"); v.Tree != want {
		t.Errorf("tree %s, want %s", v.Tree, want)
	}
	if got := paths(list(t, r, v, nil)); got != "a.py sub/b.py" {
		t.Errorf("v1.0 holds %s", got)
	}
	for _, rev := range []string{"v1.1", "main", "HEAD", second, second[:9], "HEAD~0", "refs/heads/main"} {
		v := resolve(t, r, rev)
		if v.Commit != second || !slices.Equal(v.Names, []string{"v1.1", "main"}) {
			t.Errorf("%s is %+v", rev, v)
		}
	}
	text, err := r.ReadPath(t.Context(), r.At(resolve(t, r, "v1.0").Commit), "a.py")
	if err != nil || string(text) != "one\n" {
		t.Errorf("a.py at v1.0 is %q, %v", text, err)
	}
	tags, err := r.Tags(t.Context(), "v1.*")
	if err != nil || !slices.Equal(tags, []string{"v1.0", "v1.1"}) {
		t.Errorf("tags %v, %v", tags, err)
	}
	if tags, err := r.Tags(t.Context(), "*"); err != nil || slices.Contains(tags, "blob") {
		t.Errorf("a tag of a file counts as revision: %v, %v", tags, err)
	}
	_, err = r.Tags(t.Context(), "[")
	wantError(t, err, nil, `"["`)
}

func TestWorkTree(t *testing.T) {
	dir := newRepo(t, "a.py", "one\n", "b.py", "b\n", "gone.py", "x\n", "README", "text")
	r := open(t, dir)
	clean := resolve(t, r, "")
	if clean.Dirty || clean.Tree == "" {
		t.Fatalf("clean: %+v", clean)
	}
	// What is not read does not make a revision another one.
	write(t, dir, "README", "changed", "notes.txt", "new")
	if v := resolve(t, r, ""); v.Dirty {
		t.Errorf("dirty for files that are not read: %+v", v)
	}
	write(t, dir, ".notes/a.md", "a note")
	beside := open(t, dir, func(o *Options) { o.Beside = []string{".notes"} })
	if v := resolve(t, beside, ""); !v.Dirty {
		t.Error("clean beside a new file in a folder that is read too")
	}
	if err := os.RemoveAll(filepath.Join(dir, ".notes")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "run", "#!/usr/bin/python\n")
	if err := os.Chmod(filepath.Join(dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	if v := resolve(t, r, ""); !v.Dirty {
		t.Error("clean beside a new script")
	}
	commit(t, dir, "a script")
	write(t, dir, "run", "#!/usr/bin/python\nprint()\n")
	if v := resolve(t, r, ""); !v.Dirty {
		t.Error("clean after a script changed")
	}
	commit(t, dir, "the script")
	clean = resolve(t, r, "")
	write(t, dir, "a.py", "two\n", "new.py", "n\n")
	if err := os.Remove(filepath.Join(dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	v := resolve(t, r, "")
	if !v.Dirty || v.Tree != "" || v.Commit != clean.Commit {
		t.Errorf("dirty: %+v", v)
	}
	if got, want := show(t, r, v, list(t, r, v, nil)), "product Python a.py\nproduct Python b.py\nproduct Python new.py\nproduct Python run\n"; got != want {
		t.Errorf("the work tree holds\n%s", got)
	}
	text, err := r.ReadPath(t.Context(), r.At(""), "a.py")
	if err != nil || string(text) != "two\n" {
		t.Errorf("a.py is %q, %v", text, err)
	}
	// A revision that is named is read from the objects all the same.
	head := resolve(t, r, "HEAD")
	if got := paths(list(t, r, head, nil)); head.Dirty || got != "a.py b.py gone.py run" {
		t.Errorf("HEAD is %+v with %s", head, got)
	}
}

func TestFolderInsideWorkTree(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "sub/b.py", "b\n", "sub/deep/c.py", "c\n", ".gitignore", "out/\n", "out/x.py", "x\n")
	runGit(t, dir, "remote", "add", "origin", "git@github.com:owner/name.git")
	r := open(t, filepath.Join(dir, "sub"))
	if r.Name() != "owner/name/sub" {
		t.Errorf("name %s", r.Name())
	}
	v := resolve(t, r, "")
	if v.Dirty || v.Tree != runGit(t, dir, "rev-parse", "HEAD:sub") {
		t.Errorf("%+v", v)
	}
	if got := show(t, r, v, list(t, r, v, nil)); got != "product Python b.py\nproduct Python deep/c.py\n" {
		t.Errorf("clean it holds\n%s", got)
	}
	if text, err := r.ReadPath(t.Context(), v, "deep/c.py"); err != nil || string(text) != "c\n" {
		t.Errorf("deep/c.py is %q, %v", text, err)
	}
	if got, want := Link(r.Host(), "b.py", 3, 5, v.Commit), "https://github.com/owner/name/blob/"+v.Commit+"/sub/b.py#L3-L5"; got != want {
		t.Errorf("link %s, want %s", got, want)
	}
	// A change beside the folder is no change of it.
	write(t, dir, "a.py", "changed\n")
	if v := resolve(t, r, ""); v.Dirty {
		t.Error("dirty for a change outside")
	}
	write(t, dir, "sub/b.py", "changed\n")
	if v := resolve(t, r, ""); !v.Dirty || paths(list(t, r, v, nil)) != "b.py deep/c.py" {
		t.Error("not dirty, or another listing, for a change inside")
	}
	// A folder that the repository ignores is a folder of its own.
	o := open(t, filepath.Join(dir, "out"))
	if v := resolve(t, o, ""); v.Commit != "" || paths(list(t, o, v, nil)) != "x.py" {
		t.Errorf("an ignored folder is %+v", v)
	}
	// Unless it tracks something in it.
	runGit(t, dir, "add", "-f", "out/x.py")
	if v := resolve(t, open(t, filepath.Join(dir, "out")), ""); !v.Dirty || v.Commit == "" {
		t.Errorf("an ignored folder with something tracked is %+v", v)
	}
	runGit(t, dir, "rm", "-q", "--cached", "out/x.py")
	// A folder that is new.
	write(t, dir, "new/n.py", "n\n")
	n := open(t, filepath.Join(dir, "new"))
	if v := resolve(t, n, ""); !v.Dirty || paths(list(t, n, v, nil)) != "n.py" {
		t.Errorf("a new folder is %+v", v)
	}
	// A folder that a revision does not have.
	runGit(t, dir, "tag", "full")
	runGit(t, dir, "rm", "-q", "-r", "-f", "sub")
	commit(t, dir, "without")
	runGit(t, dir, "tag", "empty")
	write(t, dir, "sub/b.py", "b\n")
	_, err := open(t, filepath.Join(dir, "sub")).Resolve(t.Context(), "empty")
	wantError(t, err, nil, "sub/", "empty")
}

func TestSubmodules(t *testing.T) {
	inner := newRepo(t, "i.py", "i\n")
	dir := newRepo(t, "a.py", "a\n")
	runGit(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "lib")
	commit(t, dir, "with submodule")
	want := "product Python a.py\nskipped lib: submodule, not read\n"
	r := open(t, dir)
	v := resolve(t, r, "")
	if got := show(t, r, v, list(t, r, v, nil)); got != want {
		t.Errorf("committed:\n%s", got)
	}
	// Not checked out, and beside a repository that somebody put there.
	if err := os.RemoveAll(filepath.Join(dir, "lib")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "a.py", "changed\n", "own/o.py", "o\n")
	runGit(t, filepath.Join(dir, "own"), "init", "-q")
	commit(t, filepath.Join(dir, "own"), "own")
	v = resolve(t, r, "")
	want = "product Python a.py\nskipped lib: submodule, not read\nskipped own: submodule, not read: a repository of its own\n"
	if got := show(t, r, v, list(t, r, v, nil)); got != want {
		t.Errorf("dirty:\n%s", got)
	}
}

func TestBareAndGitFolders(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	for _, location := range []string{filepath.Join(dir, ".git")} {
		r := open(t, location)
		v := resolve(t, r, "")
		if got := show(t, r, v, list(t, r, v, nil)); got != "product Python a.py\n" || r.Name() != "project" {
			t.Errorf("%s is %s with\n%s", location, r.Name(), got)
		}
	}
	bare := filepath.Join(t.TempDir(), "named.git")
	runGit(t, dir, "clone", "-q", "--bare", ".", bare)
	if r := open(t, bare); r.Name() != "named" {
		t.Errorf("name %s", r.Name())
	}
	// A second work tree of the same repository.
	other := filepath.Join(t.TempDir(), "other")
	runGit(t, dir, "worktree", "add", "-q", "-b", "side", other)
	write(t, other, "side.py", "s\n")
	r := open(t, other)
	if v := resolve(t, r, ""); !v.Dirty || paths(list(t, r, v, nil)) != "a.py side.py" {
		t.Errorf("a second work tree is %+v", v)
	}
}

func TestUnknownRevision(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	for _, tag := range []string{"v8.9", "v9.7", "v9.8", "v9.10", "v1.0", "beta-9.9"} {
		runGit(t, dir, "tag", tag)
	}
	r := open(t, dir)
	_, err := r.Resolve(t.Context(), "v9.9")
	wantError(t, err, ErrUnknownRevision, "unknown revision v9.9; nearest tags: v9.8, v9.10, v9.7")
	_, err = r.Resolve(t.Context(), "mian")
	wantError(t, err, ErrUnknownRevision, "unknown revision mian; nearest tags and branches: main")
	for _, rev := range []string{"--help", "-v", "v1.0:a.py", "v1.0\nv8.9", "HEAD^{tree}", ":/nothing like this", "\x00"} {
		_, err := r.Resolve(t.Context(), rev)
		if !errors.Is(err, ErrUnknownRevision) {
			t.Errorf("%q: %v", rev, err)
		}
	}
	_, err = open(t, newRepo(t, "x", "")).Resolve(t.Context(), "main2")
	wantError(t, err, ErrUnknownRevision, "unknown revision main2", "main")
}

func TestNothingThere(t *testing.T) {
	_, err := Open(t.Context(), filepath.Join(t.TempDir(), "nowhere"), testOptions())
	wantError(t, err, ErrNotFound, "nowhere: no such file or folder")
	_, err = Open(t.Context(), "", testOptions())
	wantError(t, err, ErrNotFound)
	write(t, t.TempDir(), "x", "")
	file := filepath.Join(t.TempDir(), "a.py")
	write(t, filepath.Dir(file), "a.py", "")
	_, err = Open(t.Context(), file, testOptions())
	wantError(t, err, nil, "a.py is a file")

	plain := open(t, t.TempDir())
	v := resolve(t, plain, "")
	if l := list(t, plain, v, nil); len(l.Files)+len(l.Skipped) > 0 || v.Commit != "" || v.Dirty {
		t.Errorf("an empty folder is %+v with %+v", v, l)
	}
	_, err = plain.Resolve(t.Context(), "v1")
	wantError(t, err, nil, "plain folder", "v1")
	_, err = plain.Tags(t.Context(), "*")
	wantError(t, err, nil, "plain folder")
}

func TestWithoutCommit(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "--bare", "empty.git")
	r := open(t, filepath.Join(dir, "empty.git"))
	_, err := r.Resolve(t.Context(), "")
	wantError(t, err, ErrEmpty, "empty.git")
	_, err = r.Resolve(t.Context(), "v1")
	wantError(t, err, ErrUnknownRevision, "v1", "no tags")
	// The files of a work tree are there without a commit.
	runGit(t, dir, "init", "-q", "work")
	write(t, dir, "work/a.py", "a\n")
	r = open(t, filepath.Join(dir, "work"))
	v := resolve(t, r, "")
	if got := paths(list(t, r, v, nil)); got != "a.py" || v.Commit != "" {
		t.Errorf("%+v with %s", v, got)
	}
}

func TestSHA256(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q", "--object-format=sha256")
	write(t, dir, "a.py", "a\n")
	commit(t, dir, "one")
	_, err := open(t, dir).Resolve(t.Context(), "")
	wantError(t, err, ErrGit, "SHA-1", dir)
}

func TestCancelled(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	r := open(t, dir)
	v := resolve(t, r, "")
	folder := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	x, err := r.Reader(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	f := list(t, r, v, nil).Files[0]
	cancel()
	for name, call := range map[string]func() error{
		"Open":     func() error { _, err := Open(ctx, dir, testOptions()); return err },
		"Resolve":  func() error { _, err := r.Resolve(ctx, ""); return err },
		"List":     func() error { _, err := r.List(ctx, v, nil); return err },
		"folder":   func() error { _, err := folder.List(ctx, Revision{work: true}, nil); return err },
		"Reader":   func() error { _, err := r.Reader(ctx, v); return err },
		"Read":     func() error { _, err := x.Read(f); return err },
		"ReadPath": func() error { _, err := r.ReadPath(ctx, v, "a.py"); return err },
		"Tags":     func() error { _, err := r.Tags(ctx, "*"); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
