package match

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// maxWrong is how many wrong answers a self-test names.
const maxWrong = 10

// SelfTest prints a message from each template of a repository and looks it up again: each must lead to its own site, or to a
// declared tie that holds its error, unless its text says too little to be known by.
func (f *Finder) SelfTest(ctx context.Context, repo string) (*api.SelfTest, error) {
	out := &api.SelfTest{}
	x := f.search.index
	for n := range x.sigs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var own []ErrorRef
		for _, e := range x.Errors(n) {
			if e.Repo == repo {
				own = append(own, e)
			}
		}
		if len(own) == 0 {
			continue
		}
		template, err := x.Template(n)
		if err != nil {
			return nil, err
		}
		out.Templates++
		text := sampleText(template)
		j := &job{Finder: f, ctx: ctx, options: Options{Repo: repo, Limit: 50}, scope: scope{repo: repo}}
		r, err := j.one(text, &evidence{typ: own[0].Type, length: weight(text)}, 0)
		if err != nil {
			return nil, err
		}
		if err := f.count(ctx, out, &r, own, text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// count files the answer to one template.
func (f *Finder) count(ctx context.Context, out *api.SelfTest, r *result, own []ErrorRef, text string) error {
	holds := func(c *api.Candidate) bool {
		for _, e := range own {
			if fmt.Sprintf("%016x", e.ID) == c.Error {
				return true
			}
		}
		return false
	}
	switch {
	case r.Decision == api.Refused:
		out.Unlikely++
	case r.Decision == api.Found && holds(&r.Candidates[0]):
		out.Found++
	case r.Decision == api.Tie && slices.ContainsFunc(r.Candidates, func(c api.Candidate) bool { return holds(&c) }):
		out.Tied++
	default:
		// One site can raise several texts, of which one is as likely as the other where they differ in a value's place alone.
		same, err := f.atSite(ctx, own, &r.Candidates[0])
		if err != nil {
			return err
		}
		if same {
			out.Found++
			return nil
		}
		out.Wrong++
		if len(out.Examples) < maxWrong {
			out.Examples = append(out.Examples, fmt.Sprintf("%016x %s: found %s %s", own[0].ID, quoted(text), r.Candidates[0].Error, quoted(r.Candidates[0].Template)))
		}
	}
	return nil
}

// atSite reports whether a candidate is a site of one of the errors.
func (f *Finder) atSite(ctx context.Context, own []ErrorRef, c *api.Candidate) (bool, error) {
	for _, e := range own {
		id := fmt.Sprintf("%016x", e.ID)
		units, err := f.store.unitsOf(ctx, id, f.store.catalog.UnitsOf)
		if err != nil {
			return false, err
		}
		for i := range units {
			if units[i].File.Path != c.Path {
				continue
			}
			for _, s := range f.store.sites[units[i].ID] {
				if s.Line == c.Line && slices.ContainsFunc(s.Variants, func(v link.UnitVariant) bool { return v.ID == id }) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// sampleText prints a template with values of the right kind.
func sampleText(t message.Template) string {
	holes := t.Holes()
	values := make([]string, len(holes))
	for i, h := range holes {
		values[i] = sampleValue(h, i)
	}
	return t.Print(values...)
}

func sampleValue(h *message.Hole, i int) string {
	switch h.Kind {
	case message.Int, message.Hex:
		return strconv.Itoa(7 + i)
	case message.Float:
		return "2.5"
	case message.Bool:
		return "true"
	case message.Pointer:
		return "0xc000123400"
	case message.Char:
		return "x"
	case message.JSON:
		return `{"k":1}`
	case message.Enum:
		if len(h.Values) > 0 {
			return h.Values[0]
		}
	}
	return fmt.Sprintf("zq%d", i)
}
