package condition

import "github.com/wherefore-dev/wherefore/internal/expr"

// Evaluate says whether a condition holds with what the Env knows. And and Or stop where the program would.
func Evaluate(e *expr.Expr, env *Env) Verdict { return env.judge(e, false, nil) }

// maxChoices bounds the combinations of what ambiguous readings stand for.
const maxChoices = 64

// judge evaluates e, or its negation, without the values of what is stale. The likeliest reading of the values decides whether the
// condition holds; it is false only if it is so under all readings that make sense.
func (v *Env) judge(e *expr.Expr, negated bool, stale []string) Verdict {
	careful := false
	once := func(chosen map[string]Value) Verdict {
		w := view{env: v, stale: stale, chosen: chosen, negated: negated, careful: careful}
		out := w.truth(e)
		if negated {
			out = out.Not()
		}
		return out
	}
	first := once(nil)
	if first == True || first == Unknown {
		return first
	}
	careful = v.rules.Integers != Unbounded
	if careful && first == False && once(nil) != False {
		return Unknown
	}
	choices := v.choices(e)
	if choices == nil {
		return Unknown
	}
	for _, chosen := range choices[1:] {
		switch got := once(chosen); {
		case got == impossible:
		case first == impossible:
			first = got
		case got != first:
			return Unknown
		}
	}
	if first == impossible {
		return Unknown
	}
	return first
}

// enter counts a step; false when it was one too many.
func (v *view) enter() bool {
	v.depth++
	v.steps++
	v.env.left--
	return v.depth <= maxDepth && v.steps <= maxSteps && v.env.left > 0
}

// truth is the verdict on e as a condition.
func (v *view) truth(e *expr.Expr) Verdict {
	defer func() { v.depth-- }()
	if !v.enter() || e == nil {
		return Unknown
	}
	if value, ok := v.bound(e); ok {
		return v.env.rules.holds(value)
	}
	switch e.Op {
	case expr.And:
		return v.junction(e.Args, False)
	case expr.Or:
		return v.junction(e.Args, True)
	case expr.Not:
		v.negated = !v.negated
		defer func() { v.negated = !v.negated }()
		return v.truth(e.Arg(0)).Not()
	case expr.Truthy:
		return v.truth(e.Arg(0))
	case expr.Compare:
		return v.compare(e)
	case expr.TypeTest:
		return v.typeTest(e)
	case expr.Cond:
		switch v.test(e.Arg(0)) {
		case True:
			return v.truth(e.Arg(1))
		case False:
			return v.truth(e.Arg(2))
		}
		if a := v.truth(e.Arg(1)); a == v.truth(e.Arg(2)) {
			return a
		}
		return Unknown
	case expr.Name, expr.Attr:
		d, path := v.definition(e)
		switch {
		case d == nil:
			return v.lengthTruth(e)
		case d.Op == expr.List || d.Op == expr.Set || d.Op == expr.Map:
			return v.env.rules.holds(v.value(e))
		}
		v.active = append(v.active, path)
		defer func() { v.active = v.active[:len(v.active)-1] }()
		return v.truth(d)
	}
	return v.env.rules.holds(v.value(e))
}

// test is the verdict on a condition that decides what is evaluated next: either outcome must be sure.
func (v *view) test(e *expr.Expr) Verdict {
	negated := v.negated
	v.negated = true
	out := v.truth(e)
	v.negated = false
	if v.truth(e) != out {
		out = Unknown
	}
	v.negated = negated
	return out
}

// junction is And (decided by False) or Or (decided by True) of args in order.
func (v *view) junction(args []*expr.Expr, decides Verdict) Verdict {
	out := decides.Not()
	for _, a := range args {
		switch got := v.truth(a); got {
		case decides:
			return decides
		case impossible:
			// The program would have failed here, unless an operand before it decided.
			if out == decides.Not() {
				return impossible
			}
			return Unknown
		case Unknown:
			out = Unknown
		}
	}
	return out
}

// lengthTruth uses a known length: where lists without elements do not hold, the length says whether one holds.
func (v *view) lengthTruth(e *expr.Expr) Verdict {
	r := v.env.rules
	n, ok := v.bound(expr.New(expr.Len, "", e))
	if !ok || !r.Truth.Known || !r.Truth.EmptyList || !r.Truth.EmptyString {
		return Unknown
	}
	if n.Kind != Number {
		return Unknown
	}
	return r.holds(n)
}

// compare is the verdict on a comparison. Both sides are evaluated first: a side that fails makes the whole impossible, whatever the
// other is.
func (v *view) compare(e *expr.Expr) Verdict {
	if len(e.Args) != 2 {
		return Unknown
	}
	switch e.Text {
	case "in":
		return v.member(e.Args[0], e.Args[1])
	case "not in":
		v.negated = !v.negated
		defer func() { v.negated = !v.negated }()
		return v.member(e.Args[0], e.Args[1]).Not()
	}
	a, b := v.value(e.Args[0]), v.value(e.Args[1])
	if a.Kind == Opaque || b.Kind == Opaque {
		return v.nullTest(e, a, b)
	}
	r := v.env.rules
	switch e.Text {
	case "==":
		return r.equal(a, b)
	case "!=":
		return r.equal(a, b).Not()
	case "is":
		return identity(r.equal(a, b), a, b)
	case "is not":
		return identity(r.equal(a, b), a, b).Not()
	}
	less, atMost := order(a, b)
	switch e.Text {
	case "<":
		return less
	case "<=":
		return atMost
	case ">":
		return atMost.Not()
	case ">=":
		return less.Not()
	}
	return Unknown
}

// identity is what equality says of being the same object: different values are different objects; equal ones are the same only
// where a value exists once.
func identity(equal Verdict, a, b Value) Verdict {
	if equal != True || a.Kind == Null && b.Kind == Null || a.Kind == Boolean && b.Kind == Boolean {
		return equal
	}
	return Unknown
}

// nullTest decides whether something is absent from what else is known of it: of what has a length or a type, there is a value.
func (v *view) nullTest(e *expr.Expr, a, b Value) Verdict {
	operand := e.Args[0]
	if a.Kind == Null {
		operand = e.Args[1]
	} else if b.Kind != Null {
		return Unknown
	}
	if v.absentType(operand) {
		return Unknown
	}
	_, sized := v.bound(expr.New(expr.Len, "", operand))
	_, typed := v.typeOf(operand)
	if !typed && !sized || sized && v.env.rules.Static {
		return Unknown // the length of an absent list can be 0 in static languages
	}
	switch e.Text {
	case "==", "is":
		return False
	case "!=", "is not":
		return True
	}
	return Unknown
}

// absentType reports whether the type that is known of e is that of the absent value.
func (v *view) absentType(e *expr.Expr) bool {
	name, _ := v.typeOf(e)
	switch name {
	case "NoneType", "undefined", "null", "object", "<nil>", "nil":
		return true
	}
	return false
}

// member is the verdict on needle being in list. In a list that may have got other elements, one that is not found may be one of
// these: nothing is called false for that.
func (v *view) member(needle, list *expr.Expr) Verdict {
	l := v.value(list)
	n := v.value(needle)
	if n.Kind == Opaque {
		if l.Kind == Sequence && l.size == 0 && !l.open {
			return False
		}
		return Unknown
	}
	if l.Kind == Text {
		if n.Kind != Text {
			return Unknown
		}
		return verdict(contains(l.text, n.text))
	}
	if l.Kind != Sequence {
		return Unknown
	}
	if l.elems == nil && l.size > 0 {
		return Unknown
	}
	out := False
	if l.open && (!v.negated || l.size == 0) {
		out = Unknown
	}
	for _, x := range l.elems {
		switch v.env.rules.equal(n, x) {
		case True:
			return True
		case False:
		default:
			out = Unknown
		}
	}
	return out
}
