package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/wherefore-dev/wherefore/"

// block returns the lines of the fenced block of ARCHITECTURE.md that is tagged name.
func block(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```" + name + "\n(.*?)```").FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("ARCHITECTURE.md has no block %q", name)
	}
	return strings.Split(strings.TrimSpace(m[1]), "\n")
}

// imports lists, for each package folder below internal, what its non-test files import.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir("internal", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			if d != nil && d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			return err
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(path.Dir(filepath.ToSlash(p)), "internal/")
		if out[pkg] == nil {
			out[pkg] = []string{}
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(out[pkg], name) {
				out[pkg] = append(out[pkg], name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestImportsAreThoseOfTheArchitecture holds the block "imports" exact: every package stands in it, after all that it imports,
// with just the packages of ours that it imports, sorted.
func TestImportsAreThoseOfTheArchitecture(t *testing.T) {
	got := imports(t)
	seen := map[string]bool{}
	for _, line := range block(t, "imports") {
		pkg, rest, _ := strings.Cut(line, ":")
		pkg = strings.TrimSpace(pkg)
		if _, ok := got[pkg]; !ok {
			t.Errorf("ARCHITECTURE.md lists %s, which does not exist", pkg)
			continue
		}
		var want []string
		for _, name := range got[pkg] {
			if inner, ok := strings.CutPrefix(name, module+"internal/"); ok {
				want = append(want, inner)
			}
		}
		slices.Sort(want)
		if listed := strings.Fields(rest); !slices.Equal(listed, want) {
			t.Errorf("ARCHITECTURE.md should say\n%s: %s\nnot\n%s", pkg, strings.Join(want, " "), line)
		}
		for _, w := range want {
			if !seen[w] {
				t.Errorf("%s imports %s, which stands below it in ARCHITECTURE.md", pkg, w)
			}
		}
		seen[pkg] = true
	}
	for pkg := range got {
		if !seen[pkg] {
			t.Errorf("ARCHITECTURE.md does not list %s", pkg)
		}
	}
}

// TestPowersAreKept holds the block "powers" exact: what stands on the left is imported by the packages on the right alone.
func TestPowersAreKept(t *testing.T) {
	got := imports(t)
	for _, line := range block(t, "powers") {
		power, rest, _ := strings.Cut(line, ": ")
		var holders []string
		for pkg, all := range got {
			if slices.ContainsFunc(all, func(name string) bool { return name == power || strings.HasPrefix(name, power+"/") }) {
				holders = append(holders, pkg)
			}
		}
		slices.Sort(holders)
		if !slices.Equal(holders, strings.Fields(rest)) {
			t.Errorf("%s is imported by %s; ARCHITECTURE.md says %s", power, strings.Join(holders, " "), rest)
		}
	}
}

// TestOnlyMainExits holds that no package but main ends the process.
func TestOnlyMainExits(t *testing.T) {
	exit := regexp.MustCompile(`\bos\.Exit\(|\blog\.Fatal`)
	err := filepath.WalkDir("internal", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.Contains(p, "testdata") {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for i, l := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(l, "//")
			if exit.MatchString(code) && !strings.Contains(code, `"`) {
				t.Errorf("%s:%d ends the process: %s", p, i+1, strings.TrimSpace(l))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLanguagesStayInTheirFolder holds that the name of a language stands in code nowhere but below internal/lang.
func TestLanguagesStayInTheirFolder(t *testing.T) {
	name := regexp.MustCompile(`(?i)"(python|golang|go|javascript|typescript|tsx|java|kotlin|rust|ruby|php|c#|csharp|c\+\+|cpp)"`)
	err := filepath.WalkDir("internal", func(p string, d fs.DirEntry, err error) error {
		p = filepath.ToSlash(p)
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") ||
			strings.HasPrefix(p, "internal/lang/") || strings.Contains(p, "testdata") {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for i, l := range strings.Split(string(text), "\n") {
			if name.MatchString(l) {
				t.Errorf("%s:%d names a language: %s", p, i+1, strings.TrimSpace(l))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
