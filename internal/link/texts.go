package link

import (
	"maps"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// maxVariants bounds the messages of one place.
const maxVariants = 16

// made is a message with the type that is raised with it.
type made struct {
	typ     string
	text    *expr.Expr // nil: raised without a text
	file    int        // the file whose names the text uses
	unknown string
	raised  bool // made as an error, not as a text alone
}

// variants are the messages that a site says itself.
func (l *linker) variants(file int, s *raise.Site) []Variant {
	if s.Kind == raise.KindReraise {
		return []Variant{l.unknown(file, s, UnknownNone)}
	}
	var all []made
	switch {
	case s.Via != "":
		all = l.viaMaker(file, s)
		if len(all) == 0 {
			if all = handed(s); len(all) == 0 {
				return []Variant{l.unknown(file, s, UnknownForeign)}
			}
		}
	default:
		all = l.construct(file, l.owner(file, s.Function), s.Type, typeName(s), l.computed(file, s, s.Message), l.allComputed(file, s, s.Args))
	}
	var out []Variant
	for _, m := range all {
		out = append(out, l.templates(file, s, m)...)
	}
	if len(out) > maxVariants {
		out = out[:maxVariants]
	}
	return out
}

// handed is what a site is known to say whose maker is not: the one text that it hands over, and whatever the maker adds behind it.
func handed(s *raise.Site) []made {
	var text *expr.Expr
	for _, a := range s.Args {
		switch {
		case !flow.Textual(a) || !literal(a):
		case text != nil:
			return nil // which of them is the message is not known
		default:
			text = a
		}
	}
	if text == nil {
		return nil
	}
	rest := expr.New(expr.Hole, "", &expr.Expr{Op: expr.Unknown, Src: "…"})
	typ := ""
	if path := strings.Split(s.Via, "."); len(path) > 1 {
		typ = path[len(path)-2] // a factory stands with the type that it makes
	}
	if typ == "self" || typ == "" || strings.ToUpper(typ[:1]) != typ[:1] {
		typ = ""
	}
	return []made{{typ: typ, text: expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", text), rest), unknown: UnknownForeign}}
}

// literal reports whether a text holds words of its own: a letter beside a blank.
func literal(e *expr.Expr) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Is(expr.String) && strings.Contains(strings.TrimSpace(a.Text), " ")
		return !found
	})
	return found
}

// computed is a message with the names that hold what a function returned replaced by its call, where the function is known to make
// texts.
func (l *linker) computed(file int, s *raise.Site, e *expr.Expr) *expr.Expr {
	if e == nil || len(s.Defs)+len(s.Held) == 0 {
		return e
	}
	owner := l.owner(file, s.Function)
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if a.Op != expr.Name {
			return a
		}
		for i := range s.Defs {
			d := &s.Defs[i]
			if d.Name != a.Text {
				continue
			}
			if d.Value.Is(expr.Call) && l.text(file, owner, d.Value) != nil || l.format(file, owner, d.Value) != nil {
				return d.Value
			}
		}
		for i := range s.Held {
			if d := &s.Held[i]; d.Name == a.Text && l.text(file, owner, d.Value) != nil {
				return unbound(d.Value)
			}
		}
		return a
	})
}

// unbound is a call whose arguments are what the source calls them, and no values of now.
func unbound(call *expr.Expr) *expr.Expr {
	args := slices.Clone(call.Args)
	for i := 1; i < len(args); i++ {
		if args[i] != nil {
			args[i] = &expr.Expr{Op: expr.Unknown, Src: args[i].String()}
		}
	}
	return expr.New(expr.Call, call.Text, args...)
}

func (l *linker) allComputed(file int, s *raise.Site, all []*expr.Expr) []*expr.Expr {
	if len(s.Defs)+len(s.Held) == 0 {
		return all
	}
	out := make([]*expr.Expr, len(all))
	for i, a := range all {
		out[i] = l.computed(file, s, a)
	}
	return out
}

// unknown is a variant of which only the type is known.
func (l *linker) unknown(file int, s *raise.Site, why string) Variant {
	return Variant{Type: typeName(s), Unknown: why}
}

// templates turns a message into its alternatives.
func (l *linker) templates(file int, s *raise.Site, m made) []Variant {
	if m.text == nil {
		why := m.unknown
		if why == "" {
			why = UnknownNone
		}
		return []Variant{{Type: m.typ, Unknown: why}}
	}
	g := l.languages[l.files[file].Facts.Language]
	owner := l.owner(file, s.Function)
	lookup := func(e *expr.Expr) *expr.Expr { return l.text(m.file, owner, e) }
	text := m.text.Map(func(e *expr.Expr) *expr.Expr {
		if f := l.format(m.file, owner, e); f != nil {
			return f
		}
		if e.Is(expr.Error) && e.Arg(1) == nil && len(e.Args) > 1 {
			// An error within the text prints what it says.
			if inside := l.construct(m.file, owner, e.Arg(0), e.Arg(0).Last(), nil, e.Args[2:]); len(inside) == 1 && inside[0].text != nil {
				return inside[0].text
			}
		}
		if e.Is(expr.Interp) {
			return l.shown(m.file, owner, e, 0)
		}
		return e
	})
	text, others := l.looked(m.file, owner, text)
	var out []Variant
	for _, t := range message.FromExpr(text, lookup, &g.Spelling) {
		v := Variant{Type: m.typ, Template: t, Unknown: m.unknown}
		if !hasLiteral(t) {
			v.Unknown = l.why(file, s, t)
		}
		out = append(out, v)
	}
	for _, locale := range slices.Sorted(maps.Keys(others)) {
		all := message.FromExpr(others[locale], lookup, &g.Spelling)
		for i, t := range all {
			if len(all) != len(out) {
				i = 0 // which alternative it translates is not known
			}
			if i < len(out) && hasLiteral(t) {
				out[i].locales = append(out[i].locales, Translation{Locale: locale, Template: t})
			}
		}
	}
	return out
}

// shown puts into a text what the errors print that are made within its holes.
func (l *linker) shown(file int, owner string, text *expr.Expr, depth int) *expr.Expr {
	out := text
	if !text.Is(expr.Interp) || text.Text != message.Brace || depth > maxLookup {
		return out
	}
	for i, hole := range text.Args {
		e := hole.Arg(0)
		if !hole.Is(expr.Hole) || hole.Text != "" {
			continue
		}
		var all []made
		switch {
		case e.Is(expr.Interp):
			all = []made{{text: e}}
		case e.Is(expr.Error) && e.Arg(0) != nil:
			all = l.construct(file, owner, e.Arg(0), e.Arg(0).Last(), e.Arg(1), e.Args[2:])
		case e.Is(expr.Call):
			if sym, ok := l.resolve(file, owner, l.path(e.Arg(0)), 0); ok && sym.function >= 0 {
				all = l.errorsOnly(l.makes(sym, file, e.Args[1:], depth))
			}
		}
		if len(all) != 1 || all[0].text == nil {
			continue
		}
		inside := l.shown(file, owner, all[0].text, depth+1)
		if inside == e {
			continue
		}
		if out == text {
			out = &expr.Expr{Op: text.Op, Text: text.Text, Args: slices.Clone(text.Args)}
		}
		out.Args[i] = expr.New(expr.Hole, "", inside)
	}
	return out
}

func hasLiteral(t message.Template) bool {
	for _, p := range t.Pieces {
		if p.Hole == nil && p.Text != "" {
			return true
		}
	}
	return false
}

// why says why a template has no literal text.
func (l *linker) why(file int, s *raise.Site, t message.Template) string {
	f := l.files[file].Facts
	if len(t.Pieces) == 0 {
		return UnknownNone
	}
	if s.Function >= 0 && s.Function < len(f.Functions) {
		for _, p := range t.Pieces {
			if p.Hole != nil && p.Hole.Expr != nil && isParam(f.Functions[s.Function].Params, p.Hole.Expr) {
				return UnknownParameter
			}
		}
	}
	return UnknownComputed
}

func isParam(params []raise.Param, e *expr.Expr) bool {
	for e.Is(expr.Spread) {
		e = e.Arg(0)
	}
	for _, p := range params {
		if e.Is(expr.Name) && e.Text == p.Name {
			return true
		}
	}
	return false
}

// text is what a name, a member, an entry of a table or a call of a message function stands for; nil if that is not known.
func (l *linker) text(file int, owner string, e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Name, expr.Attr:
		sym, ok := l.resolve(file, owner, l.path(e), 0)
		if !ok || sym.value == nil {
			return nil
		}
		return sym.value.Value
	case expr.Index:
		return l.entry(file, owner, e)
	case expr.Call:
		path := l.path(e.Arg(0))
		sym, ok := l.resolve(file, owner, path, 0)
		if head, name, dotted := strings.Cut(path, "."); !ok && owner != "" && dotted && head != "" && !strings.Contains(name, ".") {
			// A receiver that is called otherwise than self: a method of the same type.
			sym, ok = l.member(file, owner, name, false, 0)
		}
		if !ok || sym.function < 0 {
			return nil
		}
		sym = l.overload(sym, e.Args[1:])
		fn := &l.files[sym.file].Facts.Functions[sym.function]
		var texts []*expr.Expr
		for _, m := range fn.Makes {
			if !m.Is(expr.Error) {
				texts = append(texts, bind(m, fn.Params, e.Args[1:]))
			}
		}
		return alternatives(texts)
	}
	return nil
}

// format is what NAME % values and NAME.format(values) are where the name stands for a text, which an extractor cannot know of a name that
// may as well hold a number, or come from another file; nil for anything else.
func (l *linker) format(file int, owner string, e *expr.Expr) *expr.Expr {
	var name *expr.Expr
	var args []*expr.Expr
	dialect := message.Percent
	switch {
	case e.Is(expr.Binary) && e.Text == "%" && len(e.Args) == 2:
		name, args = e.Arg(0), e.Args[1:]
		if e.Arg(1).Is(expr.Tuple) {
			args = e.Arg(1).Args
		}
	case e.Is(expr.Call) && e.Arg(0).Is(expr.Attr) && e.Arg(0).Text == "format":
		name, args, dialect = e.Arg(0).Arg(0), e.Args[1:], message.Brace
	}
	text := name
	if name.Is(expr.Name) || name.Is(expr.Attr) || name.Is(expr.Index) {
		text = l.text(file, owner, name)
	}
	if !text.Is(expr.String) && !text.Is(expr.Interp) {
		return nil
	}
	return &expr.Expr{Op: expr.Format, Text: dialect, Args: append([]*expr.Expr{name}, args...), Src: e.Src}
}

// path spells a name for resolve: receivers are called self whatever the source calls them.
func (l *linker) path(e *expr.Expr) string {
	p := e.Path()
	if len(p) > 5 && p[:5] == "this." {
		return "self." + p[5:]
	}
	return p
}

// entry is table[key]: the entry of a literal key, all entries of a computed one.
func (l *linker) entry(file int, owner string, e *expr.Expr) *expr.Expr {
	table := e.Arg(0)
	if table.Is(expr.Name) || table.Is(expr.Attr) {
		table = l.text(file, owner, table)
	}
	if !table.Is(expr.Map) && !table.Is(expr.List) && !table.Is(expr.Tuple) {
		return nil
	}
	var all []*expr.Expr
	for i, a := range table.Args {
		switch {
		case a.Is(expr.Keyword) && e.Arg(1).Is(expr.String) && a.Text == e.Arg(1).Text:
			return a.Arg(0)
		case a.Is(expr.Entry) && expr.Equal(a.Arg(0), e.Arg(1)):
			return a.Arg(1)
		case a.Is(expr.Keyword):
			all = append(all, a.Arg(0))
		case a.Is(expr.Entry):
			all = append(all, a.Arg(1))
		case e.Arg(1).Is(expr.Number) && e.Arg(1).Text != itoa(i):
		default:
			all = append(all, a)
		}
	}
	return alternatives(all)
}

func alternatives(all []*expr.Expr) *expr.Expr {
	if len(all) == 0 || len(all) > maxVariants {
		return nil
	}
	if len(all) == 1 {
		return all[0]
	}
	return expr.New(expr.Alt, "", all...)
}

// bind puts arguments into a text that is written in terms of parameters. A parameter without an argument gets its default.
func bind(text *expr.Expr, params []raise.Param, args []*expr.Expr) *expr.Expr {
	values := arguments(params, args)
	return text.Map(func(e *expr.Expr) *expr.Expr {
		switch e.Op {
		case expr.Name:
			if v, ok := values[e.Text]; ok {
				return v
			}
		case expr.Spread:
			if e.Arg(0).Is(expr.Tuple) && e.Arg(0).Src == "" {
				return e
			}
		case expr.Call, expr.Format, expr.Tuple, expr.List:
			return spliced(e)
		case expr.Attr:
			return entryOf(e)
		case expr.Or, expr.Coalesce:
			return present(e)
		case expr.Alt:
			return given(e)
		}
		return e
	})
}

// entryOf is the member of an object that was handed over as a literal: the entry of that name, or nothing.
func entryOf(e *expr.Expr) *expr.Expr {
	object := e.Arg(0)
	if !object.Is(expr.Map) || object.Text != "" {
		return e
	}
	for i := len(object.Args) - 1; i >= 0; i-- {
		switch a := object.Args[i]; {
		case a.Is(expr.Keyword) && a.Text == e.Text:
			return a.Arg(0)
		case !a.Is(expr.Keyword):
			return e // an entry that may have any name
		}
	}
	return expr.New(expr.Null, "undefined")
}

// given are the alternatives but those of them that a parameter was that nothing was given for: a way in which that one is replaced is
// another alternative.
func given(e *expr.Expr) *expr.Expr {
	var args []*expr.Expr
	for _, a := range e.Args {
		if !a.Is(expr.Null) {
			args = append(args, a)
		}
	}
	switch len(args) {
	case 0, len(e.Args):
		return e
	case 1:
		return args[0]
	}
	return expr.New(expr.Alt, e.Text, args...)
}

// present is what is left of a or b, or of a ?? b, when it is known that something is absent, or that a text is there.
func present(e *expr.Expr) *expr.Expr {
	var args []*expr.Expr
	for _, a := range e.Args {
		if a.Is(expr.Null) {
			continue
		}
		args = append(args, a)
		if a.Is(expr.String) && (a.Text != "" || e.Is(expr.Coalesce)) || a.Is(expr.Interp) || a.Is(expr.Format) {
			break
		}
	}
	switch {
	case len(args) == len(e.Args):
		return e
	case len(args) == 0:
		return e.Args[len(e.Args)-1]
	case len(args) == 1:
		return args[0]
	}
	return expr.New(e.Op, e.Text, args...)
}

// spliced puts the elements of a spread tuple that was just bound in its place.
func spliced(e *expr.Expr) *expr.Expr {
	var args []*expr.Expr
	changed := false
	for _, a := range e.Args {
		if a.Is(expr.Spread) && a.Arg(0).Is(expr.Tuple) {
			args = append(args, a.Arg(0).Args...)
			changed = true
			continue
		}
		args = append(args, a)
	}
	if !changed {
		return e
	}
	return expr.New(e.Op, e.Text, args...)
}

// arguments says which value each parameter gets. A variadic one gets a tuple of the rest.
func arguments(params []raise.Param, args []*expr.Expr) map[string]*expr.Expr {
	values := map[string]*expr.Expr{}
	var plain []*expr.Expr
	for _, a := range args {
		if a.Is(expr.Keyword) {
			values[a.Text] = a.Arg(0)
		} else {
			plain = append(plain, a)
		}
	}
	for i := range params {
		p := &params[i]
		switch {
		case p.Variadic:
			values[p.Name] = expr.New(expr.Tuple, "", plain...)
			plain = nil
		case len(plain) > 0:
			if _, named := values[p.Name]; !named {
				values[p.Name] = plain[0]
			}
			plain = plain[1:]
		case values[p.Name] == nil && p.Default != nil:
			values[p.Name] = p.Default
		}
	}
	return values
}
