package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/match"
)

// result is what came of one truth.
type result struct {
	name                 string
	sites                int
	alone, traced        outcome
	valueOnly            outcome // messages of sites that print nothing but a value
	foreign, changed     outcome
	bindings, exact      int
	judged, falseVerdict int
	reliability          []bin
	wrong                []string
	weighings            []weighing
}

// outcome counts answers.
type outcome struct{ n, first, tie, wrong, refused int }

func (o *outcome) right() int { return o.first + o.tie }

// bin is a range of probabilities with how often answers in it were right.
type bin struct {
	low, sum float64
	n, right int
}

// measure looks every record of a truth up, and messages of the others and changed ones as negatives.
func measure(ctx context.Context, dir string, truths []truth, at int) (*result, error) {
	t := &truths[at]
	finder, done, err := open(ctx, dir, t)
	if err != nil {
		return nil, err
	}
	defer done()
	m := &measurement{ctx: ctx, finder: finder, result: &result{name: t.name, reliability: bins()}}
	sites := map[string]bool{}
	for i := range t.records {
		r := &t.records[i]
		sites[fmt.Sprint(r.Path, ":", r.Line)] = true
		if err := m.positive(r); err != nil {
			return nil, err
		}
	}
	m.result.sites = len(sites)
	for i := range truths {
		if i == at {
			continue
		}
		for _, r := range truths[i].records {
			if err := m.negative(r.Message, &m.result.foreign); err != nil {
				return nil, err
			}
		}
	}
	for _, text := range prose() {
		if err := m.negative(text, &m.result.foreign); err != nil {
			return nil, err
		}
	}
	return m.result, nil
}

type measurement struct {
	ctx    context.Context
	finder *match.Finder
	result *result
}

func (m *measurement) answer(text string) (api.Observation, error) {
	a, err := m.finder.Find(m.ctx, text, match.Options{Limit: 60})
	if err != nil || len(a.Observations) == 0 {
		return api.Observation{Decision: api.Refused}, err
	}
	return a.Observations[0], nil
}

func hit(c *api.Candidate, r *record) bool {
	if c.Path == r.Path && c.Line <= r.Line && r.Line <= c.EndLine {
		return true
	}
	path, line, _ := strings.Cut(r.Made, ":")
	n, err := strconv.Atoi(line)
	return err == nil && c.Path == path && c.Line <= n && n <= c.EndLine
}

func count(o *outcome, a *api.Observation, r *record) (right bool) {
	o.n++
	switch {
	case a.Decision == api.Refused:
		o.refused++
	case hit(&a.Candidates[0], r):
		o.first++
		return true
	case a.Decision == api.Tie && slices.ContainsFunc(a.Candidates, func(c api.Candidate) bool { return hit(&c, r) }):
		o.tie++
		return true
	default:
		o.wrong++
	}
	return false
}

func (m *measurement) positive(r *record) error {
	traced, err := m.answer(r.Traceback)
	if err != nil {
		return err
	}
	if before := m.result.traced.first; os.Getenv("TRACED") != "" {
		defer func() {
			if m.result.traced.first == before {
				fmt.Fprintf(os.Stderr, "traced %s:%d %q → %s %s\n", r.Path, r.Line, cut(r.Message), traced.Decision, first(&traced))
			}
		}()
	}
	count(&m.result.traced, &traced, r)
	alone, err := m.answer(r.Message)
	if err != nil {
		return err
	}
	// Which messages a reader could know by their text at all is decided by the template at the true line.
	if bare(&traced, r) {
		count(&m.result.valueOnly, &alone, r)
		return nil
	}
	right := count(&m.result.alone, &alone, r)
	if !right && len(m.result.wrong) < 4000 && alone.Decision != api.Refused {
		m.result.wrong = append(m.result.wrong, fmt.Sprintf("%s:%d %q → %s:%d %q", r.Path, r.Line, cut(r.Message), alone.Candidates[0].Path, alone.Candidates[0].Line, cut(alone.Candidates[0].Template)))
	}
	if !right && alone.Decision == api.Refused && os.Getenv("REFUSED") != "" {
		fmt.Fprintf(os.Stderr, "refused %s:%d %q %s\n", r.Path, r.Line, cut(r.Message), alone.Why)
	}
	if alone.Decision != api.Refused {
		sum := 0.0
		for i := range alone.Candidates {
			if alone.Decision == api.Tie || i == 0 {
				sum += alone.Candidates[i].Probability
			}
		}
		m.bin(min(sum, 1), right)
	} else if len(alone.Candidates) > 0 {
		sum, holds := 0.0, false
		for i := range alone.Candidates {
			sum += alone.Candidates[i].Probability
			holds = holds || hit(&alone.Candidates[i], r)
		}
		m.bin(min(sum, 1), holds)
	}
	if right {
		m.details(&alone, r)
	}
	m.weighed(&alone, r)
	return m.change(&alone, r)
}

func first(a *api.Observation) string {
	if len(a.Candidates) == 0 {
		return a.Why
	}
	c := &a.Candidates[0]
	return fmt.Sprintf("%s:%d %q %.2f", c.Path, c.Line, cut(c.Template), c.Probability)
}

// bare reports whether the site of a record prints nothing but values.
func bare(a *api.Observation, r *record) bool {
	for i := range a.Candidates {
		if c := &a.Candidates[i]; hit(c, r) {
			rest := regexp.MustCompile(`\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}`).ReplaceAllString(c.Template, "")
			return !regexp.MustCompile(`\p{L}`).MatchString(rest)
		}
	}
	return false
}

// details checks bindings and verdict of the candidate at the true line.
func (m *measurement) details(a *api.Observation, r *record) {
	for i := range a.Candidates {
		c := &a.Candidates[i]
		if !hit(c, r) {
			continue
		}
		for _, b := range c.Bindings {
			if want, ok := r.Locals[b.Expression]; ok && !strings.HasPrefix(want, "<len ") {
				m.result.bindings++
				if b.Value == want || b.Value == strings.Trim(want, `'"`) || unquoted(want) == b.Value {
					m.result.exact++
				}
			}
		}
		if c.Condition != nil {
			m.result.judged++
			if c.Condition.Verdict == "false" {
				m.result.falseVerdict++
				m.result.wrong = append(m.result.wrong, fmt.Sprintf("verdict false: %s:%d %q: %s", r.Path, r.Line, cut(r.Message), c.Condition.Text))
			}
		}
		return
	}
}

// unquoted is a repr of a text without its quotes and escapes.
func unquoted(repr string) string {
	if len(repr) < 2 || repr[0] != '\'' && repr[0] != '"' {
		return repr
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\'`, "'", `\"`, `"`).Replace(repr[1 : len(repr)-1])
}

// change looks the message up with one literal word replaced: no site prints that.
func (m *measurement) change(a *api.Observation, r *record) error {
	if len(a.Candidates) == 0 || !hit(&a.Candidates[0], r) {
		return nil
	}
	var words [][]int
	for _, w := range regexp.MustCompile(`\b[a-z]{4,}\b`).FindAllStringIndex(r.Message, -1) {
		inside := slices.ContainsFunc(a.Candidates[0].Bindings, func(b api.Binding) bool { return w[0] < b.Span[1] && b.Span[0] < w[1] })
		if !inside {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(uint64(len(r.Message)), uint64(r.Line)))
	w := words[rng.IntN(len(words))]
	other := []string{"zebra", "quartz", "blanket", "orchid", "velvet", "granite"}[rng.IntN(6)]
	return m.negative(r.Message[:w[0]]+other+r.Message[w[1]:], &m.result.changed)
}

func (m *measurement) negative(text string, o *outcome) error {
	a, err := m.answer(text)
	if err != nil {
		return err
	}
	o.n++
	if a.Decision == api.Refused {
		o.refused++
	} else {
		o.wrong++
		if os.Getenv("NEGATIVES") != "" {
			fmt.Fprintf(os.Stderr, "negative %q → %q %.2f\n", cut(text), cut(a.Candidates[0].Template), a.Candidates[0].Probability)
		}
	}
	m.weighed(&a, nil)
	if len(a.Candidates) > 0 {
		sum := 0.0
		for i := range a.Candidates {
			sum += a.Candidates[i].Probability
		}
		m.bin(min(sum, 1), false)
	}
	return nil
}

// weighed notes what the best template's probability was made from, and whether one of its sites, or of its equals, did raise.
func (m *measurement) weighed(a *api.Observation, r *record) {
	if len(a.Candidates) == 0 {
		return
	}
	row := weighing{features: a.Candidates[0].Weighed, text: a.Message}
	for i := range a.Candidates {
		c := &a.Candidates[i]
		row.right = row.right || r != nil && c.Probability > a.Candidates[0].Probability/2 && hit(c, r)
	}
	m.result.weighings = append(m.result.weighings, row)
}

// weighing is one row of what the model is fitted on.
type weighing struct {
	features []float64
	right    bool
	text     string
}

func bins() []bin {
	return []bin{{low: 0}, {low: 0.1}, {low: 0.3}, {low: 0.5}, {low: 0.7}, {low: 0.8}, {low: 0.9}, {low: 0.95}, {low: 0.99}}
}

func (m *measurement) bin(p float64, right bool) {
	for i := len(m.result.reliability) - 1; i >= 0; i-- {
		if b := &m.result.reliability[i]; p >= b.low {
			b.n++
			b.sum += p
			if right {
				b.right++
			}
			return
		}
	}
}

func cut(s string) string {
	if r := []rune(s); len(r) > 90 {
		return string(r[:89]) + "…"
	}
	return s
}

// prose are texts that no program raises.
func prose() []string {
	return strings.Split(strings.TrimSpace(`
The quick brown fox jumps over the lazy dog.
I tried to run the example from the documentation but it did not work as expected.
Can somebody explain why my build takes so long?
Thank you for your help, the patch works.
Server listening on port 8080
user logged in from 10.0.0.1
Total time: 3.2 s
Please see the attached file for more details.
Starting container web_1 ... done
commit 4f3a merged into main
GET /index.html 200 12ms
All tests passed
connection established to database
Downloading packages from the mirror
The deployment finished at noon and nobody complained
ok
42
hello world`), "\n")
}
