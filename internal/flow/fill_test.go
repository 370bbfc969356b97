package flow

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
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
