package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// nearest fills in the template that shares most with a message that no site prints, and says where it differs.
func (j *job) nearest(r *result) {
	x := j.search.index
	r.Why = "No site in the catalogue prints this."
	weights := map[uint32]float64{}
	var last uint32
	scores := map[uint32]float64{}
	n := 0
	eachWord(r.Message, func(_, _ int, hash uint32) {
		if n++; n > maxWords {
			return
		}
		weights[hash] = x.bits(hash)
		for _, key := range []uint32{hash, pair(last, hash)} {
			for _, t := range x.lookup(key) {
				scores[t] = 0
			}
		}
		last = hash
	})
	best, bestScore := -1, 0.0
	for t := range scores {
		score := x.shared(int(t), weights)
		if score > bestScore || score == bestScore && best >= 0 && int(t) < best {
			best, bestScore = int(t), score
		}
	}
	if best < 0 || bestScore < 8 {
		return
	}
	template, err := x.Template(best)
	refs := x.Errors(best)
	if err != nil || len(refs) == 0 {
		return
	}
	missing := missingWords(template.Key(), r.Message)
	r.Nearest = &api.Nearest{Error: fmt.Sprintf("%016x", refs[0].ID), Repo: refs[0].Repo, Template: template.Display(), Differs: missing}
	r.Why += " The nearest is " + quoted(template.Display()) + " of " + refs[0].Repo
	if missing != "" {
		r.Why += "; the message lacks its words “" + missing + "”"
	}
	r.Why += "."
}

// shared is what the words that a template shares with a message say, less what those say that it lacks.
func (x *Index) shared(t int, weights map[uint32]float64) float64 {
	template, err := x.Template(t)
	if err != nil {
		return 0
	}
	sum := 0.0
	for _, p := range template.Pieces {
		eachWord(p.Text, func(_, _ int, hash uint32) {
			if w, ok := weights[hash]; ok {
				sum += w
			} else {
				sum -= x.bits(hash) / 2
			}
		})
	}
	return sum
}

// missingWords lists the words of a template's literal text that the message does not have.
func missingWords(key, text string) string {
	have := map[string]bool{}
	eachWord(text, func(start, end int, _ uint32) { have[text[start:end]] = true })
	var out []string
	eachWord(key, func(start, end int, _ uint32) {
		if w := key[start:end]; !have[w] && !slices.Contains(out, w) && len(out) < 8 {
			out = append(out, w)
		}
	})
	return strings.Join(out, " ")
}
