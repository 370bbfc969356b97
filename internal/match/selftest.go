package match

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// maxWrong is how many wrong answers a self-test names.
const maxWrong = 10

// SelfTest prints a message from each template of a repository and looks it up again: each must lead to its own error, or to a
// declared tie that holds it, unless its text says too little to be known by.
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
		count(out, &r, own, text)
	}
	return out, nil
}

// count files the answer to one template.
func count(out *api.SelfTest, r *result, own []ErrorRef, text string) {
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
		out.Wrong++
		if len(out.Examples) < maxWrong {
			out.Examples = append(out.Examples, fmt.Sprintf("%016x %s: found %s %s", own[0].ID, quoted(text), r.Candidates[0].Error, quoted(r.Candidates[0].Template)))
		}
	}
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
