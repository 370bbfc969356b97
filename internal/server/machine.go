package server

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/service"
)

// encode writes JSON as the terminal prints it.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// origin is scheme and host of the site for a request.
func (s *Server) origin(r *http.Request) string {
	if s.options.Origin != "" {
		return s.options.Origin
	}
	scheme := "http"
	if r.TLS != nil || s.options.Proxy && r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

func (s *Server) robots(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := fmt.Fprintf(w, "User-agent: *\nDisallow: /find\nDisallow: /api/\nAllow: /\n\nSitemap: %s/sitemap.xml\n", s.origin(r))
	return err
}

// sitemapSize is how many pages one part of the site map lists.
const sitemapSize = 1000

type sitemapIndex struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Parts   []address `xml:"sitemap"`
}

type sitemapPages struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Pages   []address `xml:"url"`
}

type address struct {
	Location string `xml:"loc"`
	Changed  string `xml:"lastmod,omitempty"`
}

func writeXML(w http.ResponseWriter, media string, v any) error {
	w.Header().Set("Content-Type", media)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(v)
}

// sitemap lists the parts of the site map: the pages of product code, a thousand in each.
func (s *Server) sitemap(w http.ResponseWriter, r *http.Request) error {
	list, err := s.service.List(r.Context(), service.Query{FileKind: "product", Limit: 1})
	if err != nil {
		return err
	}
	out := sitemapIndex{}
	for i := 0; i == 0 || i*sitemapSize < list.Total; i++ {
		out.Parts = append(out.Parts, address{Location: fmt.Sprintf("%s/sitemaps/%d.xml", s.origin(r), i+1)})
	}
	return writeXML(w, "application/xml", out)
}

func (s *Server) sitemapPart(w http.ResponseWriter, r *http.Request) error {
	name, ok := strings.CutSuffix(r.PathValue("part"), ".xml")
	n, err := strconv.Atoi(name)
	if !ok || err != nil || n < 1 || n > 100_000 {
		return &catalog.UnknownError{Kind: "part of the site map", Name: r.PathValue("part")}
	}
	list, err := s.service.List(r.Context(), service.Query{FileKind: "product", Offset: (n - 1) * sitemapSize, Limit: sitemapSize})
	if err != nil {
		return err
	}
	out, origin, links := sitemapPages{}, s.origin(r), s.web.Links()
	if n == 1 {
		repos, err := s.service.Repos(r.Context())
		if err != nil {
			return err
		}
		out.Pages = append(out.Pages, address{Location: origin + links.Home()})
		for i := range repos {
			out.Pages = append(out.Pages, address{origin + links.Repo(repos[i].Name), repos[i].Indexed.Format(time.DateOnly)})
		}
	}
	for i := range list.Errors {
		out.Pages = append(out.Pages, address{Location: origin + links.Error(list.Errors[i].ID)})
	}
	return writeXML(w, "application/xml", out)
}

type atom struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  string      `xml:"author>name"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	Title   string   `xml:"title"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feedSize is how many errors a feed lists.
const feedSize = 100

// feed lists the errors of a repository that came last.
func (s *Server) feed(w http.ResponseWriter, r *http.Request) error {
	name, ok := strings.CutSuffix(r.PathValue("name"), ".atom")
	if !ok {
		return &catalog.UnknownError{Kind: "feed", Name: r.PathValue("name")}
	}
	repo, err := s.service.Repo(r.Context(), name)
	if err != nil {
		return err
	}
	fresh, err := s.service.Newest(r.Context(), name, feedSize)
	if err != nil {
		return err
	}
	origin, links := s.origin(r), s.web.Links()
	self := origin + links.Feed(name)
	out := atom{Title: "New errors of " + name, ID: self, Updated: repo.Indexed.UTC().Format(time.RFC3339), Author: name,
		Links: []atomLink{{"self", self}, {"", origin + links.Repo(name)}}}
	for i := range fresh {
		out.Entries = append(out.Entries, entry(&fresh[i], origin, links.Error(fresh[i].Error.ID)))
	}
	return writeXML(w, "application/atom+xml", out)
}

func entry(f *service.Fresh, origin, path string) atomEntry {
	e := f.Error
	title := strings.TrimPrefix(e.Type+": "+e.Template, ": ")
	return atomEntry{Title: title, ID: origin + path, Updated: f.Since.UTC().Format(time.RFC3339), Link: atomLink{Href: origin + path},
		Summary: fmt.Sprintf("Since %s, at %s:%d.", f.Revision, e.Sites[0].Path, e.Sites[0].Line)}
}

// llms says to agents what there is, in Markdown.
func (s *Server) llms(w http.ResponseWriter, r *http.Request) error {
	repos, err := s.service.Repos(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	return writeLLMs(w, s.origin(r), repos)
}

func writeLLMs(w io.Writer, origin string, repos []api.Repo) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# wherefore

> Which line of a repository raised an error message, which condition fired, what brings it about, what to do. Everything comes from the
> source and names its evidence; where no site prints a message, the answer says so.

## For agents

- [Find](%[1]s/api/find): POST the text of a report as text/plain; the answer is JSON. Add ?repo=NAME to ask one repository.
- [The page of an error](%[1]s/errors/ID.md): Markdown; ID is the "error" of a candidate. ID.json has the same as JSON.
- [OpenAPI](%[1]s/openapi.json): all of the API.

## Repositories

`, origin)
	for i := range repos {
		fmt.Fprintf(&b, "- %s at %s: %d sites in %d files\n", repos[i].Name, repos[i].Revision, repos[i].Sites, repos[i].Files)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
