package condition

import (
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// Binding is a value that a message printed.
type Binding struct {
	Hole  *message.Hole
	Value string
	// Unsure says that the value may be another: the message was cut inside it, or could be laid along the template in other ways.
	Unsure bool
}

// Bindings pairs the holes of a template with what a match of it found. In an ambiguous match no value is sure.
func Bindings(t message.Template, m message.Match) []Binding {
	holes := t.Holes()
	out := make([]Binding, 0, len(m.Bindings))
	for _, b := range m.Bindings {
		if b.Hole < 0 || b.Hole >= len(holes) {
			continue
		}
		h := holes[b.Hole]
		out = append(out, Binding{Hole: h, Value: b.Value, Unsure: b.Cut || m.Ambiguous})
	}
	return out
}

// Bind puts the values of a message in. A value that is unsure, or that a function gave which need not give it again, shows what may
// have been, but never makes a condition false.
func (v *Env) Bind(bindings []Binding) {
	for _, b := range bindings {
		h := b.Hole
		if h == nil || h.Expr == nil || h.Kind == message.Enum {
			continue
		}
		if e, ok := typeName(h); ok {
			if !b.Unsure {
				v.SetType(e, b.Value)
			}
			continue
		}
		r := Read(b.Value, h, v.rules)
		if b.Unsure || !pure(h.Expr, v.rules) {
			r.Other = append(r.Other, Value{})
		}
		v.set(h.Expr, r)
	}
	v.Deduce()
}

// typeName is the expression whose type's name a hole prints.
func typeName(h *message.Hole) (*expr.Expr, bool) {
	e := h.Expr
	if e.Is(expr.Attr) && (e.Text == "__name__" || e.Text == "__qualname__" || e.Text == "name") {
		switch owner := e.Arg(0); {
		case owner.Is(expr.Call) && owner.Arg(0).Last() == "type" && len(owner.Args) == 2:
			return owner.Arg(1), true
		case owner.Is(expr.Attr) && (owner.Text == "__class__" || owner.Text == "constructor"):
			return owner.Arg(0), true
		}
	}
	if e.Is(expr.Unary) && e.Text == "typeof" {
		return e.Arg(0), true
	}
	if e.Is(expr.Call) && e.Arg(0).Last() == "typeof" && len(e.Args) == 2 {
		return e.Arg(1), true
	}
	return e, h.Kind == message.Type
}
