package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/markdown"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/web"
)

// site adds the pages for people and for machines that read the site.
func (s *Server) site(mux *http.ServeMux) {
	page := func(pattern string, h func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := h(w, r); err != nil {
				s.notice(w, r, err)
			}
		})
	}
	page("GET /{$}", s.home)
	page("GET /find", s.find)
	page("POST /find", s.find)
	page("GET /errors/{id}", s.errorPage)
	page("GET /repos/{name...}", s.repo)
	page("GET /coverage/{name...}", s.coverage)
	page("GET /compare/{name...}", s.compare)
	page("GET /feed/{name...}", s.feed)
	page("GET /robots.txt", s.robots)
	page("GET /sitemap.xml", s.sitemap)
	page("GET /sitemaps/{part}", s.sitemapPart)
	page("GET /llms.txt", s.llms)
	assets := map[string]web.Asset{}
	for _, a := range s.web.Assets() {
		assets[a.Name] = a
	}
	page("GET /static/{name}", func(w http.ResponseWriter, r *http.Request) error {
		a, ok := assets[r.PathValue("name")]
		if !ok {
			return &catalog.UnknownError{Kind: "file", Name: r.PathValue("name")}
		}
		w.Header().Set("Content-Type", a.Type)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, err := w.Write(a.Content)
		return err
	})
	// What others mount may answer any method: the rest is caught without naming one, and 405 is left to us.
	page("/", func(w http.ResponseWriter, r *http.Request) error {
		if other := otherMethod(mux, r); other != "" {
			w.Header().Set("Allow", other)
			problem(w, http.StatusMethodNotAllowed, "This address answers "+other+".")
			return nil
		}
		return &catalog.UnknownError{Kind: "page", Name: r.URL.Path}
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, "ok\n") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", noStore)
		s.metrics.handler().ServeHTTP(w, r)
	})
}

// otherMethod is the methods that an address answers, where the request's is none of them.
func otherMethod(mux *http.ServeMux, r *http.Request) string {
	for method, names := range map[string]string{http.MethodGet: "GET, HEAD", http.MethodPost: "POST"} {
		again := r.Clone(r.Context())
		again.Method = method
		if _, pattern := mux.Handler(again); pattern != "/" && r.Method != method {
			return names
		}
	}
	return ""
}

func plain(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", noStore)
	// A client that has gone away needs no answer.
	_, _ = io.WriteString(w, text)
}

// ready says whether reports can be answered.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if _, err := s.service.Repos(r.Context()); err != nil {
		_, text := s.status(err)
		problem(w, http.StatusServiceUnavailable, text)
		return
	}
	plain(w, "ready\n")
}

// notice is an error as a page.
func (s *Server) notice(w http.ResponseWriter, r *http.Request, err error) {
	status, text := s.status(err)
	title := http.StatusText(status)
	if status == http.StatusNotFound {
		title = "Not found"
	}
	html(w)
	w.Header().Set("Cache-Control", noStore)
	w.WriteHeader(status)
	if err := s.web.Notice(w, &web.Notice{Title: title, Text: text}); err != nil {
		s.log.Error("the page of an error failed", "error", err, "path", r.URL.Path)
	}
}

func html(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/html; charset=utf-8") }

// question is a report with the limits of the search.
type question struct {
	text    string
	options match.Options
}

func ask(text string, values url.Values) question {
	return question{strings.TrimSpace(text), match.Options{Repo: values.Get("repo"), Revision: values.Get("rev")}}
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	return s.answered(w, r, ask(query(r).Get("q"), query(r)))
}

// query is the query of a request. Messages hold semicolons, which are dropped with all around them unless they are escaped; whoever makes
// a link by hand does not know.
func query(r *http.Request) url.Values {
	values, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
	if err != nil {
		return url.Values{} // what cannot be read asks for nothing
	}
	return values
}

// find answers a report that a form, a link or the script of the home page sent. A link whose report is found for sure leads to the page
// of its error.
func (s *Server) find(w http.ResponseWriter, r *http.Request) error {
	r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")
	if err := r.ParseForm(); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return err
		}
		return errors.Join(service.ErrQuery, err)
	}
	q := ask(r.Form.Get("message"), r.Form)
	if r.Form.Get("fragment") != "" {
		v, err := s.answer(r.Context(), q)
		if err != nil {
			return err
		}
		html(w)
		w.Header().Set("Cache-Control", noStore)
		return s.web.Answer(w, v)
	}
	if r.Method == http.MethodGet && q.text != "" {
		answer, err := s.service.Find(r.Context(), q.text, q.options)
		if err != nil {
			return err
		}
		if len(answer.Observations) == 1 && answer.Observations[0].Decision == api.Found {
			c := &answer.Observations[0].Candidates[0]
			w.Header().Set("Cache-Control", noStore)
			http.Redirect(w, r, s.web.Links().ErrorAt(c.Error, q.text), http.StatusSeeOther)
			return nil
		}
	}
	return s.answered(w, r, q)
}

// answered is the home page with the answer to a question.
func (s *Server) answered(w http.ResponseWriter, r *http.Request, q question) error {
	repos, err := s.service.Repos(r.Context())
	if err != nil {
		return err
	}
	v, err := s.answer(r.Context(), q)
	if err != nil {
		return err
	}
	html(w)
	if q.text != "" {
		w.Header().Set("Cache-Control", noStore)
	}
	return s.web.Home(w, &web.HomeView{AnswerView: *v, Repos: repos})
}

// maxExcerpts bounds the observations of an answer that show their source.
const maxExcerpts = 20

func (s *Server) answer(ctx context.Context, q question) (*web.AnswerView, error) {
	v := &web.AnswerView{Report: q.text, Repo: q.options.Repo}
	if q.text == "" {
		return v, nil
	}
	var err error
	if v.Answer, err = s.service.Find(ctx, q.text, q.options); err != nil {
		return nil, err
	}
	s.metrics.answered(v.Answer)
	v.Excerpts = map[api.Where]*api.Excerpt{}
	for i := range v.Answer.Observations[:min(len(v.Answer.Observations), maxExcerpts)] {
		o := &v.Answer.Observations[i]
		at, ok := o.Where()
		if !ok {
			continue
		}
		e, err := s.service.Excerpt(ctx, at)
		if err == nil && e != nil { // the answer stands without the source
			v.Excerpts[at] = e
		}
	}
	return v, nil
}

// errorPage is the page of an error, as HTML, JSON or Markdown by the ending of its address.
func (s *Server) errorPage(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("id")
	id, format, _ := strings.Cut(name, ".")
	if format != "" && format != "json" && format != "md" {
		return &catalog.UnknownError{Kind: "page", Name: r.URL.Path}
	}
	ctx, q := r.Context(), query(r)
	full, err := s.service.FullID(ctx, id)
	if err != nil {
		return err
	}
	if full != id {
		http.Redirect(w, r, strings.Replace(r.URL.RequestURI(), id, full, 1), http.StatusFound)
		return nil
	}
	page, err := s.service.Page(ctx, id, q.Get("rev"))
	if err != nil {
		return err
	}
	if next, err := s.service.Successor(ctx, page); err != nil || next != "" {
		if err == nil {
			// For now: another revision may bring the error back.
			http.Redirect(w, r, strings.Replace(r.URL.RequestURI(), id, next, 1), http.StatusTemporaryRedirect)
		}
		return err
	}
	if q.Get("rev") != "" && page.Provenance.Commit != "" && !page.Provenance.Dirty {
		// The page of a commit changes with what wherefore knows to say of it, and with nothing else.
		w.Header().Set("Cache-Control", "public, max-age=3600")
	}
	var out bytes.Buffer
	switch format {
	case "json":
		w.Header().Set("Content-Type", "application/json")
		err = encode(&out, page)
	case "md":
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		err = markdown.Page(&out, page)
	default:
		html(w)
		err = s.htmlPage(ctx, w, &out, page, q.Get("m"))
	}
	if err != nil {
		return err
	}
	if page.Gone {
		w.WriteHeader(http.StatusGone)
	}
	_, err = out.WriteTo(w)
	return err
}

// htmlPage renders the page of an error, filled with the values of a report if there is one.
func (s *Server) htmlPage(ctx context.Context, w http.ResponseWriter, out io.Writer, page *api.Page, report string) error {
	v := &web.ErrorView{Page: page, Report: strings.TrimSpace(report)}
	var err error
	if v.Line, err = s.service.LineLinks(ctx, page); err != nil {
		return err
	}
	if v.Issue, err = s.service.IssueLink(ctx, page); err != nil {
		return err
	}
	if v.Report != "" {
		w.Header().Set("Cache-Control", noStore)
		answer, err := s.service.Find(ctx, v.Report, match.Options{Repo: page.Repo, Limit: 50})
		if err != nil {
			return err
		}
		v.Observation, v.Candidate = fitting(answer, page.ID)
	}
	return s.web.Error(out, v)
}

// fitting is the observation of a report that an error explains, and the candidate that is the error.
func fitting(a *api.Answer, id string) (*api.Observation, *api.Candidate) {
	for i := range a.Observations {
		o := &a.Observations[i]
		for k := range o.Candidates {
			if o.Candidates[k].Error == id && o.Decision != api.Refused {
				return o, &o.Candidates[k]
			}
		}
	}
	return nil, nil
}

// perPage is how many errors a part of a repository's list shows.
const perPage = 50

func (s *Server) repo(w http.ResponseWriter, r *http.Request) error {
	ctx, q := r.Context(), query(r)
	repo, err := s.service.Repo(ctx, r.PathValue("name"))
	if err != nil {
		return err
	}
	f := web.Filter{Words: q.Get("q"), Type: q.Get("type"), Kind: q.Get("kind"), FileKind: q.Get("files"), Path: strings.Trim(q.Get("path"), "/"), Revision: q.Get("rev"), Sort: q.Get("sort")}
	v := &web.RepoView{Repo: repo, Filter: f, Page: 1, PerPage: perPage}
	if n, err := strconv.Atoi(q.Get("page")); err == nil && n > 1 && n < 1_000_000 {
		v.Page = n
	}
	part := service.Query{Repo: repo.Name, Revision: f.Revision, Path: f.Path, Type: f.Type, Kind: f.Kind, FileKind: f.FileKind, Words: f.Words, Sort: f.Sort,
		Offset: (v.Page - 1) * perPage, Limit: perPage}
	switch f.FileKind {
	case "":
		part.FileKind = "product"
	case "all":
		part.FileKind = ""
	}
	if v.List, err = s.service.List(ctx, part); err != nil {
		return err
	}
	if v.Facets, err = s.service.Facets(ctx, repo.Name, f.Revision); err != nil {
		return err
	}
	if v.Folders, err = s.service.Folders(ctx, part); err != nil {
		return err
	}
	html(w)
	return s.web.Repo(w, v)
}

func (s *Server) coverage(w http.ResponseWriter, r *http.Request) error {
	repo, err := s.service.Repo(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	c, err := s.service.Coverage(r.Context(), repo.Name, query(r).Get("rev"), false)
	if err != nil {
		return err
	}
	html(w)
	return s.web.Coverage(w, &web.CoverageView{Repo: repo, Coverage: c})
}

func (s *Server) compare(w http.ResponseWriter, r *http.Request) error {
	q := query(r)
	repo, err := s.service.Repo(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	c, err := s.service.Compare(r.Context(), repo.Name, q.Get("from"), q.Get("to"))
	if err != nil {
		return err
	}
	html(w)
	return s.web.Compare(w, &web.CompareView{Repo: repo, Comparison: c})
}
