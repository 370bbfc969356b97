package condition

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// fromBytes makes an expression of what a fuzzer gives. It has the arguments that the operation needs and may have more.
func fromBytes(data []byte, depth int) (*expr.Expr, []byte) {
	if len(data) < 2 || depth > 40 {
		return nil, data
	}
	words := []string{"", "a", "b", "<", "==", "not in", "in", "+", "-", "*", "%", "12", "-0.5", "true", "is", "1e300", "self.x", "new"}
	e := &expr.Expr{Op: expr.Op(data[0] % uint8(expr.Error+1)), Text: words[int(data[1]>>2)%len(words)]}
	n := int(data[1] & 3)
	data = data[2:]
	for range n {
		var a *expr.Expr
		if a, data = fromBytes(data, depth+1); a == nil {
			break
		}
		e.Args = append(e.Args, a)
	}
	for len(e.Args) < needs(e.Op) {
		e.Args = append(e.Args, expr.Ident("a"))
	}
	return e, data
}

func needs(op expr.Op) int {
	switch op {
	case expr.Attr, expr.Call, expr.Keyword, expr.Spread, expr.Not, expr.Unary, expr.Hole, expr.Len, expr.Truthy, expr.Format:
		return 1
	case expr.Index, expr.Entry, expr.Binary, expr.Compare, expr.Join, expr.TypeTest, expr.Error:
		return 2
	case expr.Slice, expr.Cond:
		return 3
	}
	return 0
}

// FuzzRobust checks that no expression makes any function of the package panic or run away.
func FuzzRobust(f *testing.F) {
	f.Add([]byte{17, 14, 1, 4, 2, 44, 16, 30, 1, 4}, "12")
	f.Add([]byte{18, 2, 20, 1, 17, 18, 1, 4, 1, 8, 31, 1, 1, 4}, "'abc'")
	f.Fuzz(func(t *testing.T, data []byte, printed string) {
		e, rest := fromBytes(data, 0)
		d, rest := fromBytes(rest, 0)
		q, _ := fromBytes(rest, 0)
		defs := []raise.Def{{Name: "a", Value: d}, {Name: "self.x", Value: q}}
		Say(e, nil)
		Negate(e)
		Simplify(e)
		Substitute(e, defs)
		var bindings []Binding
		for k := message.Any; k <= message.JSON; k++ {
			bindings = append(bindings, Binding{Hole: &message.Hole{Expr: q, Kind: k, Format: "%.2f"}, Value: printed})
		}
		for _, b := range bindings {
			Read(b.Value, b.Hole, dynamicRules())
		}
		parts := []raise.Part{{Role: raise.RoleExit, Expr: e, Leaves: "return"}, {Role: raise.RoleGuard, Expr: e, Stale: []string{"a"}}, {Role: raise.RoleGuard, Expr: e}}
		Judge(parts, defs, bindings, nil, dynamicRules(), func(string) bool { return true })
		Judge(parts, defs, bindings, &expr.Spelling{}, nil, nil)
		if q != nil {
			Solve(e, q, NewEnv(nil, nil))
		}
	})
}
