package markdown

import (
	"strings"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// full is a page with every part.
func full() *api.Page {
	backed := func(text string) []api.Sentence {
		return []api.Sentence{{Text: text, Origin: api.FromSource, Evidence: []api.Evidence{{Kind: "comment", Path: "a/kv.py", Line: 7, URL: "https://host.example/a/kv.py#L7"}}}}
	}
	return &api.Page{ID: "0123456789abcdef", Repo: "owner/name", Revision: "v1", Language: "Python", Kind: "error", Type: "ValueError",
		Template: "unexpected length {len(dst)}", Holes: []api.Hole{{Expression: "len(dst)"}},
		Summary: "`Manager.slice` refuses a list whose length fits no layout.", Meaning: backed("It cuts `dst`."),
		Sites: []api.PageSite{{Site: api.Site{Path: "a/kv.py", Line: 11, EndLine: 12, Function: "Manager.slice"},
			Excerpt:   &api.Excerpt{First: 10, Lines: []string{"if window < 0:", "    raise ValueError(", "    )"}, From: 11, To: 12},
			Condition: &api.Condition{Text: "window < 0", Parts: []api.Part{{Text: "window < 0", Verdict: "true", Shown: "-1 < 0", Line: 10}}, Solved: []api.Solved{{Quantity: "len(dst)", Accepted: "6 <= len(dst)", Range: "at least 6", Shown: "5 is one too few"}}},
			Defs:      []api.Definition{{Name: "window", Value: "len(dst) - 6", Line: 9}}, Callers: []api.Caller{{Path: "a/run.py", Line: 3, Function: "run"}}}},
		Triggers:   []api.Trigger{{Entry: "command", Name: "serve", Hops: []api.Hop{{Path: "a/run.py", Line: 3, Function: "run"}, {Path: "a/kv.py", Line: 11, Function: "Manager.slice"}}}},
		Situations: backed("fewer entries are tolerated because of padding"), Tests: []api.Test{{Path: "t/test_kv.py", Line: 5, Name: "test_short", Expects: "unexpected length"}},
		Configuration: []api.Setting{{Quantity: "len(dst)", Kind: "flag", Name: "--stages", Default: "4", Accepted: "at least 6", Through: []api.Evidence{{Path: "a/run.py", Line: 2}}}},
		Solutions:     backed("Set `--stages` to at least 6."), Check: &api.Code{Language: "Python", Text: "if len(dst) >= 6:\n    pass"}, Handler: &api.Code{Language: "Python", Text: "try:\n    f()\nexcept ValueError:\n    pass"},
		Related:   []api.Related{{Error: "fedcba9876543210", Type: "ValueError", Template: "bad kind {k}", Reason: "same function", Path: "a/kv.py", Line: 20}},
		Changes:   []api.Change{{Revision: "v1", What: "reworded", Detail: "was “bad length”"}},
		Revisions: []string{"v1"}, Provenance: api.Provenance{Indexed: time.Unix(0, 0), Origin: api.FromSource}}
}

func write(t *testing.T, page *api.Page) string {
	t.Helper()
	var b strings.Builder
	if err := Page(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageHasEveryPart(t *testing.T) {
	got := write(t, full())
	for _, want := range []string{"# `unexpected length {len(dst)}`", "owner/name · error · `ValueError` · 1 site", "`Manager.slice` refuses", "## What it means",
		"([`a/kv.py:7`](https://host.example/a/kv.py#L7))", ">    11      raise ValueError(", "- `window < 0` (line 10): **true**, `-1 < 0`", "- accepted: `6 <= len(dst)` (at least 6); 5 is one too few",
		"- `window` is `len(dst) - 6` (line 9)", "- `a/run.py:3` run", "From command `serve`:", "tolerated because of padding", "test `test_short`", "flag `--stages` sets `len(dst)`; default `4`",
		"1. Set `--stages` to at least 6.", "```python\nif len(dst) >= 6:", "## Handle it", "fedcba9876543210 `ValueError: bad kind {k}` at `a/kv.py:20`: same function", "- `v1`: reworded", "id 0123456789abcdef"} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestAbsentPartsAreAbsent(t *testing.T) {
	got := write(t, &api.Page{ID: "0123456789abcdef", Repo: "r", Kind: "error", Template: "x", Sites: []api.PageSite{{Site: api.Site{Path: "a.py", Line: 1}}}})
	for _, part := range []string{"means", "When", "Solutions", "Check", "Handle", "Related", "versions", "Where", "Called", "Raised"} {
		if strings.Contains(got, part) {
			t.Errorf("a page without evidence says %q:\n%s", part, got)
		}
	}
}

func TestTextStaysText(t *testing.T) {
	for in, want := range map[string]string{
		"a `name` *b*":          "a `name` \\*b\\*",
		"<img onerror=x>":       "&lt;img onerror=x&gt;",
		"[x](javascript:y)":     "\\[x\\](javascript:y)",
		"one ` only":            "one \\` only",
		"\x1b]0;t\x07":          "\\\\x1b\\]0;t\\\\x07",
		"`<b>` stays in a span": "`<b>` stays in a span",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Code("a `b` ``c``"); got != "``` a `b` ``c`` ```" {
		t.Errorf("Code: %q", got)
	}
	for _, bad := range []string{"javascript:alert(1)", "data:text/html,x", "", "//host/x", "ht tp://x"} {
		if got := Link("t", bad); got != "`t`" {
			t.Errorf("Link(%q) = %q", bad, got)
		}
	}
	if got := Link("t", "https://h/a(b) c"); got != "[`t`](https://h/a%28b%29%20c)" {
		t.Errorf("Link: %q", got)
	}
}
