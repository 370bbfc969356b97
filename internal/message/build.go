package message

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Bounds on what is made of one expression.
const (
	// MaxAlternatives bounds the templates of one text; the choices that say least become holes when there would be more.
	MaxAlternatives = 8
	// maxTexts bounds the templates of a message that is one of several texts as a whole (an entry of a table).
	maxTexts    = 32
	maxDepth    = 80      // of nested expressions, those found by lookup included
	maxLookups  = 6       // names that stand for names
	maxSteps    = 4000    // expressions looked at for one message
	maxLiteral  = 1 << 16 // bytes of one literal that is computed; what is written in the source is not cut
	maxOperands = 400     // of one chain of additions
	maxValues   = 32      // texts of an Enum
)

// FromExpr turns a message expression into the templates of the texts that it can make: one for each way that a conditional, a
// choice or a default value can go, most likely first, at most [MaxAlternatives] unless the whole message is the choice.
//
// lookup says what a name, a member, an index or a call stands for in other places of the repository, or nil if that is not known;
// lookup itself may be nil. Texts are put in for what they stand for, while a number that has a name stays a hole: the message is
// the same error when the constant changes. sp spells what the holes show; nil is the neutral spelling.
//
// What is not known is a hole. A nil expression has no template.
func FromExpr(e *expr.Expr, lookup func(*expr.Expr) *expr.Expr, sp *expr.Spelling) []Template {
	if e == nil {
		return nil
	}
	b := &builder{lookup: lookup, spelling: sp}
	return templates(b.value(e, spec{}, true))
}

// builder turns expressions into sequences of pieces and choices.
type builder struct {
	lookup   func(*expr.Expr) *expr.Expr
	spelling *expr.Spelling
	depth    int
	lookups  int
	steps    int
}

// seq is a text under construction.
type seq []item

// item is literal text, a hole, or a choice between texts.
type item struct {
	text   string
	hole   *Hole
	choice *choice
}

// choice is one of several texts; all is the hole that stands for the whole of it.
type choice struct {
	arms []seq
	all  *Hole
}

// literal is a text that is known.
func literal(s string) seq { return seq{{text: s}} }

// print spells an expression for the reader.
func (b *builder) print(e *expr.Expr) string {
	switch {
	case e == nil:
		return ""
	case (e.Op == expr.Format || e.Op == expr.Join) && e.Src == "" && len(e.Args) > 0:
		// No source spells it; what is formatted or joined says enough.
		return b.print(e.Args[0])
	case b.spelling == nil:
		return e.String()
	}
	return e.Print(b.spelling)
}

// hole is the value of e, printed as f says.
func (b *builder) hole(e *expr.Expr, f spec) seq { return seq{{hole: b.holeOf(e, f)}} }

// holeOf makes the hole for a value: conversions that only make a text of it are taken off, and the kind comes from the format or,
// where that takes anything, from the expression.
func (b *builder) holeOf(e *expr.Expr, f spec) *Hole {
	inner, shown := converted(e, f)
	h := &Hole{Expr: inner, Text: b.print(inner), Format: shown.written}
	h.Kind, h.Width = formatKind(shown.written)
	if shown.kind != Any {
		h.Kind = shown.kind
	}
	if h.Kind == Any {
		h.Kind = kindOf(inner)
	}
	return h
}

// text is the text that e makes where it is put into a longer one.
func (b *builder) text(e *expr.Expr) seq { return b.value(e, spec{}, false) }

// value is the text of e, printed as f says; whole says that it is the whole message.
func (b *builder) value(e *expr.Expr, f spec, whole bool) seq {
	b.steps++
	if e == nil || b.depth >= maxDepth || b.steps > maxSteps {
		return b.hole(e, f)
	}
	b.depth++
	defer func() { b.depth-- }()
	switch e.Op {
	case expr.String, expr.Number, expr.Bool, expr.Null:
		if s, ok := f.constant(e, b.spelling); ok {
			return literal(s)
		}
	case expr.Truthy:
		return b.value(e.Arg(0), f, whole)
	case expr.Cond:
		return b.choose(e, f, whole, e.Args[min(1, len(e.Args)):])
	case expr.Alt:
		return b.choose(e, f, whole, e.Args)
	case expr.Or, expr.Coalesce:
		return b.either(e, f, whole)
	case expr.Name, expr.Attr, expr.Index, expr.Call:
		return b.named(e, f, whole)
	case expr.Interp, expr.Format, expr.Join, expr.Binary, expr.Error:
		if b.textual(e) {
			return b.made(e, f, whole)
		}
	}
	return b.hole(e, f)
}

// made is a text that e builds. A conversion that changes texts (%q, a width) is applied where the whole text is known.
func (b *builder) made(e *expr.Expr, f spec, whole bool) seq {
	s := b.build(e, whole)
	if f.plain() {
		return s
	}
	if len(s) == 1 && s[0].choice != nil {
		arms := make([]seq, len(s[0].choice.arms))
		for i, arm := range s[0].choice.arms {
			arms[i] = b.formatted(arm, e, f)
		}
		return b.choice(e, f, arms)
	}
	return b.formatted(s, e, f)
}

// formatted applies f to a text, if it is known; otherwise the whole expression is a hole.
func (b *builder) formatted(s seq, e *expr.Expr, f spec) seq {
	var text string
	for _, it := range s {
		if it.hole != nil || it.choice != nil {
			return b.hole(e, f)
		}
		text += it.text
	}
	if out, ok := f.constant(expr.Str(text), b.spelling); ok {
		return literal(out)
	}
	return b.hole(e, f)
}

// build is the text that a text expression makes, as it is.
func (b *builder) build(e *expr.Expr, whole bool) seq {
	switch e.Op {
	case expr.Interp:
		return b.interp(e)
	case expr.Format:
		return b.format(e)
	case expr.Join:
		return b.join(e)
	case expr.Binary:
		if text, ok := repeat(e); ok {
			return literal(text)
		}
		return b.sum(e)
	case expr.Error:
		return b.value(e.Arg(1), spec{}, whole)
	}
	return b.hole(e, spec{})
}

// choose is one of the arms.
func (b *builder) choose(e *expr.Expr, f spec, whole bool, arms []*expr.Expr) seq {
	var all []seq
	for _, a := range arms {
		all = append(all, b.value(a, f, whole))
	}
	return b.choice(e, f, all)
}

// either is the first of the arms that holds or is there. Where it stands inside a longer text, an arm of which nothing is known
// would match what the others say as well, and bind the wrong expression to it: then the whole of it is one hole.
func (b *builder) either(e *expr.Expr, f spec, whole bool) seq {
	arms := slices.Clone(e.Args)
	for i, a := range arms {
		// "c and text or other" is a conditional in disguise.
		if last := len(a.Args) - 1; a.Is(expr.And) && last > 0 && b.textual(a.Args[last]) {
			arms[i] = a.Args[last]
		}
	}
	s := b.choose(e, f, whole, arms)
	if whole || len(s) != 1 || s[0].choice == nil {
		return s
	}
	for _, arm := range s[0].choice.arms {
		if len(arm) == 1 && arm[0].hole != nil && arm[0].hole.Kind == Any {
			return b.hole(e, f)
		}
	}
	return s
}

// choice makes an item of arms, each kept once.
func (b *builder) choice(e *expr.Expr, f spec, arms []seq) seq {
	var kept []seq
	for _, a := range arms {
		if !slices.ContainsFunc(kept, func(k seq) bool { return same(k, a) }) {
			kept = append(kept, a)
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	if len(kept) == 0 {
		return b.hole(e, f)
	}
	return seq{{choice: &choice{arms: kept, all: b.holeOf(e, f)}}}
}

// same reports whether two texts without choices are spelled alike.
func same(a, c seq) bool {
	return slices.EqualFunc(a, c, func(x, y item) bool {
		if x.choice != nil || y.choice != nil {
			return false
		}
		if x.hole == nil || y.hole == nil {
			return x.hole == y.hole && x.text == y.text
		}
		return x.hole.Text == y.hole.Text && x.hole.Format == y.hole.Format && x.hole.Kind == y.hole.Kind
	})
}

// named is what a name, member, index or call stands for, if that is a text.
func (b *builder) named(e *expr.Expr, f spec, whole bool) seq {
	if v := b.resolve(e); v != nil {
		b.lookups++
		defer func() { b.lookups-- }()
		return b.value(v, f, whole)
	}
	if s, ok := b.called(e, f, whole); ok {
		return s
	}
	return b.hole(e, f)
}

// resolve looks up what e stands for and returns it if it is a text.
func (b *builder) resolve(e *expr.Expr) *expr.Expr {
	if b.lookup == nil || b.lookups >= maxLookups {
		return nil
	}
	v := b.lookup(e)
	if v == nil || v == e {
		return nil
	}
	b.lookups++
	defer func() { b.lookups-- }()
	if !b.textual(v) {
		return nil
	}
	return v
}

// textual reports whether e is sure to make a text.
func (b *builder) textual(e *expr.Expr) bool {
	b.steps++
	if e == nil || b.steps > maxSteps || b.depth >= maxDepth {
		return false
	}
	b.depth++
	defer func() { b.depth-- }()
	switch e.Op {
	case expr.String, expr.Interp, expr.Format, expr.Join:
		return true
	case expr.Error:
		return e.Arg(1) != nil
	case expr.Binary:
		_, repeated := repeat(e)
		return repeated || e.Text == "+" && b.firstText(operands(e)) >= 0
	case expr.Cond:
		return b.textual(e.Arg(1)) || b.textual(e.Arg(2))
	case expr.Alt, expr.Or, expr.Coalesce:
		return slices.ContainsFunc(e.Args, b.textual)
	case expr.Call:
		return textCall(e) || b.resolve(e) != nil
	case expr.Name, expr.Attr, expr.Index:
		return b.resolve(e) != nil
	}
	return false
}

// operands lists what a chain of additions adds, with the sum of all before it.
func operands(e *expr.Expr) []operand {
	var out []operand
	for e.Is(expr.Binary) && e.Text == "+" && len(e.Args) == 2 && len(out) < maxOperands {
		out = append(out, operand{e.Args[1], e.Args[0]})
		e = e.Args[0]
	}
	out = append(out, operand{e, nil})
	slices.Reverse(out)
	return out
}

// operand is one of a chain's operands; before is the sum of those on its left.
type operand struct{ e, before *expr.Expr }

// firstText is the index of the first operand that is sure to be a text, or -1.
func (b *builder) firstText(ops []operand) int {
	return slices.IndexFunc(ops, func(o operand) bool { return b.textual(o.e) })
}

// repeat is the text of a literal times a number.
func repeat(e *expr.Expr) (string, bool) {
	if e.Text != "*" || len(e.Args) != 2 {
		return "", false
	}
	text, times := e.Args[0], e.Args[1]
	if times.Is(expr.String) {
		text, times = times, text
	}
	n, err := strconv.Atoi(times.Text)
	if !text.Is(expr.String) || !times.Is(expr.Number) || err != nil || n < 0 || n*len(text.Text) > maxLiteral {
		return "", false
	}
	return strings.Repeat(text.Text, n), true
}

// sum joins the operands of a chain of additions. What is added before the first text may be numbers: it stays one value.
func (b *builder) sum(e *expr.Expr) seq {
	ops := operands(e)
	first := b.firstText(ops)
	var out seq
	if first > 1 {
		out = b.hole(ops[first].before, spec{})
		ops = ops[first:]
	}
	for _, o := range ops {
		out = append(out, b.text(o.e)...)
	}
	return out
}

// join is the elements of a literal list with the separator between them; of any other list it is one hole.
func (b *builder) join(e *expr.Expr) seq {
	list := e.Arg(0)
	if v := b.listOf(list); v != nil {
		list = v
	}
	if list.Is(expr.Alt) || list.Is(expr.Cond) {
		// The list was made in one of several ways.
		ways := list.Args
		if list.Is(expr.Cond) {
			ways = ways[min(1, len(ways)):]
		}
		var arms []seq
		for _, way := range ways {
			arms = append(arms, b.value(expr.New(expr.Join, "", append([]*expr.Expr{way}, e.Args[1:]...)...), spec{}, false))
		}
		return b.choice(e, spec{}, arms)
	}
	if !list.Is(expr.List) && !list.Is(expr.Tuple) || len(list.Args) > maxOperands {
		return b.hole(e, spec{})
	}
	var sep seq
	if e.Arg(1) != nil {
		sep = b.text(e.Arg(1))
	}
	var out seq
	for i, a := range list.Args {
		if i > 0 {
			out = append(out, sep...)
		}
		if a.Is(expr.Spread) {
			a = expr.New(expr.Join, "", a.Arg(0), e.Arg(1))
			if e.Arg(1) == nil {
				a.Args = a.Args[:1]
			}
		}
		out = append(out, b.text(a)...)
	}
	return out
}

// listOf is the list literal that a name stands for, or nil.
func (b *builder) listOf(e *expr.Expr) *expr.Expr {
	if b.lookup == nil || e == nil || e.Is(expr.List) || e.Is(expr.Tuple) {
		return nil
	}
	if v := b.lookup(e); v.Is(expr.List) || v.Is(expr.Tuple) {
		return v
	}
	return nil
}
