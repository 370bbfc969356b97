package server

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/match"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/web"
)

// FindRequest is a report as JSON.
type FindRequest struct {
	ID    any    `json:"id,omitempty" doc:"Comes back with the answer."`
	Text  string `json:"text" doc:"Anything that was printed: a message, a traceback, a log."`
	Repo  string `json:"repo,omitempty" doc:"Only this repository."`
	Rev   string `json:"rev,omitempty" doc:"Only this indexed revision."`
	Limit int    `json:"limit,omitempty" minimum:"0" maximum:"100" doc:"Most candidates of an error; 10 if it is not given."`
}

// body is an answer of the API.
type body[T any] struct {
	Status       int
	CacheControl string `header:"Cache-Control"`
	Location     string `header:"Location"`
	Body         T
}

func answerOf[T any](v T, err error) (*body[T], error) {
	return &body[T]{Status: http.StatusOK, Body: v}, err
}

// api adds the JSON API: every operation with its types, from which the description is made.
func (s *Server) api(mux *http.ServeMux) {
	config := huma.DefaultConfig("wherefore", orElse(s.options.Version, "unreleased"))
	config.Info.Description = "Which line raised an error, which condition fired, what brings it about."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	a := humago.New(mux, config)
	s.errorOperations(a)
	s.repoOperations(a)
	s.findOperation(a)
	s.compareOperation(a)
	s.describe(mux, a)
}

func operation(method, path, id, summary string, errors ...int) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Errors: errors}
}

func (s *Server) errorOperations(a huma.API) {
	type pageInput struct {
		ID  string `path:"id" maxLength:"16" doc:"The error's id of 16 hex digits, or enough of its beginning to be alone."`
		Rev string `query:"rev" maxLength:"200" doc:"The page at this indexed revision instead of the newest."`
	}
	op := operation(http.MethodGet, "/api/errors/{id}", "read-error", "The page of an error. Where no indexed revision raises it any more: 307 to the error that took its place, or 410 with the last known page.", 400, 404)
	huma.Register(a, op, func(ctx context.Context, in *pageInput) (*body[*api.Page], error) {
		id, err := s.service.FullID(ctx, in.ID)
		if err != nil {
			return nil, s.fault(err)
		}
		page, err := s.service.Page(ctx, id, in.Rev)
		if err != nil {
			return nil, s.fault(err)
		}
		next, err := s.service.Successor(ctx, page)
		if err != nil {
			return nil, s.fault(err)
		}
		out, _ := answerOf(page, nil)
		if next != "" {
			out.Status, out.Location = http.StatusTemporaryRedirect, "/api/errors/"+next
		} else if page.Gone {
			out.Status = http.StatusGone
		} else if in.Rev != "" && page.Provenance.Commit != "" && !page.Provenance.Dirty {
			out.CacheControl = "public, max-age=3600"
		}
		return out, nil
	})
	type listInput struct {
		Repo     string `query:"repo" maxLength:"300" doc:"Only this repository."`
		Rev      string `query:"rev" maxLength:"200" doc:"This indexed revision instead of the newest."`
		Words    string `query:"q" maxLength:"500" doc:"All of these words stand in message, type, path or function."`
		Type     string `query:"type" maxLength:"300" doc:"Only errors of this type."`
		Kind     string `query:"kind" maxLength:"50" doc:"Only this kind: error, panic, assertion, …"`
		Path     string `query:"path" maxLength:"1000" doc:"Only errors with a site at or below this path."`
		FileKind string `query:"file_kind" maxLength:"50" doc:"Only errors with a site in such files: product, test, example, generated, vendored, minified."`
		Sort     string `query:"sort" enum:"name,size,new" doc:"The order: by path if it is not given."`
		Cursor   string `query:"cursor" maxLength:"100" doc:"The former part's next."`
		Limit    int    `query:"limit" minimum:"1" maximum:"1000" default:"50" doc:"Most errors of the part."`
	}
	op = operation(http.MethodGet, "/api/errors", "list-errors", "A part of the list of errors.", 400, 404)
	huma.Register(a, op, func(ctx context.Context, in *listInput) (*body[*api.ErrorList], error) {
		list, err := s.service.List(ctx, service.Query{Repo: in.Repo, Revision: in.Rev, Path: in.Path, Type: in.Type, Kind: in.Kind, FileKind: in.FileKind,
			Words: in.Words, Sort: in.Sort, Cursor: in.Cursor, Limit: in.Limit})
		if err != nil {
			return nil, s.fault(err)
		}
		return answerOf(list, nil)
	})
}

func (s *Server) repoOperations(a huma.API) {
	op := operation(http.MethodGet, "/api/repos", "list-repositories", "The repositories with their sizes.")
	huma.Register(a, op, func(ctx context.Context, _ *struct{}) (*body[[]api.Repo], error) {
		repos, err := s.service.Repos(ctx)
		if err != nil {
			return nil, s.fault(err)
		}
		return answerOf(repos, nil)
	})
	type coverageInput struct {
		Name     string `path:"name" maxLength:"300" doc:"The repository's name, a slash in it as %2F."`
		Rev      string `query:"rev" maxLength:"200" doc:"This indexed revision instead of the newest."`
		SelfTest bool   `query:"self_test" doc:"Look every template up again; takes seconds for a large repository."`
	}
	op = operation(http.MethodGet, "/api/repos/{name}/coverage", "read-coverage", "How much of a repository was understood, and what not and why.", 404)
	huma.Register(a, op, func(ctx context.Context, in *coverageInput) (*body[*api.Coverage], error) {
		c, err := s.service.Coverage(ctx, in.Name, in.Rev, in.SelfTest)
		if err != nil {
			return nil, s.fault(err)
		}
		return answerOf(c, nil)
	})
}

func (s *Server) compareOperation(a huma.API) {
	type input struct {
		Repo string `query:"repo" required:"true" maxLength:"300" doc:"The repository."`
		From string `query:"from" maxLength:"200" doc:"The older indexed revision; the one before the newer if it is not given."`
		To   string `query:"to" maxLength:"200" doc:"The newer indexed revision; the newest if it is not given."`
	}
	op := operation(http.MethodGet, "/api/compare", "compare-revisions", "What became of the errors of a repository between two indexed revisions.", 404)
	huma.Register(a, op, func(ctx context.Context, in *input) (*body[*api.Comparison], error) {
		c, err := s.service.Compare(ctx, in.Repo, in.From, in.To)
		if err != nil {
			return nil, s.fault(err)
		}
		return answerOf(c, nil)
	})
}

// findOperation takes reports as text and as JSON. The body is read by hand: a report is any text.
func (s *Server) findOperation(a huma.API) {
	type input struct {
		ContentType string `header:"Content-Type"`
		Repo        string `query:"repo" maxLength:"300" doc:"Only this repository; for reports as text."`
		Rev         string `query:"rev" maxLength:"200" doc:"Only this indexed revision; for reports as text."`
		Limit       int    `query:"limit" minimum:"0" maximum:"100" doc:"Most candidates of an error, 10 if it is not given; for reports as text."`
		RawBody     []byte
	}
	op := operation(http.MethodPost, "/api/find", "find-error", "The sites that can have printed a report, with probability, values and verdicts; or a refusal. Nothing found is an answer.", 400, 404, 413, 415)
	op.MaxBodyBytes = s.options.MaxBody
	op.RequestBody = &huma.RequestBody{Required: true, Description: "The report.", Content: map[string]*huma.MediaType{
		"text/plain":       {Schema: &huma.Schema{Type: huma.TypeString}},
		"application/json": {Schema: a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[FindRequest](), true, "FindRequest")},
	}}
	op.SkipValidateBody = true
	huma.Register(a, op, func(ctx context.Context, in *input) (*body[*api.Answer], error) {
		q := FindRequest{Repo: in.Repo, Rev: in.Rev, Limit: in.Limit}
		media, _, err := mime.ParseMediaType(orElse(in.ContentType, "text/plain"))
		switch {
		case err == nil && media == "application/json":
			if err := json.Unmarshal(in.RawBody, &q); err != nil {
				return nil, huma.Error400BadRequest("The report is no JSON object with text: " + err.Error())
			}
		case err == nil && (strings.HasPrefix(media, "text/") || media == "application/x-www-form-urlencoded" || media == "application/octet-stream"):
			// What curl -d sends of itself is a report as text as well.
			q.Text = string(in.RawBody)
		default:
			return nil, huma.Error415UnsupportedMediaType("A report is text/plain, or application/json with text.")
		}
		if strings.TrimSpace(q.Text) == "" {
			return nil, huma.Error400BadRequest("The report is empty.")
		}
		answer, err := s.service.Find(ctx, q.Text, match.Options{Repo: q.Repo, Revision: q.Rev, Limit: min(max(q.Limit, 0), 100)})
		if err != nil {
			return nil, s.fault(err)
		}
		s.metrics.answered(answer)
		if q.ID != nil {
			// The answer is shared with others who ask the same.
			own := *answer
			own.ID = q.ID
			answer = &own
		}
		out, _ := answerOf(answer, nil)
		out.CacheControl = noStore
		return out, nil
	})
}

// describe adds the description of the API, for machines and for people.
func (s *Server) describe(mux *http.ServeMux, a huma.API) {
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oai.openapi+json;version=3.1")
		if err := encode(w, a.OpenAPI()); err != nil {
			s.notice(w, r, fmt.Errorf("describe the API: %w", err))
		}
	})
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, r *http.Request) {
		html(w)
		if err := s.web.API(w, apiView(a.OpenAPI())); err != nil {
			s.notice(w, r, err)
		}
	})
}

// apiView is the description for the page that people read.
func apiView(o *huma.OpenAPI) *web.APIView {
	out := &web.APIView{Version: o.Info.Version}
	for _, path := range []string{"/api/find", "/api/errors/{id}", "/api/errors", "/api/repos", "/api/repos/{name}/coverage", "/api/compare"} {
		item := o.Paths[path]
		if item == nil {
			continue
		}
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post} {
			if op == nil {
				continue
			}
			one := web.Operation{Method: method, Path: path, Summary: op.Summary}
			for _, p := range op.Parameters {
				if p.In == "header" {
					continue
				}
				one.Parameters = append(one.Parameters, web.Parameter{Name: p.Name, In: p.In, Type: p.Schema.Type, Text: orElse(p.Description, p.Schema.Description)})
			}
			out.Operations = append(out.Operations, one)
		}
	}
	return out
}
