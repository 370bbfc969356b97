// Package langtest drives the tests of languages: txtar archives with source files in and facts out.
//
// An archive holds prose, source files, and wanted output under want/: one file for each section of the facts that the archive
// is about (want/sites, want/functions, want/types, want/values, want/imports, want/expectations, want/problems). Each source
// file that has something in a section is headed "# path" there. With UPDATE=1 in the environment the wanted files that exist
// are rewritten. A package's archives are testdata/*.txtar.
package langtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Run extracts the facts of every archive of the calling package with the language that takes each file's ending.
func Run(t *testing.T, languages ...*lang.Language) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata (%v)", err)
	}
	extractors := map[string]lang.Extractor{}
	for _, l := range languages {
		for _, e := range l.Extensions {
			extractors[e] = l.NewExtractor()
		}
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { archive(t, path, extractors) })
	}
}

func archive(t *testing.T, path string, extractors map[string]lang.Extractor) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*strings.Builder{}
	sources, wants := 0, 0
	for _, f := range ar.Files {
		if extract := extractors[filepath.Ext(f.Name)]; extract != nil && !strings.HasPrefix(f.Name, "want/") {
			sources++
			facts := extract(f.Data, lang.Options{})
			for name, text := range Sections(facts) {
				if got[name] == nil {
					got[name] = &strings.Builder{}
				}
				if text != "" {
					fmt.Fprintf(got[name], "# %s\n%s", f.Name, text)
				}
			}
		}
	}
	for i, f := range ar.Files {
		section, ok := strings.CutPrefix(f.Name, "want/")
		if !ok {
			continue
		}
		wants++
		b := got[section]
		if b == nil {
			t.Fatalf("%s: no section %q", path, section)
		}
		if os.Getenv("UPDATE") != "" {
			ar.Files[i].Data = []byte(b.String())
		} else if diff := cmp.Diff(string(f.Data), b.String()); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", path, section, diff)
		}
	}
	if sources == 0 || wants == 0 {
		t.Fatalf("%s: %d source files, %d wanted sections", path, sources, wants)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Sections prints facts as a person would write them down, a section a key.
func Sections(f *raise.Facts) map[string]string {
	return map[string]string{
		"sites": sites(f), "functions": functions(f), "types": types(f), "values": values(f),
		"imports": imports(f), "expectations": expectations(f), "handlers": handlers(f), "problems": problems(f),
	}
}
