package notes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// Finding is something wrong with a note.
type Finding struct {
	Path string `json:"path"`
	What string `json:"what"`
}

// Lint checks notes against the errors of their repository: a note must be about an error, ids must be known, no two notes may write
// the same part of a page, and code must parse. parses reports whether code of a language is well-formed; nil takes any.
func Lint(all []*Note, known []api.Error, parses func(language, code string) bool) []Finding {
	var out []Finding
	report := func(n *Note, format string, args ...any) {
		out = append(out, Finding{n.Path, fmt.Sprintf(format, args...)})
	}
	writers := map[string]*Note{}
	for _, n := range all {
		about := 0
		for i := range known {
			p := pageOf(&known[i])
			if !n.About(p) {
				continue
			}
			about++
			if other := writers[p.ID]; other != nil && !n.Extend && !other.Extend {
				report(n, "writes the page of %s, which %s writes too", p.ID, other.Path)
			}
			writers[p.ID] = n
		}
		for _, id := range n.ID {
			if !slices.ContainsFunc(known, func(e api.Error) bool { return e.ID == id }) {
				report(n, "no error has the id %s", id)
			}
		}
		if about == 0 && len(n.ID) == 0 {
			report(n, "no error%s%s%s%s", constraint(" prints ", quoted(n.Template)), constraint(" with the type ", n.Type), constraint(" below ", n.PathIs),
				constraint(" in ", strings.Join(n.Versions, ", ")))
		}
		for _, c := range []*api.Code{n.Check, n.Handler} {
			if c != nil && c.Language != "" && parses != nil && !parses(c.Language, c.Text) {
				report(n, "code is not well-formed: %s", firstLine(c.Text))
			}
		}
	}
	return out
}

// pageOf is as much of a page as notes look at.
func pageOf(e *api.Error) *api.Page {
	p := &api.Page{ID: e.ID, Type: e.Type, Template: e.Template, Revisions: []string{e.Revision}}
	for _, s := range e.Sites {
		p.Sites = append(p.Sites, api.PageSite{Site: s})
	}
	return p
}

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

func constraint(word, value string) string {
	if value == "" {
		return ""
	}
	return word + value
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
