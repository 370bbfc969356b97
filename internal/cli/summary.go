package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/paste"
)

// summary counts the errors of a log by site.
type summary struct {
	sites map[siteKey]*occurrences
	lines int64 // with a known error
	more  int64 // of these at sites that are not counted one by one
}

type siteKey struct {
	repo, path string
	line       int
	id         string
}

// occurrences are the lines that one site printed.
type occurrences struct {
	siteKey
	template    string
	count       int64
	first, last occurrence
}

type occurrence struct {
	line int64
	time string // as the log prints it, "" if it does not
}

// Bounds of a summary: the sites that are counted, and those that are shown.
const (
	maxSites = 10_000
	maxShown = 40
)

func (s *summary) add(o *api.Observation, line int64, text string) {
	s.lines++
	c := &o.Candidates[0]
	key := siteKey{c.Repo, c.Path, c.Line, c.Error}
	at := s.sites[key]
	if at == nil {
		if len(s.sites) >= maxSites {
			s.more++
			return
		}
		if s.sites == nil {
			s.sites = map[siteKey]*occurrences{}
		}
		at = &occurrences{siteKey: key, template: c.Template, first: occurrence{line, paste.Stamp(text)}}
		s.sites[key] = at
	}
	at.count++
	at.last = occurrence{line, paste.Stamp(text)}
}

// print writes the most frequent sites first.
func (s *summary) print(p *printer, lines int64) {
	p.printf("wherefore: %d lines, %d with a known error\n", lines, s.lines)
	all := make([]*occurrences, 0, len(s.sites))
	for _, o := range s.sites {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *occurrences) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.first.line, b.first.line), cmp.Compare(a.id, b.id))
	})
	for i, o := range all {
		if i == maxShown {
			rest := s.more
			for _, o := range all[i:] {
				rest += o.count
			}
			p.printf("  … and %d more at %d other sites\n", rest, len(all)-i)
			return
		}
		p.printf("  %6d × %s %s:%d  %s\n", o.count, p.in(cyan, o.id), clean(o.path), o.line, short(clean(o.template), 60))
		p.printf("           %s\n", p.in(dim, o.span()))
	}
	if s.more > 0 {
		p.printf("  … and %d more at sites that were not counted\n", s.more)
	}
}

// span says where an error occurred first and last.
func (o *occurrences) span() string {
	if o.count == 1 {
		return "line " + o.first.String()
	}
	return "first line " + o.first.String() + ", last line " + o.last.String()
}

func (o occurrence) String() string {
	if o.time == "" {
		return fmt.Sprint(o.line)
	}
	return fmt.Sprintf("%d (%s)", o.line, clean(o.time))
}
