package expr

import (
	"cmp"
	"strconv"
	"strings"
)

// Spelling is how a language writes what an expression's structure says. Every language states its own; the zero value prints
// the neutral forms (and, or, not, null, len(x), a if c else b) that [Expr.String] uses.
type Spelling struct {
	And, Or, Not    string // with the blanks they need: " and ", "not "
	Null            string
	True, False     string
	Len             string // with one %: "len(%)", "%.length"
	In, NotIn       string // with two %: "% in %", "%.includes(%)"
	Is, IsNot       string // "is", "==="
	Equal, NotEqual string
	TypeTest        string // with two %: "isinstance(%, %)"
	Cond            string // with three %, in the order test, then, else given by CondOrder
	CondThenFirst   bool   // the value stands before the test: "% if % else %"
	New             string // "new "
	Coalesce        string
	Member          string // between an object and its member; "." if empty
	QuoteChar       byte   // the usual quote of a string literal, '"' if zero
	IntegerDivision bool   // "/" between integers truncates
}

func neutral() *Spelling {
	return &Spelling{And: " and ", Or: " or ", Not: "not ", Null: "null", True: "true", False: "false", Len: "len(%)",
		In: "% in %", NotIn: "% not in %", Is: "is", IsNot: "is not", Equal: "==", NotEqual: "!=", TypeTest: "% is a %",
		Cond: "% if % else %", CondThenFirst: true, New: "new ", Coalesce: " ?? "}
}

// String prints e in the source's own words where it has them, and in a neutral spelling where not.
func (e *Expr) String() string { return e.Print(neutral()) }

// Print prints e: in the source's own words where it has them, otherwise by structure in the spelling s. Parentheses stand where
// precedence asks for them. White space that breaks lines is folded to one blank.
func (e *Expr) Print(s *Spelling) string {
	p := printer{s: s}
	p.expr(e, 0)
	return p.b.String()
}

// Fold folds each run of white space that holds a line break to one blank, as printed expressions need it.
func Fold(src string) string {
	if !strings.ContainsAny(src, "\n\r\t") {
		return src
	}
	return strings.Join(strings.Fields(src), " ")
}

type printer struct {
	s *Spelling
	b strings.Builder
}

// Binding strengths, weakest first. They are those that the languages at hand share; where they differ, the printer adds
// parentheses rather than guess.
const (
	precCond = iota + 1
	precOr
	precAnd
	precNot
	precCompare
	precBits
	precSum
	precProduct
	precUnary
	precPostfix
)

func (e *Expr) prec() int {
	switch e.Op {
	case Cond, Coalesce, Func:
		return precCond
	case Or:
		return precOr
	case And:
		return precAnd
	case Not:
		return precNot
	case Compare, TypeTest:
		return precCompare
	case Binary:
		switch e.Text {
		case "+", "-":
			return precSum
		case "*", "/", "//", "%":
			return precProduct
		}
		return precBits
	case Unary:
		return precUnary
	case Unknown:
		return precCond
	case Truthy:
		if a := e.Arg(0); a != nil {
			return a.prec()
		}
	}
	return precPostfix
}

func (p *printer) expr(e *Expr, outer int) {
	if e == nil {
		return
	}
	inner := e.prec()
	if inner < outer {
		p.b.WriteByte('(')
		defer p.b.WriteByte(')')
	}
	if e.Src != "" {
		p.b.WriteString(Fold(e.Src))
		return
	}
	p.structure(e, inner)
}

func (p *printer) structure(e *Expr, prec int) {
	switch e.Op {
	case Name, Number, Unknown:
		p.b.WriteString(e.Text)
	case String:
		p.quote(e.Text)
	case Bool:
		p.word(e.Text == "true", p.s.True, p.s.False)
	case Null:
		p.word(p.s.Null != "", p.s.Null, e.Text)
	case And:
		p.list(e.Args, p.s.And, precNot)
	case Or:
		p.list(e.Args, p.s.Or, precAnd)
	case Coalesce:
		p.list(e.Args, p.s.Coalesce, precOr)
	case Not:
		p.b.WriteString(p.s.Not)
		outer := precCompare
		if !strings.HasSuffix(p.s.Not, " ") {
			outer = precPostfix
		}
		p.expr(e.Args[0], outer)
	case Compare:
		p.compare(e)
	case Binary:
		p.expr(e.Arg(0), prec)
		p.b.WriteString(" " + e.Text + " ")
		p.expr(e.Arg(1), prec+1)
	case Unary:
		p.b.WriteString(e.Text)
		if last := len(e.Text) - 1; last >= 0 && 'a' <= e.Text[last] && e.Text[last] <= 'z' {
			p.b.WriteByte(' ')
		}
		p.expr(e.Arg(0), precUnary)
	case Truthy:
		p.expr(e.Arg(0), prec)
	case Len:
		p.pattern(p.s.Len, precPostfix, e.Arg(0))
	case TypeTest:
		p.typeTest(e)
	case Cond:
		if p.s.CondThenFirst {
			p.pattern(p.s.Cond, precOr, e.Arg(1), e.Arg(0), e.Arg(2))
		} else {
			p.pattern(p.s.Cond, precOr, e.Arg(0), e.Arg(1), e.Arg(2))
		}
	default:
		p.composite(e)
	}
}

func (p *printer) word(first bool, a, b string) {
	if first {
		p.b.WriteString(a)
	} else {
		p.b.WriteString(b)
	}
}

func (p *printer) compare(e *Expr) {
	switch e.Text {
	case "in":
		p.pattern(p.s.In, precBits, e.Arg(0), e.Arg(1))
		return
	case "not in":
		p.pattern(p.s.NotIn, precBits, e.Arg(0), e.Arg(1))
		return
	}
	op := e.Text
	switch op {
	case "==":
		op = p.s.Equal
	case "!=":
		op = p.s.NotEqual
	case "is":
		op = p.s.Is
	case "is not":
		op = p.s.IsNot
	}
	p.expr(e.Arg(0), precBits)
	p.b.WriteString(" " + op + " ")
	p.expr(e.Arg(1), precBits)
}

func (p *printer) typeTest(e *Expr) {
	types := &Expr{Op: Tuple, Args: e.Args[1:]}
	if len(e.Args) == 2 {
		types = e.Args[1]
	}
	p.pattern(p.s.TypeTest, precBits, e.Arg(0), types)
}

// pattern writes format with each % replaced by the next argument.
func (p *printer) pattern(format string, prec int, args ...*Expr) {
	for _, a := range args {
		before, after, _ := strings.Cut(format, "%")
		p.b.WriteString(before)
		outer := prec
		if strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")") {
			outer = 0
		}
		p.expr(a, outer)
		format = after
	}
	p.b.WriteString(format)
}

func (p *printer) list(args []*Expr, sep string, outer int) {
	for i, a := range args {
		if i > 0 {
			p.b.WriteString(sep)
		}
		p.expr(a, outer)
	}
}

func (p *printer) composite(e *Expr) {
	switch e.Op {
	case Attr:
		p.expr(e.Arg(0), precPostfix)
		p.b.WriteString(cmp.Or(p.s.Member, ".") + e.Text)
	case Index:
		p.expr(e.Arg(0), precPostfix)
		p.brackets("[", e.Args[1:], "]")
	case Slice:
		p.expr(e.Arg(0), precPostfix)
		p.b.WriteByte('[')
		p.list(e.Args[1:], ":", 0)
		p.b.WriteByte(']')
	case Call:
		if e.Text == "new" {
			p.b.WriteString(p.s.New)
		}
		p.expr(e.Arg(0), precPostfix)
		p.brackets("(", e.Args[1:], ")")
	case Error:
		p.expr(e.Arg(0), precPostfix)
		p.brackets("(", e.Args[2:], ")")
	case Keyword:
		p.b.WriteString(e.Text + "=")
		p.expr(e.Arg(0), 0)
	case Entry:
		p.list(e.Args, ": ", 0)
	case Spread:
		p.b.WriteByte('*')
		p.expr(e.Arg(0), precUnary)
	case List:
		p.brackets("[", e.Args, "]")
	case Tuple:
		p.brackets("(", e.Args, ")")
	case Set, Map:
		p.brackets(e.Text+"{", e.Args, "}")
	case Alt:
		p.list(e.Args, " | ", precOr)
	case Interp:
		p.interp(e)
	case Format, Join:
		p.brackets("format(", e.Args, ")")
	case Lookup:
		p.brackets("text(", e.Args, ")")
	case Func:
		p.b.WriteString("function")
	default:
		p.b.WriteString("…")
	}
}

func (p *printer) interp(e *Expr) {
	var b strings.Builder
	for _, a := range e.Args {
		if a.Op == Hole {
			b.WriteString("{" + a.Arg(0).Print(p.s) + "}")
		} else {
			b.WriteString(a.Text)
		}
	}
	p.quote(b.String())
}

func (p *printer) brackets(open string, args []*Expr, end string) {
	p.b.WriteString(open)
	p.list(args, ", ", 0)
	p.b.WriteString(end)
}

func (p *printer) quote(s string) {
	q := strconv.Quote(s)
	if c := p.s.QuoteChar; c != 0 && c != '"' && !strings.ContainsRune(s, rune(c)) {
		q = string(c) + strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`) + string(c)
	}
	p.b.WriteString(q)
}
