package condition

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Env is what is known where a condition is evaluated: values of expressions, by structure and not by spelling, types, and what
// names were computed from. It is made for one site and one message, by one goroutine.
type Env struct {
	rules    *Rules
	spelling *expr.Spelling
	division bool // "/" between integers truncates
	values   map[string]Reading
	types    map[string]string // of expressions: the name of the value's type
	defs     map[string]*expr.Expr
	ops      uint64 // bit set of the operations of expressions that have values
	bound    []bound
	keys     map[*expr.Expr]string // of expressions that were asked for
	left     int                   // steps that may still be taken, for all that is asked
}

// maxTotal bounds the expressions looked at for all that one Env is asked.
const maxTotal = 400_000

// bound is an expression with its value, in the order in which they were set.
type bound struct {
	e *expr.Expr
	v Reading
}

// NewEnv returns an Env without values. Nil rules know nothing special; a nil spelling is the neutral one.
func NewEnv(rules *Rules, spelling *expr.Spelling) *Env {
	if rules == nil {
		rules = &Rules{}
	}
	return &Env{rules: rules, spelling: spelling, division: spelling != nil && spelling.IntegerDivision,
		values: map[string]Reading{}, types: map[string]string{}, defs: map[string]*expr.Expr{},
		keys: map[*expr.Expr]string{}, left: maxTotal}
}

// key is the key of an expression, computed once.
func (v *Env) key(e *expr.Expr) string {
	k, ok := v.keys[e]
	if !ok {
		k = key(e)
		v.keys[e] = k
	}
	return k
}

// Set gives an expression a value. The first value that an expression gets stays.
func (v *Env) Set(e *expr.Expr, value Value) { v.set(e, Reading{Value: value}) }

// set gives an expression what its printed value may stand for. Readings without a likeliest value say nothing and are left out.
func (v *Env) set(e *expr.Expr, r Reading) {
	for e.Is(expr.Truthy) {
		e = e.Arg(0)
	}
	k := v.key(e)
	if e == nil || k == "" || r.Value.Kind == Opaque {
		return
	}
	if _, taken := v.values[k]; taken {
		return
	}
	v.values[k] = r
	v.ops |= 1 << (e.Op % 64)
	v.bound = append(v.bound, bound{e, r})
}

// SetType says of which type an expression's value is.
func (v *Env) SetType(e *expr.Expr, name string) {
	if k := v.key(e); k != "" && e != nil {
		v.types[k] = name
	}
}

// Define says what a name or member path was computed from.
func (v *Env) Define(defs []raise.Def) {
	for _, d := range defs {
		if _, taken := v.defs[d.Name]; !taken && d.Value != nil {
			v.defs[d.Name] = d.Value
		}
	}
}

// print spells an expression.
func (v *Env) print(e *expr.Expr) string {
	if v.spelling == nil {
		return e.String()
	}
	return e.Print(v.spelling)
}

// mentions reports whether e names one of the paths, or a member of one.
func mentions(e *expr.Expr, paths []string) bool {
	found := false
	e.Walk(func(x *expr.Expr) bool {
		if found || !x.Is(expr.Name) && !x.Is(expr.Attr) {
			return !found
		}
		path := x.Path()
		for _, p := range paths {
			if path == p || strings.HasPrefix(path, p+".") || x.Op == expr.Name && strings.HasPrefix(p, path+".") {
				found = true
			}
		}
		return !found
	})
	return found
}

// view is an Env as one part of a condition sees it: without what changed since the part was evaluated, and with one choice of
// what ambiguous readings stand for.
type view struct {
	env    *Env
	stale  []string
	chosen map[string]Value
	active []string // names whose definitions are being followed
	// careful says that results of arithmetic are only known where they are exact in any integer type.
	careful bool
	// negated says that the verdict under way will be turned around.
	negated bool
	depth   int
	steps   int
}

// bound is the value that was set for e itself.
func (v *view) bound(e *expr.Expr) (Value, bool) {
	if v.env.ops>>(e.Op%64)&1 == 0 {
		return Value{}, false
	}
	k := v.env.key(e)
	r, ok := v.env.values[k]
	if !ok || k == "" || len(v.stale) > 0 && mentions(e, v.stale) {
		return Value{}, false
	}
	if c, ok := v.chosen[k]; ok {
		return c, true
	}
	return r.Value, true
}

// definition is what e was computed from, if that still holds and is not being followed already.
func (v *view) definition(e *expr.Expr) (*expr.Expr, string) {
	if len(v.env.defs) == 0 || !e.Is(expr.Name) && !e.Is(expr.Attr) {
		return nil, ""
	}
	path := e.Path()
	d := v.env.defs[path]
	if d == nil || path == "" || len(v.active) >= maxDefinitions {
		return nil, ""
	}
	for _, a := range v.active {
		if a == path {
			return nil, ""
		}
	}
	if len(v.stale) > 0 && (mentions(e, v.stale) || mentions(d, v.stale)) {
		return nil, ""
	}
	return d, path
}

// maxDefinitions bounds how far definitions of definitions are followed.
const maxDefinitions = 12
