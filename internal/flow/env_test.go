package flow

import (
	"strings"
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

// What the function itself assigned by the time of the raise is told from what it was given: of a name the shortest such prefix.
func TestAssignedNames(t *testing.T) {
	member := func(of, name string) *expr.Expr { return expr.New(expr.Attr, name, expr.Ident(of)) }
	less := func(a, b *expr.Expr) *expr.Expr { return expr.New(expr.Compare, "<", a, b) }
	sites := []raise.Site{{}}
	Analyze(Function{Params: []string{"given", "again"}, Body: []Stmt{
		{Kind: Assign, Targets: []*expr.Expr{expr.Ident("again")}, Value: expr.New(expr.Call, "", expr.Ident("clean"), expr.Ident("again"))},
		{Kind: Assign, Targets: []*expr.Expr{member("self", "size")}, Value: expr.Ident("given")},
		{Kind: For, Targets: []*expr.Expr{expr.Ident("item")}, Value: expr.Ident("items"), Body: []Stmt{
			{Kind: If, Cond: expr.New(expr.And, "", less(member("item", "size"), expr.Ident("given")), less(expr.Ident("again"), member("self", "size"))), Body: []Stmt{{Kind: Raise, Site: 0}}},
		}},
	}}, sites)
	if got, want := strings.Join(sites[0].Assigned, " "), "item again self.size"; got != want {
		t.Errorf("assigned %q, want %q", got, want)
	}
}
