package source

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// withCache gives options a cache folder.
func withCache(dir string, revisions ...string) func(*Options) {
	return func(o *Options) { o.CacheDir, o.Revisions = dir, revisions }
}

// origin makes a repository with tags and branches to be cloned.
func origin(t *testing.T) string {
	dir := newRepo(t, "a.py", "one\n")
	runGit(t, dir, "tag", "v1.9")
	write(t, dir, "a.py", "two\n", "b.py", "b\n")
	commit(t, dir, "second")
	runGit(t, dir, "tag", "-a", "-m", "annotated", "v1.10")
	runGit(t, dir, "tag", "blob", "HEAD:a.py")
	runGit(t, dir, "branch", "side")
	write(t, dir, "c.py", "c\n")
	commit(t, dir, "third")
	return dir
}

func TestClone(t *testing.T) {
	dir, cache := origin(t), t.TempDir()
	url := "file://" + dir
	r := open(t, url, withCache(cache))
	if r.Location() != url || r.Name() != "project" || r.Host() != "" {
		t.Errorf("%s, %s, %s", r.Location(), r.Name(), r.Host())
	}
	v := resolve(t, r, "")
	if got := show(t, r, v, list(t, r, v, nil)); got != "product Python a.py\nproduct Python b.py\nproduct Python c.py\n" {
		t.Errorf("HEAD holds\n%s", got)
	}
	if !slices.Equal(v.Names, []string{"main"}) || v.Commit != runGit(t, dir, "rev-parse", "HEAD") {
		t.Errorf("%+v", v)
	}
	// The copy has no history.
	if n := runGit(t, r.dir, "rev-list", "--count", "--all"); n != "1" {
		t.Errorf("%s commits were cloned", n)
	}
	// Revisions are fetched when they are asked for.
	tags, err := r.Tags(t.Context(), "v*")
	if err != nil || !slices.Equal(tags, []string{"v1.9", "v1.10"}) {
		t.Errorf("tags %v, %v", tags, err)
	}
	for rev, want := range map[string]string{"v1.9": "a.py", "v1.10": "a.py b.py", "side": "a.py b.py", "refs/heads/side": "a.py b.py", "HEAD": "a.py b.py c.py",
		runGit(t, dir, "rev-parse", "v1.9"): "a.py", runGit(t, dir, "rev-parse", "v1.10^{}")[:10]: "a.py b.py"} {
		v := resolve(t, r, rev)
		if got := paths(list(t, r, v, nil)); got != want {
			t.Errorf("%s holds %s", rev, got)
		}
	}
	if v := resolve(t, r, "v1.10"); !slices.Equal(v.Names, []string{"v1.10", "side"}) {
		t.Errorf("%+v", v)
	}
	for _, rev := range []string{"v1.8", "HEAD~1", "-x", "v1.9 ", "refs/pull/1"} {
		_, err := r.Resolve(t.Context(), rev)
		wantError(t, err, ErrUnknownRevision, rev, "nearest", "v1.9, v1.10")
	}
	_, err = r.Resolve(t.Context(), "blob")
	wantError(t, err, nil, "blob", "not of a commit")
	_, err = r.Resolve(t.Context(), someCommit)
	wantError(t, err, ErrGit, someCommit)
}

// TestCloneAgain holds that a branch that moved on is followed, and that what was read before stays readable.
func TestCloneAgain(t *testing.T) {
	dir, cache := origin(t), t.TempDir()
	url := "file://" + dir
	first := resolve(t, open(t, url, withCache(cache, "v1.9", "side")), "")
	write(t, dir, "a.py", "three\n")
	commit(t, dir, "fourth")
	r := open(t, url, withCache(cache))
	second := resolve(t, r, "")
	if first.Commit == second.Commit || paths(list(t, r, second, nil)) != "a.py b.py c.py" {
		t.Errorf("%+v, then %+v", first, second)
	}
	indexed, err := OpenIndexed(t.Context(), url, Options{CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	for commit, want := range map[string]string{first.Commit: "two\n", second.Commit: "three\n", runGit(t, dir, "rev-parse", "v1.9"): "one\n"} {
		if text, err := indexed.ReadPath(t.Context(), indexed.At(commit), "a.py"); err != nil || string(text) != want {
			t.Errorf("a.py at %s is %q, %v", commit, text, err)
		}
	}
	_, err = indexed.ReadPath(t.Context(), indexed.At(first.Commit), "nowhere.py")
	wantError(t, err, nil, "nowhere.py", "no such file")
	_, err = Open(t.Context(), url, Options{CacheDir: cache, Revisions: []string{"v7"}})
	wantError(t, err, ErrUnknownRevision, "v7")
	// What an interrupted fetch left goes away.
	left := filepath.Join(r.dir, "objects", "pack", "tmp_pack_x")
	write(t, filepath.Dir(left), "tmp_pack_x", "half")
	open(t, url, withCache(cache))
	if _, err := os.Stat(left); err == nil {
		t.Error("half a pack stays")
	}
}

// TestCloneTwice opens one URL from several sides at once.
func TestCloneTwice(t *testing.T) {
	dir, cache := origin(t), t.TempDir()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			r, err := Open(t.Context(), "file://"+dir, Options{CacheDir: cache, Languages: testOptions().Languages})
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			for _, rev := range []string{"v1.9", "side", ""} {
				if _, err := r.Resolve(t.Context(), rev); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestCloneFaults(t *testing.T) {
	needGit(t)
	cache := t.TempDir()
	for _, c := range []struct {
		url   string
		kind  error
		parts []string
	}{
		{"file://" + cache + "/nowhere", ErrGit, []string{"clone file://" + cache + "/nowhere"}},
		{"ftp://example.org/a", nil, []string{"ftp://example.org/a", "https, http, ssh and file only"}},
		{"ext::sh -c touch% x://", nil, []string{"https, http, ssh and file only"}},
		{"git://127.0.0.1/a", nil, []string{"https, http, ssh and file only"}},
		{"HTTPS://example.org/a", nil, []string{"https, http, ssh and file only"}},
		{"https://user:se\ncret@example.org/a", nil, []string{"control characters"}},
		{"-uhost:path", nil, []string{"-uhost:path"}},
		{"https://exa mple.org/%zz", nil, []string{"is not a URL"}},
		{"ssh://-oProxyCommand=true/a", ErrGit, []string{"strange hostname"}},
	} {
		_, err := Open(t.Context(), c.url, Options{CacheDir: cache})
		wantError(t, err, c.kind, c.parts...)
	}
	_, err := Open(t.Context(), "file:///srv/x", Options{})
	wantError(t, err, nil, "no cache folder", "file:///srv/x")
	// Without a commit.
	empty := t.TempDir()
	runGit(t, empty, "init", "-q")
	_, err = Open(t.Context(), "file://"+empty, Options{CacheDir: cache})
	wantError(t, err, ErrEmpty, "file://"+empty)
	// What looks like a transport that runs a program is a path, and there is none.
	_, err = Open(t.Context(), "ext::sh -c touch% x", Options{CacheDir: cache})
	wantError(t, err, ErrNotFound)
}

func TestAddresses(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "host:there/a.py", "a\n")
	for location, want := range map[string]bool{
		"https://example.org/a": true, "git@example.org:a/b": true, "example.org:a/b": true, "user@[::1]:a": true, "file:///a": true,
		"a/b": false, "/a/b:c": false, "./a:b": false, "a": false, "": false, ".": false, "host:there": false, "a:": false, ":a": false, "ext::sh": false, "a b:c": false,
	} {
		if got := isAddress(location); got != want {
			t.Errorf("%q: %v", location, got)
		}
	}
	// A folder of such a name is that folder.
	if r := open(t, "host:there"); paths(list(t, r, resolve(t, r, ""), nil)) != "a.py" {
		t.Error("a folder with a colon in its name is not read")
	}
}

// served serves a repository over HTTP to whoever knows the password.
func served(t *testing.T, dir string) *httptest.Server {
	backend := filepath.Join(runGit(t, dir, "--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip(err)
	}
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=user"}, Stderr: new(strings.Builder)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if user, password, _ := q.BasicAuth(); user != "user" || password != "s3cret/p@ss" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestCredentialsAreNotShown clones with a password, right and wrong, and looks for it in everything that is said or kept.
func TestCredentialsAreNotShown(t *testing.T) {
	dir := origin(t)
	server := served(t, dir)
	cache := t.TempDir()
	host := strings.TrimPrefix(server.URL, "http://")
	bare := "http://" + host + "/project/.git"
	r := open(t, "http://user:s3cret%2Fp%40ss@"+host+"/project/.git", withCache(cache))
	if v := resolve(t, r, "v1.9"); paths(list(t, r, v, nil)) != "a.py" {
		t.Error("v1.9 holds something else")
	}
	if r.Location() != bare || r.Host() != "http://"+host+"/project" && r.Host() != strings.TrimSuffix(bare, "/.git") {
		t.Errorf("location %s, host %s", r.Location(), r.Host())
	}
	_, err := Open(t.Context(), "http://user:wr0ngsecret@"+host+"/project/.git", Options{CacheDir: cache})
	wantError(t, err, ErrGit, "clone "+bare)
	if strings.Contains(err.Error(), "wr0ng") || strings.Contains(err.Error(), "user") {
		t.Error(err)
	}
	_, err = Open(t.Context(), bare, Options{CacheDir: cache})
	wantError(t, err, ErrGit, "clone "+bare, "terminal prompts disabled")
	err = filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "s3cret") || strings.Contains(string(data), "wr0ng") {
			t.Errorf("%s keeps the password", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestSilentRemote holds that a remote that never answers can be given up, and that git's processes end with that.
func TestSilentRemote(t *testing.T) {
	needGit(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			ended <- err
			return
		}
		defer conn.Close()
		cancel()
		// The connection is closed when the process that opened it is gone.
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
		buffer := make([]byte, 4096)
		for err == nil {
			_, err = conn.Read(buffer)
		}
		ended <- err
	}()
	_, err = Open(ctx, "http://"+listener.Addr().String()+"/a.git", Options{CacheDir: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the process that talks to the remote still runs")
	}
}
