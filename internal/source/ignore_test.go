package source

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// asGit tells what of some paths git ignores by the ignore files of a folder.
func asGit(t testing.TB, dir string, paths []string) map[string]bool {
	t.Helper()
	c := exec.Command("git", "-c", "core.excludesFile=/dev/null", "check-ignore", "-z", "--stdin", "--no-index")
	c.Dir = dir
	c.Stdin = strings.NewReader(strings.Join(paths, "\x00"))
	out, err := c.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[name] = true
	}
	return ignored
}

// asWe tells what of some paths a walk leaves out: what is below a folder that is left out is not reached, and the ignore file of a
// folder is read in it.
func asWe(files []ignoreFile, name string) bool {
	for i := range name {
		if name[i] == '/' && ignored(above(files, name[:i]), name[:i], true) {
			return true
		}
	}
	return ignored(above(files, name), name, false)
}

func above(files []ignoreFile, name string) []ignoreFile {
	return slices.DeleteFunc(slices.Clone(files), func(f ignoreFile) bool { return !strings.HasPrefix(name, f.dir) })
}

// compare checks a set of patterns in a root and in a folder against git.
func compare(t testing.TB, dir, root, sub string, paths []string) {
	t.Helper()
	write(t, dir, ".gitignore", root, "sub/.gitignore", sub)
	files := []ignoreFile{parseIgnore("", root), parseIgnore("sub/", sub)}
	git := asGit(t, dir, paths)
	for _, p := range paths {
		if got := asWe(files, p); got != git[p] {
			t.Errorf("%q with %q and %q: ignored %v, git says %v", p, root, sub, got, git[p])
		}
	}
}

func emptyRepo(t testing.TB) string {
	needGit(t)
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	return dir
}

// TestIgnoreLikeGit compares forms of patterns, each by itself, with what git makes of them.
func TestIgnoreLikeGit(t *testing.T) {
	dir := emptyRepo(t)
	paths := []string{"a", "a.py", "b.py", "ab.py", "abc", "x/a", "x/a.py", "x/y/a", "x/y/a.py", "x/y/z/a.py", "sub/a", "sub/a.py", "sub/x/a.py", "sub/b.py",
		"sub/x/y/a", "#a", "!a", " a", "a ", "a\t", `a\`, "a*", "a?", "[a]", "a-b", "a]b", "é.py", "x/é", "build/a", "build/x/a.py", "x/build/a", "sub/build/a",
		"A.py", "foo.tmp.py", "x/foo.tmp.py", "sub/foo.tmp.py", "a\nb", "{a,b}", "a+b", "(a)", "a.b", "a^b", "x/y", "0", "z9"}
	for _, pattern := range []string{
		"a", "a.py", "*.py", "/a.py", "/*.py", "x/", "x", "/x/y", "x/y/", "x/*", "x/**", "**/a", "**/a.py", "x/**/a.py", "a/**", "**", "*", "/*", "/**", "**/", "*/",
		"*/a.py", "*/*/a.py", "?", "?.py", "[ab].py", "[!a].py", "[^a].py", "[a-c]*", "[]a]", "[a]]b", "a[]]b", "[!]a].py", "[a-]b", "a[-]b", "[z-a]", "[a", "a[", "[]",
		`\#a`, `\!a`, "#a", "!a", `a\ `, "a ", "a  ", "a\t", " a", `a\\`, `a\`, `a\*`, `a\?`, `\a`, `\[a\]`, "é.py", "?.py", "é*", "[é].py", "build/", "build", "/build",
		"sub/a.py", "sub/*.py", "sub", "sub/", "foo.*", "*.tmp.*", "f*o*.py", "**.py", "***/a", "x**y", "x/**y", "a**", "{a,b}", "a+b", "(a)", "a.b", "a^b", "[[:alpha:]].py",
		"[[:digit:]]", "[[:punct:]]a", "[[:alpha:][:digit:]]*", "[[:nothing:]]a", "x[/]y", "x[.-0]y", "x[!b]y", "x?y", "A.py", "\\\\a", "/", "//a", "a//", "x//y", "./a", "../a",
		"*.py\n!a.py", "*.py\n!/a.py", "x/\n!x/a", "*\n!*/\n!*.py", "/*\n!/x", "a\r\nb.py\r\n", "", "\n\n", "  ", "[a-c/]b", "[!-z]", "[\\]a]", "[\\a-c]", "[a\\-c]", "[[:space:]]a",
	} {
		t.Run(pattern, func(t *testing.T) {
			compare(t, dir, pattern, "", paths)
			compare(t, dir, "*.tmp.py\nsub/b.py", pattern, paths)
		})
	}
}

// TestIgnoreRandomly compares random patterns, and files of several, with what git makes of them.
func TestIgnoreRandomly(t *testing.T) {
	dir := emptyRepo(t)
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	word := func(parts ...string) string {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(pick(parts...))
		}
		return b.String()
	}
	for range 60 {
		var paths []string
		for range 60 {
			p := word("a", "b", ".", "py", "c")
			for range random.IntN(3) {
				p = path.Join(pick("a", "b", "sub", "d.a"), p)
			}
			if path.Clean(p) == p && !strings.HasPrefix(p, ".") && p != "sub" {
				paths = append(paths, p)
			}
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		patterns := func() string {
			var b strings.Builder
			for range random.IntN(5) {
				fmt.Fprintln(&b, pick("", "", "!", "/")+word("a", "b", ".", "py", "*", "?", "/", "**", "[ab]", "[!a]", "/**/", "sub", `\a`)+pick("", "", "/"))
			}
			return b.String()
		}
		compare(t, dir, patterns(), patterns(), paths)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.py\n!a.py\n/x/**/y\n[a-z]\n", "x/y/a.py")
	f.Add(`\ [![:alpha:]`, "[")
	f.Fuzz(func(t *testing.T, text, name string) {
		if name = path.Clean(name); name == "." || strings.HasPrefix(name, "/") {
			return
		}
		once := asWe([]ignoreFile{parseIgnore("", text)}, name)
		// What is ignored stays so when it is ignored again.
		if twice := asWe([]ignoreFile{parseIgnore("", text+"\n"+text)}, name); once != twice {
			t.Errorf("%q by %q: %v, twice %v", name, text, once, twice)
		}
	})
}
