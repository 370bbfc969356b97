package source

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// backdate makes files look as old as files usually are, so that a memo remembers them. The time of the inode cannot be set: tests that
// need it old set the beginning of the listing instead.
func backdate(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// listLater lists a folder as if it were an hour from now, and says which files had to be read.
func listLater(t *testing.T, r *Repository, memo []byte) (l *lister, read []string) {
	t.Helper()
	l = &lister{Repository: r, ctx: t.Context(), began: time.Now().Add(time.Hour)}
	w, err := newWalker(r.root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	s := &scanner{lister: l, walker: w, known: readMemo(memo, r.table.recipe()), next: map[string]memoEntry{}}
	if err := s.folder(".", nil, 0); err != nil {
		t.Fatal(err)
	}
	for _, f := range s.todo {
		read = append(read, f.name)
	}
	if err := s.hash(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(l.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	l.out.Memo = s.next.encode(r.table.recipe())
	return l, read
}

func TestMemo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.py", "a\n", "sub/b.py", "b\n", "run", "#!/usr/bin/python\n", "tool", "#!/bin/sh\n", "big.py", strings.Repeat("x", 4001))
	for _, name := range []string{"run", "tool"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	backdate(t, dir)
	r := open(t, dir)
	first, read := listLater(t, r, nil)
	if !slices.Equal(read, []string{"a.py", "run", "sub/b.py", "tool"}) {
		t.Errorf("first it reads %v", read)
	}
	second, read := listLater(t, r, first.out.Memo)
	if len(read) > 0 || !reflect.DeepEqual(first.out, second.out) {
		t.Errorf("unchanged it reads %v, and lists %+v, not %+v", read, second.out, first.out)
	}
	// Another content of the same length and time is found by what no program can set back.
	write(t, dir, "a.py", "A\n")
	backdate(t, dir)
	third, read := listLater(t, r, second.out.Memo)
	if !slices.Contains(read, "a.py") || third.out.Files[0].Hash == first.out.Files[0].Hash {
		t.Errorf("after a change it reads %v", read)
	}
	// A file put in the place of another one.
	write(t, dir, "sub/new", "n\n")
	if err := os.Rename(filepath.Join(dir, "sub/new"), filepath.Join(dir, "sub/b.py")); err != nil {
		t.Fatal(err)
	}
	if _, read := listLater(t, r, third.out.Memo); !slices.Equal(read, []string{"sub/b.py"}) {
		t.Errorf("after an exchange it reads %v", read)
	}
}

// TestMemoOfOtherLanguages holds that what a first line told counts only while the language is one that is read.
func TestMemoOfOtherLanguages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "run", "#!/usr/bin/python\n", "tool", "#!/usr/bin/node\n")
	for _, name := range []string{"run", "tool"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	backdate(t, dir)
	all, _ := listLater(t, open(t, dir), nil)
	one := open(t, dir, func(o *Options) { o.Languages = o.Languages[:1] })
	some, _ := listLater(t, one, all.out.Memo)
	if got := paths(&some.out); got != "run" {
		t.Errorf("one language: %s", got)
	}
	// What was none may have become one: languages are added.
	again, _ := listLater(t, open(t, dir), some.out.Memo)
	if got := paths(&again.out); got != "run tool" {
		t.Errorf("all languages again: %s", got)
	}
}

// TestFreshFilesAreNotRemembered holds that a file is read again if it may have been written after it was read without a change of its times.
func TestFreshFilesAreNotRemembered(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.py", "a\n")
	r := open(t, dir)
	v := resolve(t, r, "")
	first := list(t, r, v, nil)
	if m := readMemo(first.Memo, r.table.recipe()); len(m) > 0 {
		t.Errorf("a file of this moment is remembered: %v", m)
	}
	write(t, dir, "a.py", "b\n")
	if second := list(t, r, v, first.Memo); second.Files[0].Hash == first.Files[0].Hash {
		t.Error("a change right after the first listing was missed")
	}
}

func TestMemoForm(t *testing.T) {
	m := memo{
		"a/b.py":   {stat: stat{size: 5, modified: 1, changed: 2, inode: 3}, hash: Hash{1, 2, 3}},
		"a/bc.py":  {stat: stat{size: math.MaxInt64, modified: math.MinInt64, changed: 0, inode: -1}, hash: Hash{19: 255}},
		"a/run":    {stat: stat{size: 1}, hash: Hash{7}, language: "Python"},
		"a/other":  {stat: stat{size: 2}, hash: Hash{8}, language: "JavaScript"},
		"tool":     {stat: stat{size: 3}, none: true},
		"ü/\n.py":  {stat: stat{}, hash: Hash{}},
		"z/z/z.go": {stat: stat{size: 9, modified: 1700000000e9, changed: 1700000001e9, inode: 12345678}, hash: Hash{4}},
	}
	data := m.encode(7)
	if got := readMemo(data, 7); !maps.Equal(got, m) {
		t.Errorf("read back:\n%v\nnot\n%v", got, m)
	}
	if other := readMemo(data, 8); len(other) != len(m)-3 {
		t.Errorf("of another language table: %v", other)
	}
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= 1
		if got := readMemo(damaged, 7); len(got) > 0 {
			t.Fatalf("byte %d is changed, and %d files are remembered", i, len(got))
		}
		if got := readMemo(data[:i], 7); len(got) > 0 {
			t.Fatalf("of %d bytes %d files are remembered", i, len(got))
		}
	}
}

// FuzzMemo reads any bytes as a memo with a right sum at its end.
func FuzzMemo(f *testing.F) {
	f.Add(memo{"a.py": {stat: stat{size: 1}}, "b": {language: "x"}, "c": {none: true}}.encode(7)[len(memoForm):])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 {
			return
		}
		m := readMemo(sum(append([]byte(memoForm), data[:len(data)-4]...)), 7)
		if again := readMemo(m.encode(7), 7); !maps.Equal(m, again) {
			t.Errorf("%v is read back as %v", m, again)
		}
	})
}

// TestChanges holds what is said of files that do not stay as they were listed.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "gone.py", "g\n", "longer.py", "l\n", "link.py", "k\n", "pipe.py", "p\n", "other.py", "o\n", "same.py", "s\n", "sub/x.py", "x\n", "huge.py", "h\n")
	write(t, filepath.Join(dir, "..", "outside"), "x.py", "x\n")
	r := open(t, dir)
	v := resolve(t, r, "")
	l := list(t, r, v, nil)
	remove := func(name string) {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"gone.py", "link.py", "pipe.py", "sub"} {
		remove(name)
	}
	write(t, dir, "longer.py", "l\nl\n", "other.py", "x\n", "huge.py", strings.Repeat("h", 5000))
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("same.py", "link.py")
	link(filepath.Join(dir, "..", "outside"), "sub")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.py"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := `unread gone.py: could not be read: no such file or directory
unread huge.py: larger than the size limit: 5000 bytes
unread link.py: symbolic link, not followed
unread longer.py: changed while it was read
unread other.py: changed while it was read
unread pipe.py: could not be read: not a regular file
product Python same.py
unread sub/x.py: could not be read: a folder on its path is a symbolic link
`
	if got := show(t, r, v, l); got != want {
		t.Errorf("read after the changes:\n%s", got)
	}
	want = `product Python longer.py
product Python other.py
product Python same.py
skipped huge.py: larger than the size limit: 5000 bytes
skipped link.py: symbolic link, not followed
skipped pipe.py: could not be read: not a regular file
`
	if got := show(t, r, v, list(t, r, v, nil)); got != want {
		t.Errorf("listed after the changes:\n%s", got)
	}
}

// TestOutside holds that no path leads out of the folder.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "secret.py", "s\n", "tree/a.py", "a\n")
	if err := os.Symlink("..", filepath.Join(dir, "tree", "up")); err != nil {
		t.Fatal(err)
	}
	r := open(t, filepath.Join(dir, "tree"))
	for _, name := range []string{"../secret.py", "up/secret.py", "up/tree/a.py", "./../secret.py", "/etc/passwd", filepath.Join(dir, "secret.py"), "..", "", "."} {
		if text, err := r.ReadPath(t.Context(), r.At(""), name); err == nil {
			t.Errorf("%q reads %q", name, text)
		}
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	dir := t.TempDir()
	write(t, dir, "a.py", "a\n", "closed.py", "c\n", "shut/b.py", "b\n")
	for name, mode := range map[string]os.FileMode{"closed.py": 0, "shut": 0} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "shut"), 0o755) })
	r := open(t, dir)
	v := resolve(t, r, "")
	want := "product Python a.py\nskipped closed.py: could not be read: permission denied\nskipped shut: could not be read: permission denied\n"
	if got := show(t, r, v, list(t, r, v, nil)); got != want {
		t.Error(got)
	}
	_, err := Open(t.Context(), filepath.Join(dir, "shut"), testOptions())
	wantError(t, err, nil, "shut", "permission denied")
}

func TestDeepFolders(t *testing.T) {
	dir := t.TempDir()
	deep := dir
	for range maxDepth + 5 {
		deep = filepath.Join(deep, "d")
	}
	write(t, deep, "x.py", "x\n")
	write(t, dir, "a.py", "a\n")
	r := open(t, dir)
	v := resolve(t, r, "")
	l := list(t, r, v, nil)
	if paths(l) != "a.py" || len(l.Skipped) != 1 || l.Skipped[0].Detail != errTooDeep.Error() {
		t.Errorf("%s, %+v", paths(l), l.Skipped)
	}
}

func TestSkipVendored(t *testing.T) {
	dir := newRepo(t, "a.py", "a\n", "vendor/v.py", "v\n", "web/node_modules/x/i.js", "i\n", "web/node_modules/README", "r\n")
	plain := t.TempDir()
	write(t, plain, "a.py", "a\n", "vendor/v.py", "v\n", "web/node_modules/x/i.js", "i\n", "web/node_modules/README", "r\n")
	for _, location := range []string{dir, plain} {
		r := open(t, location, func(o *Options) { o.SkipVendored = true })
		for _, file := range []string{"", "new.py"} {
			if file != "" {
				write(t, location, file, "n\n")
			}
			v := resolve(t, r, "")
			want := strings.TrimSpace("a.py " + file)
			if l := list(t, r, v, nil); paths(l) != want || !slices.Equal(l.Skipped, []Skipped{{Reason: ReasonVendored, Count: 2}}) {
				t.Errorf("%s holds %s, without %+v", location, paths(l), l.Skipped)
			}
		}
		if all := open(t, location); all.Recipe() == r.Recipe() || len(list(t, all, resolve(t, all, ""), nil).Files) != 4 {
			t.Errorf("%s: the same with and without what is vendored", location)
		}
	}
}
