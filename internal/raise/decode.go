package raise

import (
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/pack"
)

type decoder struct{ *pack.Decoder }

// DecodeCore reads what [EncodeCore] wrote.
func DecodeCore(data []byte) (*Facts, error) {
	f, d := decodeNames(data)
	f.Sites = pack.ReadList(d.Decoder, d.site)
	return f, d.Err()
}

// DecodeNames reads what a core says besides its sites.
func DecodeNames(data []byte) (*Facts, error) {
	f, d := decodeNames(data)
	return f, d.Err()
}

func decodeNames(data []byte) (*Facts, decoder) {
	d := decoder{pack.NewDecoder(data)}
	f := &Facts{Language: d.Str(), Module: d.Str(), Doc: d.Str()}
	f.Imports = pack.ReadList(d.Decoder, func(i *Import) {
		*i = Import{Local: d.Str(), Module: d.Str(), Symbol: d.Str(), Line: d.Num()}
	})
	f.Functions = pack.ReadList(d.Decoder, d.function)
	f.Values = pack.ReadList(d.Decoder, func(v *Value) {
		*v = Value{Name: d.Str(), Value: d.Expr(), Line: d.Num(), Site: d.Index()}
	})
	f.Types = pack.ReadList(d.Decoder, d.typ)
	f.Problems = pack.ReadList(d.Decoder, func(p *Problem) { *p = Problem{Line: d.Num(), Reason: d.Str()} })
	f.FileKind = d.Str()
	return f, d
}

// DecodeOutline reads what [EncodeOutline] wrote into the Functions, Expectations and Handlers of facts.
func DecodeOutline(data []byte) (*Facts, error) {
	d := decoder{pack.NewDecoder(data)}
	f := &Facts{}
	f.Functions = pack.ReadList(d.Decoder, func(fn *Function) {
		d.function(fn)
		fn.Calls = pack.ReadList(d.Decoder, func(c *Call) { *c = Call{Callee: d.Str(), Line: d.Num()} })
	})
	f.Expectations = pack.ReadList(d.Decoder, func(x *Expectation) {
		*x = Expectation{Function: d.Index(), Line: d.Num(), EndLine: d.Num(), Type: d.Str(), Message: d.Expr(),
			Form: d.Str(), Calls: d.Strs(), Negated: d.Bool()}
	})
	f.Handlers = pack.ReadList(d.Decoder, func(h *Handler) {
		*h = Handler{Function: d.Index(), Line: d.Num(), From: d.Num(), To: d.Num(), Types: d.Strs()}
	})
	return f, d.Err()
}

func (d decoder) function(fn *Function) {
	*fn = Function{Name: d.Str(), Owner: d.Str(), Parent: d.Index(), Params: d.params(), Line: d.Num(), EndLine: d.Num(),
		Exported: d.Bool(), Static: d.Bool(), Doc: d.Str(), Makes: d.Exprs()}
}

func (d decoder) params() []Param {
	return pack.ReadList(d.Decoder, func(p *Param) {
		*p = Param{Name: d.Str(), Type: d.Str(), Default: d.Expr(), Variadic: d.Bool(), Keywords: d.Bool()}
	})
}

func (d decoder) site(s *Site) {
	*s = Site{Kind: Kind(d.Str()), Function: d.Index(), Start: uint32(d.Num()), End: uint32(d.Num()), Line: d.Num(),
		EndLine: d.Num(), Made: d.Num(), Type: d.Expr(), TypeName: d.Str(), Args: d.Exprs(), Message: d.Expr(), Via: d.Str(),
		Potential: d.Bool(), Sentinel: d.Str(), Wraps: d.Expr(), Declared: d.Str()}
	s.Condition = pack.ReadList(d.Decoder, func(p *Part) {
		*p = Part{Role: Role(d.Str()), Expr: d.Expr(), Text: d.Str(), Line: d.Num(), Leaves: d.Str(), Stale: d.Strs()}
	})
	s.Defs = d.defs()
	s.Held = d.defs()
	s.Assigned = d.Strs()
	s.Kept = d.Bool()
	s.Comment = d.Str()
}

func (d decoder) defs() []Def {
	return pack.ReadList(d.Decoder, func(x *Def) { *x = Def{Name: d.Str(), Value: d.Expr(), Line: d.Num()} })
}

func (d decoder) typ(t *Type) {
	*t = Type{Name: d.Str(), Bases: d.Strs(), Line: d.Num(), EndLine: d.Num(), Doc: d.Str(), Params: d.params(),
		Fields: d.defs(), Message: d.Expr()}
	super := d.Bool()
	t.Super = d.Exprs()
	if super && t.Super == nil {
		t.Super = []*expr.Expr{}
	}
	t.SuperOf = d.Str()
}

// Lighten drops what linking does not need: of each condition one part stays, to say that there is one, and comments go.
func (f *Facts) Lighten() {
	for i := range f.Sites {
		s := &f.Sites[i]
		s.Comment = ""
		if n := len(s.Condition); n > 0 {
			s.Condition = []Part{{Role: s.Condition[n-1].Role, Line: s.Condition[n-1].Line}}
		}
	}
}
