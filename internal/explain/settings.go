package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxSettings bounds the settings of a page, maxBack how many definitions are followed back to one.
const maxSettings, maxBack = 6, 3

// settings are where the quantities of what decides come from, as far as the function's definitions and the constants of its file say:
// variables of the environment, and constants with a literal value.
func settings(r *raising) []api.Setting {
	w := &backward{r: r, condition: conditionOf(r.core, r.site, r.lang)}
	for _, p := range deciding(r.site) {
		if p.Expr != nil {
			w.expression(p.Expr, []api.Evidence{r.here("condition", p.Line, p.Text)}, 0)
		}
	}
	return w.found
}

// backward follows names back to what sets them.
type backward struct {
	r         *raising
	condition *api.Condition
	found     []api.Setting
}

// expression follows every name in an expression. through leads to it from the condition.
func (w *backward) expression(e *expr.Expr, through []api.Evidence, depth int) {
	e.Walk(func(x *expr.Expr) bool {
		path := x.Path()
		if x.Op == expr.Func || path == "" || x.Op == expr.Call {
			return x.Op != expr.Func
		}
		w.name(path, through, depth)
		return false
	})
}

func (w *backward) name(path string, through []api.Evidence, depth int) {
	if depth > maxBack || len(w.found) >= maxSettings {
		return
	}
	for i := range w.r.site.Defs {
		d := &w.r.site.Defs[i]
		if d.Name != path {
			continue
		}
		here := append(slices.Clone(through), w.r.here("definition", d.Line, d.Value.Print(&w.r.lang.Spelling)))
		if name, def, ok := w.r.lang.Variable(d.Value); ok {
			w.add(path, "environment", name, def, here)
			return
		}
		w.expression(d.Value, here, depth+1)
		return
	}
	if v := w.constant(path); v != nil {
		here := append(slices.Clone(through), w.r.here("definition", v.Line, ""))
		if name, def, ok := w.r.lang.Variable(v.Value); ok {
			w.add(path, "environment", name, def, here)
		} else if v.Value.Is(expr.Number) || v.Value.Is(expr.String) || v.Value.Is(expr.Bool) {
			w.add(path, "constant", path, v.Value, here)
		}
	}
}

// constant is the constant of the file that a path names: of the module, or of the type around the raise.
func (w *backward) constant(path string) *raise.Value {
	names := []string{path}
	if fn := w.r.function(); fn != nil && fn.Owner != "" {
		member := path
		for _, receiver := range []string{"self.", "this.", "cls."} {
			member = strings.TrimPrefix(member, receiver)
		}
		names = append(names, fn.Owner+"."+member)
	}
	if own := path[strings.LastIndexByte(path, '.')+1:]; len(own) < 2 || strings.ToUpper(own) != own {
		return nil // nothing says that it keeps its value
	}
	if slices.Contains(w.r.site.Assigned, path) {
		return nil // another of the same name
	}
	if fn := w.r.function(); fn != nil && slices.ContainsFunc(fn.Params, func(p raise.Param) bool { return p.Name == path }) {
		return nil
	}
	var found *raise.Value
	for i := range w.r.core.Values {
		if v := &w.r.core.Values[i]; slices.Contains(names, v.Name) {
			if found != nil {
				return nil // which of them it is depends on what ran
			}
			found = v
		}
	}
	return found
}

// add files a setting once, with what the condition accepts of the quantity.
func (w *backward) add(quantity, kind, name string, def *expr.Expr, through []api.Evidence) {
	if slices.ContainsFunc(w.found, func(s api.Setting) bool { return s.Kind == kind && s.Name == name }) {
		return
	}
	s := api.Setting{Quantity: quantity, Kind: kind, Name: name, Through: through}
	if def != nil {
		s.Default = def.Print(&w.r.lang.Spelling)
	}
	if w.condition != nil {
		for _, solved := range w.condition.Solved {
			if solved.Quantity == quantity && solved.Leaves == "" {
				s.Accepted = solved.Accepted
			}
		}
	}
	w.found = append(w.found, s)
}

// set says how to change the settings that a condition rests on, variables of the environment alone: a constant is the code's own.
func set(r *raising, all []api.Setting) []api.Sentence {
	var out []api.Sentence
	for _, s := range all {
		if s.Kind != "environment" {
			continue
		}
		text := fmt.Sprintf("Set the environment variable %s, which %s is read from", quote(s.Name), quote(s.Quantity))
		if s.Default != "" {
			text += fmt.Sprintf(" (%s where it is not set)", quote(s.Default))
		}
		if s.Accepted != "" {
			text += fmt.Sprintf(", so that %s", quote(s.Accepted))
		}
		out = append(out, api.Sentence{Text: text + ".", Origin: api.FromSource, Evidence: s.Through})
	}
	return out
}
