package condition

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// typeOf is the name of the type of e's value, if a message printed it.
func (v *view) typeOf(e *expr.Expr) (string, bool) {
	if len(v.env.types) == 0 || e == nil || len(v.stale) > 0 && mentions(e, v.stale) {
		return "", false
	}
	name, ok := v.env.types[v.env.key(e)]
	return name, ok
}

// typeTest is the verdict on a value having one of several types: by the name of its type if the message printed that, otherwise by
// what the value looks like.
func (v *view) typeTest(e *expr.Expr) Verdict {
	if len(e.Args) < 2 {
		return Unknown
	}
	var names []string
	for _, t := range e.Args[1:] {
		for _, alternative := range members(t) {
			name := alternative.Last()
			if alternative.Is(expr.String) {
				name = alternative.Text
			}
			if name == "" {
				return Unknown
			}
			names = append(names, name)
		}
	}
	if name, ok := v.typeOf(e.Arg(0)); ok {
		return v.env.rules.typeIs(name, names)
	}
	out := v.env.rules.kindIs(v.value(e.Arg(0)), names)
	if out == True && v.negated {
		// A value of another type may print the same, which is why this was raised.
		return Unknown
	}
	return out
}

// members opens a tuple of types.
func members(e *expr.Expr) []*expr.Expr {
	if e.Is(expr.Tuple) || e.Is(expr.List) {
		return e.Args
	}
	return []*expr.Expr{e}
}

// typeIs compares the name of a type with those asked for. Another name may be a type that extends one of them, unless both are the
// language's own.
func (r *Rules) typeIs(name string, asked []string) Verdict {
	if slices.Contains(asked, name) {
		return True
	}
	own, ok := r.Types[name]
	if !ok {
		return Unknown
	}
	for _, a := range asked {
		other, ok := r.Types[a]
		if !ok {
			return Unknown
		}
		for _, k := range own {
			if slices.Contains(other, k) {
				return Unknown
			}
		}
	}
	return False
}

// kindIs compares what a value is with the types asked for.
func (r *Rules) kindIs(v Value, asked []string) Verdict {
	kind := v.Kind
	if kind == Opaque || kind == failed || kind == Alien && r.anySequence(asked) {
		return Unknown // a type that extends a list prints as it likes
	}
	if kind == Number && v.whole {
		kind = Whole
	}
	out := False
	for _, a := range asked {
		kinds, ok := r.Types[a]
		switch {
		case v.anyType && (slices.Contains(kinds, Whole) || slices.Contains(kinds, Number)):
			return Unknown
		case slices.Contains(kinds, kind):
			return True
		}
		if !ok {
			out = Unknown
		}
	}
	return out
}

// anySequence reports whether one of the types is that of a list or the like.
func (r *Rules) anySequence(types []string) bool {
	return slices.ContainsFunc(types, func(t string) bool { return slices.Contains(r.Types[t], Sequence) })
}
