package match

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxJudged is how many candidates of an observation have their condition judged.
const maxJudged = 3

// judge puts the values of the message into the condition of a site.
func (j *job) judge(o *option, c *api.Candidate) error {
	at := o.site.Site
	// Where a helper raises what it is given, the condition that matters is the caller's.
	if v := o.variant.Via; v != nil && v.Path == o.unit.File.Path {
		at = v.Site
	}
	r, err := j.store.raiseAt(j, o.unit.File.Key(), at)
	if err != nil || r == nil {
		return err
	}
	l := j.langs[r.language]
	if l == nil {
		return nil
	}
	bindings := condition.Bindings(o.variant.Template, o.hit.Match)
	c.Condition = Wire(condition.Judge(r.site.Condition, r.site.Defs, bindings, &l.Spelling, &l.Rules, r.controls))
	return nil
}

// Controls says which names the caller controls: the parameters of the function, and members of what it is called on.
func Controls(core *raise.Facts, s *raise.Site) func(string) bool {
	names := map[string]bool{}
	if s.Function >= 0 && s.Function < len(core.Functions) {
		for _, p := range core.Functions[s.Function].Params {
			names[p.Name] = true
		}
	}
	return func(name string) bool {
		head, _, dotted := strings.Cut(name, ".")
		return names[head] || dotted
	}
}

// Wire is a judgement in the wire form.
func Wire(judged condition.Judgement) *api.Condition {
	out := &api.Condition{Text: judged.Text, Verdict: judged.Verdict.String(), Parts: []api.Part{}, Steps: judged.Steps}
	for _, p := range judged.Parts {
		out.Parts = append(out.Parts, api.Part{Text: p.Text, Verdict: p.Verdict.String(), Shown: p.Shown, Line: p.Line, Role: string(p.Role), Either: p.Either})
	}
	for _, s := range judged.Solved {
		solved := api.Solved{Accepted: s.Accepted, Range: s.Range, Shown: s.Shown, Line: s.Line, Leaves: s.Leaves}
		if s.Quantity != nil {
			solved.Quantity = s.Quantity.String()
		}
		out.Solved = append(out.Solved, solved)
	}
	return out
}

// raiseFacts is what the facts of a file say about one of its sites.
type raiseFacts struct {
	site     raise.Site
	language string
	controls func(string) bool
}

// siteKey names a site of a content.
type siteKey struct {
	catalog.FactsKey
	site int
}

// raiseAt reads what the facts of a content say about a site; nil if there is no condition, or nothing that this version can read.
// Only what was asked for is remembered: the facts of whole files take much room.
func (s *store) raiseAt(j *job, key catalog.FactsKey, at int) (*raiseFacts, error) {
	id := siteKey{key, at}
	if r, ok := s.raises[id]; ok {
		return r, nil
	}
	core, err := s.core(j, key)
	if err != nil {
		return nil, err
	}
	if len(s.raises) > remembered {
		clear(s.raises)
	}
	var r *raiseFacts
	if core != nil && at < len(core.Sites) && len(core.Sites[at].Condition) > 0 {
		r = &raiseFacts{core.Sites[at], core.Language, Controls(core, &core.Sites[at])}
	}
	s.raises[id] = r
	return r, nil
}

// rememberedFiles bounds the files whose facts are kept.
const rememberedFiles = 16

// core reads the facts of a content; nil if the catalog has none that this version can read.
func (s *store) core(j *job, key catalog.FactsKey) (*raise.Facts, error) {
	if f, ok := s.cores[key]; ok {
		return f, nil
	}
	if len(s.cores) >= rememberedFiles {
		clear(s.cores)
	}
	version := func(language string) int {
		if l := j.langs[language]; l != nil {
			return l.Version
		}
		return -1
	}
	var out *raise.Facts
	err := s.catalog.Cores(j.ctx, []catalog.FactsKey{key}, version, func(k catalog.FactsKey, core []byte) error {
		f, err := raise.DecodeCore(core)
		if err == nil && k.Language == key.Language {
			out = f
		}
		return nil
	})
	s.cores[key] = out
	return out, err
}
