package flow

import (
	"slices"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func (w *walker) assign(st *Stmt, v *env) {
	w.effects(st.Value, v)
	if len(st.Targets) == 1 {
		v.assign(st.Targets[0], w.assigned(st, v), st.Line)
		return
	}
	parts := st.Value
	for i, t := range st.Targets {
		var value *expr.Expr
		switch {
		case parts == nil:
		case (parts.Op == expr.Tuple || parts.Op == expr.List) && len(parts.Args) == len(st.Targets):
			value = v.text(parts.Args[i])
		default:
			value = &expr.Expr{Op: expr.Index, Args: []*expr.Expr{parts, expr.New(expr.Number, itoa(i))}, Src: parts.Src}
		}
		v.assign(t, value, st.Line)
	}
}

// itoa prints a small component number.
func itoa(i int) string { return string(rune('0' + i%10)) }

// assigned is the value that a target holds behind the statement: for x += y, what x was with y added, if that is a text.
func (w *walker) assigned(st *Stmt, v *env) *expr.Expr {
	if st.Op == "" {
		return v.text(st.Value)
	}
	path := st.Targets[0].Path()
	old := v.get(path)
	if old == nil && slices.Contains(v.params, path) && Textual(v.text(st.Value)) {
		old = &def{values: []*expr.Expr{expr.Ident(path)}}
	}
	if path == "" || st.Op != "+" || old == nil || len(old.values) == 0 || st.Value == nil {
		return nil
	}
	var sums []*expr.Expr
	for _, a := range old.values {
		for _, b := range alternatives(v.text(st.Value)) {
			sums = append(sums, expr.New(expr.Binary, "+", a, b))
		}
	}
	return alt(sums)
}

// alt is one of the values; nil if there are too many to follow.
func alt(values []*expr.Expr) *expr.Expr {
	if len(values) == 1 {
		return values[0]
	}
	if len(values) == 0 || len(values) > maxAlternatives {
		return nil
	}
	return expr.New(expr.Alt, "", values...)
}

// effects lets a method call change what it is called on, unless the language says that the method only asks.
func (w *walker) effects(e *expr.Expr, v *env) {
	e.Walk(func(x *expr.Expr) bool {
		switch {
		case x.Op == expr.Func:
			return false
		case x.Op == expr.Call && x.Arg(0).Is(expr.Attr):
			callee := x.Arg(0)
			owner := callee.Arg(0).Path()
			if d := w.grown(owner, callee.Text, x.Args[1:], v); d != nil {
				v.set(owner, d)
				return true
			}
			if owner != "" && owner != w.receiver && owner != "this" && (w.pure == nil || !w.pure(callee.Text)) {
				v.touchInside(owner)
			}
		case x.Op == expr.Unary && x.Text == "&":
			v.touch(x.Arg(0))
		}
		return true
	})
}

// maxElements bounds the lists that are followed while they grow.
const maxElements = 32

// grown is what a list of known elements, or a text, holds behind a call that adds to it; nil if that is not known.
func (w *walker) grown(owner, method string, args []*expr.Expr, v *env) *def {
	if w.grow == nil || owner == "" {
		return nil
	}
	d := v.get(owner)
	if d == nil || len(d.values) == 0 {
		return nil
	}
	if w.looped {
		if Textual(d.values[0]) && w.grow(method, nil, args) != nil {
			return &def{line: d.line} // nobody knows how often it was added to
		}
		return nil
	}
	added := make([]*expr.Expr, len(args))
	for i, a := range args {
		added[i] = v.text(a)
	}
	out := &def{line: d.line, needs: d.needs}
	for _, a := range added {
		out.needs = union(out.needs, v.needs(a))
	}
	for _, list := range d.values {
		parts := list.Args
		if Textual(list) {
			parts = []*expr.Expr{list}
			if list.Is(expr.Join) && list.Arg(0).Is(expr.List) && list.Arg(1).Is(expr.String) && list.Arg(1).Text == "" {
				parts = list.Arg(0).Args
			}
		} else if !list.Is(expr.List) {
			return nil
		}
		elements := w.grow(method, parts, added)
		if elements == nil || len(elements) > maxElements || len(out.needs) > maxNeeds {
			return nil
		}
		value := expr.New(expr.List, "", elements...)
		if Textual(list) {
			value = expr.New(expr.Join, "", value, expr.Str(""))
		}
		out.values = append(out.values, value)
	}
	return out
}

// touchInside is touch for a name whose own value stays known where no method can change it: a text, or what a call returned.
func (v *env) touchInside(path string) {
	d := v.get(path)
	if d == nil {
		v.set(path, &def{})
		return
	}
	for _, value := range d.values {
		switch {
		case Textual(value):
			return
		case value.Is(expr.List), value.Is(expr.Map), value.Is(expr.Set):
			v.set(path, &def{line: d.line})
			return
		}
	}
	v.set(path, &def{values: d.values, line: d.line, needs: d.needs})
}

// Textual reports whether e is sure to be a text.
func Textual(e *expr.Expr) bool {
	switch {
	case e == nil:
		return false
	case e.Op == expr.Binary && e.Text == "+":
		return Textual(e.Arg(0)) || Textual(e.Arg(1))
	case e.Op == expr.Cond:
		return Textual(e.Arg(1)) && Textual(e.Arg(2))
	case e.Op == expr.Alt:
		return !slices.ContainsFunc(e.Args, func(a *expr.Expr) bool { return !Textual(a) })
	}
	return e.Op == expr.String || e.Op == expr.Interp || e.Op == expr.Format || e.Op == expr.Join || e.Op == expr.Lookup
}

// text puts the texts that local names hold into e, where e is or builds a text; anything else comes back as it is.
func (v *env) text(e *expr.Expr) *expr.Expr {
	return v.resolve(e, 0)
}

func (v *env) resolve(e *expr.Expr, depth int) *expr.Expr {
	if e == nil || depth > 8 {
		return e
	}
	switch e.Op {
	case expr.Name, expr.Attr:
		return v.textOf(e)
	case expr.Binary:
		if e.Text != "+" {
			return e
		}
		return v.rebuild(e, depth, 0, len(e.Args))
	case expr.Format, expr.Lookup:
		return v.rebuild(e, depth, 0, len(e.Args))
	case expr.Cond:
		return v.rebuild(e, depth, 1, len(e.Args))
	case expr.Interp, expr.Hole, expr.Or, expr.Coalesce, expr.Alt, expr.Join, expr.List, expr.Tuple, expr.Map, expr.Keyword:
		return v.rebuild(e, depth, 0, len(e.Args))
	case expr.Error:
		return v.rebuild(e, depth, 1, len(e.Args))
	case expr.Index:
		if len(e.Args) == 2 {
			return v.entry(e, e.Args[0], e.Args[1])
		}
	case expr.Call:
		// table.get(key) and table.get(key, default)
		if callee := e.Arg(0); callee.Is(expr.Attr) && callee.Text == "get" && len(e.Args) >= 2 {
			return v.entry(e, callee.Arg(0), e.Args[1], e.Args[2:]...)
		}
	}
	return e
}

// entry is what a table of texts that a local name holds may give for a key: the entry of a literal key, any of them otherwise, or
// one of the others. e stays where that is not known.
func (v *env) entry(e, table, key *expr.Expr, others ...*expr.Expr) *expr.Expr {
	if !table.Is(expr.Map) {
		d := v.get(table.Path())
		if d == nil || len(d.values) != 1 || !d.values[0].Is(expr.Map) {
			return e
		}
		table = d.values[0]
	}
	var all []*expr.Expr
	for _, a := range table.Args {
		value := a.Arg(len(a.Args) - 1)
		if !a.Is(expr.Keyword) && !a.Is(expr.Entry) || !Textual(value) {
			return e
		}
		if a.Is(expr.Keyword) && key.Is(expr.String) && key.Text == a.Text || a.Is(expr.Entry) && expr.Equal(key, a.Arg(0)) {
			return value
		}
		all = append(all, value)
	}
	for _, o := range others {
		if Textual(o) {
			all = append(all, o)
		}
	}
	if one := alt(all); one != nil {
		return one
	}
	return e
}

func (v *env) rebuild(e *expr.Expr, depth, from, to int) *expr.Expr {
	out := e
	for i := from; i < to; i++ {
		a := v.resolve(e.Args[i], depth+1)
		if a == e.Args[i] {
			continue
		}
		if out == e {
			out = &expr.Expr{Op: e.Op, Text: e.Text, Args: slices.Clone(e.Args)}
		}
		out.Args[i] = a
	}
	return out
}

// textOf replaces a name by the texts or the error that it holds; a name that holds anything else stays.
func (v *env) textOf(e *expr.Expr) *expr.Expr {
	d := v.get(e.Path())
	if d == nil || len(d.values) == 0 {
		return e
	}
	for _, value := range d.values {
		entry := value.Is(expr.Name) && value.Text == e.Path() && len(d.values) > 1 // a parameter that not every way here assigns
		if !entry && !Textual(value) && !value.Is(expr.Error) && !value.Is(expr.List) && !value.Is(expr.Tuple) && !value.Is(expr.Map) {
			return e
		}
	}
	return alt(d.values)
}

// makesOf records what a return statement gives back, if it is an error or a text.
func (w *walker) makesOf(value *expr.Expr, v *env) {
	for _, e := range branches(v.text(value), 0) {
		switch {
		case !e.Is(expr.Error) && !Textual(e):
		case len(w.makes) < maxAlternatives:
			w.makes = append(w.makes, v.rewritten(v.outside(e, 0)))
		default:
			w.many = true
		}
	}
}

// branches are the alternatives of a value; those of a conditional are its branches where one of them is an error.
func branches(e *expr.Expr, depth int) []*expr.Expr {
	if !e.Is(expr.Cond) || depth > 4 {
		return alternatives(e)
	}
	all := append(branches(e.Arg(1), depth+1), branches(e.Arg(2), depth+1)...)
	if slices.ContainsFunc(all, func(a *expr.Expr) bool { return a.Is(expr.Error) }) {
		return all
	}
	return alternatives(e)
}

// outside writes an expression for those who do not see the function's local names: each is replaced by what it was computed from,
// where that is certain.
func (v *env) outside(e *expr.Expr, depth int) *expr.Expr {
	if depth > 4 {
		return e
	}
	return e.Map(func(x *expr.Expr) *expr.Expr {
		if !x.Is(expr.Name) {
			return x
		}
		d := v.get(x.Text)
		if d == nil || len(d.values) != 1 || !v.still(d.needs) || d.values[0] == nil {
			return x
		}
		return v.outside(d.values[0], depth+1)
	})
}

// rewritten is an error with its arguments that are parameters which the function has given another value: what that was computed
// from, in terms of what was given, or unknown.
func (v *env) rewritten(e *expr.Expr) *expr.Expr {
	if !e.Is(expr.Error) {
		return e
	}
	out := &expr.Expr{Op: e.Op, Text: e.Text, Src: e.Src, Args: slices.Clone(e.Args)}
	for i, a := range out.Args {
		if i == 0 || !a.Is(expr.Name) || !slices.Contains(v.params, a.Text) {
			continue
		}
		d := v.get(a.Text)
		switch {
		case d == nil:
		case len(d.values) == 1 && d.values[0] != nil && v.unchanged(d.needs):
			out.Args[i] = d.values[0]
		default:
			out.Args[i] = &expr.Expr{Op: expr.Unknown, Src: a.Text}
		}
	}
	return out
}

// unchanged reports whether all of needs hold what they held, or were parameters as they were given.
func (v *env) unchanged(needs []need) bool {
	for _, n := range needs {
		if v.get(n.name) != n.def && (n.def != nil || !slices.Contains(v.params, n.name)) {
			return false
		}
	}
	return true
}

// fill gives a site what reaches it.
func (w *walker) fill(st *Stmt, s state) {
	if st.Site < 0 || st.Site >= len(w.sites) {
		return
	}
	site := &w.sites[st.Site]
	// What an error was made with stands with it already: a name in it that has got another value since must not be replaced.
	if !w.raised(site, st.Value, &s.env) {
		site.Message = s.env.text(site.Message)
		for i, a := range site.Args {
			site.Args[i] = s.env.text(a)
		}
	}
	site.Condition = conditionOf(s)
	if site.Kind == raise.KindTest {
		// A failed test is looked up for its line; most sites of most repositories are of this kind, and their conditions in full
		// would be most of what is stored.
		site.Condition = guardAlone(site.Condition)
		return
	}
	site.Defs = defsOf(site, &s.env)
	site.Held = heldIn(site, &s.env)
	site.Assigned = assignedIn(site, &s.env)
}

// heldIn lists the names of a message that hold what a call returned although what it was given may have changed since.
func heldIn(site *raise.Site, v *env) []raise.Def {
	var out []raise.Def
	site.Message.Walk(func(x *expr.Expr) bool {
		if !x.Is(expr.Name) {
			return x.Op != expr.Func && x.Op != expr.Call
		}
		d := v.get(x.Text)
		if d != nil && len(d.values) == 1 && d.values[0].Is(expr.Call) && !v.still(d.needs) && len(out) < maxDefs &&
			!slices.ContainsFunc(out, func(o raise.Def) bool { return o.Name == x.Text }) {
			out = append(out, raise.Def{Name: x.Text, Value: d.values[0], Line: d.line})
		}
		return false
	})
	return out
}

// assignedIn lists the names in a site's condition, definitions and message that the function itself has given a value by then.
func assignedIn(site *raise.Site, v *env) []string {
	var out []string
	add := func(e *expr.Expr) {
		e.Walk(func(x *expr.Expr) bool {
			path := x.Path()
			if x.Op == expr.Func || path == "" || x.Op == expr.Call {
				return x.Op != expr.Func
			}
			for _, name := range prefixes(path) {
				if d := v.get(name); d != nil && d.own && len(out) < maxAssigned {
					if !slices.Contains(out, name) {
						out = append(out, name)
					}
					break
				}
			}
			return false
		})
	}
	for i := range site.Condition {
		add(site.Condition[i].Expr)
	}
	for i := range site.Defs {
		add(site.Defs[i].Value)
	}
	add(site.Message)
	return out
}

// raised takes type, message and arguments from an error that was made earlier and is now raised, if it is one.
func (w *walker) raised(site *raise.Site, value *expr.Expr, v *env) bool {
	if value == nil || site.Message != nil || site.Args != nil {
		return false
	}
	made := alternatives(v.text(value))
	if len(made) == 0 || !made[0].Is(expr.Error) {
		return false
	}
	var messages []*expr.Expr
	for _, m := range made {
		if m.Is(expr.Error) && m.Arg(1) != nil {
			messages = append(messages, m.Arg(1))
		}
	}
	if d := v.get(value.Path()); d != nil && len(made) == 1 && d.line != site.Line {
		site.Made = d.line
	}
	site.Kind = firstKind(site.Kind)
	site.Type = made[0].Arg(0)
	site.Args = slices.Clone(made[0].Args[2:])
	site.Message = alt(messages)
	return true
}

// firstKind is what a re-raise becomes when the value that it raises turns out to be made here.
func firstKind(k raise.Kind) raise.Kind {
	if k == raise.KindReraise {
		return raise.KindError
	}
	return k
}

// nearest leaves out early exits beyond the last few, and whatever is beyond the bound for all.
func nearest(parts []part) []part {
	out := nearExits(parts)
	return out[max(0, len(out)-maxParts):]
}

// nearExits leaves out early exits beyond the last few.
func nearExits(parts []part) []part {
	out := make([]part, 0, len(parts))
	exits := 0
	for i := len(parts) - 1; i >= 0; i-- {
		if r := parts[i].Role; r == raise.RoleExit || r == raise.RoleAfter {
			if exits++; exits > maxExits {
				continue
			}
		}
		out = append(out, parts[i])
	}
	slices.Reverse(out)
	return out
}

// guardAlone keeps the guard of a condition.
func guardAlone(parts []raise.Part) []raise.Part {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Role == raise.RoleGuard {
			return parts[i : i+1]
		}
	}
	return nil
}

// conditionOf lists the parts that lead to a site. The last branch is the guard.
func conditionOf(s state) []raise.Part {
	parts := nearest(s.parts)
	out := make([]raise.Part, len(parts))
	for i, p := range parts {
		out[i] = p.Part
		out[i].Stale = s.env.stale(p.needs)
	}
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].Role == raise.RoleBranch && !parts[i].around {
			out[i].Role = raise.RoleGuard
			break
		}
	}
	return out
}

// defsOf lists what the names in condition and message were computed from, and what those were in turn.
func defsOf(site *raise.Site, v *env) []raise.Def {
	var out []raise.Def
	var add func(e *expr.Expr, depth int)
	add = func(e *expr.Expr, depth int) {
		e.Walk(func(x *expr.Expr) bool {
			path := x.Path()
			if x.Op == expr.Func || path == "" || x.Op == expr.Call {
				return x.Op != expr.Func
			}
			for _, name := range prefixes(path) {
				d := v.get(name)
				known := slices.ContainsFunc(out, func(o raise.Def) bool { return o.Name == name })
				if d == nil || known || len(d.values) != 1 || !v.still(d.needs) || len(out) >= maxDefs {
					continue
				}
				out = append(out, raise.Def{Name: name, Value: d.values[0], Line: d.line})
				if depth < 6 {
					add(d.values[0], depth+1)
				}
			}
			return false
		})
	}
	for i := len(site.Condition) - 1; i >= 0; i-- {
		add(site.Condition[i].Expr, 0)
	}
	add(site.Message, 0)
	for _, a := range site.Args {
		add(a, 0)
	}
	return out
}
