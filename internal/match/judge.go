package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxJudged is how many candidates of an observation have their condition judged.
const maxJudged = 3

// judge puts the values of the message into the condition of a site, and says where the condition is another in other revisions.
func (j *job) judge(o *option, c *api.Candidate) error {
	var err error
	if c.Condition, err = j.judged(&o.place, o.hit.Match); err != nil || c.Condition == nil {
		return err
	}
	for i := range o.others {
		if i == maxOthers {
			break
		}
		p := &o.others[i]
		other, err := j.judged(p, o.hit.Match)
		if err != nil {
			return err
		}
		if other != nil && other.Text != c.Condition.Text {
			c.Condition.Others = append(c.Condition.Others, api.OtherCondition{Revisions: titles(p.revisions), Line: p.site.Line, Text: other.Text, Verdict: other.Verdict})
		}
	}
	return nil
}

// version puts the newest of the revisions that can have printed the message first, and drops those whose condition the values
// contradict, unless they contradict all.
func (j *job) version(o *option) error {
	if len(o.others) == 0 {
		return nil
	}
	all := append([]place{o.place}, o.others...)
	slices.SortStableFunc(all, func(a, b place) int { return newer(&a.revisions[0], &b.revisions[0]) })
	possible := all[:0:0]
	for i := range all {
		c, err := (*api.Condition)(nil), error(nil)
		if i < maxOthers {
			if c, err = j.judged(&all[i], o.hit.Match); err != nil {
				return err
			}
		}
		if c == nil || c.Verdict != condition.False.String() {
			possible = append(possible, all[i])
		}
	}
	if len(possible) == 0 {
		possible = all
	}
	o.place, o.others = possible[0], possible[1:]
	return nil
}

// newer orders revisions, the newest first.
func newer(a, b *catalog.Revision) int {
	if c := b.Time.Compare(a.Time); c != 0 {
		return c
	}
	return cmp.Compare(b.ID, a.ID)
}

// maxOthers bounds the units of other revisions whose conditions are compared.
const maxOthers = 20

// judged is the condition of a place with the values of a message put in; nil if there is none.
func (j *job) judged(p *place, m message.Match) (*api.Condition, error) {
	path, at := p.site.Decides(&p.variant, p.unit.File.Path)
	if path != p.unit.File.Path {
		return nil, nil // the names of the message are those of another file, whose facts are not at hand
	}
	r, err := j.store.raiseAt(j, p.unit.File.Key(), at)
	if err != nil || r == nil {
		return nil, err
	}
	l := j.langs[r.language]
	if l == nil {
		return nil, nil
	}
	bindings := condition.Bindings(p.variant.Template, m)
	return Wire(condition.Judge(r.site.Condition, r.site.Defs, bindings, &l.Spelling, &l.Rules, r.controls)), nil
}

// Controls says which names the caller controls: the parameters of the function and members of what it is called on,
// but for those that the function itself gave another value before.
func Controls(core *raise.Facts, s *raise.Site) func(string) bool {
	names := map[string]bool{}
	method := false
	if s.Function >= 0 && s.Function < len(core.Functions) {
		method = core.Functions[s.Function].Owner != "" // then there is an object, or a function around it
		for _, p := range core.Functions[s.Function].Params {
			names[p.Name] = true
		}
	}
	return func(name string) bool {
		for _, own := range s.Assigned {
			if name == own || strings.HasPrefix(name, own+".") {
				return false
			}
		}
		head, _, dotted := strings.Cut(name, ".")
		return names[head] || dotted && method && !core.Common(head)
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
			return l.FactsVersion()
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
