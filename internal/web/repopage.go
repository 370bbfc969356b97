package web

import (
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// RepoView is what the page of a repository shows.
type RepoView struct {
	Repo    *api.Repo
	List    *api.ErrorList
	Facets  *api.Facets
	Folders *api.Folder
	Filter  Filter
	Page    int // of the list, from 1
	PerPage int
}

// Filter is what the reader narrowed the list by.
type Filter struct {
	Words, Type, Kind, FileKind, Path, Revision, Sort string
}

// Query is the filter as the page's own query, with one of its values replaced.
func (f Filter) Query(name, value string) url.Values {
	out := url.Values{}
	for k, v := range map[string]string{"q": f.Words, "type": f.Type, "kind": f.Kind, "files": f.FileKind, "path": f.Path, "rev": f.Revision, "sort": f.Sort} {
		if k == name {
			v = value
		}
		if v != "" {
			out.Set(k, v)
		}
	}
	if name == "page" && value != "1" {
		out.Set("page", value)
	}
	return out
}

// first is the first site of an error that the filter lets through.
func (f Filter) first(e *api.Error) *api.Site {
	for i := range e.Sites {
		s := &e.Sites[i]
		rest, ok := strings.CutPrefix(s.Path, f.Path)
		kind := f.FileKind == "all" || s.FileKind == f.FileKind || f.FileKind == "" && s.FileKind == "product"
		if kind && ok && (f.Path == "" || rest == "" || rest[0] == '/') {
			return s
		}
	}
	return &e.Sites[0]
}

type repoData struct {
	*RepoView
	Rows       []rowData
	Map, Tall  *treemap
	Folders    []folderData
	First      int // number of the first error of the part
	Last       int
	Prev, Next string
	Clear      string // the address without filters; "" if there are none
	Up         string // the address of the folder above; "" at the top
	Crumbs     []crumb
	RevShort   string
	Others     int    // errors of other files than product code, where the list is not narrowed
	Everything string // the address that lists those as well
}

type rowData struct {
	*api.Error
	Page    string
	Message []piece
	First   *api.Site
	More    int
}

type folderData struct {
	Name, URL string
	Errors    int
	Share     int // percent of the largest
}

// listedFolders is how many folders stand beside the map.
const listedFolders = 40

// Repo writes the page of a repository.
func (r *Renderer) Repo(w io.Writer, v *RepoView) error {
	links, name := r.options.Links, v.Repo.Name
	d := &repoData{RepoView: v, RevShort: short(v.Repo.Revision)}
	part := func(key, value string) string { return links.Part(name, v.Filter.Query(key, value)) }
	for i := range v.List.Errors {
		e := &v.List.Errors[i]
		d.Rows = append(d.Rows, rowData{Error: e, Page: links.Error(e.ID), Message: bracedPieces(e.Template), First: v.Filter.first(e), More: len(e.Sites) - 1})
	}
	d.First, d.Last = (v.Page-1)*v.PerPage+1, (v.Page-1)*v.PerPage+len(d.Rows)
	if v.Page > 1 {
		d.Prev = part("page", strconv.Itoa(v.Page-1))
	}
	if d.Last < v.List.Total {
		d.Next = part("page", strconv.Itoa(v.Page+1))
	}
	if v.Filter != (Filter{}) {
		d.Clear = links.Repo(name)
	}
	if v.Folders != nil {
		d.Map, d.Tall = drawTreemap(v.Folders, 960, 380, 2), drawTreemap(v.Folders, 400, 560, 1)
		for i, f := range v.Folders.Folders {
			if i == listedFolders {
				break
			}
			d.Folders = append(d.Folders, folderData{visible.Text(f.Path[len(v.Folders.Path):]), part("path", f.Path), f.Errors,
				max(1, 100*f.Errors/max(1, v.Folders.Folders[0].Errors))})
		}
	}
	if d.Clear == "" && v.Facets != nil {
		d.Everything = part("files", "all")
		for _, f := range v.Facets.FileKinds {
			if f.Value != "product" {
				d.Others += f.Count
			}
		}
	}
	d.Crumbs = r.folderCrumbs(v)
	feed := links.Feed(name)
	return r.render(w, "repo", &frame{Title: name + " · every error it raises", Description: "Every error that " + name + " raises, with the line, the condition and what to do.",
		Canonical: links.Repo(name), Feed: feed, NoIndex: d.Clear != "" || v.Page > 1, Body: d})
}

// folderCrumbs lead from the repository to the folder that the list is narrowed to.
func (r *Renderer) folderCrumbs(v *RepoView) []crumb {
	out := []crumb{{v.Repo.Name, r.options.Links.Part(v.Repo.Name, v.Filter.Query("path", ""))}}
	prefix := ""
	for _, part := range splitPath(v.Filter.Path) {
		prefix += part
		out = append(out, crumb{visible.Text(part), r.options.Links.Part(v.Repo.Name, v.Filter.Query("path", prefix))})
		prefix += "/"
	}
	return out
}

// CoverageView is what the coverage page shows.
type CoverageView struct {
	Repo     *api.Repo
	Coverage *api.Coverage
}

// Coverage writes the page that says how much of a repository was understood.
func (r *Renderer) Coverage(w io.Writer, v *CoverageView) error {
	return r.render(w, "coverage", &frame{Title: "Coverage of " + v.Repo.Name, Description: "How much of " + v.Repo.Name + " was understood, and what not and why.",
		Canonical: r.options.Links.Coverage(v.Repo.Name), Body: v})
}

// Notice is a page that says one thing: that something was not found, or went wrong.
type Notice struct {
	Title, Text string
	// Query is offered to search for.
	Query string
}

// Notice writes a page that says one thing.
func (r *Renderer) Notice(w io.Writer, v *Notice) error {
	return r.render(w, "notice", &frame{Title: v.Title + " · wherefore", Description: v.Text, NoIndex: true, Body: v})
}

// day is a date as pages show it.
func day(t time.Time) string { return t.UTC().Format("2 January 2006") }
