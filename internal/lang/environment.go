package lang

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Environment is how source reads the process's environment.
type Environment struct {
	// Calls are the dotted paths of functions whose first argument is a variable's name, and whose second one its default.
	Calls []string
	// Tables are the dotted paths of objects that hold the variables under their names.
	Tables []string
}

// Variable is the environment variable that an expression is made of, with its default as written, nil if it has none; ok is false if
// it is made of none, or of several.
func (l *Language) Variable(e *expr.Expr) (name string, def *expr.Expr, ok bool) {
	found := 0
	e.Walk(func(x *expr.Expr) bool {
		switch {
		case x.Is(expr.Call) && slices.Contains(l.Environment.Calls, x.Arg(0).Path()) && x.Arg(1).Is(expr.String):
			name, def = x.Arg(1).Text, x.Arg(2)
		case x.Is(expr.Index) && slices.Contains(l.Environment.Tables, x.Arg(0).Path()) && x.Arg(1).Is(expr.String):
			name = x.Arg(1).Text
		case x.Is(expr.Attr) && slices.Contains(l.Environment.Tables, x.Arg(0).Path()):
			name = x.Text
		case x.Is(expr.Or) || x.Is(expr.Coalesce) || x.Is(expr.Alt):
			// a variable or else a literal
			if k := len(x.Args) - 1; k > 0 && (x.Args[k].Is(expr.Number) || x.Args[k].Is(expr.String)) {
				def = x.Args[k]
			}
			return true
		default:
			return x.Op != expr.Func
		}
		found++
		return false
	})
	return name, def, found == 1
}
