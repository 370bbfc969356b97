// Package web renders the pages of the site: HTML from the wire form, without a server. The doors that serve or export it decide on
// addresses ([Links]) and hand in the answers.
//
// Everything on a page that comes from a repository or a report goes through html/template as text; drawings are templates as well.
// pages/ holds a page's template, style and script side by side; all styles are one file and all scripts another, named by their
// content, so that a page is at most three requests.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed pages
var files embed.FS

// Options are what a site decides.
type Options struct {
	Links Links
	// Search names a script, below the static files, that answers on the home page without a server; "" where a server answers.
	Search string
}

// Renderer renders pages. It is safe for concurrent use.
type Renderer struct {
	options Options
	pages   map[string]*template.Template
	assets  []Asset
	style   string
	script  string
}

// Asset is a file that pages need.
type Asset struct {
	Name    string // with a hash of the content: it never changes
	Type    string // media type
	Content []byte
}

// New returns a renderer.
func New(o Options) (*Renderer, error) {
	r := &Renderer{options: o, pages: map[string]*template.Template{}}
	var err error
	if r.style, err = r.bundle("css", "text/css; charset=utf-8"); err != nil {
		return nil, err
	}
	if r.script, err = r.bundle("js", "text/javascript; charset=utf-8"); err != nil {
		return nil, err
	}
	return r, r.parse()
}

// bundle joins the files of an ending: the layout's first, the others by name.
func (r *Renderer) bundle(ending, media string) (string, error) {
	names, err := fs.Glob(files, "pages/*."+ending)
	if err != nil {
		return "", err
	}
	slices.SortFunc(names, func(a, b string) int {
		if la, lb := path.Base(a) == "layout."+ending, path.Base(b) == "layout."+ending; la != lb {
			if la {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var all bytes.Buffer
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	sum := sha256.Sum256(all.Bytes())
	name := "site." + hex.EncodeToString(sum[:6]) + "." + ending
	r.assets = append(r.assets, Asset{Name: name, Type: media, Content: all.Bytes()})
	return name, nil
}

// parse makes one template for each page: the page's own file with the layout and the parts that pages share.
func (r *Renderer) parse() error {
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil {
		return err
	}
	shared := template.New("").Funcs(r.funcs())
	for _, name := range names {
		if base := path.Base(name); base == "layout.html" || strings.HasPrefix(base, "part-") {
			if shared, err = shared.ParseFS(files, name); err != nil {
				return fmt.Errorf("template: %w", err)
			}
		}
	}
	for _, name := range names {
		base := path.Base(name)
		if base == "layout.html" || strings.HasPrefix(base, "part-") {
			continue
		}
		t, err := shared.Clone()
		if err == nil {
			t, err = t.ParseFS(files, name)
		}
		if err != nil {
			return fmt.Errorf("template: %w", err)
		}
		r.pages[strings.TrimSuffix(base, ".html")] = t
	}
	return nil
}

// Assets lists the files that pages need.
func (r *Renderer) Assets() []Asset { return r.assets }

// Links makes the addresses of this site.
func (r *Renderer) Links() Links { return r.options.Links }

// frame is what the layout shows around a page.
type frame struct {
	Title, Description string
	Canonical          string // path of the page; "" for none
	Feed               string // path of a feed; "" for none
	NoIndex            bool   // for search engines
	Script, Style      string
	Search             string
	Body               any
}

func (r *Renderer) render(w io.Writer, page string, f *frame) error {
	f.Script, f.Style, f.Search = r.script, r.style, r.options.Search
	return r.run(w, page, "layout", f)
}

// run executes into a buffer first: a fault must not leave half a page.
func (r *Renderer) run(w io.Writer, page, name string, data any) error {
	var b bytes.Buffer
	if err := r.pages[page].ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("render %s: %w", page, err)
	}
	_, err := w.Write(b.Bytes())
	return err
}
