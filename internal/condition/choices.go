package condition

import (
	"maps"
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

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

// add collects e and what it is computed from. Each definition is followed once, so that the work is linear in their size.
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
