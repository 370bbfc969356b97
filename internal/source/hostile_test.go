package source

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// trap makes a repository whose configuration and hooks run a program wherever git lets them; whether it ran is told by a file.
func trap(t *testing.T) (dir, sprung string) {
	t.Helper()
	dir = newRepo(t, "a.py", "a\n", ".gitattributes", "* filter=evil diff=evil\n", "sub/b.py", "b\n")
	sprung = filepath.Join(t.TempDir(), "sprung")
	script := filepath.Join(t.TempDir(), "trap.sh")
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho \"$0 $*\" >>%s\ncat 2>/dev/null\n", sprung), 0o755); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"core.fsmonitor": script, "core.pager": script, "core.editor": script, "core.sshCommand": script, "core.askPass": script,
		"core.gitProxy": script, "core.alternateRefsCommand": script, "credential.helper": "!" + script, "gpg.program": script, "log.showSignature": "true",
		"diff.external": script, "diff.evil.textconv": script, "diff.evil.command": script, "filter.evil.clean": script, "filter.evil.smudge": script,
		"filter.evil.required": "true", "filter.evil.process": script, "pager.ls-files": script, "pager.ls-tree": script, "pager.status": script,
		"remote.origin.url": "ext::" + script, "remote.origin.promisor": "true", "remote.origin.uploadpack": script,
		"remote.origin.partialclonefilter": "blob:none", "uploadpack.packObjectsHook": script, "status.submoduleSummary": "true",
		"submodule.recurse": "true", "core.untrackedCache": "true",
	} {
		runGit(t, dir, "config", key, value)
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"} {
		if err := os.Symlink(script, filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	// A file whose times changed is compared by content, and so through the filter.
	write(t, dir, "a.py", "changed\n", "new.py", "n\n")
	return dir, sprung
}

// TestNothingIsRun reads a repository that tries to have programs run, in every way in which one is read.
func TestNothingIsRun(t *testing.T) {
	dir, sprung := trap(t)
	readEverything := func(location string) {
		r := open(t, location)
		for _, rev := range []string{"", "HEAD", "main"} {
			v := resolve(t, r, rev)
			show(t, r, v, list(t, r, v, nil))
			if _, err := r.ReadPath(t.Context(), v, "b.py"); err != nil && location != dir {
				t.Error(err)
			}
		}
		if _, err := r.Tags(t.Context(), "*"); err != nil {
			t.Error(err)
		}
		if _, err := r.Resolve(t.Context(), "unknown"); !errors.Is(err, ErrUnknownRevision) {
			t.Error(err)
		}
	}
	readEverything(dir)
	readEverything(filepath.Join(dir, "sub"))
	// Without filters git's status is asked.
	runGit(t, dir, "config", "--remove-section", "filter.evil")
	readEverything(dir)
	// A missing object is not fetched, which would run the upload program of the remote.
	id := runGit(t, dir, "rev-parse", "HEAD:sub/b.py")
	removeObject(t, dir, id)
	r := open(t, dir)
	v := resolve(t, r, "HEAD")
	if got := show(t, r, v, list(t, r, v, nil)); !strings.Contains(got, "sub/b.py: could not be read: object "+id+" is missing") {
		t.Errorf("with an object that is missing:\n%s", got)
	}
	if ran, err := os.ReadFile(sprung); err == nil {
		t.Errorf("the repository had run: %s", ran)
	}
	// The trap is one: git by itself runs into it.
	c := command(t.Context(), dir, noProtocol, "-c", "core.fsmonitor=", "status")
	c.Args = append([]string{"git"}, "status")
	_, _ = c.CombinedOutput() // what it says is of no interest
	if _, err := os.ReadFile(sprung); err != nil {
		t.Error("git status does not run what the test watches for")
	}
}

func objectFile(dir, id string) string {
	return filepath.Join(dir, ".git", "objects", id[:2], id[2:])
}

func removeObject(t *testing.T, dir, id string) {
	t.Helper()
	if err := os.Remove(objectFile(dir, id)); err != nil {
		t.Fatal(err)
	}
}

// overwriteObject files a blob, or garbage, under an id.
func overwriteObject(t *testing.T, dir, id string, raw []byte) {
	t.Helper()
	removeObject(t, dir, id)
	if err := os.WriteFile(objectFile(dir, id), raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

func looseBlob(t *testing.T, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	fmt.Fprintf(w, "blob %d\x00%s", len(content), content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDamagedObjects holds that one damaged object costs itself alone.
func TestDamagedObjects(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "garbage.py", "g\n", "missing.py", "m\n", "other.py", "o\n", "short.py", strings.Repeat("s", 3000), "z.py", "z\n")
	id := func(name string) string { return runGit(t, dir, "rev-parse", "HEAD:"+name) }
	garbage, missing, other, short := id("garbage.py"), id("missing.py"), id("other.py"), id("short.py")
	r := open(t, dir)
	v := resolve(t, r, "HEAD")
	before := list(t, r, v, nil)
	overwriteObject(t, dir, garbage, []byte("this is no object"))
	removeObject(t, dir, missing)
	overwriteObject(t, dir, other, looseBlob(t, "not what its id says\n"))
	overwriteObject(t, dir, short, looseBlob(t, strings.Repeat("s", 3000))[:12])

	got := show(t, r, v, before)
	for _, want := range []string{
		"product Python a.py\n", "product Python z.py\n",
		"unread garbage.py: could not be read", garbage,
		"unread missing.py: could not be read: object " + missing + " is missing or damaged",
		"unread other.py: could not be read: object " + other + " is damaged",
		"unread short.py: could not be read", short,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// A listing says it, too, where git knows it by then.
	l := list(t, r, v, nil)
	if got := paths(l); !strings.Contains(got, "a.py") || strings.Contains(got, "missing.py") {
		t.Errorf("listed again: %s, %+v", got, l.Skipped)
	}
}

func TestBrokenPack(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "b.py", "b\n")
	runGit(t, dir, "tag", "v1")
	runGit(t, dir, "repack", "-q", "-a", "-d")
	packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	data, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(packs[0], 0o644); err != nil {
		t.Fatal(err)
	}
	// A byte that is another one: whatever it hits is not read, and nothing else is said to be what it is not.
	r := open(t, dir)
	v := resolve(t, r, "v1")
	want := show(t, r, v, list(t, r, v, nil))
	for at := 12; at < len(data)-20; at += 9 {
		changed := bytes.Clone(data)
		changed[at] ^= 0x55
		if err := os.WriteFile(packs[0], changed, 0o644); err != nil {
			t.Fatal(err)
		}
		v, err := r.Resolve(t.Context(), "v1")
		if err != nil {
			wantError(t, err, ErrGit, dir, "v1")
			continue
		}
		l, err := r.List(t.Context(), v, nil)
		if err != nil {
			wantError(t, err, ErrGit, dir)
			continue
		}
		if got := show(t, r, v, l); got == want {
			t.Errorf("byte %d is changed, and all is well", at)
		}
	}
	for _, broken := range [][]byte{data[:len(data)/2], nil, bytes.Repeat([]byte("x"), len(data))} {
		if err := os.WriteFile(packs[0], broken, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, dir).Resolve(t.Context(), "")
		wantError(t, err, ErrGit, dir)
		_, err = open(t, dir).Resolve(t.Context(), "v1")
		wantError(t, err, ErrGit, dir, "v1")
	}
}

// TestDamagedTree holds that a folder that cannot be listed is not taken for one that is not there.
func TestDamagedTree(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "sub/b.py", "b\n")
	id := runGit(t, dir, "rev-parse", "HEAD:sub")
	removeObject(t, dir, id)
	r := open(t, dir)
	_, err := r.List(t.Context(), resolve(t, r, "HEAD"), nil)
	wantError(t, err, ErrGit, dir, id)
}

// TestReplacedObjects holds that a content is read under its own id: facts are kept by it.
func TestReplacedObjects(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "b.py", "b\n")
	runGit(t, dir, "replace", runGit(t, dir, "rev-parse", "HEAD:a.py"), runGit(t, dir, "rev-parse", "HEAD:b.py"))
	r := open(t, dir)
	v := resolve(t, r, "HEAD")
	if got := show(t, r, v, list(t, r, v, nil)); got != "product Python a.py\nproduct Python b.py\n" {
		t.Error(got)
	}
}

// TestStrangeTrees reads trees that git does not make, but takes.
func TestStrangeTrees(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n")
	blob := runGit(t, dir, "rev-parse", "HEAD:a.py")
	tree := func(entries ...string) string {
		var raw bytes.Buffer
		for _, e := range entries {
			raw.WriteString(e)
		}
		name := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(name, raw.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return runGit(t, dir, "hash-object", "-t", "tree", "-w", "--literally", name)
	}
	id := mustHex(t, blob)
	entry := func(mode, name string, id []byte) string { return mode + " " + name + "\x00" + string(id) }
	top := tree(entry("100644", "..", id), entry("100644", "bad\xff.py", id), entry("100644", "line\nbreak.py", id), entry("100644", "ok.py", id))
	made := runGit(t, dir, "commit-tree", "-m", "strange", top)
	r := open(t, dir)
	v := resolve(t, r, made)
	got := show(t, r, v, list(t, r, v, nil))
	want := "product Python line\nbreak.py\nproduct Python ok.py\nskipped bad\uFFFD.py: name that is not UTF-8, or not one that a file can have\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
	// Few objects can stand for endlessly many files.
	level := tree(entry("100644", "x.py", id))
	for range 12 {
		var entries []string
		for i := range 10 {
			entries = append(entries, entry("40000", fmt.Sprintf("d%d", i), mustHex(t, level)))
		}
		level = tree(entries...)
	}
	bomb := runGit(t, dir, "commit-tree", "-m", "bomb", level)
	l := &lister{Repository: r, ctx: t.Context(), entries: maxEntries - 1000}
	if err := l.objects(bomb); err == nil || !strings.Contains(err.Error(), "more than") || len(l.out.Files) > 1000 {
		t.Errorf("%d files, %v", len(l.out.Files), err)
	}
}

func mustHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSilentObject holds that an object that git cannot finish reading costs a while, and itself alone.
func TestSilentObject(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "b.py", "b\n")
	id := runGit(t, dir, "rev-parse", "HEAD:a.py")
	other := mustHex(t, runGit(t, dir, "rev-parse", "HEAD:b.py"))
	removeObject(t, dir, id)
	if err := syscall.Mkfifo(objectFile(dir, id), 0o644); err != nil {
		t.Fatal(err)
	}
	o := newObjects(t.Context(), dir)
	defer o.close()
	o.within = 300 * time.Millisecond
	_, _, _, err := o.get(id, 1000)
	wantError(t, err, ErrGit, id, "did not answer within 300ms")
	o.within = answerWithin
	if data, err := o.blob(Hash(other), 1000); string(data) != "b\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestGivenUp holds that after so many objects that ended it git is not started for the next.
func TestGivenUp(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "b.py", "b\n")
	id := runGit(t, dir, "rev-parse", "HEAD:a.py")
	removeObject(t, dir, id)
	if err := syscall.Mkfifo(objectFile(dir, id), 0o644); err != nil {
		t.Fatal(err)
	}
	o := newObjects(t.Context(), dir)
	defer o.close()
	o.within = 50 * time.Millisecond
	o.starts = maxStarts - 2
	for range 4 {
		_, _, _, err := o.get(id, 1000)
		wantError(t, err, ErrGit, id)
	}
	if o.starts != maxStarts {
		t.Errorf("%d starts", o.starts)
	}
	if _, _, _, err := o.get("HEAD:b.py", 1000); err == nil {
		t.Error("git was started again")
	}
}
