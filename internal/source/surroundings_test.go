package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestEnvironment holds that what a hook's environment points git at is not what is read.
func TestEnvironment(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	other := newRepo(t, "other.py", "o\n")
	plain := t.TempDir()
	write(t, plain, "p.py", "p\n")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_INDEX_FILE": "/nowhere", "GIT_OBJECT_DIRECTORY": "/nowhere",
		"GIT_PREFIX": "sub/", "GIT_NAMESPACE": "x", "GIT_TRACE": "1", "GIT_PAGER": "false", "GIT_ALLOW_PROTOCOL": "ext", "GIT_GLOB_PATHSPECS": "1",
		"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de",
	} {
		t.Setenv(name, value)
	}
	for location, want := range map[string]string{dir: "a.py", plain: "p.py"} {
		r := open(t, location)
		v := resolve(t, r, "")
		if got := paths(list(t, r, v, nil)); got != want || v.Dirty || (v.Commit == "") != (location == plain) {
			t.Errorf("%s holds %s at %+v", location, got, v)
		}
	}
}

// TestForeignOwner reads a repository that belongs to somebody else, as those that a container mounts do.
func TestForeignOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := newRepo(t, "a.py", "a\n")
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, 12345, 12345)
	})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("git", "status")
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := c.CombinedOutput(); err == nil {
		t.Logf("git does not mind the owner: %s", out)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_CONFIG_SYSTEM", "/dev/null")
	r := open(t, dir)
	if v := resolve(t, r, ""); v.Dirty || paths(list(t, r, v, nil)) != "a.py" {
		t.Errorf("%+v", v)
	}
}

// TestWithoutGit holds that folders need no git, and repositories say what they need.
func TestWithoutGit(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	bare := filepath.Join(t.TempDir(), "bare.git")
	runGit(t, dir, "clone", "-q", "--bare", ".", bare)
	plain := t.TempDir()
	write(t, plain, "p.py", "p\n")
	t.Setenv("PATH", t.TempDir())
	r := open(t, plain)
	if got := paths(list(t, r, resolve(t, r, ""), nil)); got != "p.py" {
		t.Errorf("a folder holds %s", got)
	}
	for _, location := range []string{dir, bare} {
		_, err := Open(t.Context(), location, testOptions())
		wantError(t, err, ErrGit, location, "not installed")
	}
	_, err := Open(t.Context(), "https://example.org/a", Options{CacheDir: t.TempDir()})
	wantError(t, err, ErrGit, "https://example.org/a", "not installed")
}

// TestDamagedRepositories opens what was a repository once.
func TestDamagedRepositories(t *testing.T) {
	// Without its HEAD git takes it for no repository: the files are read as those of a folder.
	dir := newRepo(t, "a.py", "a\n", ".gitignore", "b.py\n", "b.py", "b\n")
	if err := os.Remove(filepath.Join(dir, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	if v := resolve(t, r, ""); v.Commit != "" || paths(list(t, r, v, nil)) != "a.py" {
		t.Errorf("without HEAD: %+v", v)
	}
	_, err := r.Resolve(t.Context(), "main")
	wantError(t, err, nil, dir, "plain folder")

	// A configuration that cannot be read, and an index that is none.
	dir = newRepo(t, "a.py", "a\n")
	write(t, dir, ".git/config", "[core\n")
	_, err = Open(t.Context(), dir, testOptions())
	wantError(t, err, ErrGit, dir, "bad config")
	dir = newRepo(t, "a.py", "a\n")
	write(t, dir, ".git/index", "this is no index")
	r = open(t, dir)
	_, err = r.Resolve(t.Context(), "")
	wantError(t, err, ErrGit, dir, "index")
	// What is in the objects can be read all the same.
	if v := resolve(t, r, "main"); paths(list(t, r, v, nil)) != "a.py" {
		t.Errorf("main: %+v", v)
	}
	// A branch that names no commit.
	dir = newRepo(t, "a.py", "a\n")
	write(t, dir, ".git/refs/heads/main", someCommit+"\n")
	_, err = open(t, dir).Resolve(t.Context(), "")
	wantError(t, err, ErrGit, dir, someCommit)
	// A link to where the repository's own folder no longer is.
	dir = t.TempDir()
	write(t, dir, ".git", "gitdir: /nowhere/at/all\n", "a.py", "a\n")
	r = open(t, dir)
	if v := resolve(t, r, ""); paths(list(t, r, v, nil)) != "a.py" {
		t.Errorf("with a link to nowhere: %+v", v)
	}
}

// TestMerge lists a work tree in the middle of a merge: each file once.
func TestMerge(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "b.py", "b\n")
	runGit(t, dir, "checkout", "-q", "-b", "side")
	write(t, dir, "a.py", "side\n")
	commit(t, dir, "side")
	runGit(t, dir, "checkout", "-q", "main")
	write(t, dir, "a.py", "main\n")
	commit(t, dir, "main")
	c := exec.Command("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "merge", "-q", "side")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	r := open(t, dir)
	v := resolve(t, r, "")
	if got := paths(list(t, r, v, nil)); !v.Dirty || got != "a.py b.py" {
		t.Errorf("%+v with %s", v, got)
	}
}
