package raise

import (
	"encoding/binary"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// The encoding of facts
//
// Facts are stored in two parts, so that linking reads little: the core (sites, values, types, imports, and the functions that
// these name) and the outline (all functions with their calls, and expectations). Each part is
//
//	version byte, number of strings, (length, bytes) of each string, then the records in the order of the struct fields
//
// Numbers are unsigned varints, strings are numbers in the string table (0 is the empty string), lists begin with their length.
// An expression is its operation + 1 (0 for nil), a flag byte, its text, its spelling, its arguments. A spelling that stands inside
// the parent's is stored as offset and length there, which is what keeps nested expressions small.

// encodingVersion is raised with every change of the encoding; other versions are not read.
const encodingVersion = 1

// Bits of an expression's flag byte.
const (
	flagText    = 1 << iota // has a text that is not its spelling
	flagTextSrc             // the text is the spelling
	flagSrc                 // has a spelling of its own
	flagInside              // the spelling is a part of the parent's
)

type encoder struct {
	strings map[string]uint64
	table   []byte
	body    []byte
}

func newEncoder() *encoder { return &encoder{strings: map[string]uint64{"": 0}} }

func (e *encoder) finish() []byte {
	out := make([]byte, 0, len(e.table)+len(e.body)+8)
	out = append(out, encodingVersion)
	out = binary.AppendUvarint(out, uint64(len(e.strings)-1))
	out = append(out, e.table...)
	return append(out, e.body...)
}

func (e *encoder) num(n int) { e.body = binary.AppendUvarint(e.body, uint64(n)) }

// index writes a number that may be -1.
func (e *encoder) index(n int) { e.num(n + 1) }

func (e *encoder) bool(b bool) {
	if b {
		e.num(1)
	} else {
		e.num(0)
	}
}

func (e *encoder) str(s string) {
	n, ok := e.strings[s]
	if !ok {
		n = uint64(len(e.strings))
		e.strings[strings.Clone(s)] = n
		e.table = binary.AppendUvarint(e.table, uint64(len(s)))
		e.table = append(e.table, s...)
	}
	e.body = binary.AppendUvarint(e.body, n)
}

func list[T any](e *encoder, all []T, one func(*T)) {
	e.num(len(all))
	for i := range all {
		one(&all[i])
	}
}

func (e *encoder) strs(all []string) { list(e, all, func(s *string) { e.str(*s) }) }

func (e *encoder) exprs(all []*expr.Expr) { list(e, all, func(x **expr.Expr) { e.expr(*x) }) }

func (e *encoder) expr(x *expr.Expr) { e.exprIn(x, "", new(int)) }

// exprIn writes x, whose parent is spelled outer; cursor is where in outer the next part is looked for first.
func (e *encoder) exprIn(x *expr.Expr, outer string, cursor *int) {
	if x == nil {
		e.num(0)
		return
	}
	e.num(int(x.Op) + 1)
	var flags byte
	at := -1
	if x.Src != "" {
		flags |= flagSrc
		at = within(outer, x.Src, *cursor)
		if at >= 0 {
			flags |= flagInside
		}
	}
	switch {
	case x.Text == "":
	case x.Text == x.Src:
		flags |= flagTextSrc
	default:
		flags |= flagText
	}
	e.body = append(e.body, flags)
	if flags&flagText != 0 {
		e.str(x.Text)
	}
	switch {
	case at >= 0:
		e.num(at)
		e.num(len(x.Src))
		*cursor = at + len(x.Src)
	case x.Src != "":
		e.str(x.Src)
	}
	e.num(len(x.Args))
	inner := 0
	for _, a := range x.Args {
		e.exprIn(a, x.Src, &inner)
	}
}

// within finds part in outer, first from the cursor on; -1 if it is not there.
func within(outer, part string, cursor int) int {
	if len(part) > len(outer) {
		return -1
	}
	if cursor <= len(outer) {
		if i := strings.Index(outer[cursor:], part); i >= 0 {
			return cursor + i
		}
	}
	return strings.Index(outer, part)
}

// EncodeCore returns the core of the facts: without calls and expectations, and with those functions alone that sites, values
// and makers need. Function indices in it refer to that shorter list.
func EncodeCore(f *Facts) []byte {
	e := newEncoder()
	keep, renumber := coreFunctions(f)
	e.str(f.Language)
	e.str(f.Module)
	e.str(f.Doc)
	list(e, f.Imports, e.imported)
	list(e, keep, func(i *int) {
		fn := f.Functions[*i]
		e.function(&fn, renumber)
	})
	list(e, f.Sites, func(s *Site) { e.site(s, renumber) })
	list(e, f.Values, func(v *Value) {
		e.str(v.Name)
		e.expr(v.Value)
		e.num(v.Line)
		e.index(v.Site)
	})
	list(e, f.Types, e.typ)
	list(e, f.Problems, func(p *Problem) { e.num(p.Line); e.str(p.Reason) })
	return e.finish()
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

// EncodeOutline returns all functions with their calls, and the expectations.
func EncodeOutline(f *Facts) []byte {
	e := newEncoder()
	same := make([]int, len(f.Functions))
	for i := range same {
		same[i] = i
	}
	list(e, f.Functions, func(fn *Function) {
		short := *fn
		short.Makes = nil
		e.function(&short, same)
		list(e, fn.Calls, func(c *Call) { e.str(c.Callee); e.num(c.Line) })
	})
	list(e, f.Expectations, func(x *Expectation) {
		e.index(x.Function)
		e.num(x.Line)
		e.num(x.EndLine)
		e.str(x.Type)
		e.expr(x.Message)
		e.str(x.Form)
		e.strs(x.Calls)
		e.bool(x.Negated)
	})
	return e.finish()
}

func (e *encoder) imported(i *Import) {
	e.str(i.Local)
	e.str(i.Module)
	e.str(i.Symbol)
	e.num(i.Line)
}

func (e *encoder) function(fn *Function, renumber []int) {
	e.str(fn.Name)
	e.str(fn.Owner)
	e.index(renumbered(fn.Parent, renumber))
	e.params(fn.Params)
	e.num(fn.Line)
	e.num(fn.EndLine)
	e.bool(fn.Exported)
	e.bool(fn.Static)
	e.str(fn.Doc)
	e.exprs(fn.Makes)
}

func (e *encoder) params(all []Param) {
	list(e, all, func(p *Param) {
		e.str(p.Name)
		e.str(p.Type)
		e.expr(p.Default)
		e.bool(p.Variadic)
	})
}

func (e *encoder) site(s *Site, renumber []int) {
	e.str(string(s.Kind))
	e.index(renumbered(s.Function, renumber))
	e.num(int(s.Start))
	e.num(int(s.End))
	e.num(s.Line)
	e.num(s.EndLine)
	e.num(s.Made)
	e.expr(s.Type)
	e.str(s.TypeName)
	e.exprs(s.Args)
	e.expr(s.Message)
	e.str(s.Via)
	e.bool(s.Potential)
	e.str(s.Sentinel)
	e.expr(s.Wraps)
	e.str(s.Declared)
	list(e, s.Condition, func(p *Part) {
		e.str(string(p.Role))
		e.expr(p.Expr)
		e.str(p.Text)
		e.num(p.Line)
		e.str(p.Leaves)
		e.strs(p.Stale)
	})
	e.defs(s.Defs)
	e.str(s.Comment)
}

func (e *encoder) defs(all []Def) {
	list(e, all, func(d *Def) {
		e.str(d.Name)
		e.expr(d.Value)
		e.num(d.Line)
	})
}

func (e *encoder) typ(t *Type) {
	e.str(t.Name)
	e.strs(t.Bases)
	e.num(t.Line)
	e.num(t.EndLine)
	e.str(t.Doc)
	e.params(t.Params)
	e.defs(t.Fields)
	e.expr(t.Message)
	e.bool(t.Super != nil)
	e.exprs(t.Super)
}
