// Package compare says what became of errors between two revisions of a repository, from the lists of both.
package compare

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// Errors compares the errors of an older and a newer revision. The answer's names of repository and revisions are left to the caller.
func Errors(before, after []api.Error) *api.Comparison {
	out := &api.Comparison{Added: []api.Error{}, Removed: []api.Error{}, Reworded: []api.Rewording{}, Moved: []api.Move{}}
	known := make(map[string]*api.Error, len(before))
	for i := range before {
		known[before[i].ID] = &before[i]
	}
	var added []*api.Error
	for i := range after {
		e := &after[i]
		old := known[e.ID]
		delete(known, e.ID)
		switch {
		case old == nil:
			added = append(added, e)
		case moved(old, e):
			out.Moved = append(out.Moved, api.Move{Error: *e, From: old.Sites[0].Path})
		default:
			out.Unchanged++
		}
	}
	var removed []*api.Error
	for i := range before {
		if known[before[i].ID] != nil {
			removed = append(removed, &before[i])
		}
	}
	pair(out, removed, added)
	return out
}

// moved reports whether an error has no site in a file in which it had one.
func moved(before, after *api.Error) bool {
	return len(before.Sites) > 0 && !slices.ContainsFunc(after.Sites, func(s api.Site) bool {
		return slices.ContainsFunc(before.Sites, func(o api.Site) bool { return o.Path == s.Path })
	})
}

// spot is where an error stands, whatever it says.
type spot struct{ path, function, typ string }

func spotOf(e *api.Error) spot {
	s := &e.Sites[0]
	return spot{s.Path, s.Function, e.Type}
}

// alike is how many of the words of two messages have to be the same for one to be the other's rewording.
const alike = 0.3

// pair finds the rewordings: of the errors that went and came at one spot, those whose words are most alike. What is left went and came.
func pair(out *api.Comparison, removed, added []*api.Error) {
	at := map[spot][]*api.Error{}
	for _, e := range removed {
		if len(e.Sites) > 0 {
			at[spotOf(e)] = append(at[spotOf(e)], e)
		}
	}
	taken := map[*api.Error]bool{}
	for _, e := range added {
		var best *api.Error
		score := alike
		if len(e.Sites) > 0 {
			for _, old := range at[spotOf(e)] {
				if s := Similarity(old.Template, e.Template); !taken[old] && s >= score {
					best, score = old, s
				}
			}
		}
		if best == nil {
			out.Added = append(out.Added, *e)
			continue
		}
		taken[best] = true
		out.Reworded = append(out.Reworded, api.Rewording{Before: *best, After: *e})
	}
	for _, e := range removed {
		if !taken[e] {
			out.Removed = append(out.Removed, *e)
		}
	}
}

// Similarity is the share of words that two texts have in common, from 0 to 1.
func Similarity(a, b string) float64 {
	words, others := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	count := map[string]int{}
	for _, w := range words {
		count[w]++
	}
	common := 0
	for _, w := range others {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if len(words)+len(others) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(words)+len(others))
}
