package golang

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// What the skimmer leaves out changes nothing of what is said of a file, and it finds the calls that the parser finds.
func TestSkimmingChangesNothing(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{"net/http", "reflect", "cmd/go/internal/load", "go/ast", "unicode", "strings"}
	if all := os.Getenv("WHEREFORE_SKIM"); all != "" {
		folders = strings.Fields(all)
	}
	shortened := 0
	for _, dir := range folders {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(strings.TrimSpace(string(root)), "src", dir)
		}
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files (%v)", dir, err)
		}
		for _, p := range paths {
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if same(t, p, string(src)) {
				shortened++
			}
		}
	}
	if shortened < 50 {
		t.Errorf("the skimmer shortened %d files", shortened)
	}
}

// same compares the facts of a file with those of what the skimmer leaves of it; it reports whether it left anything out.
func same(t *testing.T, path, src string) bool {
	t.Helper()
	want, ok := extract(src, newPlaces(src, nil))
	s := &skimmer{}
	if !ok {
		return false
	}
	if !s.skim(src) {
		t.Errorf("%s: not skimmed", path)
		return false
	}
	short, cuts := s.shorten()
	if cuts == nil {
		return false
	}
	got, ok := extract(short, newPlaces(src, cuts))
	if !ok {
		t.Errorf("%s: what is left does not parse", path)
		return false
	}
	for i := range want.Functions {
		if i < len(got.Functions) {
			compareCalls(t, path, &want.Functions[i], &got.Functions[i])
		}
	}
	if !bytes.Equal(raise.EncodeCore(want), raise.EncodeCore(got)) {
		t.Errorf("%s (-whole +skimmed): %s", path, cmp.Diff(langtest.Sections(want), langtest.Sections(got)))
	}
	return true
}

func compareCalls(t *testing.T, path string, want, got *raise.Function) {
	t.Helper()
	callees := func(f *raise.Function) []string {
		var out []string
		for _, c := range f.Calls {
			out = append(out, c.Callee)
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(callees(want), callees(got)); diff != "" {
		t.Errorf("%s: calls of %s (-whole +skimmed): %s", path, want.Name, diff)
	}
}

func TestSkimmerBounds(t *testing.T) {
	extract := newExtractor()
	for name, src := range map[string]string{
		"open":     "package p\nfunc f() { a(",
		"mixed":    "package p\nfunc f() { a[) }",
		"text":     "package p\nfunc f() { a(\"",
		"raw":      "package p\nfunc f() { a(`",
		"comment":  "package p\nfunc f() { /* a(",
		"closed":   "package p\n}}}",
		"nothing":  "",
		"no name":  "package",
		"dots":     "package p\nfunc f() { ....a() }",
		"brackets": "package p\nfunc f() {" + strings.Repeat("(", 100000),
	} {
		t.Run(name, func(t *testing.T) { extract([]byte(src), lang.Options{}) })
	}
}
