package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"
	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/source"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// index indexes a folder into a catalog.
func (b *bench) index(root, name, path string, workers int) (*index.Summary, error) {
	languages := all.Languages()
	repo, err := source.Open(b.ctx, root, source.Options{Languages: index.Files(languages)})
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(b.ctx, path, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return index.Run(b.ctx, index.Options{Catalog: c, Repo: repo, Name: name, Languages: languages, Workers: workers})
}

func (b *bench) indexing() error {
	python, err := b.pythonLibrary()
	if err != nil {
		return err
	}
	if err := b.python(python); err != nil {
		return err
	}
	root, err := b.goRoot()
	if err != nil {
		return err
	}
	src := filepath.Join(root, "src")
	if err := b.golang(src); err != nil {
		return err
	}
	if err := b.goRecall(src); err != nil {
		return err
	}
	return b.big(python, src)
}

// read loads files into memory, so that parsing alone is measured.
func read(paths []string) ([][]byte, error) {
	out := make([][]byte, len(paths))
	for i, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		out[i] = data
	}
	return out, nil
}

func (b *bench) python(root string) error {
	paths, size, err := files(root, ".py")
	if err != nil {
		return err
	}
	texts, err := read(paths)
	if err != nil {
		return err
	}
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		return err
	}
	one := runtime.GOMAXPROCS(1)
	parse, _, err := cpu(func() error {
		p := syntax.NewParser()
		for _, t := range texts {
			if err := p.Check(g, t, syntax.Options{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	binding, _, err := cpu(func() error {
		p := sitter.NewParser()
		defer p.Close()
		if err := p.SetLanguage(sitter.NewLanguage(grammar.Language())); err != nil {
			return err
		}
		for _, t := range texts {
			p.Parse(t, nil).Close()
		}
		return nil
	})
	if err != nil {
		return err
	}
	texts = nil
	path := filepath.Join(b.dir, "python.db")
	work, wall, err := cpu(func() error { _, err := b.index(root, "python", path, 1); return err })
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(one)
	b.add(fmt.Sprintf("indexing the Python standard library (%d files, %.0f MB), one worker, against tree-sitter parsing the same files and nothing else: CPU", len(paths), float64(size)/1e6),
		"≤ 1.0", "%.2f (%.1f s against %.1f s; %.2f against the Go binding's parse with the same allocator)", ratio(work, parse), work.Seconds(), parse.Seconds(), ratio(work, binding))
	two, _, err := cpu(func() error { _, err := b.index(root, "python", filepath.Join(b.dir, "two.db"), 2); return err })
	if err != nil {
		return err
	}
	b.add("CPU time with two workers against one", "≤ 1.1", "%.2f", ratio(two, work))
	again, againWall, err := cpu(func() error { _, err := b.index(root, "python", path, 1); return err })
	if err != nil {
		return err
	}
	b.add("again without a change", "≤ 5 % of the first time", "%.1f %% of the wall time, %.1f %% of the CPU time", 100*ratio(againWall, wall), 100*ratio(again, work))
	if err := os.WriteFile(filepath.Join(root, "json", "decoder.py"), append(mustRead(filepath.Join(root, "json", "decoder.py")), "\n# changed\n"...), 0o644); err != nil {
		return err
	}
	_, changedWall, err := cpu(func() error { _, err := b.index(root, "python", path, 1); return err })
	if err != nil {
		return err
	}
	b.add("after changing one file", "≤ 0.3 s more", "%.2f s more", (changedWall - againWall).Seconds())
	b.size(path, size, "Python standard library")
	return nil
}

func mustRead(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

func (b *bench) size(path string, source int64, what string) {
	total := int64(0)
	for _, p := range []string{path, path + ".match"} {
		if info, err := os.Stat(p); err == nil {
			total += info.Size()
		}
	}
	b.add("catalog and match index against the source, "+what, "≤ 10 %", "%.1f %% (%.1f of %.1f MB)", 100*float64(total)/float64(source), float64(total)/1e6, float64(source)/1e6)
}

func (b *bench) golang(root string) error {
	paths, size, err := files(root, ".go")
	if err != nil {
		return err
	}
	texts, err := read(paths)
	if err != nil {
		return err
	}
	one := runtime.GOMAXPROCS(1)
	parse, _, err := cpu(func() error {
		for i, t := range texts {
			// Files that do not parse are among them: go/parser reads them as far as it can, as indexing does.
			_, _ = parser.ParseFile(token.NewFileSet(), paths[i], t, parser.ParseComments)
		}
		return nil
	})
	if err != nil {
		return err
	}
	texts = nil
	path := filepath.Join(b.dir, "go.db")
	work, _, err := cpu(func() error { _, err := b.index(root, "go", path, 1); return err })
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(one)
	b.add(fmt.Sprintf("indexing the Go standard library (%d files, %.0f MB), one worker, against go/parser parsing it: CPU", len(paths), float64(size)/1e6), "≤ 1.5",
		"%.2f (%.1f s against %.1f s)", ratio(work, parse), work.Seconds(), parse.Seconds())
	b.size(path, size, "Go standard library")
	return nil
}

// bigSize is the size of the tree whose indexing has its peak memory read. A gigabyte would take longer than all the rest on a
// shared machine; the row says what was measured.
const bigSize = 100e6

// big indexes a large tree in a process of its own and reads its peak memory.
func (b *bench) big(libraries ...string) error {
	root := filepath.Join(b.dir, "big")
	total := int64(0)
	for n := 0; total < bigSize && n < 60; n++ {
		for _, lib := range libraries {
			for _, ending := range []string{".py", ".go"} {
				paths, size, err := files(lib, ending)
				if err != nil {
					return err
				}
				for _, p := range paths {
					rel, err := filepath.Rel(lib, p)
					if err != nil {
						return err
					}
					mark := fmt.Sprintf("\n# copy %d\n", n)
					if ending == ".go" {
						mark = fmt.Sprintf("\n// copy %d\n", n)
					}
					to := filepath.Join(root, fmt.Sprint(filepath.Base(lib), n), rel)
					if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
						return err
					}
					if err := os.WriteFile(to, append(mustRead(p), mark...), 0o644); err != nil {
						return err
					}
				}
				total += size
			}
		}
	}
	defer os.RemoveAll(root)
	binary := filepath.Join(b.dir, "wherefore")
	if text, err := exec.CommandContext(b.ctx, "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %s", text)
	}
	c := exec.CommandContext(b.ctx, binary, "--catalog", filepath.Join(b.dir, "big.db"), "index", "-q", root)
	start := time.Now()
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("index: %s", strings.TrimSpace(string(text)))
	}
	peak := c.ProcessState.SysUsage()
	b.add(fmt.Sprintf("peak memory, %.2f GB of source", float64(total)/1e9), "≤ 1 GB for 1 GB", "%.2f GB (in %.0f s)", float64(maxRSS(peak))/1e6, time.Since(start).Seconds())
	return nil
}
