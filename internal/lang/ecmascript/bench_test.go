package ecmascript

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/lang"
)

// corpus reads the sources below the folders that WHEREFORE_JS_CORPUS lists, separated as in PATH.
func corpus(b *testing.B) map[string][][]byte {
	out := map[string][][]byte{}
	total := 0
	for _, root := range filepath.SplitList(os.Getenv("WHEREFORE_JS_CORPUS")) {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			ext := filepath.Ext(p)
			if err != nil || d.IsDir() || strings.HasSuffix(p, ".d.ts") || !strings.Contains(" .js .jsx .mjs .cjs .ts .mts .cts .tsx ", " "+ext+" ") {
				return err
			}
			src, err := os.ReadFile(p)
			if err == nil && len(src) < 1<<20 {
				out[ext] = append(out[ext], src)
				total += len(src)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if total == 0 {
		b.Skip("WHEREFORE_JS_CORPUS names no folder with sources")
	}
	b.SetBytes(int64(total))
	return out
}

// BenchmarkParse is what tree-sitter alone takes for the files, without a look at the tree.
func BenchmarkParse(b *testing.B) {
	files := corpus(b)
	JavaScript().NewExtractor() // sets the allocator that the extractor parses with
	for b.Loop() {
		for ext, all := range files {
			p := sitter.NewParser()
			if err := p.SetLanguage(sitter.NewLanguage(grammarOf(ext))); err != nil {
				b.Fatal(err)
			}
			for _, src := range all {
				p.Parse(src, nil).Close()
			}
			p.Close()
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	files := corpus(b)
	extractors := map[string]lang.Extractor{}
	for _, l := range languages() {
		for _, e := range l.Extensions {
			extractors[e] = l.NewExtractor()
		}
	}
	for b.Loop() {
		for ext, all := range files {
			for _, src := range all {
				extractors[ext](src, lang.Options{})
			}
		}
	}
}

func grammarOf(ext string) unsafe.Pointer {
	switch ext {
	case ".tsx":
		return typescript.LanguageTSX()
	case ".ts", ".mts", ".cts":
		return typescript.LanguageTypescript()
	}
	return javascript.Language()
}
