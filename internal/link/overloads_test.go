package link

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// A call means the overload whose parameters take its arguments, and of several the one that asks for texts where texts are given.
func TestOverload(t *testing.T) {
	param := func(name, typ string) raise.Param { return raise.Param{Name: name, Type: typ} }
	f := &raise.Facts{Functions: []raise.Function{
		{Name: "Make", Params: []raise.Param{param("text", "string")}},
		{Name: "Make", Params: []raise.Param{param("text", "string"), param("cause", "Exception")}},
		{Name: "Make", Params: []raise.Param{param("text", "string"), param("name", "string")}},
		{Name: "Make", Params: []raise.Param{param("text", "string"), {Name: "rest", Variadic: true}}},
	}}
	l := &linker{files: []File{{Facts: f}}, symbols: symbols{files: []map[string]symbol{{}}, overloads: map[place][]int{{0, 0}: {1, 2, 3}}}}
	text, cause, n := expr.Str("no room"), expr.Ident("cause"), expr.New(expr.Number, "1")
	for i, c := range []struct {
		args []*expr.Expr
		want int
	}{
		{[]*expr.Expr{text}, 0},
		{[]*expr.Expr{text, cause}, 1},
		{[]*expr.Expr{text, text}, 2},
		{[]*expr.Expr{text, n, n}, 3},
		{[]*expr.Expr{text, expr.New(expr.Keyword, "name", cause)}, 2},
		{nil, 0},
	} {
		if got := l.overload(symbol{function: 0}, c.args).function; got != c.want {
			t.Errorf("case %d: overload %d, want %d", i, got, c.want)
		}
	}
	if got := l.overload(symbol{function: -1}, nil); got.function != -1 {
		t.Errorf("what is no function has overload %d", got.function)
	}
}
