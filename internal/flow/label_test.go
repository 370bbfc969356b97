package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// A label is reached from every jump to it: what was passed or assigned on the way past the jumps says nothing there.
func TestLabelsAreReachedFromAnywhere(t *testing.T) {
	sites := []raise.Site{{Message: name("msg")}}
	leave := []Stmt{{Kind: Leave}}
	Analyze(Function{Params: []string{"a", "b", "c"}, Body: []Stmt{
		{Kind: If, Cond: equals("a", "x"), Body: []Stmt{
			{Kind: Assign, Targets: []*expr.Expr{name("msg")}, Value: expr.Str("first")},
			{Kind: If, Cond: equals("b", "y"), Body: []Stmt{{Kind: Leave, Leaves: Throw}}},
			{Kind: If, Cond: equals("c", "z"), Body: leave},
			{Kind: Leave},
			{Kind: Label},
			{Kind: Raise, Site: 0},
		}},
	}}, sites)
	if got, want := parts(sites[0]), `guard a == "x"`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
	if got := sites[0].Message.String(); got != "msg" {
		t.Errorf("message %q", got)
	}
}
