package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// What a function returns is written in terms of its parameters: callers do not see its local names.
func TestResultsNameNoLocals(t *testing.T) {
	call := expr.New(expr.Call, "", name("clean"), name("x"))
	text := expr.New(expr.Interp, "", expr.Str("bad "), expr.New(expr.Hole, "", name("y")))
	made := Analyze(Function{Params: []string{"x"}, Body: []Stmt{
		{Kind: Assign, Targets: []*expr.Expr{name("y")}, Value: call},
		{Kind: Leave, Value: text},
	}}, nil)
	if len(made) != 1 || made[0].String() != `"bad {clean(x)}"` {
		t.Errorf("got %v", made)
	}
}

// An error that a function returns is made of what its parameters hold by then, in terms of what they were given; of both branches of a
// conditional.
func TestResultsOfRewrittenParameters(t *testing.T) {
	failure := func(text *expr.Expr) *expr.Expr { return expr.New(expr.Error, "", name("E"), nil, text) }
	call := expr.New(expr.Call, "", name("extend"), name("x"))
	for want, body := range map[string][]Stmt{
		`E(extend(x))`: {set("x", call), {Kind: Leave, Value: failure(name("x"))}},
		`E(x)`:         {{Kind: Leave, Value: failure(name("x"))}},
	} {
		made := Analyze(Function{Params: []string{"x"}, Body: body}, nil)
		if len(made) != 1 || made[0].String() != want {
			t.Errorf("got %v, want %s", made, want)
		}
	}
	either := expr.New(expr.Cond, "", name("x"), failure(expr.Str("one")), failure(expr.Str("two")))
	if made := Analyze(Function{Params: []string{"x"}, Body: []Stmt{{Kind: Leave, Value: either}}}, nil); len(made) != 2 {
		t.Errorf("a conditional makes %v", made)
	}
}

// messageAt analyzes a function of parameters p and q and returns the message of its only site.
func messageAt(body []Stmt, grow func(string, []*expr.Expr, []*expr.Expr) []*expr.Expr) string {
	sites := []raise.Site{{Message: name("m")}}
	Analyze(Function{Params: []string{"p", "q", "m"}, Body: append(body, Stmt{Kind: Raise, Site: 0}), Grow: grow}, sites)
	return sites[0].Message.String()
}

func set(to string, value *expr.Expr) Stmt {
	return Stmt{Kind: Assign, Targets: []*expr.Expr{name(to)}, Value: value}
}

// A parameter that one branch replaces by a text is that text or what it was on entry, and a text can be added to it.
func TestParameterOrText(t *testing.T) {
	quoted := expr.New(expr.Interp, "", expr.Str("<"), expr.New(expr.Hole, "", name("m")), expr.Str(">"))
	for _, c := range []struct {
		what string
		body []Stmt
		want string
	}{
		{"replaced", []Stmt{{Kind: If, Cond: name("q"), Body: []Stmt{set("m", quoted)}}}, `"<{m}>" | m`},
		{"replaced otherwise", []Stmt{{Kind: If, Cond: name("q"), Else: []Stmt{set("m", quoted)}}}, `"<{m}>" | m`},
		{"added to", []Stmt{{Kind: Assign, Targets: []*expr.Expr{name("m")}, Op: "+", Value: expr.Str(" at all")}}, `m + " at all"`},
		{"replaced by a number", []Stmt{{Kind: If, Cond: name("q"), Body: []Stmt{set("m", expr.New(expr.Number, "1"))}}}, `m`},
	} {
		if got := messageAt(c.body, nil); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// An error keeps the text it was made with: a name in it that has another value since is not put in again.
func TestMadeErrorKeepsItsText(t *testing.T) {
	text := expr.New(expr.Interp, "", expr.New(expr.Hole, "", name("p")), expr.Str("!"))
	sites := []raise.Site{{}}
	Analyze(Function{Params: []string{"p"}, Body: []Stmt{
		set("e", expr.New(expr.Error, "", name("E"), text)),
		set("p", expr.Str("another")),
		{Kind: Raise, Site: 0, Value: name("e")},
	}}, sites)
	if got := sites[0].Message.String(); got != `"{p}!"` {
		t.Errorf("message %s", got)
	}
}

// A list of known elements is followed while it grows, not in a loop.
func TestGrowingList(t *testing.T) {
	add := func(method string, list, args []*expr.Expr) []*expr.Expr {
		if method != "add" {
			return nil
		}
		return append(list[:len(list):len(list)], args...)
	}
	list := set("m", expr.New(expr.List, "", expr.Str("a")))
	call := func(method string) Stmt {
		return Stmt{Kind: Do, Value: expr.New(expr.Call, "", expr.New(expr.Attr, method, name("m")), name("p"))}
	}
	for _, c := range []struct {
		what string
		body []Stmt
		want string
	}{
		{"grows", []Stmt{list, call("add")}, `["a", p]`},
		{"grows in a branch", []Stmt{list, {Kind: If, Cond: name("q"), Body: []Stmt{call("add")}}}, `["a", p] | ["a"]`},
		{"grows in a loop", []Stmt{list, {Kind: While, Cond: name("q"), Body: []Stmt{call("add")}}}, `m`},
		{"changed otherwise", []Stmt{list, call("sort")}, `m`},
	} {
		if got := messageAt(c.body, add); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
