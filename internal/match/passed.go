package match

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// passed lists the links between an error and the one that it wraps that add no text of their own: the call that failed leads to a
// function that hands the error on through a site whose template is nothing but the error. text is what they all print.
func (j *job) passed(outer *result, links []result, text string) ([]result, error) {
	if len(links) == 0 || !outer.certain() || !links[0].certain() {
		return nil, nil
	}
	o, inner := &outer.options[0], &links[0].options[0]
	core, err := j.store.core(j, o.unit.File.Key())
	if err != nil || core == nil || o.site.Site >= len(core.Sites) {
		return nil, err
	}
	var out []result
	callee := failed(&core.Sites[o.site.Site])
	for seen := map[string]bool{}; callee != "" && !seen[callee] && len(out) < maxLinks; {
		seen[callee] = true
		if callee == lastPart(inner.site.Function) {
			break
		}
		next := ""
		for _, unit := range []*place{&o.place, &inner.place} {
			p, err := j.handsOn(unit, callee)
			if err != nil {
				return nil, err
			}
			if p == nil {
				continue
			}
			r := result{Observation: api.Observation{Message: text, Decision: api.Found, Link: "wrapped", Passed: true,
				Why: "It passes the error on and adds no text.", Candidates: []api.Candidate{j.candidate(&option{place: *p, prob: o.prob})}}}
			out = append(out, r)
			if core, err := j.store.core(j, p.unit.File.Key()); err == nil && core != nil && p.site.Site < len(core.Sites) {
				next = failed(&core.Sites[p.site.Site])
			}
			break
		}
		callee = next
	}
	return out, nil
}

// handsOn finds the site in a function of a file that hands on the error that it is given.
func (j *job) handsOn(in *place, function string) (*place, error) {
	sites := j.store.sites[in.unit.ID]
	for i := range sites {
		s := &sites[i]
		if lastPart(s.Function) != function {
			continue
		}
		for k := range s.Variants {
			v := &s.Variants[k]
			holes := v.Template.Holes()
			if v.Template.Weight() > 0 || len(holes) != 1 || !holdsError(holes[0]) {
				continue
			}
			p := *in
			p.site, p.variant, p.score, p.located = *s, *v, 0, false
			return &p, nil
		}
	}
	return nil, nil
}

// failed is the name of the function whose error a site wraps: the call that it was computed from, or that the handler names.
func failed(s *raise.Site) string {
	for i := range s.Defs {
		d := &s.Defs[i]
		if d.Value != nil && d.Value.Is(expr.Call) && (s.Wraps != nil && s.Wraps.String() == d.Name || s.Wraps == nil && holdsError(&message.Hole{Kind: message.Any, Text: d.Name})) {
			return lastPart(d.Value.Arg(0).String())
		}
	}
	for i := range s.Condition {
		if p := &s.Condition[i]; p.Role == raise.RoleHandler {
			call, _, _ := strings.Cut(p.Text, "(")
			return lastPart(call)
		}
	}
	return ""
}
