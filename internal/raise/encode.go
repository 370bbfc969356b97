package raise

import "github.com/wherefore-dev/wherefore/internal/pack"

// Facts are stored in two parts, so that linking reads little: the core (sites, values, types, imports, and the functions that
// these name) and the outline (all functions with their calls, expectations and handlers). Each is a record of package pack, with the
// fields in the order of the structs.

// FormVersion is raised with every change of what is stored or of its order; facts of another version are made anew. Below 256.
const FormVersion = 4

type encoder struct{ *pack.Encoder }

// EncodeCore returns the core of the facts: without calls and expectations, and with those functions alone that sites, values
// and makers need. Function indices in it refer to that shorter list.
func EncodeCore(f *Facts) []byte {
	e := encoder{pack.NewEncoder()}
	keep, renumber := coreFunctions(f)
	e.Str(f.Language)
	e.Str(f.Module)
	e.Str(f.Doc)
	pack.List(e.Encoder, f.Imports, e.imported)
	pack.List(e.Encoder, keep, func(i *int) {
		fn := f.Functions[*i]
		e.function(&fn, renumber)
	})
	pack.List(e.Encoder, f.Values, func(v *Value) {
		e.Str(v.Name)
		e.Expr(v.Value)
		e.Num(v.Line)
		e.Index(v.Site)
	})
	pack.List(e.Encoder, f.Types, e.typ)
	pack.List(e.Encoder, f.Problems, func(p *Problem) { e.Num(p.Line); e.Str(p.Reason) })
	e.Str(f.FileKind)
	pack.List(e.Encoder, f.Sites, func(s *Site) { e.site(s, renumber) }) // last, so that names are read without them
	return e.Finish()
}

// coreFunctions lists the functions that the core keeps, and the new index of each.
func coreFunctions(f *Facts) (keep []int, renumber []int) {
	wanted := make([]bool, len(f.Functions))
	for i := range f.Sites {
		for n := f.Sites[i].Function; n >= 0 && n < len(wanted) && !wanted[n]; n = f.Functions[n].Parent {
			wanted[n] = true
		}
	}
	for i := range f.Functions {
		if len(f.Functions[i].Makes) > 0 {
			for n := i; n >= 0 && n < len(wanted) && !wanted[n]; n = f.Functions[n].Parent {
				wanted[n] = true
			}
		}
	}
	renumber = make([]int, len(f.Functions))
	for i, w := range wanted {
		renumber[i] = NoFunction
		if w {
			renumber[i] = len(keep)
			keep = append(keep, i)
		}
	}
	return keep, renumber
}

func renumbered(n int, renumber []int) int {
	if n < 0 || n >= len(renumber) {
		return NoFunction
	}
	return renumber[n]
}

// EncodeOutline returns all functions with their calls, the expectations and the handlers. Documentation stands in the core alone, for the
// functions that raise: of all functions it would be most of what is stored.
func EncodeOutline(f *Facts) []byte {
	e := encoder{pack.NewEncoder()}
	same := make([]int, len(f.Functions))
	for i := range same {
		same[i] = i
	}
	pack.List(e.Encoder, f.Functions, func(fn *Function) {
		short := *fn
		short.Makes, short.Doc = nil, ""
		e.function(&short, same)
		pack.List(e.Encoder, fn.Calls, func(c *Call) { e.Str(c.Callee); e.Num(c.Line) })
	})
	pack.List(e.Encoder, f.Expectations, func(x *Expectation) {
		e.Index(x.Function)
		e.Num(x.Line)
		e.Num(x.EndLine)
		e.Str(x.Type)
		e.Expr(x.Message)
		e.Str(x.Form)
		e.Strs(x.Calls)
		e.Bool(x.Negated)
	})
	pack.List(e.Encoder, f.Handlers, func(h *Handler) {
		e.Index(h.Function)
		e.Num(h.Line)
		e.Num(h.From)
		e.Num(h.To)
		e.Strs(h.Types)
	})
	return e.Finish()
}

func (e encoder) imported(i *Import) {
	e.Str(i.Local)
	e.Str(i.Module)
	e.Str(i.Symbol)
	e.Num(i.Line)
}

func (e encoder) function(fn *Function, renumber []int) {
	e.Str(fn.Name)
	e.Str(fn.Owner)
	e.Index(renumbered(fn.Parent, renumber))
	e.params(fn.Params)
	e.Num(fn.Line)
	e.Num(fn.EndLine)
	e.Bool(fn.Exported)
	e.Bool(fn.Static)
	e.Str(fn.Doc)
	e.Exprs(fn.Makes)
}

func (e encoder) params(all []Param) {
	pack.List(e.Encoder, all, func(p *Param) {
		e.Str(p.Name)
		e.Str(p.Type)
		e.Expr(p.Default)
		e.Bool(p.Variadic)
		e.Bool(p.Keywords)
	})
}

func (e encoder) site(s *Site, renumber []int) {
	e.Str(string(s.Kind))
	e.Index(renumbered(s.Function, renumber))
	e.Num(int(s.Start))
	e.Num(int(s.End))
	e.Num(s.Line)
	e.Num(s.EndLine)
	e.Num(s.Made)
	e.Expr(s.Type)
	e.Str(s.TypeName)
	e.Exprs(s.Args)
	e.Expr(s.Message)
	e.Str(s.Via)
	e.Bool(s.Potential)
	e.Str(s.Sentinel)
	e.Expr(s.Wraps)
	e.Str(s.Declared)
	pack.List(e.Encoder, s.Condition, func(p *Part) {
		e.Str(string(p.Role))
		e.Expr(p.Expr)
		e.Str(p.Text)
		e.Num(p.Line)
		e.Str(p.Leaves)
		e.Strs(p.Stale)
	})
	e.defs(s.Defs)
	e.defs(s.Held)
	e.Strs(s.Assigned)
	e.Bool(s.Kept)
	e.Str(s.Comment)
}

func (e encoder) defs(all []Def) {
	pack.List(e.Encoder, all, func(d *Def) {
		e.Str(d.Name)
		e.Expr(d.Value)
		e.Num(d.Line)
	})
}

func (e encoder) typ(t *Type) {
	e.Str(t.Name)
	e.Strs(t.Bases)
	e.Num(t.Line)
	e.Num(t.EndLine)
	e.Str(t.Doc)
	e.params(t.Params)
	e.defs(t.Fields)
	e.Expr(t.Message)
	e.Bool(t.Super != nil)
	e.Exprs(t.Super)
	e.Str(t.SuperOf)
}
