package match

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxLinks bounds the links of one chain.
const maxLinks = 12

// chain follows a message into the errors that it wraps: the values of its holes that hold errors are the messages of other sites.
// Where there are several, as of an error that wraps two, each is followed.
func (j *job) chain(first result, how message.How) ([]result, error) {
	out := []result{first}
	texts := wrapped(&first)
	if len(texts) == 0 {
		text, err := j.declared(&first, how)
		if err != nil || text == "" {
			return out, err
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		links, err := j.cause(text, how, maxLinks-len(out))
		if err != nil {
			return nil, err
		}
		if len(texts) > 1 && len(links) > 0 {
			links[0].Link = "member"
		}
		passed, err := j.passed(&out[0], links, text)
		if err != nil {
			return nil, err
		}
		out = append(append(out, passed...), links...)
	}
	return out, nil
}

// declared is the text of an error that is declared once and wrapped by a site whose template holds it as it stands: what follows one
// of the colons of the message, if that is the text of a known error.
func (j *job) declared(r *result, how message.How) (string, error) {
	if !r.certain() || len(r.options) == 0 || j.depth >= maxLinks {
		return "", nil
	}
	o := &r.options[0]
	core, err := j.store.core(j, o.unit.File.Key())
	if err != nil || core == nil || o.site.Site >= len(core.Sites) || core.Sites[o.site.Site].Wraps == nil {
		return "", err
	}
	j.depth++
	defer func() { j.depth-- }()
	rest := r.Message
	for range maxPrefixes {
		_, after, ok := strings.Cut(rest, ": ")
		if !ok || weight(after) < minMember {
			break
		}
		rest = after
		inner, err := j.one(rest, &evidence{length: weight(rest)}, how)
		if err != nil {
			return "", err
		}
		if inner.certain() && inner.options[0].variant.Template.HoleCount() == 0 && inner.options[0].repo.ID == o.repo.ID {
			return rest, nil
		}
	}
	return "", nil
}

// cause answers the text of an error that another one wraps, with the chain that it begins; nothing if no link of it is known.
func (j *job) cause(text string, how message.How, left int) ([]result, error) {
	if left <= 0 || j.depth >= maxLinks {
		return nil, nil
	}
	j.depth++
	defer func() { j.depth-- }()
	next, err := j.one(text, &evidence{length: weight(text)}, how)
	if err != nil {
		return nil, err
	}
	if next.certain() {
		next.Link = "wrapped"
		out, err := j.chain(next, how)
		return out[:min(len(out), left)], err
	}
	if strings.Contains(text, "\n") {
		if members, err := j.members(text, how, left); err != nil || len(members) > 0 {
			return members, err
		}
	}
	inner, err := j.behindPrefix(text, &evidence{}, how, next)
	if err != nil || len(inner) == 1 {
		return nil, err
	}
	inner[0].Link = "wrapped"
	return inner[:min(len(inner), left)], nil
}

// members answers lines as errors that were joined, those that are known.
func (j *job) members(text string, how message.How, left int) ([]result, error) {
	var out []result
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if weight(line) < minMember || len(out) >= left {
			continue
		}
		r, err := j.one(line, &evidence{length: weight(line)}, how)
		if err != nil {
			return nil, err
		}
		if r.certain() {
			r.Link = "member"
			links, err := j.chain(r, how)
			if err != nil {
				return nil, err
			}
			out = append(out, links...)
		}
	}
	return out[:min(len(out), left)], nil
}

// minMember is how many letters and digits a line needs to be looked up as an error that was joined with others.
const minMember = 6

// lines answers a message of which only some lines were printed by a site: the first one, to which others were added, or the errors
// that were joined in it.
func (j *job) lines(text string, e *evidence, how message.How, whole []result) ([]result, error) {
	head, rest, several := strings.Cut(text, "\n")
	if !several {
		return whole, nil
	}
	first, err := j.message(head, e, how)
	if err != nil {
		return nil, err
	}
	if !first[0].certain() {
		first = nil
		rest = text
	}
	members, err := j.members(rest, how, maxLinks)
	if err != nil || len(first)+len(members) == 0 {
		return whole, err
	}
	return append(first, members...), nil
}

// maxPrefixes bounds how many leading parts of a chained message are taken away in search of a link that the catalog knows.
const maxPrefixes = 8

// muchMore is how many bits more a link of a chain must say than a template that fits the whole message.
const muchMore = 10

// remoteMark stands between what a remote call adds ("rpc error: code = NotFound") and the text of the other side.
const remoteMark = " desc = "

// cutLink splits the first link off a chained message.
func cutLink(s string) (before, after string, ok bool) {
	if i := strings.Index(s, remoteMark); i >= 0 && !strings.Contains(s[:i], ": ") {
		return s[:i], s[i+len(remoteMark):], true
	}
	return strings.Cut(s, ": ")
}

// behindPrefix looks for a known message behind texts of other repositories: "a: b: c" is tried as "b: c" and "c".
func (j *job) behindPrefix(text string, e *evidence, how message.How, whole result) ([]result, error) {
	rest := text
	for range maxPrefixes {
		before, after, ok := cutLink(rest)
		if !ok || strings.TrimSpace(after) == "" || strings.Contains(before, "\n") {
			break
		}
		rest = after
		inner, err := j.one(rest, &evidence{typ: e.typ, weak: true, frames: e.frames, length: weight(rest)}, how)
		if err != nil {
			return nil, err
		}
		if inner.certain() && (len(whole.options) == 0 || inner.options[0].bits > whole.options[0].bits+muchMore) {
			inner.Link = "wrapped"
			inner.Why = strings.TrimSpace(inner.Why + " The text before it was added elsewhere.")
			links, err := j.chain(inner, how)
			return append([]result{whole}, links...), err
		}
	}
	return []result{whole}, nil
}

// wrapped lists the texts of the errors that a message holds: the values of holes that print errors, and of a last hole that may.
func wrapped(r *result) []string {
	if len(r.options) == 0 {
		return nil
	}
	o := &r.options[0]
	holes, pieces := o.variant.Template.Holes(), o.variant.Template.Pieces
	bindings := o.hit.Match.Bindings
	var out []string
	for i, b := range bindings {
		if b.Hole >= len(holes) || weight(b.Value) < 4 {
			continue
		}
		last := i == len(bindings)-1 && b.Hole == len(holes)-1
		atEnd := last && pieces[len(pieces)-1].Hole != nil && strings.Contains(b.Value, " ")
		if (holes[b.Hole].Kind == message.Error || atEnd) && !slices.Contains(out, b.Value) {
			out = append(out, b.Value)
		}
	}
	return out
}

// unprinted drops the links of a message that the report prints as errors of their own, with frames.
func unprinted(found []api.Observation, traces []raise.Observation) []api.Observation {
	out := found[:min(1, len(found))]
	for _, o := range found[len(out):] {
		if !slices.ContainsFunc(traces, func(t raise.Observation) bool { return t.Message == o.Message }) {
			out = append(out, o)
		}
	}
	return out
}

// inOrder lists errors in the order of the text, each followed by its causes. What a message wraps gets the span of its own words.
func inOrder(groups [][]api.Observation, text string) []api.Observation {
	slices.SortStableFunc(groups, func(a, b []api.Observation) int { return a[0].Span[0] - b[0].Span[0] })
	var out []api.Observation
	for _, g := range groups {
		for i := range g {
			o := &g[i]
			if span := o.Span; i > 0 && o.Message != "" && span[0] <= g[i-1].Span[0] && g[i-1].Span[1] <= span[1] {
				if at := strings.LastIndex(text[span[0]:span[1]], o.Message); at >= 0 {
					o.Span = [2]int{span[0] + at, span[0] + at + len(o.Message)}
				}
			}
			out = append(out, *o)
		}
	}
	return out
}
