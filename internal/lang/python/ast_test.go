package python

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// lister prints, for every file of its standard input's list, the first and last lines of its raise and assert statements as
// Python's own parser sees them; a word for a file that it does not parse.
const lister = `
import ast, sys, warnings
warnings.simplefilter("ignore")
for path in sys.stdin.read().splitlines():
    try:
        with open(path, "rb") as f:
            tree = ast.parse(f.read())
    except (SyntaxError, ValueError, RecursionError):
        print("unparsable")
        continue
    print(*("%d-%d" % (n.lineno, n.end_lineno) for n in ast.walk(tree) if isinstance(n, (ast.Raise, ast.Assert))))
`

// listed runs Python over files. It skips the test where there is no Python, unless that is a machine that should have one.
func listed(t *testing.T, paths []string) [][][2]int {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no python3 on a machine of CI")
		}
		t.Skip("no python3")
	}
	c := exec.Command(python, "-c", lister)
	c.Stdin, c.Stderr = strings.NewReader(strings.Join(paths, "\n")), os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][][2]int
	for line := range bytes.Lines(out) {
		one := [][2]int{}
		for _, field := range strings.Fields(string(line)) {
			var lines [2]int
			if _, err := fmt.Sscanf(field, "%d-%d", &lines[0], &lines[1]); err != nil {
				one = nil
				break
			}
			one = append(one, lines)
		}
		all = append(all, one)
	}
	if len(all) != len(paths) {
		t.Fatalf("%d answers for %d files", len(all), len(paths))
	}
	return all
}

// Every raise and assert statement that Python's own parser lists is a site on the same lines, and the other way round.
func TestSitesAreThoseOfPythonsParser(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	write := func(name, text string) {
		path := filepath.Join(dir, fmt.Sprintf("%d_%s", len(paths), filepath.Base(name)))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, a := range archives {
		ar, err := txtar.ParseFile(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if filepath.Ext(f.Name) == ".py" {
				write(f.Name, string(f.Data))
			}
		}
	}
	for seed := range 60 {
		write("generated.py", generated(int64(seed)))
	}
	if sites, missed := compared(t, paths); missed > 0 || sites < 1500 {
		t.Errorf("%d of %d statements are not the same", missed, sites)
	}
}

// TestCorpusSitesAreThoseOfPythonsParser does the same over the folders that WHEREFORE_PY_CORPUS lists.
func TestCorpusSitesAreThoseOfPythonsParser(t *testing.T) {
	paths, _ := corpus(t)
	sites, missed := compared(t, paths)
	t.Logf("%d statements in %d files, %d not the same", sites, len(paths), missed)
}

// compared says of how many statements the two parsers know, and of how many one alone does.
func compared(t *testing.T, paths []string) (sites, missed int) {
	extract := Language().NewExtractor()
	for i, want := range listed(t, paths) {
		src, err := os.ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			continue
		}
		count := map[[2]int]int{}
		for _, lines := range want {
			count[lines]++
		}
		sites += len(want)
		last := -1 // one statement can raise one of several errors
		for _, s := range extract(src, lang.Options{}).Sites {
			if int(s.Start) == last {
				continue
			}
			if first := firstWord(src[s.Start:s.End]); s.Kind == raise.KindAssertion || first == "raise" {
				last = int(s.Start)
				count[[2]int{s.Line, s.EndLine}]--
			}
		}
		for lines, n := range count {
			if n != 0 {
				missed++
				t.Errorf("%s:%d-%d: %+d for Python's parser", paths[i], lines[0], lines[1], n)
			}
		}
	}
	return sites, missed
}

func firstWord(s []byte) string {
	for i, c := range s {
		if c < 'a' || c > 'z' {
			return string(s[:i])
		}
	}
	return string(s)
}
