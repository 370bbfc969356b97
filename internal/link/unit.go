package link

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/pack"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// UnitSite is a linked site as it is stored: it names files by path, so that it stands on its own.
type UnitSite struct {
	Site          int // index in the core of the file's facts
	Line, EndLine int
	Made          int // see raise.Site
	Function      string
	Kind          raise.Kind
	Variants      []UnitVariant
	Translations  []Translation
	Returned      []UnitPlace
}

// UnitVariant is a stored variant.
type UnitVariant struct {
	ID       string
	Type     string
	Template message.Template // with the holes' expressions
	Unknown  string
	Via      *UnitPlace
}

// UnitPlace is a place in any file of the revision.
type UnitPlace struct {
	Path          string
	Site          int
	Line, EndLine int
	Function      string
}

// Decides says which site's condition decides about a variant of a site of the file at path: where a helper raises what it is
// given, the caller's.
func (s *UnitSite) Decides(v *UnitVariant, path string) (file string, site int) {
	if v.Via != nil {
		return v.Via.Path, v.Via.Site
	}
	return path, s.Site
}

// Unit returns the sites of a file in the form that is stored.
func (r *Revision) Unit(file int) []UnitSite {
	out := make([]UnitSite, len(r.Sites[file]))
	for i := range r.Sites[file] {
		s := &r.Sites[file][i]
		u := UnitSite{Site: s.Site, Line: s.Line, EndLine: s.EndLine, Function: s.Function, Kind: s.Kind,
			Made: r.Files[file].Facts.Sites[s.Site].Made, Translations: s.Translations}
		for _, v := range s.Variants {
			u.Variants = append(u.Variants, UnitVariant{ID: v.ID, Type: v.Type, Template: v.Template, Unknown: v.Unknown, Via: r.unitPlace(v.Via)})
		}
		for j := range s.Returned {
			u.Returned = append(u.Returned, *r.unitPlace(&s.Returned[j]))
		}
		out[i] = u
	}
	return out
}

func (r *Revision) unitPlace(p *Place) *UnitPlace {
	if p == nil {
		return nil
	}
	return &UnitPlace{Path: r.Files[p.File].Path, Site: p.Site, Line: p.Line, EndLine: p.EndLine, Function: p.Function}
}

// EncodeUnit writes the sites of a file.
func EncodeUnit(sites []UnitSite) []byte {
	e := pack.NewEncoder()
	place := func(p *UnitPlace) {
		e.Str(p.Path)
		e.Num(p.Site)
		e.Num(p.Line)
		e.Num(p.EndLine)
		e.Str(p.Function)
	}
	template := func(t message.Template) {
		e.Str(string(t.Append(nil)))
		e.Exprs(holes(t))
	}
	pack.List(e, sites, func(s *UnitSite) {
		e.Num(s.Site)
		e.Num(s.Line)
		e.Num(s.EndLine)
		e.Num(s.Made)
		e.Str(s.Function)
		e.Str(string(s.Kind))
		pack.List(e, s.Variants, func(v *UnitVariant) {
			e.Str(v.ID)
			e.Str(v.Type)
			template(v.Template)
			e.Str(v.Unknown)
			e.Bool(v.Via != nil)
			if v.Via != nil {
				place(v.Via)
			}
		})
		pack.List(e, s.Returned, place)
	})
	if slices.ContainsFunc(sites, func(s UnitSite) bool { return len(s.Translations) > 0 }) {
		pack.List(e, sites, func(s *UnitSite) {
			pack.List(e, s.Translations, func(t *Translation) {
				e.Num(t.Variant)
				e.Str(t.Locale)
				template(t.Template)
			})
		})
	}
	return e.Finish()
}

// holes lists the expressions of a template's holes.
func holes(t message.Template) []*expr.Expr {
	var out []*expr.Expr
	for _, p := range t.Pieces {
		if p.Hole != nil {
			out = append(out, p.Hole.Expr)
		}
	}
	return out
}

// DecodeUnit reads what [EncodeUnit] wrote.
func DecodeUnit(data []byte) ([]UnitSite, error) {
	d := pack.NewDecoder(data)
	place := func(p *UnitPlace) {
		*p = UnitPlace{Path: d.Str(), Site: d.Num(), Line: d.Num(), EndLine: d.Num(), Function: d.Str()}
	}
	var fault error
	template := func() message.Template {
		t, err := message.Decode([]byte(d.Str()))
		if err != nil {
			fault = err
		}
		fill(t, d.Exprs())
		return t
	}
	sites := pack.ReadList(d, func(s *UnitSite) {
		*s = UnitSite{Site: d.Num(), Line: d.Num(), EndLine: d.Num(), Made: d.Num(), Function: d.Str(), Kind: raise.Kind(d.Str())}
		s.Variants = pack.ReadList(d, func(v *UnitVariant) {
			*v = UnitVariant{ID: d.Str(), Type: d.Str(), Template: template()}
			v.Unknown = d.Str()
			if d.Bool() {
				v.Via = &UnitPlace{}
				place(v.Via)
			}
		})
		s.Returned = pack.ReadList(d, place)
	})
	if d.More() {
		all := pack.ReadList(d, func(of *[]Translation) {
			*of = pack.ReadList(d, func(t *Translation) { *t = Translation{Variant: d.Num(), Locale: d.Str(), Template: template()} })
		})
		for i := range all {
			if i < len(sites) {
				sites[i].Translations = all[i]
			}
		}
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return sites, fault
}

// fill gives the holes of a template their expressions.
func fill(t message.Template, exprs []*expr.Expr) {
	for _, p := range t.Pieces {
		if p.Hole != nil && len(exprs) > 0 {
			p.Hole.Expr = exprs[0]
			exprs = exprs[1:]
		}
	}
}
