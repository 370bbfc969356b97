package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// A name that a scope declares for itself hides one of the same name; behind the scope the outer one is meant again.
func TestScopesHideNames(t *testing.T) {
	assign := func(line int, name, value string) Stmt {
		return Stmt{Kind: Assign, Line: line, Targets: []*expr.Expr{expr.Ident(name)}, Value: expr.Str(value)}
	}
	sites := []raise.Site{{Message: name("msg")}, {Message: name("msg")}, {Message: name("other")}}
	Analyze(Function{Body: []Stmt{
		assign(1, "msg", "outer"),
		{Kind: Block, Locals: []string{"msg", "other"}, Body: []Stmt{
			assign(2, "msg", "inner"),
			assign(3, "other", "local"),
			{Kind: If, Cond: equals("msg", "inner"), Body: []Stmt{{Kind: Leave}}},
			{Kind: Raise, Site: 0, Goes: true},
		}},
		{Kind: Raise, Site: 1, Goes: true},
		{Kind: Raise, Site: 2},
	}}, sites)
	for i, want := range []string{"inner", "outer", "other"} {
		if got := sites[i].Message.Text; got != want {
			t.Errorf("site %d: %q, want %q", i, got, want)
		}
	}
	if got, want := parts(sites[1]), `exit not msg == "inner" stale msg`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
}
