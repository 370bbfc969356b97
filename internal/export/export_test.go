package export

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/index"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/source"
)

const pool = `class Pool:
    def take(self, name, pages, room):
        if pages > room:
            raise ValueError(f"no room for {pages} pages, {room} are free")
        if not name:
            raise LookupError("a name must be given <script>alert(1)</script>")
        if name in self.names:
            raise RuntimeError("pool " + name + " is taken: choose another")
`

// shop is a folder with its catalog.
type shop struct {
	t             *testing.T
	root, catalog string
}

func open(t *testing.T) *shop {
	p := &shop{t, filepath.Join(t.TempDir(), "shop"), filepath.Join(t.TempDir(), "catalog.db")}
	p.write(pool)
	return p
}

func (p *shop) write(code string) {
	p.t.Helper()
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.root, "pool.py"), []byte(code), 0o644); err != nil {
		p.t.Fatal(err)
	}
	ctx := context.Background()
	repo, err := source.Open(ctx, p.root, source.Options{Languages: index.Files(all.Languages())})
	if err != nil {
		p.t.Fatal(err)
	}
	defer repo.Close()
	c, err := catalog.OpenWrite(ctx, p.catalog, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	if _, err := index.Run(ctx, index.Options{Catalog: c, Repo: repo, Name: "acme/shop", Languages: all.Languages()}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *shop) export(dir string) *Summary {
	p.t.Helper()
	return p.exportTo(dir, Options{})
}

func (p *shop) exportTo(dir string, o Options) *Summary {
	p.t.Helper()
	s, err := service.Open(context.Background(), p.catalog, service.Options{Languages: all.Languages(), Traces: all.Traces(),
		Sources: index.NewSources(all.Languages(), p.t.TempDir())})
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	sum, err := Run(context.Background(), s, dir, o)
	if err != nil {
		p.t.Fatal(err)
	}
	return sum
}

// Every link of every page leads to a file of the site, and no text of the repository is markup.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	sum := open(t).export(dir)
	if sum.Pages != 3 {
		t.Fatalf("%d pages", sum.Pages)
	}
	links := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	pages := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "<script>alert") {
			t.Errorf("%s: text of the repository is markup", path)
		}
		for _, m := range links.FindAllStringSubmatch(string(text), -1) {
			u, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			if err != nil || u.IsAbs() || u.Host != "" || u.Path == "" {
				continue
			}
			target := filepath.Join(dir, u.Path)
			if strings.HasSuffix(u.Path, "/") {
				target = filepath.Join(target, "index.html")
			}
			if !strings.HasPrefix(u.Path, "/") {
				target = filepath.Join(filepath.Dir(path), u.Path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
		return nil
	})
	if err != nil || pages < 6 {
		t.Fatalf("%d pages, %v", pages, err)
	}
}

// A further export writes what changed; the page of an error that is gone says so.
func TestAgain(t *testing.T) {
	p, dir := open(t), t.TempDir()
	first := p.export(dir)
	if again := p.export(dir); again.Written > 0 || again.Same != first.Written {
		t.Errorf("without a change %d files are written, %d are the same of %d", again.Written, again.Same, first.Written)
	}
	p.write(strings.Replace(pool, "a name must be given <script>alert(1)</script>", "a name is missing", 1))
	if after := p.export(dir); after.Gone != 1 || after.Pages != 3 {
		t.Errorf("after a change: %+v", after)
	}
	names, err := filepath.Glob(filepath.Join(dir, "errors", "*.json"))
	if err != nil || len(names) != 4 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	gone := 0
	for _, name := range names {
		var page api.Page
		data, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(data, &page) != nil {
			t.Fatal(err)
		}
		if page.Gone {
			gone++
		}
	}
	if gone != 1 {
		t.Errorf("%d pages say that they are gone", gone)
	}
}

// The script finds errors by their messages in the files of the export alone.
func TestSearchScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing; .ci/run installs it")
		}
		t.Skip("node is missing")
	}
	dir := t.TempDir()
	open(t).export(dir)
	const driver = `
const { find } = require(process.argv[1] + '/static/search.js')
const fs = require('fs')
const load = async n => JSON.parse(fs.readFileSync(process.argv[1] + '/search/' + n + '.json'))
const shards = JSON.parse(fs.readFileSync(process.argv[1] + '/search/index.json')).shards
const texts = JSON.parse(process.argv[2])
Promise.all(texts.map(t => find(t, shards, load))).then(all => console.log(JSON.stringify(all.map(r => r.map(e => [e.p.join('…'), e.values, e.l])))))`
	texts := []string{
		"no room for 9 pages, 8 are free",
		"2026-01-02 03:04:05 ERROR worker: ValueError: no room for 9 pages, 8 are free",
		"Traceback (most recent call last):\n  File \"pool.py\", line 8, in take\nRuntimeError: pool blue is taken: choose another\n",
		"no room for 9 zebras, 8 are free",
		"",
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "-e", driver, dir, string(data)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const room = `[["no room for … pages, … are free",["9","8"],"pool.py:4"]]`
	want := "[" + strings.Join([]string{room, room, `[["pool … is taken: choose another",["blue"],"pool.py:8"]]`, "[]", "[]"}, ",") + "]\n"
	if string(out) != want {
		t.Errorf("got  %swant %s", out, want)
	}
}

// Templates of all shapes are found under a word of theirs, and their pieces put together are the message.
func TestEntries(t *testing.T) {
	for template, want := range map[string]string{
		"plain text":              "plain text|plain text",
		"no {{end}} of {x} here":  "no | of | here|here no of",
		"at {T{a: U{b}}} we stop": "at | we stop|at stop we",
		" blanks around {x}\n":    "blanks around ||around blanks",
		"文件{x}坏了":                 "文件|坏了|了 件 坏 文",
		"pre{x}fix and {y}suffix": "pre|fix and |suffix|and",
	} {
		e := entryOf(&api.Page{Template: template})
		got := strings.Join(e.Pieces, "|") + "|" + strings.Join(e.words(), " ")
		if got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}
