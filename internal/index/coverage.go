package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// maxExamples is how many places a count names.
const maxExamples = 5

// counter counts by reason.
type counter map[string]*api.Count

func (c counter) add(reason, example string) {
	one := c[reason]
	if one == nil {
		one = &api.Count{Reason: reason}
		c[reason] = one
	}
	one.Count++
	if example != "" && len(one.Examples) < maxExamples {
		one.Examples = append(one.Examples, example)
	}
}

// list is the counts, most frequent first.
func (c counter) list() []api.Count {
	out := make([]api.Count, 0, len(c))
	for _, one := range c {
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b api.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Reason, b.Reason))
	})
	return out
}

// coverage says how much of a revision was understood.
func (r *run) coverage(files []source.File, rev *link.Revision, skipped []source.Skipped, failed map[catalog.FactsKey]string) *api.Coverage {
	out := &api.Coverage{Files: len(files)}
	reasons, problems := counter{}, counter{}
	for _, s := range skipped {
		example := s.Path
		if s.Detail != "" {
			example += ": " + s.Detail
		}
		for range max(1, s.Count) {
			reasons.add(s.Reason, example)
			example = ""
		}
	}
	languages := map[string]*languageCount{}
	for i, f := range files {
		out.Bytes += f.Size
		l := languages[f.Language]
		if l == nil {
			l = &languageCount{LanguageCoverage: api.LanguageCoverage{Language: f.Language}, unknown: counter{}, kinds: counter{}}
			languages[f.Language] = l
		}
		l.Files++
		l.Bytes += f.Size
		l.add(&rev.Files[i], rev.Sites[i])
		for _, p := range rev.Files[i].Facts.Problems {
			example := fmt.Sprintf("%s:%d", f.Path, p.Line)
			if said := failed[key(f)]; said != "" && p.Reason == ReasonFailed {
				example += ": " + said
			}
			problems.add(p.Reason, example)
		}
	}
	for reason, n := range rev.Dropped {
		out.Dropped = append(out.Dropped, api.Count{Reason: reason, Count: n})
	}
	slices.SortFunc(out.Dropped, func(a, b api.Count) int { return cmp.Compare(b.Count, a.Count) })
	out.Skipped, out.Problems = reasons.list(), problems.list()
	for _, l := range languages {
		if c := r.byName[l.Language].Catalogue; c != nil && c.Only {
			continue // it holds texts for others, and no site
		}
		l.Unknown, l.Kinds = l.unknown.list(), l.kinds.list()
		out.Languages = append(out.Languages, l.LanguageCoverage)
	}
	slices.SortFunc(out.Languages, func(a, b api.LanguageCoverage) int {
		return cmp.Or(cmp.Compare(b.Sites, a.Sites), strings.Compare(a.Language, b.Language))
	})
	return out
}

type languageCount struct {
	api.LanguageCoverage
	unknown, kinds counter
}

func (l *languageCount) add(file *link.File, sites []link.Site) {
	for i := range sites {
		s := &sites[i]
		l.Sites++
		l.kinds.add(string(s.Kind), "")
		if s.Kind == raise.KindReraise {
			l.Reraises++
			continue
		}
		if len(file.Facts.Sites[s.Site].Condition) > 0 {
			l.Condition++
		}
		unknown := ""
		for _, v := range s.Variants {
			if v.Unknown != "" {
				unknown = v.Unknown
			}
		}
		switch unknown {
		case "":
			l.Templates++
		case link.UnknownNone:
			l.Silent++
		default:
			l.unknown.add(unknown, fmt.Sprintf("%s:%d", file.Path, s.Line))
		}
	}
}
