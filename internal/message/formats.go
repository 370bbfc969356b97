package message

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// arguments are the values that a format string draws from.
type arguments struct {
	list   []*expr.Expr
	rest   *expr.Expr // a list of unknown length behind them, or nil
	named  map[string]*expr.Expr
	others []*expr.Expr // unpacked maps: any name may be theirs
	next   int          // the value that the next conversion takes
	asked  bool         // a conversion named its value by number or name
}

// argumentsOf sorts the values of a formatting call. What stands behind a list of unknown length has no number that is known.
func argumentsOf(values []*expr.Expr) *arguments {
	a := &arguments{named: map[string]*expr.Expr{}}
	for _, v := range values {
		switch {
		case v == nil:
		case v.Op == expr.Keyword:
			a.named[v.Text] = v.Arg(0)
		case v.Op == expr.Spread && (v.Arg(0).Is(expr.Tuple) || v.Arg(0).Is(expr.List)):
			a.list = append(a.list, v.Arg(0).Args...)
		case v.Op == expr.Spread && v.Arg(0).Is(expr.Map):
			a.entries(v.Arg(0))
		case v.Op == expr.Spread:
			a.others = append(a.others, v.Arg(0))
			if a.rest == nil {
				a.rest = v.Arg(0)
			}
		case a.rest == nil:
			a.list = append(a.list, v)
		}
	}
	return a
}

// entries adds the entries of a map under their names.
func (a *arguments) entries(m *expr.Expr) {
	for _, e := range m.Args {
		switch {
		case e.Is(expr.Keyword):
			a.named[e.Text] = e.Arg(0)
		case e.Is(expr.Entry) && e.Arg(0).Is(expr.String):
			a.named[e.Arg(0).Text] = e.Arg(1)
		case e.Is(expr.Spread):
			a.others = append(a.others, e.Arg(0))
		}
	}
}

// at is value number i; ok is false if it is missing.
func (a *arguments) at(i int) (*expr.Expr, bool) {
	switch {
	case i >= 0 && i < len(a.list):
		return a.list[i], true
	case i >= 0 && a.rest != nil:
		return expr.New(expr.Index, "", a.rest, expr.New(expr.Number, strconv.Itoa(i-len(a.list)))), true
	}
	return nil, false
}

// take is the next value in order.
func (a *arguments) take() (*expr.Expr, bool) {
	e, ok := a.at(a.next)
	a.next++
	return e, ok
}

// name is the value called name; a name that is not given is one of the surrounding code, unless unpacked maps may hold it.
func (a *arguments) name(name string) *expr.Expr {
	if e := a.named[name]; e != nil {
		return e
	}
	if len(a.others) == 1 && !a.others[0].Is(expr.Call) {
		return expr.New(expr.Index, "", a.others[0], expr.Str(name))
	}
	return expr.Ident(name)
}

// format is the text of a formatting call. Of a format string that is partly known, the known pieces are read; one that is not
// known at all makes one hole.
func (b *builder) format(e *expr.Expr) seq {
	read := b.dialect(e.Text)
	if read == nil || len(e.Args) == 0 {
		return b.hole(e, spec{})
	}
	s := b.text(e.Args[0])
	if !hasLiteral(s) {
		switch {
		case e.Text == Util:
			return b.inspected(e.Args)
		case len(e.Args) == 1:
			return s
		}
		return b.hole(e, spec{})
	}
	var arms []seq
	for _, pieces := range multiplied(s) {
		arms = append(arms, b.fill(e, pieces, read))
	}
	return b.choice(e, spec{}, arms)
}

// hasLiteral reports whether any of a text is known.
func hasLiteral(s seq) bool {
	for _, it := range s {
		if it.choice != nil {
			for _, arm := range it.choice.arms {
				if hasLiteral(arm) {
					return true
				}
			}
		}
		if it.hole == nil && it.choice == nil && it.text != "" {
			return true
		}
	}
	return false
}

// reading reads one literal piece of a format string.
type reading func(format string, a *arguments) seq

// dialect is how format strings of a dialect are read; nil for one that is not known.
func (b *builder) dialect(name string) reading {
	switch name {
	case Verbs:
		return b.verbs
	case Percent:
		return b.percent
	case Brace:
		return b.brace
	case Util:
		return b.util
	case Dollar:
		return b.dollar
	case Printf:
		return b.printf
	case Composite:
		return b.composite
	case MessageFormat:
		return b.messageFormat
	case Slots:
		return b.slots
	}
	return nil
}

// fill reads the pieces of one format string.
func (b *builder) fill(e *expr.Expr, pieces []Piece, read reading) seq {
	values := e.Args[1:]
	if e.Text == Percent && len(values) == 1 {
		if v := values[0]; v.Is(expr.Tuple) {
			values = v.Args
		} else if !v.Is(expr.Spread) && !v.Is(expr.Map) && conversions(pieces) > 1 {
			values = []*expr.Expr{expr.New(expr.Spread, "", v)}
		}
	}
	a := argumentsOf(values)
	if len(a.list) == 1 && a.list[0].Is(expr.Map) && (e.Text == Percent || e.Text == Dollar || e.Text == Printf) {
		a.entries(a.list[0])
	}
	known := true
	var out seq
	for _, p := range normal(pieces).Pieces {
		if p.Hole != nil {
			known = false
			out = append(out, item{hole: p.Hole})
			continue
		}
		out = append(out, read(p.Text, a)...)
	}
	return append(out, b.surplus(e.Text, a, known)...)
}

// conversions counts what a format string in percent form asks for, names apart.
func conversions(pieces []Piece) int {
	n := 0
	for _, p := range pieces {
		for f := p.Text; ; {
			_, rest, ok := strings.Cut(f, "%")
			if !ok || rest == "" {
				break
			}
			if rest[0] == '(' {
				return 1
			}
			if rest[0] == '%' {
				rest = rest[1:]
			} else {
				n++
			}
			f = rest
		}
	}
	return n
}

// surplus is what a dialect appends for values that no conversion took.
func (b *builder) surplus(dialect string, a *arguments, known bool) seq {
	if a.next >= len(a.list) || !known || a.rest != nil {
		return nil
	}
	left := a.list[a.next:]
	switch {
	case dialect == Verbs && !a.asked:
		out := literal("%!(EXTRA ")
		for i, e := range left {
			if i > 0 {
				out = append(out, item{text: ", "})
			}
			out = append(out, b.hole(e, spec{written: "%T"})...)
			out = append(out, item{text: "="})
			out = append(out, b.value(e, spec{dialect: Verbs, written: "%v"}, false)...)
		}
		return append(out, item{text: ")"})
	case dialect == Util:
		var out seq
		for _, e := range left {
			out = append(out, item{text: " "})
			out = append(out, b.text(e)...)
		}
		return out
	}
	return nil
}
