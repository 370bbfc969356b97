package lower

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Expr lowers an expression; nil for no node.
func (f *File) Expr(n int) *expr.Expr { return f.Lower(n, 0) }

// Lower lowers an expression at a depth of nesting; one that is nested too deeply, or not understood, is Unknown.
func (f *File) Lower(n, depth int) *expr.Expr {
	if n < 0 {
		return nil
	}
	if depth > expr.Depth {
		return &expr.Expr{Op: expr.Unknown, Src: f.Text(n)}
	}
	out := f.Dialect.Expr(f, n, depth+1)
	if out == nil {
		out = &expr.Expr{Op: expr.Unknown}
	}
	if out.Src == "" {
		out.Src = f.Text(n)
	}
	return out
}

// All lowers several expressions.
func (f *File) All(nodes []int, depth int) []*expr.Expr {
	out := make([]*expr.Expr, 0, len(nodes))
	for _, n := range nodes {
		out = append(out, f.Lower(n, depth))
	}
	return out
}

// Value lowers an expression as a value: a call that constructs an error is an error.
func (f *File) Value(n int) *expr.Expr { return f.Error(f.Expr(n)) }

// Error makes an error of a call that constructs one.
func (f *File) Error(e *expr.Expr) *expr.Expr {
	if e.Is(expr.Call) && e.Text == "new" && f.Dialect.ErrorType(e.Arg(0).Last()) {
		return &expr.Expr{Op: expr.Error, Args: append([]*expr.Expr{e.Arg(0), nil}, e.Args[1:]...), Src: e.Src}
	}
	return e
}

// Wrapped is an expression around another one that changes nothing: it keeps the outer spelling.
func (f *File) Wrapped(n, inner, depth int) *expr.Expr {
	e := f.Lower(inner, depth)
	if e == nil {
		return nil
	}
	return &expr.Expr{Op: e.Op, Text: e.Text, Args: e.Args, Src: f.Text(n)}
}

// Infix lowers an operation on two values by its operator, in the spelling that most languages share.
func (f *File) Infix(op string, left, right *expr.Expr) *expr.Expr {
	switch op {
	case "&&", "and":
		return expr.Conj(Truth(left), Truth(right))
	case "||", "or":
		return expr.Disj(Truth(left), Truth(right))
	case "??", "?:":
		return expr.New(expr.Coalesce, "", left, right)
	case "===":
		op = "=="
	case "!==", "<>":
		op = "!="
	}
	switch op {
	case "==", "!=", "<", "<=", ">", ">=", "in", "not in":
		return expr.New(expr.Compare, op, left, right)
	case "+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^", "**":
		return expr.New(expr.Binary, op, left, right)
	}
	return nil
}

// Truth marks a plain value that is used as a condition.
func Truth(e *expr.Expr) *expr.Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case expr.Compare, expr.Not, expr.TypeTest, expr.Bool, expr.Truthy:
		return e
	case expr.And, expr.Or:
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = Truth(a)
		}
		return &expr.Expr{Op: e.Op, Args: args, Src: e.Src}
	}
	return &expr.Expr{Op: expr.Truthy, Args: []*expr.Expr{e}, Src: e.Src}
}

// Number is a numeric literal without underscores and suffixes.
func Number(text string) *expr.Expr {
	if strings.ContainsAny(text, "_'") {
		text = strings.NewReplacer("_", "", "'", "").Replace(text)
	}
	if !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "0X") {
		text = strings.TrimRight(text, "lLfFdDuUmM")
	} else {
		text = strings.TrimRight(text, "lLuU")
	}
	return expr.New(expr.Number, text)
}
