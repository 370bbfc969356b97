package flow

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Bounds on what one site carries: the nearest ones are kept.
const (
	maxParts    = 16
	maxExits    = 4 // early exits passed; those further back say little about the raise
	maxDefs     = 10
	maxAssigned = 16
	maxDepth    = 200 // of nested statements; what is deeper is not entered
)

// Function is what Analyze is given.
type Function struct {
	Params []string // names that hold a value on entry: parameters, the receiver, captured names
	Body   []Stmt
	// Receiver is the name of the object whose method this is, "" for none. Its methods call each other all the time, and what each
	// of them changes is not known here: a call on it counts as changing nothing.
	Receiver string
	// Pure reports whether a method of that name leaves its receiver as it is ("startswith", "get"); nil: none does.
	Pure func(method string) bool
	// Grow returns the elements of a list behind a call of one of its methods that adds some ("append"); nil if it does anything else.
	Grow func(method string, list, args []*expr.Expr) []*expr.Expr
}

// Analyze fills Condition and Defs of the sites that f's statements name, and puts the local definitions that reach them into
// their Message, Args, Type and Via. It returns what the function makes: the errors and texts that its return statements give
// back, for [raise.Function.Makes].
func Analyze(f Function, sites []raise.Site) []*expr.Expr {
	w := &walker{sites: sites, receiver: f.Receiver, pure: f.Pure, grow: f.Grow}
	start := state{env: env{params: f.Params}}
	w.block(f.Body, start, 0)
	if w.many {
		// Some of many texts are not what it returns: which one it is, is not known.
		w.makes = slices.DeleteFunc(w.makes, func(e *expr.Expr) bool { return !e.Is(expr.Error) })
	}
	return w.makes
}

type walker struct {
	sites    []raise.Site
	receiver string
	pure     func(string) bool
	grow     func(string, []*expr.Expr, []*expr.Expr) []*expr.Expr
	looped   bool // what runs any number of times is gone through, to forget what it changes
	makes    []*expr.Expr
	many     bool // it makes more texts than are followed
}

// state is what holds at one point: the names, and the parts of the condition passed on the way.
type state struct {
	env    env
	parts  []part
	passed int  // how many parts were passed so far, with those that no site would keep
	gone   bool // nothing gets here
}

// part is a raise.Part with what its names held when it was evaluated.
type part struct {
	raise.Part
	needs  []need
	number int  // the how-manyth part it is on its way
	around bool // it was passed where a closure was made that runs by itself
}

func (s state) with(p raise.Part) state {
	parts := slices.Clip(s.parts)
	if len(parts) >= 4*maxParts {
		parts = nearExits(parts)
	}
	s.passed++
	s.parts = append(parts, part{Part: p, needs: s.env.needs(p.Expr), number: s.passed})
	return s
}

// block runs the statements one after the other and returns what holds behind them.
func (w *walker) block(body []Stmt, s state, depth int) state {
	if depth > maxDepth {
		return s
	}
	entry := s.parts
	for i := range body {
		if body[i].Kind == Label {
			s.parts, s.gone = entry, false
			w.forget(body, &s.env, depth)
			continue
		}
		if s.gone {
			// Code behind a jump can be a label's or a nested definition's; its sites still get their own branches.
			s.gone = false
		}
		s = w.stmt(&body[i], s, depth)
		w.keeps(body, i)
	}
	return s
}

// keeps marks the site of a statement whose error does not leave the function with it or with the statement behind it.
func (w *walker) keeps(body []Stmt, i int) {
	st := &body[i]
	if st.Kind != Raise || !st.Goes || st.Site < 0 || st.Site >= len(w.sites) || w.sites[st.Site].Kind != raise.KindError {
		return
	}
	returned := i+1 < len(body) && body[i+1].Kind == Leave && body[i+1].Leaves == Return && body[i+1].Line == st.Line
	w.sites[st.Site].Kept = !returned
}

func (w *walker) stmt(st *Stmt, s state, depth int) state {
	switch st.Kind {
	case Do:
		w.effects(st.Value, &s.env)
	case Assign:
		w.assign(st, &s.env)
	case If:
		return w.branch(st, s, depth)
	case While, DoWhile, For:
		return w.loop(st, s, depth)
	case Switch:
		return w.choose(st, s, depth)
	case Try:
		return w.try(st, s, depth)
	case Block:
		if len(st.Locals) == 0 {
			return w.block(st.Body, s, depth+1)
		}
		in := s
		in.env = s.env.clone()
		out := w.block(st.Body, in, depth+1)
		out.env = out.env.outOf(st.Locals, &s.env)
		return out
	case Closure:
		w.closure(st, s, depth)
	case Leave:
		if st.Leaves == Return && st.Value != nil {
			w.makesOf(st.Value, &s.env)
		}
		s.gone = true
	case Raise:
		w.fill(st, s)
		s.gone = !st.Goes
	case Assert:
		negated := raise.Part{Role: raise.RoleAssert, Expr: Negate(st.Cond), Line: st.Line}
		w.fill(st, s.with(negated))
		return s.with(raise.Part{Role: raise.RoleAfter, Expr: st.Cond, Line: st.Line, Leaves: "raise"})
	}
	return s
}

// Negate returns the negation of a condition without simplifying it: a double negation falls away, nothing else.
func Negate(e *expr.Expr) *expr.Expr {
	switch {
	case e == nil:
		return nil
	case e.Op == expr.Not:
		return e.Args[0]
	}
	return expr.New(expr.Not, "", e)
}

func (w *walker) branch(st *Stmt, s state, depth int) state {
	w.effects(st.Cond, &s.env)
	then := s.with(raise.Part{Role: raise.RoleBranch, Expr: st.Cond, Line: st.Line})
	other := s.with(raise.Part{Role: raise.RoleBranch, Expr: Negate(st.Cond), Line: st.Line})
	then.env, other.env = s.env.clone(), s.env.clone()
	then = w.block(st.Body, then, depth+1)
	other = w.block(st.Else, other, depth+1)
	switch {
	case then.gone && other.gone:
		s.gone = true
	case then.gone:
		return s.exit(Negate(st.Cond), st.Line, leaving(st.Body)).onward(s, other)
	case other.gone:
		return s.exit(st.Cond, st.Line, leaving(st.Else)).onward(s, then)
	default:
		s.env = merge(then.env, other.env)
	}
	return s
}

func (s state) exit(cond *expr.Expr, line int, leaves string) state {
	return s.with(raise.Part{Role: raise.RoleExit, Expr: cond, Line: line, Leaves: leaves})
}

// onward goes on from the end of the only branch of s that has one: with its names, and with the exits that were passed in it.
func (s state) onward(before, branch state) state {
	s.env = branch.env
	parts := slices.Clip(s.parts)
	for _, p := range branch.parts {
		if p.number > before.passed+1 {
			parts = append(parts, p)
		}
	}
	s.parts, s.passed = parts, max(s.passed, branch.passed)
	return s
}

// leaving says how a block that is always left is left, by its last statement.
func leaving(body []Stmt) string {
	for i := len(body) - 1; i >= 0; i-- {
		switch st := &body[i]; st.Kind {
		case Leave:
			if i > 0 && body[i-1].Kind == Raise && body[i-1].Line == st.Line && st.Leaves == Return {
				return Throw.String() // what is returned is an error
			}
			return st.Leaves.String()
		case Raise, Assert:
			return Throw.String()
		case If, Block, Try, Switch, While:
			if out := leaving(st.Body); out != "" {
				return out
			}
			return leaving(st.Else)
		}
	}
	return ""
}

func (w *walker) choose(st *Stmt, s state, depth int) state {
	w.effects(st.Value, &s.env)
	var before []*expr.Expr // conditions of the arms passed
	known := true
	var after []state
	hasDefault := false
	var fallen *state      // comes from the arm before, which goes on into this one
	var through *expr.Expr // the condition under which it does
	for i := range st.Cases {
		c := &st.Cases[i]
		in := s
		in.env = s.env.clone()
		var cond *expr.Expr
		if c.Default() {
			hasDefault = true
			cond = otherArms(st, i)
			in = in.with(raise.Part{Role: raise.RoleDefault, Expr: entered(fallen, through, cond), Text: subjectText(st), Line: c.Line})
		} else {
			cond = armCond(st, c)
			if st.Value == nil && known && len(before) > 0 && fallen == nil {
				in = in.with(raise.Part{Role: raise.RoleBranch, Expr: Negate(expr.Disj(before...)), Line: c.Line})
			}
			in = in.with(raise.Part{Role: raise.RoleCase, Expr: entered(fallen, through, cond), Text: c.Text, Line: c.Line})
			known = known && cond != nil
			before = append(before, cond)
		}
		cond = entered(fallen, through, cond)
		if fallen != nil {
			in.env = merge(in.env, fallen.env)
		}
		if st.Breaks && has(c.Body, Break, depth) {
			broken := s
			broken.env = in.env.clone()
			w.forget(c.Body, &broken.env, depth)
			after = append(after, broken)
		}
		out := w.block(c.Body, in, depth+1)
		fallen, through = nil, nil
		switch {
		case out.gone:
		case c.Falls:
			fallen, through = &out, cond
		default:
			after = append(after, out)
		}
	}
	if fallen != nil {
		after = append(after, *fallen)
	}
	return afterSwitch(st, s, after, hasDefault)
}

// entered is the condition of an arm that is also entered from the arm before; nil if one of the two is not known.
func entered(fallen *state, through, cond *expr.Expr) *expr.Expr {
	if fallen == nil {
		return cond
	}
	if through == nil || cond == nil {
		return nil
	}
	return expr.Disj(through, cond)
}

// afterSwitch joins the arms that go on behind the switch. If every arm leaves and there is no default, none of them fitted.
func afterSwitch(st *Stmt, s state, after []state, hasDefault bool) state {
	if !hasDefault {
		if len(after) == 0 && len(st.Cases) > 0 {
			return s.exit(otherArms(st, -1), st.Line, leaving(st.Cases[len(st.Cases)-1].Body))
		}
		after = append(after, s)
	}
	if len(after) == 0 {
		s.gone = len(st.Cases) > 0
		return s
	}
	joined := after[0].env
	for _, a := range after[1:] {
		joined = merge(joined, a.env)
	}
	s.env = joined
	return s
}

// armCond is what an arm's condition says: subject == v for one value, an Or for several.
func armCond(st *Stmt, c *Case) *expr.Expr {
	if c.Cond != nil {
		return c.Cond
	}
	var any []*expr.Expr
	for _, v := range c.Values {
		if st.Value != nil {
			v = expr.New(expr.Compare, "==", st.Value, v)
		}
		any = append(any, v)
	}
	return expr.Disj(any...)
}

// otherArms is the condition that no arm but the given one fits; nil if an arm is not known as an expression.
func otherArms(st *Stmt, except int) *expr.Expr {
	var all []*expr.Expr
	for i := range st.Cases {
		c := &st.Cases[i]
		if i == except || c.Default() {
			continue
		}
		cond := armCond(st, c)
		if cond == nil {
			return nil
		}
		all = append(all, cond)
	}
	if len(all) == 0 {
		return nil
	}
	return Negate(expr.Disj(all...))
}

func subjectText(st *Stmt) string {
	if st.Value == nil {
		return ""
	}
	return st.Value.String()
}
