package condition

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Judgement is what a message says of the condition under which it was raised.
type Judgement struct {
	// Text is the guard in the code's words: the branch or assertion nearest to the raise; without one, all parts joined.
	Text string
	// Verdict is False if any part cannot have held, otherwise the guard's; without a guard, that of all parts together.
	Verdict Verdict
	Parts   []Part
	// Steps are the definitions that were put in, with their arithmetic: "window = 15 - 6 = 9".
	Steps  []string
	Solved []Solved
}

// Part is one part of a condition. The parts of an Or stand one by one, and so do those of an And.
type Part struct {
	Text    string
	Verdict Verdict
	Shown   string // with the values put in: "9 > 8"; "" if none are known
	Role    raise.Role
	Line    int
	// Either says that the part is one of several of which one is enough; such a part may be false although the error was raised.
	Either bool
}

// Solved is what a part of the condition accepts of a quantity that the caller controls.
type Solved struct {
	Solution
	// Leaves, for an earlier branch that ends the function without the error, says how: "return". Accepted is then what takes that
	// branch.
	Leaves string
	Line   int
}

// Bounds on a judgement.
const (
	maxParts  = 64
	maxSolved = 4
)

// Judge judges the condition of a site with the values of a message. controls says which names the caller controls, for Solved; nil
// is none. The parts are judged by themselves: a part in which a name stands that changed before the raise does not see the value
// that was printed.
func Judge(site []raise.Part, defs []raise.Def, bindings []Binding, spelling *expr.Spelling, rules *Rules, controls func(string) bool) Judgement {
	env := NewEnv(rules, spelling)
	env.Define(defs)
	env.Bind(bindings)
	j := judging{env: env, controls: controls}
	guard := -1
	for i := range site {
		if isGuard(&site[i]) {
			guard = i
		}
	}
	all := True
	for i := range site {
		got := j.part(&site[i])
		switch {
		case got == False:
			all = False
		case got == Unknown && all == True && site[i].Expr != nil:
			all = Unknown
		}
		if i == guard && got != False {
			j.out.Verdict = got
		}
	}
	if guard < 0 || all == False {
		j.out.Verdict = all
	}
	if len(site) == 0 {
		j.out.Verdict = Unknown
	}
	j.text(site, guard)
	j.steps(site)
	if controls != nil {
		j.solve(site, guard)
	}
	return j.out
}

// isGuard reports whether a part is the kind that decides about the raise.
func isGuard(p *raise.Part) bool {
	switch p.Role {
	case raise.RoleGuard, raise.RoleAssert, raise.RoleCase, raise.RoleDefault:
		return p.Expr != nil
	}
	return false
}

type judging struct {
	env      *Env
	controls func(string) bool
	out      Judgement
}

// part adds the leaves of one part and returns the verdict on all of it.
func (j *judging) part(p *raise.Part) Verdict {
	if p.Expr == nil {
		if p.Text != "" && len(j.out.Parts) < maxParts {
			j.out.Parts = append(j.out.Parts, Part{Text: p.Text, Role: p.Role, Line: p.Line})
		}
		return Unknown
	}
	j.leaves(p, p.Expr, false, false, 0)
	return j.env.judge(p.Expr, false, p.Stale)
}

// leaves adds what And and Or join, one by one.
func (j *judging) leaves(p *raise.Part, e *expr.Expr, negated, either bool, depth int) {
	if len(j.out.Parts) >= maxParts || e == nil {
		return
	}
	switch {
	case depth > maxDepth:
	case e.Op == expr.Not:
		j.leaves(p, e.Arg(0), !negated, either, depth+1)
		return
	case e.Op == expr.Truthy && (e.Arg(0).Is(expr.And) || e.Arg(0).Is(expr.Or) || e.Arg(0).Is(expr.Not) || e.Arg(0).Is(expr.Compare)):
		j.leaves(p, e.Arg(0), negated, either, depth+1)
		return
	case e.Op == expr.And || e.Op == expr.Or:
		alternatives := (e.Op == expr.Or) != negated
		for _, a := range e.Args {
			j.leaves(p, a, negated, either || alternatives, depth+1)
		}
		return
	}
	shown := e
	if negated {
		shown = Negate(e)
	}
	j.out.Parts = append(j.out.Parts, Part{
		Text:    j.env.print(shown),
		Verdict: j.env.judge(e, negated, p.Stale),
		Shown:   j.env.shown(shown, p.Stale),
		Role:    p.Role, Line: p.Line, Either: either,
	})
}

// text is the guard, or all parts.
func (j *judging) text(site []raise.Part, guard int) {
	if guard >= 0 {
		j.out.Text = j.env.print(unnegated(site[guard].Expr))
		return
	}
	var all []*expr.Expr
	for i := range site {
		if site[i].Expr != nil {
			all = append(all, unnegated(site[i].Expr))
		}
	}
	if e := expr.Conj(all...); e != nil {
		j.out.Text = j.env.print(e)
	}
}

// unnegated writes a negation as a person would.
func unnegated(e *expr.Expr) *expr.Expr {
	if e.Is(expr.Not) && !e.Arg(0).Is(expr.Truthy) {
		return Negate(e.Args[0])
	}
	return e
}

// steps shows how the names in the condition were computed, what comes first first.
func (j *judging) steps(site []raise.Part) {
	var seen []string
	for i := range site {
		w := view{env: j.env, stale: site[i].Stale}
		j.step(&w, site[i].Expr, &seen, 0)
	}
}

// step adds the definitions of the names in e, those that they rest on first. seen keeps what was added.
func (j *judging) step(w *view, e *expr.Expr, seen *[]string, depth int) {
	e.Walk(func(x *expr.Expr) bool {
		w.steps, w.depth = 0, 0
		d, path := w.definition(x)
		if d == nil || depth > maxDefinitions || slices.Contains(*seen, path) {
			return true
		}
		*seen = append(*seen, path)
		j.step(w, d, seen, depth+1)
		value := w.defined(x)
		text, known := j.env.literal(value)
		if !known || d.Op == expr.Number || d.Op == expr.String {
			return true
		}
		shown := j.env.print(w.filled(d, 0))
		if shown == text {
			shown = j.env.print(d)
		}
		if shown != text {
			j.out.Steps = append(j.out.Steps, j.env.print(x)+" = "+shown+" = "+text)
		}
		return true
	})
}

// solve asks what the guard accepts, and what takes an earlier way out of the function.
func (j *judging) solve(site []raise.Part, guard int) {
	if guard < 0 {
		return
	}
	quantities := Quantities(site[guard].Expr, j.env, j.controls)
	for _, q := range quantities {
		if len(j.out.Solved) >= maxSolved {
			return
		}
		s, ok := Solve(site[guard].Expr, q, j.env)
		if !ok || len(site[guard].Stale) > 0 && mentions(q, site[guard].Stale) || j.saidAlready(s) {
			continue
		}
		j.out.Solved = append(j.out.Solved, Solved{Solution: s, Line: site[guard].Line})
		for i := range site {
			p := &site[i]
			if p.Role != raise.RoleExit || p.Leaves != "return" || p.Expr == nil || len(p.Stale) > 0 || len(j.out.Solved) >= maxSolved {
				continue
			}
			if s, ok := Solve(p.Expr, q, j.env); ok {
				j.out.Solved = append(j.out.Solved, Solved{Solution: s, Leaves: p.Leaves, Line: p.Line})
			}
		}
	}
}

// saidAlready reports whether a == b was said as b == a.
func (j *judging) saidAlready(s Solution) bool {
	return s.equals != nil && slices.ContainsFunc(j.out.Solved, func(o Solved) bool {
		return o.equals != nil && expr.Equal(o.equals, s.Quantity) && expr.Equal(o.Quantity, s.equals)
	})
}
