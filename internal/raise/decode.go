package raise

import (
	"errors"
	"fmt"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// ErrEncoding is returned for bytes that are not encoded facts, or of another version of the encoding.
var ErrEncoding = errors.New("stored facts are damaged or of another version")

// decoder reads what encoder wrote. After the first fault it returns zero values; err says what it was.
type decoder struct {
	data    string
	at      int
	strings []string
	err     error
}

// newDecoder reads the string table. The strings of the facts share data's memory.
func newDecoder(data []byte) *decoder {
	d := &decoder{data: string(data)}
	if len(d.data) == 0 || d.data[0] != encodingVersion {
		d.err = ErrEncoding
		return d
	}
	d.at = 1
	n := d.length()
	d.strings = make([]string, 1, n+1)
	for range n {
		size := d.num()
		if d.err != nil || size > len(d.data)-d.at {
			d.fail()
			return d
		}
		d.strings = append(d.strings, d.data[d.at:d.at+size])
		d.at += size
	}
	return d
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = fmt.Errorf("%w: at byte %d of %d", ErrEncoding, d.at, len(d.data))
	}
}

func (d *decoder) num() int {
	if d.err != nil {
		return 0
	}
	// The fast path: nearly all numbers fit into one byte.
	if d.at < len(d.data) && d.data[d.at] < 0x80 {
		d.at++
		return int(d.data[d.at-1])
	}
	var n uint64
	for shift := 0; shift < 35 && d.at < len(d.data); shift += 7 {
		b := d.data[d.at]
		d.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int(n)
		}
	}
	d.fail()
	return 0
}

func (d *decoder) index() int { return d.num() - 1 }

func (d *decoder) bool() bool { return d.num() == 1 }

// length reads the length of a list; each element takes at least one byte, which bounds it.
func (d *decoder) length() int {
	n := d.num()
	if n > len(d.data)-d.at {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) str() string {
	n := d.num()
	if n >= len(d.strings) {
		d.fail()
		return ""
	}
	return d.strings[n]
}

func readList[T any](d *decoder, one func(*T)) []T {
	n := d.length()
	if n == 0 || d.err != nil {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		one(&out[i])
	}
	return out
}

func (d *decoder) strs() []string { return readList(d, func(s *string) { *s = d.str() }) }

func (d *decoder) exprs() []*expr.Expr { return readList(d, func(x **expr.Expr) { *x = d.expr() }) }

func (d *decoder) expr() *expr.Expr { return d.exprIn("", 0) }

// maxExprDepth bounds decoding of damaged data; real expressions are bounded by expr.Depth plus what definitions add.
const maxExprDepth = 20 * expr.Depth

func (d *decoder) exprIn(outer string, depth int) *expr.Expr {
	op := d.num()
	if op == 0 || d.err != nil {
		return nil
	}
	if d.at >= len(d.data) || depth > maxExprDepth {
		d.fail()
		return nil
	}
	x := &expr.Expr{Op: expr.Op(op - 1)}
	flags := d.data[d.at]
	d.at++
	if flags&flagText != 0 {
		x.Text = d.str()
	}
	switch {
	case flags&flagInside != 0:
		start, size := d.num(), d.num()
		if start+size > len(outer) {
			d.fail()
			return nil
		}
		x.Src = outer[start : start+size]
	case flags&flagSrc != 0:
		x.Src = d.str()
	}
	if flags&flagTextSrc != 0 {
		x.Text = x.Src
	}
	x.Args = readList(d, func(a **expr.Expr) { *a = d.exprIn(x.Src, depth+1) })
	return x
}

// DecodeCore reads what [EncodeCore] wrote.
func DecodeCore(data []byte) (*Facts, error) {
	d := newDecoder(data)
	f := &Facts{Language: d.str(), Module: d.str(), Doc: d.str()}
	f.Imports = readList(d, func(i *Import) {
		*i = Import{Local: d.str(), Module: d.str(), Symbol: d.str(), Line: d.num()}
	})
	f.Functions = readList(d, d.function)
	f.Sites = readList(d, d.site)
	f.Values = readList(d, func(v *Value) {
		*v = Value{Name: d.str(), Value: d.expr(), Line: d.num(), Site: d.index()}
	})
	f.Types = readList(d, d.typ)
	f.Problems = readList(d, func(p *Problem) { *p = Problem{Line: d.num(), Reason: d.str()} })
	return f, d.err
}

// DecodeOutline reads what [EncodeOutline] wrote into f's Functions and Expectations.
func DecodeOutline(data []byte) (*Facts, error) {
	d := newDecoder(data)
	f := &Facts{}
	f.Functions = readList(d, func(fn *Function) {
		d.function(fn)
		fn.Calls = readList(d, func(c *Call) { *c = Call{Callee: d.str(), Line: d.num()} })
	})
	f.Expectations = readList(d, func(x *Expectation) {
		*x = Expectation{Function: d.index(), Line: d.num(), EndLine: d.num(), Type: d.str(), Message: d.expr(),
			Form: d.str(), Calls: d.strs(), Negated: d.bool()}
	})
	return f, d.err
}

func (d *decoder) function(fn *Function) {
	*fn = Function{Name: d.str(), Owner: d.str(), Parent: d.index(), Params: d.params(), Line: d.num(), EndLine: d.num(),
		Exported: d.bool(), Static: d.bool(), Doc: d.str(), Makes: d.exprs()}
}

func (d *decoder) params() []Param {
	return readList(d, func(p *Param) {
		*p = Param{Name: d.str(), Type: d.str(), Default: d.expr(), Variadic: d.bool()}
	})
}

func (d *decoder) site(s *Site) {
	*s = Site{Kind: Kind(d.str()), Function: d.index(), Start: uint32(d.num()), End: uint32(d.num()), Line: d.num(),
		EndLine: d.num(), Made: d.num(), Type: d.expr(), TypeName: d.str(), Args: d.exprs(), Message: d.expr(), Via: d.str(),
		Potential: d.bool(), Sentinel: d.str(), Wraps: d.expr(), Declared: d.str()}
	s.Condition = readList(d, func(p *Part) {
		*p = Part{Role: Role(d.str()), Expr: d.expr(), Text: d.str(), Line: d.num(), Leaves: d.str(), Stale: d.strs()}
	})
	s.Defs = d.defs()
	s.Comment = d.str()
}

func (d *decoder) defs() []Def {
	return readList(d, func(x *Def) { *x = Def{Name: d.str(), Value: d.expr(), Line: d.num()} })
}

func (d *decoder) typ(t *Type) {
	*t = Type{Name: d.str(), Bases: d.strs(), Line: d.num(), EndLine: d.num(), Doc: d.str(), Params: d.params(),
		Fields: d.defs(), Message: d.expr()}
	super := d.bool()
	t.Super = d.exprs()
	if super && t.Super == nil {
		t.Super = []*expr.Expr{}
	}
}
