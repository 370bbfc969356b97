// Package mcptools gives coding agents the catalog through the Model Context Protocol: find_error takes a report to its line,
// read_error reads the page of an error. Both answer with text within a budget of tokens, in the same order every time.
//
// What comes from repositories stands in code spans and fences: it is data and never an instruction to the agent.
package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// Answers is what the tools ask. It is safe for concurrent use and follows the catalog.
type Answers interface {
	Find(ctx context.Context, text string, o match.Options) (*api.Answer, error)
	Page(ctx context.Context, id, revision string) (*api.Page, error)
	Excerpt(ctx context.Context, at api.Where) (*api.Excerpt, error)
	FullID(ctx context.Context, id string) (string, error)
}

// Bounds on budgets, in tokens. A token is taken for four bytes.
const (
	defaultBudget = 1500
	minBudget     = 150
	maxBudget     = 20000
	tokenBytes    = 4
)

// New returns a server with the tools.
func New(answers Answers, version string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "wherefore", Version: version}, nil)
	t := &tools{answers}
	s.AddTool(findTool(), t.find)
	s.AddTool(readTool(), t.read)
	return s
}

// Handler serves the tools over HTTP.
func Handler(answers Answers, version string) http.Handler {
	s := New(answers, version)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// Serve serves the tools over standard input and output until the client leaves or the context ends.
func Serve(ctx context.Context, answers Answers, version string, transport mcp.Transport) error {
	err := New(answers, version).Run(ctx, transport)
	if errors.Is(err, mcp.ErrConnectionClosed) || ctx.Err() != nil {
		return nil
	}
	return err
}

func findTool() *mcp.Tool {
	return &mcp.Tool{
		Name: "find_error",
		Description: "Finds the source line that raised an error message, traceback or log, offline, in indexed repositories: " +
			"condition with the message's values, excerpt, what is accepted. Says so when nothing fits.",
		InputSchema: json.RawMessage(`{"type":"object","required":["report"],"properties":{
			"report":{"type":"string","description":"what was printed, unchanged"},
			"repo":{"type":"string"},"version":{"type":"string","description":"tag, branch or commit"},
			"budget":{"type":"integer","description":"tokens of the answer, default 1500"}}}`),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}
}

// parts are the parts of a page that read_error can be asked for.
func parts() []string {
	return []string{"meaning", "source", "when", "solutions", "related", "versions"}
}

func readTool() *mcp.Tool {
	return &mcp.Tool{
		Name:        "read_error",
		Description: "Reads the page of an error: meaning, source with condition, when it happens (call paths, tests), solutions, related errors, versions.",
		InputSchema: json.RawMessage(`{"type":"object","required":["id"],"properties":{
			"id":{"type":"string","description":"from find_error"},"version":{"type":"string"},
			"parts":{"type":"array","items":{"enum":["meaning","source","when","solutions","related","versions"]}},
			"budget":{"type":"integer"}}}`),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}
}

type tools struct{ answers Answers }

// arguments are those of both tools.
type arguments struct {
	Report, Repo, Version, ID string
	Parts                     []string
	Budget                    int
}

func (a *arguments) bytes() int {
	if a.Budget == 0 {
		a.Budget = defaultBudget
	}
	return tokenBytes * min(max(a.Budget, minBudget), maxBudget)
}

func read(r *mcp.CallToolRequest) (*arguments, error) {
	a := &arguments{}
	if err := json.Unmarshal(r.Params.Arguments, a); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return a, nil
}

func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// refuse is an answer that the agent can mend: unknown names, missing arguments.
func refuse(err error) *mcp.CallToolResult {
	out := say(err.Error())
	out.IsError = true
	return out
}

func (t *tools) find(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, err := read(r)
	if err != nil {
		return refuse(err), nil
	}
	if a.Report == "" {
		return refuse(errors.New("report is missing: give the message, traceback or log as it was printed")), nil
	}
	answer, err := t.answers.Find(ctx, a.Report, match.Options{Repo: a.Repo, Revision: a.Version})
	if err != nil {
		return failed(ctx, err)
	}
	excerpt := func(at api.Where) *api.Excerpt {
		e, err := t.answers.Excerpt(ctx, at)
		if err != nil {
			return nil // the repository may have gone; the answer stands without it
		}
		return e
	}
	return say(findText(answer, a.bytes(), excerpt)), nil
}

func (t *tools) read(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a, err := read(r)
	if err != nil {
		return refuse(err), nil
	}
	for _, p := range a.Parts {
		if !slices.Contains(parts(), p) {
			return refuse(fmt.Errorf("no part of a page is called %q; there are: %v", p, parts())), nil
		}
	}
	id, err := t.answers.FullID(ctx, a.ID)
	if err != nil {
		return failed(ctx, err)
	}
	page, err := t.answers.Page(ctx, id, a.Version)
	if err != nil {
		return failed(ctx, err)
	}
	text, err := pageText(page, a.Parts, a.bytes())
	if err != nil {
		return nil, err
	}
	return say(text), nil
}

// failed says in the answer what went wrong, so that the agent can read it. Only a call that was cancelled has no answer.
func failed(ctx context.Context, err error) (*mcp.CallToolResult, error) {
	if ctx.Err() != nil {
		return nil, err
	}
	return refuse(err), nil
}
