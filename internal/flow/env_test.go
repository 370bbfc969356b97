package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Values that meet again and again behind branches must not grow with each meeting: what they were computed from is a set.
func TestBranchesThatAssignInTurnStaySmall(t *testing.T) {
	set := func(to string) []Stmt {
		return []Stmt{{Kind: Assign, Targets: []*expr.Expr{name("x")}, Value: name(to)}}
	}
	var body []Stmt
	for range 200 {
		body = append(body, Stmt{Kind: If, Cond: equals("a", "x"), Body: set("y"), Else: set("z")},
			Stmt{Kind: If, Cond: equals("b", "x"), Body: []Stmt{{Kind: Assign, Targets: []*expr.Expr{name("x")}, Value: name("y")}}})
	}
	body = append(body, Stmt{Kind: Raise, Site: 0})
	sites := []raise.Site{{Message: name("x")}}
	Analyze(Function{Params: []string{"a", "b", "y", "z"}, Body: body}, sites)
	if got := sites[0].Message.String(); got != "x" {
		t.Errorf("message %s", got)
	}
}
