package explain

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// raising is the site that a page explains first, with its facts: the one whose condition decides. Where a helper raises what it is
// given, it is the caller's, which may stand in another file than the raise.
type raising struct {
	found *found
	path  string
	file  int
	core  *raise.Facts
	site  *raise.Site
	lang  *lang.Language
	wire  *api.PageSite
	// returned is set for a declared error: the place that returns or raises it, which is the one that is explained.
	returned *link.UnitPlace
	// helper is what raises what it is given by this site, nil if the site raises itself.
	helper *raising
}

// first is the first site whose facts can be read; product code comes first.
func (p *page) first(out *api.Page) *raising {
	for _, product := range []bool{true, false} {
		for i := range p.found {
			f := &p.found[i]
			if i >= len(out.Sites) || product && f.unit.File.Kind != "product" {
				continue
			}
			if r := p.decides(f); r != nil && r.lang != nil {
				r.wire = &out.Sites[i]
				return r
			}
		}
	}
	return nil
}

// decides is the site whose condition decides about a found one: of a declared error the first place that returns it; nil if its facts
// cannot be read.
func (p *page) decides(f *found) *raising {
	for _, product := range []bool{true, false} {
		for i := range f.site.Returned {
			place := &f.site.Returned[i]
			at, ok := p.index[place.Path]
			if !ok || product && p.files[at].Kind != "product" {
				continue
			}
			if r := p.siteAt(f, place.Path, place.Site); r != nil {
				r.returned = place
				return r
			}
		}
	}
	path, n := f.site.Decides(&f.variant, f.unit.File.Path)
	r := p.siteAt(f, path, n)
	if r != nil && f.variant.Via != nil {
		if r.helper = p.raises(f); r.helper != nil && r.helper.lang == nil {
			r.helper = nil
		}
	}
	return r
}

// raises is the site that raises, which may be a helper's.
func (p *page) raises(f *found) *raising { return p.siteAt(f, f.unit.File.Path, f.site.Site) }

func (p *page) siteAt(f *found, path string, n int) *raising {
	at, ok := p.index[path]
	if !ok {
		return nil
	}
	core := p.core(at)
	if core == nil || n < 0 || n >= len(core.Sites) {
		return nil
	}
	return &raising{found: f, path: path, file: at, core: core, site: &core.Sites[n], lang: p.langs[core.Language]}
}

// function is the function that decides, nil outside of any.
func (r *raising) function() *raise.Function {
	if n := r.site.Function; n >= 0 && n < len(r.core.Functions) {
		return &r.core.Functions[n]
	}
	return nil
}

// kept reports whether the error is only made, by the site or by the helper that it is given to.
func (r *raising) kept() bool {
	if r.helper != nil {
		return r.helper.site.Kept
	}
	return r.site.Kept
}

// name is the name of the function that decides; "" outside of any.
func (r *raising) name() string { return link.FunctionName(r.core, r.site.Function) }

// guardOf is the part of a site's condition that decides: the nearest branch, assertion or handler, or the last part; nil if there is
// none.
func guardOf(s *raise.Site) *raise.Part {
	for i := range slices.Backward(s.Condition) {
		if p := &s.Condition[i]; p.Role == raise.RoleGuard || p.Role == raise.RoleAssert || p.Role == raise.RoleHandler {
			return p
		}
	}
	if n := len(s.Condition); n > 0 && s.Condition[n-1].Role != raise.RoleAfter && s.Condition[n-1].Role != raise.RoleBranch {
		return &s.Condition[n-1]
	}
	return nil // what was asked where a closure was made decides nothing in it
}

// here is evidence at a place of the file that decides.
func (r *raising) here(kind string, line int, text string) api.Evidence {
	return api.Evidence{Kind: kind, Path: r.path, Line: line, EndLine: line, Text: text}
}
