// Package export writes the web site as files that any web host can serve: pages, their data as JSON and Markdown, and an index with
// which a script finds errors by their messages, without a server.
//
// A further export into the same folder writes only what changed. The page of an error that no repository raises any more stays, as
// its last known page that says so.
package export

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/markdown"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/web"
)

// Options say where the site will stand.
type Options struct {
	Base   string // path below which it is served, without a slash at its end
	Origin string // scheme and host, for the links that must be whole; "" if unknown
	// Tests includes errors of tests, examples, generated and vendored code.
	Tests bool
	// Progress is told how many pages of how many are done; nil for none.
	Progress func(done, of int)
}

// Summary is what an export did.
type Summary struct {
	Pages, Written, Same int
	Gone                 int // pages of errors that are not raised any more
	SearchBytes          int64
	LargestShard         int64
}

//go:embed search.js
var searchScript []byte

// searchName is the name of the script, below the static files.
const searchName = "search.js"

// Run writes the site of what the service serves into a folder.
func Run(ctx context.Context, s *service.Service, dir string, o Options) (*Summary, error) {
	r, err := web.New(web.Options{Links: web.Links{Base: o.Base, Origin: o.Origin, Static: true}, Search: searchName})
	if err != nil {
		return nil, err
	}
	x := &export{ctx: ctx, service: s, web: r, dir: dir, options: o, wrote: map[string]bool{}}
	return &x.summary, x.run()
}

// export is one run.
type export struct {
	ctx     context.Context
	service *service.Service
	web     *web.Renderer
	dir     string
	options Options
	summary Summary
	wrote   map[string]bool
	entries []entry // of the search
}

func (x *export) run() error {
	repos, err := x.service.Repos(x.ctx)
	if err != nil {
		return err
	}
	for i := range repos {
		if err := x.repo(&repos[i]); err != nil {
			return fmt.Errorf("%s: %w", repos[i].Name, err)
		}
	}
	for _, a := range x.web.Assets() {
		if err := x.put("static/"+a.Name, a.Content); err != nil {
			return err
		}
	}
	if err := x.put("static/"+searchName, searchScript); err != nil {
		return err
	}
	if err := x.render("index.html", func(w io.Writer) error { return x.web.Home(w, &web.HomeView{Repos: repos}) }); err != nil {
		return err
	}
	if err := x.search(); err != nil {
		return err
	}
	return x.gone()
}

// repo writes the pages of a repository.
func (x *export) repo(repo *api.Repo) error {
	var all []api.Error
	for query := (service.Query{Repo: repo.Name, Limit: 1000}); ; {
		part, err := x.service.List(x.ctx, query)
		if err != nil {
			return err
		}
		all = append(all, part.Errors...)
		if query.Cursor = part.Next; part.Next == "" {
			break
		}
	}
	var shown []api.Error
	for i := range all {
		if e := &all[i]; x.options.Tests || len(e.Sites) > 0 && e.Sites[0].FileKind == "product" {
			shown = append(shown, *e)
		}
	}
	for i := range shown {
		if err := x.page(&shown[i]); err != nil {
			return err
		}
		if x.options.Progress != nil {
			x.options.Progress(i+1, len(shown))
		}
	}
	facets, err := x.service.Facets(x.ctx, repo.Name, "")
	if err != nil {
		return err
	}
	folders, err := x.service.Folders(x.ctx, service.Query{Repo: repo.Name})
	if err != nil {
		return err
	}
	// One file holds as many errors as keep it light; all others are found by their messages and through the folders.
	listed := shown[:min(len(shown), 200)]
	view := &web.RepoView{Repo: repo, Facets: facets, Folders: folders, Page: 1, PerPage: len(listed),
		List: &api.ErrorList{Errors: listed, Total: len(listed)}}
	if err := x.render("repos/"+repo.Name+".html", func(w io.Writer) error { return x.web.Repo(w, view) }); err != nil {
		return err
	}
	coverage, err := x.service.Coverage(x.ctx, repo.Name, "", false)
	if err != nil {
		return err
	}
	return x.render("coverage/"+repo.Name+".html", func(w io.Writer) error {
		return x.web.Coverage(w, &web.CoverageView{Repo: repo, Coverage: coverage})
	})
}

// page writes the page of an error in its three forms, and notes it for the search.
func (x *export) page(e *api.Error) error {
	p, err := x.service.Page(x.ctx, e.ID, "")
	if err != nil {
		return err
	}
	x.summary.Pages++
	if err := x.forms(p); err != nil {
		return err
	}
	x.entries = append(x.entries, entryOf(p))
	return nil
}

func (x *export) forms(p *api.Page) error {
	name := "errors/" + p.ID
	if err := x.render(name+".html", func(w io.Writer) error { return x.web.Error(w, &web.ErrorView{Page: p}) }); err != nil {
		return err
	}
	if err := x.render(name+".md", func(w io.Writer) error { return markdown.Page(w, p) }); err != nil {
		return err
	}
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	return x.put(name+".json", append(data, '\n'))
}

// gone marks the pages of earlier exports whose errors are not raised any more.
func (x *export) gone() error {
	names, err := filepath.Glob(filepath.Join(x.dir, "errors", "*.json"))
	if err != nil {
		return err
	}
	for _, path := range names {
		name := "errors/" + filepath.Base(path)
		if x.wrote[name] {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var p api.Page
		if json.Unmarshal(data, &p) != nil || p.ID+".json" != filepath.Base(path) {
			continue // not of an export
		}
		p.Gone = true
		x.summary.Gone++
		if err := x.forms(&p); err != nil {
			return err
		}
	}
	return nil
}

func (x *export) render(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return x.put(name, b.Bytes())
}

// put writes a file of the site, unless it is there already with this content.
func (x *export) put(name string, content []byte) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s leads out of the folder", name)
	}
	x.wrote[name] = true
	path := filepath.Join(x.dir, filepath.FromSlash(name))
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		x.summary.Same++
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	x.summary.Written++
	// A reader of the folder sees the former file or the new one.
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// base is the path before all addresses of the site.
func (x *export) base() string { return strings.TrimSuffix(x.options.Base, "/") }
