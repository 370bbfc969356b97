package langtest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
)

// mutations is how many texts Mutate makes for each language; WHEREFORE_MUTATIONS in the environment says otherwise.
const mutations = 400

// Mutate holds extractors to the rules of Holds on sources of the calling package's archives whose tokens were dropped, doubled,
// swapped or replaced by those of other sources: what people type, and a fuzzer of bytes rarely reaches. The same texts are made
// every time.
func Mutate(t *testing.T, languages ...*lang.Language) {
	t.Helper()
	runs := mutations
	if n, err := strconv.Atoi(os.Getenv("WHEREFORE_MUTATIONS")); err == nil {
		runs = n
	}
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			seeds := tokens(t, l)
			if len(seeds) == 0 {
				t.Skip("no archive has sources of it")
			}
			r := rand.New(rand.NewPCG(1, 2))
			extract := l.NewExtractor()
			for range runs {
				held(t, extract, strings.Join(mutated(r, seeds), ""))
			}
		})
	}
}

// tokens are the sources of a language in the archives of the calling package, cut into words, blanks and marks.
func tokens(t *testing.T, l *lang.Language) [][]string {
	t.Helper()
	token := regexp.MustCompile(`\w+|\s+|[^\w\s]`)
	var out [][]string
	for _, pattern := range []string{"testdata/*.txtar", "testdata/link/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range ar.Files {
				for _, ending := range l.Extensions {
					if strings.HasSuffix(f.Name, ending) && !strings.HasPrefix(f.Name, "want/") && len(f.Data) > 0 {
						out = append(out, token.FindAllString(string(f.Data), -1))
						break
					}
				}
			}
		}
	}
	return out
}

// mutated is one of the seeds with a few changes.
func mutated(r *rand.Rand, seeds [][]string) []string {
	out := append([]string(nil), seeds[r.IntN(len(seeds))]...)
	for range 1 + r.IntN(6) {
		if len(out) < 5 {
			break
		}
		i := r.IntN(len(out))
		j := min(len(out), i+1+r.IntN(4))
		switch r.IntN(4) {
		case 0:
			out = append(out[:i], out[j:]...)
		case 1:
			other := seeds[r.IntN(len(seeds))]
			out[i] = other[r.IntN(len(other))]
		case 2:
			out = append(out[:j:j], append(append([]string(nil), out[i:j]...), out[j:]...)...)
		default:
			k := r.IntN(len(out))
			out[i], out[k] = out[k], out[i]
		}
	}
	return out
}

// held fails the test, with the source, if the extractor panics on it or its facts break a rule.
func held(t *testing.T, extract lang.Extractor, src string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("panic: %v\n%s\n%s", p, debug.Stack(), src)
		}
	}()
	facts := extract([]byte(src), lang.Options{Timeout: 5 * time.Second})
	if err := broken(facts, []byte(src)); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	Sections(facts) // prints them, whatever they hold
}
