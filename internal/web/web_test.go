package web

import (
	"strings"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
)

func renderer(t *testing.T) *Renderer {
	t.Helper()
	r, err := New(Options{Links: Links{Origin: "https://why.example"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// full is a page with every part.
func full() *api.Page {
	backed := func(text string) []api.Sentence {
		return []api.Sentence{{Text: text, Origin: api.FromSource, Evidence: []api.Evidence{{Kind: "comment", Path: "a/kv.py", Line: 11, Text: "padding may shorten it"}, {Kind: "commit", Commit: strings.Repeat("a", 40), URL: "https://host.example/c"}}}}
	}
	return &api.Page{ID: "0123456789abcdef", Repo: "owner/name", Revision: "v1", Language: "Python", Kind: "error", Type: "ValueError",
		Template: "unexpected length {len(dst)}; expected {n}", Holes: []api.Hole{{Expression: "len(dst)"}, {Expression: "n", Format: "%d", Looks: "int"}},
		Summary: "`Manager.slice` refuses a list whose length fits no layout.", Meaning: backed("It cuts `dst`."),
		Sites: []api.PageSite{{Site: api.Site{Path: "a/kv.py", Line: 11, EndLine: 12, Function: "Manager.slice", FileKind: "product", URL: "https://host.example/a/kv.py#L11"},
			Excerpt: &api.Excerpt{First: 10, Lines: []string{"if window < 0:", "    raise ValueError(", "    )"}, From: 11, To: 12},
			Condition: &api.Condition{Text: "window < 0 or window > n", Parts: []api.Part{{Text: "kind", Role: "exit", Line: 4}, {Text: "window < 0", Verdict: "false", Shown: "9 < 0", Line: 10, Either: true}, {Text: "window > n", Verdict: "true", Shown: "9 > 8", Line: 10, Either: true}},
				Steps:  []string{"window = 15 - 6 = 9"},
				Solved: []api.Solved{{Quantity: "len(dst)", Accepted: "2 * full <= len(dst) <= n + 2 * full", Range: "6 to 14", Shown: "15 is one too many"}, {Quantity: "len(dst)", Accepted: "len(dst) == half", Range: "exactly 8", Leaves: "return", Line: 7}}},
			Defs: []api.Definition{{Name: "window", Value: "len(dst) - 2 * full", Line: 9}}, Callers: []api.Caller{{Path: "a/run.py", Line: 3, Function: "run"}, {Path: "a/other.py", Line: 8, Function: "loop", How: "the only method of that name"}}}},
		Triggers:      []api.Trigger{{Entry: "command", Name: "serve", Hops: []api.Hop{{Path: "a/cli.py", Line: 1, Function: "main"}, {Path: "a/run.py", Line: 3, Function: "run"}, {Path: "a/kv.py", Line: 11, Function: "Manager.slice"}}}},
		Situations:    backed("fewer entries are tolerated because of padding"),
		Tests:         []api.Test{{Path: "t/test_kv.py", Line: 5, Name: "test_short", Expects: "unexpected length", URL: "https://host.example/t#L5", Excerpt: &api.Excerpt{First: 4, Lines: []string{"def test_short():", "    with raises(ValueError):"}, From: 5, To: 5}}},
		Configuration: []api.Setting{{Quantity: "len(dst)", Kind: "flag", Name: "--stages", Default: "4", Accepted: "at least 6", Through: []api.Evidence{{Kind: "call", Path: "a/run.py", Line: 2}}}},
		Solutions:     backed("Set `--stages` to at least 6."), Check: &api.Code{Language: "Python", Text: "if len(dst) >= 6:\n    pass", Origin: api.FromSource}, Handler: &api.Code{Language: "Python", Text: "try:\n    f()\nexcept ValueError:\n    pass", Origin: api.Reviewed},
		Related:   []api.Related{{Error: "fedcba9876543210", Type: "ValueError", Template: "bad kind {k}", Reason: "same function", Path: "a/kv.py", Line: 20}},
		Changes:   []api.Change{{Revision: "v1", What: "reworded", Detail: "was “bad length”"}, {Revision: "v0", What: "added"}},
		Revisions: []string{"v1", "v0"}, Provenance: api.Provenance{Commit: strings.Repeat("b", 40), Indexed: time.Unix(1e9, 0), Origin: api.FromSource}}
}

func errorHTML(t *testing.T, v *ErrorView) string {
	t.Helper()
	var b strings.Builder
	if err := renderer(t).Error(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestErrorPageHasEveryPart(t *testing.T) {
	got := errorHTML(t, &ErrorView{Page: full(), Issue: "https://host.example/issues/new", Line: func(path string, line int) string { return "https://host.example/" + path }})
	for part, want := range map[string]string{
		"message with holes": `unexpected length <span class="hole" title="a value">len(dst)</span>; expected <span class="hole" title="looks like: int, printed with %d">n</span>`,
		"summary":            `<p class="summary"><code>Manager.slice</code> refuses`,
		"meaning":            "It cuts <code>dst</code>.",
		"evidence":           `<a href="#s0-11">kv.py:11</a><span class="tip" role="note">comment at a/kv.py<q>padding may shorten it</q>`,
		"commit":             `<a href="https://host.example/c" rel="noopener">aaaaaaaaaaaa</a>`,
		"raise":              `<span class="l raise" id="s0-11"><a class="n" href="https://host.example/a/kv.py"`,
		"verdict":            `<li class="part true fired"><span class="mark"><span aria-hidden="true">✓</span>`,
		"arithmetic":         "9 &gt; 8",
		"role":               `<span class="role">passed: </span><code>kind</code>`,
		"step":               "where <code>window = 15 - 6 = 9</code>",
		"accepted":           "15 is one too many",
		"number line":        `<svg viewBox="0 0 640`,
		"definition":         "<code>len(dst) - 2 * full</code>",
		"call":               `<text class="name" x="10" y="18">run</text>`,
		"entry":              `<text class="entry" x="2" y="-6">command serve</text>`,
		"unsure call":        `<path class="edge unsure"`,
		"situation":          "tolerated because of padding",
		"test":               "<code>test_short</code>",
		"setting":            "<code>--stages</code>",
		"solution":           "Set <code>--stages</code> to at least 6.",
		"check":              `data-copy="if len(dst) &gt;= 6:`,
		"related":            `<a href="/errors/fedcba9876543210">`,
		"timeline":           `<li class="reworded">`,
		"issue":              `href="https://host.example/issues/new"`,
		"canonical":          `<link rel="canonical" href="https://why.example/errors/0123456789abcdef">`,
		"data":               `href="/errors/0123456789abcdef.json"`,
		"provenance":         "from the source alone",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: missing %q", part, want)
		}
	}
	if len(got) > 100<<10 {
		t.Errorf("the page has %d bytes", len(got))
	}
}

func TestAbsentPartsAreAbsent(t *testing.T) {
	got := errorHTML(t, &ErrorView{Page: &api.Page{ID: "0123456789abcdef", Repo: "r", Kind: "panic", Unknown: "the message is a value", Sites: []api.PageSite{{Site: api.Site{Path: "a.py", Line: 1}}}}})
	for _, part := range []string{"What it means", "When it happens", "What to do", "Related", "In other versions", "Call paths", "Raised when", "Why it fired", "Your report", "Report an issue", "On this page"} {
		if strings.Contains(got, part) {
			t.Errorf("a page without evidence says %q", part)
		}
	}
}

func TestReportFillsThePage(t *testing.T) {
	page := full()
	c := &api.Candidate{Error: page.ID, Path: "a/kv.py", Line: 11, Bindings: []api.Binding{{Expression: "len(dst)", Value: "15", Span: [2]int{18, 20}}, {Expression: "n", Value: "8", Span: [2]int{31, 32}}},
		Condition: page.Sites[0].Condition}
	o := &api.Observation{Message: "unexpected length 15; expected 8", Candidates: []api.Candidate{*c}}
	got := errorHTML(t, &ErrorView{Page: page, Report: o.Message, Observation: o, Candidate: c})
	for _, want := range []string{`unexpected length <span class="hole" title="len(dst)">15</span>; expected <span class="hole" title="n">8</span>`, "Why it fired", `<meta name="robots" content="noindex">`} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q", want)
		}
	}
}
