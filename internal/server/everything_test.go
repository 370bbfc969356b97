package server

import (
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/service"
	"github.com/wherefore-dev/wherefore/internal/web"
)

func serviceOptions() service.Options { return service.Options{Poll: 50 * time.Millisecond} }

// everything is a page with every part, filled with a report.
func everything() *web.ErrorView { return planted(func(s string) string { return s }) }

// planted is a page with every part, each text of which went through f.
func planted(f func(string) string) *web.ErrorView {
	sentences := func(text, origin string) []api.Sentence {
		return []api.Sentence{{Text: f(text), Origin: origin, Evidence: []api.Evidence{{Kind: "comment", Path: f("a/kv.py"), Line: 11, Text: f("padding may shorten the list")},
			{Kind: "commit", Commit: strings.Repeat("a", 40), Text: f("Refuse lists that are too long"), URL: f("https://host.example/commit")}}}}
	}
	excerpt := func(first, from int, lines ...string) *api.Excerpt {
		for i := range lines {
			lines[i] = f(lines[i])
		}
		return &api.Excerpt{First: first, Lines: lines, From: from, To: from}
	}
	condition := &api.Condition{Text: f("window < 0 or window > n"), Verdict: "true", Parts: []api.Part{{Text: f("kind not in {'ring'}"), Verdict: "unknown", Role: "exit", Line: 4},
		{Text: f("window < 0"), Verdict: "false", Shown: f("9 < 0"), Line: 10, Either: true}, {Text: f("window > n"), Verdict: "true", Shown: f("9 > 8"), Line: 10, Either: true}},
		Steps: []string{f("window = 15 - 6 = 9")}, Solved: []api.Solved{{Quantity: f("len(dst)"), Accepted: f("2 * full <= len(dst) <= n + 2 * full"), Range: "6 to 14", Shown: "15 is one too many"},
			{Quantity: f("len(dst)"), Accepted: f("len(dst) == half"), Range: "exactly 8", Leaves: "return", Line: 7}, {Quantity: f("port"), Accepted: f("1 <= port <= 65535"), Range: "1 to 65535"}}}
	site := api.PageSite{Site: api.Site{Path: f("a/kv.py"), Line: 11, EndLine: 11, Function: f("Manager.slice"), FileKind: "product", URL: f("https://host.example/a/kv.py#L11"),
		Via: &api.Place{Path: f("a/via.py"), Line: 2, Function: f("via")}, Returned: []api.Place{{Path: f("a/back.py"), Line: 3}}},
		Doc: f("Cut the destination list."), Excerpt: excerpt(10, 11, "if window < 0 or window > n:", "    raise ValueError(f'unexpected length {len(dst)}')", "return dst[window:]"), Condition: condition,
		Defs:    []api.Definition{{Name: f("window"), Value: f("len(dst) - 2 * full"), Line: 9}},
		Callers: []api.Caller{{Path: f("a/run.py"), Line: 3, Function: f("run")}, {Path: f("a/other.py"), Line: 8, Function: f("loop"), How: f("the only method of that name")}}}
	second := site
	second.Line, second.Excerpt = 90, nil
	page := &api.Page{ID: "0123456789abcdef", Repo: f("owner/name"), Revision: f("v1.2"), Language: "Python", Kind: "error", Type: f("ValueError"), Template: f("unexpected length {len(dst)}; expected {n}"),
		Holes: []api.Hole{{Expression: f("len(dst)"), Looks: "int"}, {Expression: f("n"), Format: f("%d")}}, Summary: f("`Manager.slice` refuses a list whose length fits no layout of the stages."),
		Meaning: sentences("It cuts `dst` to the stages of this side, and refuses what fits none.", api.FromSource), Sites: []api.PageSite{site, second},
		Triggers:      []api.Trigger{{Entry: "command", Name: f("serve --stages"), Hops: []api.Hop{{Path: f("a/cli.py"), Line: 1, Function: f("main")}, {Path: f("a/run.py"), Line: 3, Function: f("run")}, {Path: f("a/kv.py"), Line: 11, Function: f("Manager.slice")}}}},
		Situations:    sentences("A comment beside the check says that padding may shorten the list.", api.Reviewed),
		Tests:         []api.Test{{Path: f("t/test_kv.py"), Line: 5, Name: f("test_short"), Expects: f("unexpected length"), URL: f("https://host.example/t#L5"), Excerpt: excerpt(4, 5, "def test_short():", "    with raises(ValueError):", "        slice([])")}},
		Configuration: []api.Setting{{Quantity: f("len(dst)"), Kind: f("flag"), Name: f("--stages"), Default: f("4"), Accepted: f("at least 6"), Through: []api.Evidence{{Kind: f("call"), Path: f("a/run.py"), Line: 2, Text: f("run(args.stages)")}}}},
		Solutions:     sentences("Set `--stages` to at least 6.", api.Assisted), Check: &api.Code{Language: "Python", Text: f("if len(dst) >= 6:\n    pass"), Origin: api.FromSource},
		Handler:   &api.Code{Language: "Python", Text: f("try:\n    f()\nexcept ValueError:\n    pass"), Origin: api.FromSource},
		Related:   []api.Related{{Error: "fedcba9876543210", Type: f("ValueError"), Template: f("bad kind {k}"), Reason: f("the same function raises it"), Path: f("a/kv.py"), Line: 20}},
		Changes:   []api.Change{{Revision: f("v1.2"), What: "reworded", Detail: f("was “bad length {n}”")}, {Revision: f("v1.1"), What: "condition", Detail: f("`window > n` came in")}, {Revision: f("v1.0"), What: "added"}},
		Revisions: []string{f("v1.2"), f("v1.1"), f("v1.0")}, Provenance: api.Provenance{Commit: strings.Repeat("b", 40), Indexed: time.Unix(1e9, 0), Origin: api.Assisted}}
	page.Solutions[0].Stale = true
	message := f("unexpected length 15; expected 8")
	c := &api.Candidate{Error: page.ID, Path: site.Path, Line: 11, Bindings: []api.Binding{{Expression: f("len(dst)"), Value: f("15"), Span: [2]int{len(message) - 2, len(message)}}}, Condition: condition}
	return &web.ErrorView{Page: page, Report: message, Observation: &api.Observation{Message: message, Candidates: []api.Candidate{*c}}, Candidate: c,
		Line: func(string, int) string { return f("https://host.example/line") }, Issue: f("https://host.example/issues/new")}
}
