package flow

import (
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func name(s string) *expr.Expr { return expr.Ident(s) }

func equals(a, b string) *expr.Expr { return expr.New(expr.Compare, "==", name(a), expr.Str(b)) }

// parts prints a condition in one line.
func parts(s raise.Site) string {
	var out []string
	for _, p := range s.Condition {
		text := string(p.Role) + " " + p.Text
		if p.Expr != nil {
			text = string(p.Role) + " " + p.Expr.String()
		}
		if len(p.Stale) > 0 {
			text += " stale " + strings.Join(p.Stale, ",")
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// What held where a function value was made holds in it, with the names that may have changed since marked; texts come through
// the names that keep their value.
func TestClosureKnowsWhereItWasMade(t *testing.T) {
	sites := []raise.Site{{Message: name("msg")}, {Message: name("last")}}
	var makes []*expr.Expr
	body := []Stmt{
		{Kind: If, Line: 1, Cond: equals("mode", "off"), Body: []Stmt{{Kind: Leave}}},
		{Kind: Assign, Line: 2, Targets: []*expr.Expr{name("msg")}, Value: expr.Str("it is on")},
		{Kind: Assign, Line: 3, Targets: []*expr.Expr{name("last")}, Value: expr.Str("first")},
		{Kind: Closure, Line: 4, Keeps: func(path string) bool { return path == "msg" }, Targets: []*expr.Expr{name("data")}, Makes: &makes, Body: []Stmt{
			{Kind: If, Line: 5, Cond: equals("data", "x"), Body: []Stmt{{Kind: Raise, Site: 0}}},
			{Kind: Raise, Site: 1, Goes: true},
			{Kind: Leave, Value: expr.Str("made")},
		}},
	}
	if out := Analyze(Function{Params: []string{"mode"}, Body: body}, sites); len(out) != 0 {
		t.Errorf("the closure's results are given to the function around it: %v", out)
	}
	if got, want := parts(sites[0]), `after not mode == "off" stale mode; guard data == "x"`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
	if got := sites[0].Message.Text; got != "it is on" {
		t.Errorf("message %q", got)
	}
	if got := sites[1].Message.String(); got != "last" {
		t.Errorf("a name that does not keep its value gave %s", got)
	}
	if len(makes) != 1 || makes[0].Text != "made" {
		t.Errorf("makes %v", makes)
	}
}

func TestHoistedClosureHasNoConditionOfItsPlace(t *testing.T) {
	sites := []raise.Site{{}}
	Analyze(Function{Body: []Stmt{
		{Kind: If, Cond: equals("a", "b"), Body: []Stmt{{Kind: Leave}}},
		{Kind: Closure, Hoisted: true, Body: []Stmt{{Kind: Raise, Site: 0}}},
	}}, sites)
	if got := parts(sites[0]); got != "" {
		t.Errorf("condition %q", got)
	}
}

// An arm that goes on into the next one brings its own value along; a break in the middle of an arm leaves the switch alone.
func TestSwitchArmsFallAndBreak(t *testing.T) {
	sites := []raise.Site{{}, {Message: name("m")}}
	say := func(s string) Stmt {
		return Stmt{Kind: Assign, Targets: []*expr.Expr{name("m")}, Value: expr.Str(s)}
	}
	Analyze(Function{Params: []string{"x", "y"}, Body: []Stmt{{Kind: While, Body: []Stmt{
		{Kind: Switch, Value: name("x"), Breaks: true, Cases: []Case{
			{Values: []*expr.Expr{expr.Str("a")}, Falls: true, Body: []Stmt{say("one")}},
			{Values: []*expr.Expr{expr.Str("b")}, Body: []Stmt{
				{Kind: Raise, Site: 0, Goes: true},
				{Kind: If, Cond: equals("y", "q"), Body: []Stmt{{Kind: Leave, Leaves: Break}}},
				say("two"),
			}},
		}},
		{Kind: Raise, Site: 1},
	}}}}, sites)
	if got, want := parts(sites[0]), `loop repeatedly; case x == "a" or x == "b"`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
	if got := sites[1].Message.String(); got != "m" {
		t.Errorf("message %s: the break before the assignment was not seen", got)
	}
}

func TestRaisedLocalSaysWhereItWasMade(t *testing.T) {
	made := expr.New(expr.Error, "", name("Error"), expr.Str("no"), expr.Str("no"))
	sites := []raise.Site{{Kind: raise.KindReraise, Line: 9}}
	Analyze(Function{Body: []Stmt{
		{Kind: Assign, Line: 7, Targets: []*expr.Expr{name("err")}, Value: made},
		{Kind: Raise, Line: 9, Site: 0, Value: name("err")},
	}}, sites)
	if s := sites[0]; s.Made != 7 || s.Kind != raise.KindError || s.Message.Text != "no" {
		t.Errorf("made on %d, %s, %v", s.Made, s.Kind, s.Message)
	}
}

// What was asked where a closure was made is known in it, but decides nothing there.
func TestBranchAroundAClosureIsNoGuard(t *testing.T) {
	sites := []raise.Site{{}}
	Analyze(Function{Params: []string{"mode"}, Body: []Stmt{
		{Kind: If, Line: 1, Cond: equals("mode", "on"), Body: []Stmt{
			{Kind: Closure, Line: 2, Keeps: func(string) bool { return true }, Body: []Stmt{{Kind: Raise, Site: 0}}},
		}},
	}}, sites)
	if got, want := parts(sites[0]), `branch mode == "on"`; got != want {
		t.Errorf("condition %q, want %q", got, want)
	}
}

// An error that is only made, and not returned by the same line, does not leave the function there.
func TestKeptErrors(t *testing.T) {
	sites := []raise.Site{{Kind: raise.KindError}, {Kind: raise.KindError}, {Kind: raise.KindError}, {Kind: raise.KindLog}}
	Analyze(Function{Body: []Stmt{
		{Kind: Raise, Line: 1, Site: 0, Goes: true},
		{Kind: If, Line: 2, Cond: equals("a", "b"), Body: []Stmt{{Kind: Raise, Line: 3, Site: 1, Goes: true}, {Kind: Leave, Line: 3}}},
		{Kind: Raise, Line: 4, Site: 3, Goes: true},
		{Kind: Raise, Line: 5, Site: 2},
	}}, sites)
	for i, want := range []bool{true, false, false, false} {
		if sites[i].Kept != want {
			t.Errorf("site %d: kept %v", i, sites[i].Kept)
		}
	}
}
