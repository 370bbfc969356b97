package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// against lowers Guard.Against.X(value, name), in the words that the library of that name prints.
func against(b *lower.Body, out []flow.Stmt, n, stmt int, check string, nodes []int) ([]flow.Stmt, bool) {
	args := b.All(nodes, 0)
	value, zero, null := args[0], expr.New(expr.Number, "0"), expr.New(expr.Null, "null")
	name := expr.Str(strings.TrimSuffix(b.Text(nodes[0]), "!"))
	if len(args) > 1 && args[1].Is(expr.String) {
		name = expr.Str(args[1].Text)
	}
	compare := func(op string, other *expr.Expr) *expr.Expr { return expr.New(expr.Compare, op, value, other) }
	typ, before, words := "ArgumentException", "Required input ", ""
	var accepted *expr.Expr
	switch check {
	case "Null":
		typ, accepted = "ArgumentNullException", compare("!=", null)
	case "NullOrEmpty":
		words, accepted = " was empty.", expr.Conj(compare("!=", null), expr.New(expr.Compare, "!=", expr.New(expr.Len, "", value), zero))
	case "NullOrWhiteSpace":
		words = " was empty."
		accepted = expr.New(expr.Not, "", expr.New(expr.Call, "", expr.New(expr.Attr, "IsNullOrWhiteSpace", expr.Ident("string")), value))
	case "Negative":
		words, accepted = " cannot be negative.", compare(">=", zero)
	case "NegativeOrZero":
		words, accepted = " cannot be zero or negative.", compare(">", zero)
	case "Zero":
		words, accepted = " cannot be zero.", compare("!=", zero)
	case "OutOfRange":
		if len(args) < 4 {
			return out, false
		}
		typ, before, words = "ArgumentOutOfRangeException", "Input ", " was out of range"
		accepted = expr.Conj(compare(">=", args[2]), compare("<=", args[3]))
	default:
		return out, false
	}
	text := expr.Str(nullText)
	if words != "" {
		text = expr.New(expr.Interp, message.Plain, expr.Str(before), hole(name), expr.Str(words))
	}
	s := b.Site(raise.KindError, stmt)
	s.TypeName, s.Message = typ, parameter(text, name)
	st := b.At(flow.Assert, n)
	st.Cond = accepted
	return b.Add(b.Effects(out, nodes[0], stmt), s, st), true
}
