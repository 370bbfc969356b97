package condition

import (
	"maps"
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

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

// choices lists what the ambiguous values in e may stand for, the likeliest reading of all first; nil if there are too many.
func (v *Env) choices(e *expr.Expr) []map[string]Value {
	out := []map[string]Value{{}}
	r := reach{env: v, keys: map[string]bool{}}
	r.add(e, 0)
	for _, b := range v.bound {
		k := v.key(b.e)
		if len(b.v.Other) == 0 || !r.keys[k] && !r.cut {
			continue
		}
		n := len(out)
		for _, other := range b.v.Other {
			for _, c := range out[:n] {
				more := maps.Clone(c)
				more[k] = other
				if out = append(out, more); len(out) > maxChoices {
					return nil
				}
			}
		}
	}
	return out
}

// reach collects the keys of all that may be asked for when an expression is evaluated.
type reach struct {
	env   *Env
	keys  map[string]bool
	names []string // whose definitions were followed
	steps int
	cut   bool // there is more than was looked at
}

func (r *reach) add(e *expr.Expr, depth int) {
	if r.steps++; e == nil || r.steps > maxSize || depth > maxDepth {
		r.cut = r.cut || e != nil
		return
	}
	r.keys[r.env.key(e)] = true
	if e.Op == expr.Name || e.Op == expr.Attr {
		// Whether something holds or is there may be told by its length.
		r.keys[key(expr.New(expr.Len, "", e))] = true
		path := e.Path()
		if d := r.env.defs[path]; d != nil && !slices.Contains(r.names, path) {
			r.names = append(r.names, path)
			r.add(d, depth+1)
		}
	}
	for _, a := range e.Args {
		r.add(a, depth+1)
	}
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

// typeOf is the name of the type of e's value, if a message printed it.
func (v *view) typeOf(e *expr.Expr) (string, bool) {
	if len(v.env.types) == 0 || e == nil || len(v.stale) > 0 && mentions(e, v.stale) {
		return "", false
	}
	name, ok := v.env.types[v.env.key(e)]
	return name, ok
}

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
