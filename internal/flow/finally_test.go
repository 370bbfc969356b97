package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Final statements run also where the body was left before it assigned: they know nothing of it. Behind them it did assign.
func TestFinalStatementsKnowNothingOfTheBody(t *testing.T) {
	sites := []raise.Site{{Message: name("m")}, {Message: name("m")}}
	say := func(s string) []Stmt {
		return []Stmt{{Kind: Assign, Targets: []*expr.Expr{name("m")}, Value: expr.Str(s)}}
	}
	body := append(say("before"), Stmt{Kind: Try, Body: say("within"), Final: []Stmt{{Kind: Raise, Site: 0, Goes: true}}},
		Stmt{Kind: Raise, Site: 1})
	Analyze(Function{Body: body}, sites)
	if got := sites[0].Message.String(); got != "m" {
		t.Errorf("in the final statements: %s", got)
	}
	if got := sites[1].Message.Text; got != "within" {
		t.Errorf("behind them: %q", got)
	}
}

// A loop that an inner loop leaves may end while its condition holds.
func TestLoopThatIsLeftFromWithin(t *testing.T) {
	sites := []raise.Site{{}}
	loop := Stmt{Kind: While, Cond: equals("a", "x"), Breaks: true, Body: []Stmt{
		{Kind: While, Body: []Stmt{{Kind: If, Cond: equals("b", "y"), Body: []Stmt{{Kind: Leave, Leaves: Break}}}}},
	}}
	Analyze(Function{Params: []string{"a", "b"}, Body: []Stmt{loop, {Kind: Raise, Site: 0}}}, sites)
	if got := parts(sites[0]); got != "" {
		t.Errorf("condition %q", got)
	}
}
