package condition

import "github.com/wherefore-dev/wherefore/internal/expr"

// value is what e is known to be.
func (v *view) value(e *expr.Expr) Value {
	defer func() { v.depth-- }()
	if !v.enter() || e == nil {
		return Value{}
	}
	if value, ok := v.bound(e); ok {
		return value
	}
	switch e.Op {
	case expr.Number:
		n, _ := parseNumber(e.Text)
		return n
	case expr.String:
		return TextOf(e.Text)
	case expr.Bool:
		return BoolOf(e.Text == "true")
	case expr.Null:
		return NullOf(e.Text)
	case expr.Name, expr.Attr:
		return v.defined(e)
	case expr.List, expr.Tuple, expr.Set, expr.Map:
		return v.list(e)
	case expr.Len:
		return v.length(e.Arg(0))
	case expr.Unary:
		out := unary(e.Text, v.value(e.Arg(0)))
		if e.Arg(0).Is(expr.Number) {
			return out
		}
		return v.kept("-", out)
	case expr.Binary:
		if len(e.Args) == 2 {
			return v.arithmetic(e.Text, v.value(e.Args[0]), v.value(e.Args[1]))
		}
	case expr.Call:
		return v.call(e)
	case expr.Index:
		return v.index(e)
	}
	return v.decided(e)
}

// defined is what a name was computed from.
func (v *view) defined(e *expr.Expr) Value {
	d, path := v.definition(e)
	if d == nil {
		return Value{}
	}
	v.active = append(v.active, path)
	defer func() { v.active = v.active[:len(v.active)-1] }()
	out := v.value(d)
	if out.Kind == Sequence && d.Op != expr.Tuple {
		// A list that has a name may have got other elements since.
		out.open = true
	}
	return out
}

// decided is the value of an expression whose value hangs on a condition.
func (v *view) decided(e *expr.Expr) Value {
	switch e.Op {
	case expr.Cond:
		switch v.test(e.Arg(0)) {
		case True:
			return v.value(e.Arg(1))
		case False:
			return v.value(e.Arg(2))
		}
	case expr.Coalesce:
		for _, a := range e.Args {
			x := v.value(a)
			if x.Kind != Null {
				return x
			}
		}
	case expr.Or:
		for i, a := range e.Args {
			x := v.value(a)
			switch v.env.rules.holds(x) {
			case True:
				return x
			case False:
				if i == len(e.Args)-1 {
					return x
				}
			default:
				return Value{}
			}
		}
	case expr.Compare, expr.Not, expr.TypeTest:
		switch v.test(e) {
		case True:
			return BoolOf(true)
		case False:
			return BoolOf(false)
		}
	}
	return Value{}
}

// list is a literal list. Elements that are not known are Opaque in it.
func (v *view) list(e *expr.Expr) Value {
	elems := make([]Value, 0, len(e.Args))
	for _, a := range e.Args {
		switch a.Op {
		case expr.Spread:
			return Value{}
		case expr.Keyword:
			elems = append(elems, TextOf(a.Text))
		case expr.Entry:
			elems = append(elems, v.value(a.Arg(0)))
		default:
			elems = append(elems, v.value(a))
		}
	}
	out := ListOf(elems...)
	if e.Op == expr.Set || e.Op == expr.Map {
		out.text = unordered
	}
	return out
}

// length is the length of a text or list that is known as a whole. A set may hold equal elements once, which its literal does not show.
func (v *view) length(e *expr.Expr) Value {
	x := v.value(e)
	switch x.Kind {
	case Text:
		if ascii(x.text) || v.env.rules.CountsBytes {
			return IntOf(int64(len(x.text)))
		}
	case Sequence:
		if !x.open && (x.text != unordered || e.Is(expr.Map)) {
			return IntOf(int64(x.size))
		}
	}
	return Value{}
}

// index is an element of a list or of a table at a known place.
func (v *view) index(e *expr.Expr) Value {
	if e.Arg(0).Is(expr.Map) {
		k := v.value(e.Arg(1))
		for _, a := range e.Arg(0).Args {
			if a.Is(expr.Keyword) && k.Kind == Text && k.text == a.Text {
				return v.value(a.Arg(0))
			}
		}
		return Value{}
	}
	list, at := v.value(e.Arg(0)), v.value(e.Arg(1))
	n, ok := at.Int()
	if !ok || list.Kind != Sequence || list.open || list.text == unordered || !n.IsInt64() {
		return Value{}
	}
	if i := n.Int64(); i >= 0 && i < int64(len(list.elems)) {
		return list.elems[i]
	}
	return Value{}
}
