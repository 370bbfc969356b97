package message

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// shape makes an expression of what a fuzzer gives. It has the arguments that the operation needs and may have more.
func shape(data []byte, depth int) (*expr.Expr, []byte) {
	if len(data) < 2 || depth > 60 {
		return nil, data
	}
	words := []string{"", "a", "MSG", "+", "%s of %d", "{} {a.b}", "str", "replace", "_", "%", Verbs, Percent, Brace, Util, Dollar, "!r:>5", "12", "x y"}
	e := &expr.Expr{Op: expr.Op(data[0] % uint8(expr.Error+1)), Text: words[int(data[1]>>2)%len(words)]}
	n := int(data[1] & 3)
	data = data[2:]
	for range n {
		var a *expr.Expr
		if a, data = shape(data, depth+1); a == nil {
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

// FuzzFromExpr checks that any message makes templates within their bounds that print, parse and match what they print; names may
// stand for the message itself.
func FuzzFromExpr(f *testing.F) {
	f.Add([]byte{30, 42, 2, 16, 1, 4, 30, 50, 2, 20, 1, 4, 19, 14, 1, 4, 2, 8, 2, 68})
	f.Add([]byte{23, 3, 1, 4, 28, 43, 2, 4, 29, 61, 1, 4, 1, 8, 18, 14, 2, 8, 1, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		e, rest := shape(data, 0)
		other, _ := shape(rest, 0)
		lookup := func(x *expr.Expr) *expr.Expr {
			switch x.Text {
			case "a":
				return e
			case "MSG":
				return other
			}
			return nil
		}
		all := FromExpr(e, lookup, nil)
		if len(all) > maxTexts || e != nil && len(all) == 0 {
			t.Fatalf("%d templates", len(all))
		}
		for _, tpl := range all {
			if tpl.HoleCount() > maxHoles {
				t.Fatalf("%d holes", tpl.HoleCount())
			}
			if again, err := Parse(tpl.String()); err != nil || again.String() != tpl.String() {
				t.Fatalf("%s does not parse back: %v", tpl, err)
			}
			if _, ok := tpl.Match(tpl.Print()); !ok {
				t.Fatalf("%s does not match %q", tpl, tpl.Print())
			}
		}
	})
}
