package message

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// percentScan reads one conversion of the Percent and Util dialects.
type percentScan struct {
	name    string
	named   bool
	number  int // position given as "2$", 0 for none
	written string
	verb    byte
	stars   int
	size    int // bytes of the format that it takes
}

// scanPercent reads the conversion at the start of s, which stands behind the percent sign; ok is false if it is none.
func scanPercent(s string) (c percentScan, ok bool) {
	i := 0
	if strings.HasPrefix(s, "(") {
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return c, false
		}
		c.name, c.named, i = s[1:end], true, end+1
	}
	if n := leadingNumber(s[i:]); n > 0 {
		rest := strings.TrimLeft(s[i:], "0123456789")
		if strings.HasPrefix(rest, "$") {
			c.number = n
			i = len(s) - len(rest) + 1
		}
	}
	start := i
	for i < len(s) && strings.IndexByte("#0- +'", s[i]) >= 0 {
		i++
	}
	for i < len(s) && strings.IndexByte("0123456789.*", s[i]) >= 0 {
		if s[i] == '*' {
			c.stars++
		}
		i++
	}
	for i < len(s) && strings.IndexByte("hlqjztL", s[i]) >= 0 {
		i++
	}
	if i == len(s) || strings.IndexByte("diouxXeEfFgGcrsapm%", s[i]) < 0 {
		return c, false
	}
	c.verb = s[i]
	c.written = "%" + s[start:i+1]
	c.size = i + 1
	return c, true
}

// percent reads a format string of the Percent dialect. What is no conversion stays as it is, and so does all of the text if no
// values are given but it asks for some: nothing formats it then.
func (b *builder) percent(format string, a *arguments) seq {
	if len(a.list) == 0 && a.rest == nil && len(a.named) == 0 && len(a.others) == 0 && asksForValues(format) {
		return literal(format)
	}
	return b.conversions(format, a, scanPercent)
}

// conversions reads a format string whose conversions begin with a percent sign, as scan reads them. A sign that begins none stays.
func (b *builder) conversions(format string, a *arguments, scan func(string) (percentScan, bool)) seq {
	var out seq
	for {
		text, rest, ok := strings.Cut(format, "%")
		out = append(out, item{text: text})
		if !ok {
			return out
		}
		c, ok := scan(rest)
		if !ok {
			out = append(out, item{text: "%"})
			format = rest
			continue
		}
		format = rest[c.size:]
		if c.verb == 'n' {
			out = append(out, item{text: "\n"})
			continue
		}
		out = append(out, b.percentValue(c, a)...)
	}
}

// asksForValues reports whether a format string holds a conversion that takes a value.
func asksForValues(format string) bool {
	for {
		_, rest, ok := strings.Cut(format, "%")
		if !ok {
			return false
		}
		c, ok := scanPercent(rest)
		if ok && c.verb != '%' && c.verb != 'm' {
			return true
		}
		format = rest[c.size:]
	}
}

// percentValue is what one conversion prints. Stars take their values before it does.
func (b *builder) percentValue(c percentScan, a *arguments) seq {
	if c.verb == '%' {
		return literal("%")
	}
	if c.verb == 'm' {
		// The text of the last failed system call takes no value.
		return b.hole(expr.Ident("errno"), spec{kind: Error})
	}
	for range c.stars {
		a.take()
	}
	f := spec{dialect: Percent, written: c.written}
	var e *expr.Expr
	switch {
	case c.named && len(a.list) == 1 && !a.list[0].Is(expr.Map):
		e = expr.New(expr.Index, "", a.list[0], expr.Str(c.name))
	case c.named:
		e = a.name(c.name)
	case c.number > 0:
		e, _ = a.at(c.number - 1)
	default:
		e, _ = a.take()
	}
	return b.value(e, f, false)
}

// util reads a format string of the Util dialect: a conversion without a value stays as it is, and one that it does not know too.
func (b *builder) util(format string, a *arguments) seq {
	if len(a.list) == 0 && a.rest == nil {
		return literal(format)
	}
	var out seq
	for {
		text, rest, ok := strings.Cut(format, "%")
		out = append(out, item{text: text})
		if !ok {
			return out
		}
		switch {
		case rest != "" && rest[0] == '%':
			out = append(out, item{text: "%"})
			format = rest[1:]
			continue
		case rest == "" || strings.IndexByte("sdifjoOc", rest[0]) < 0:
			out = append(out, item{text: "%"})
			format = rest
			continue
		}
		format = rest[1:]
		e, ok := a.take()
		switch {
		case !ok:
			out = append(out, item{text: "%" + rest[:1]})
		case rest[0] == 'c':
			// Style for a console; nothing is printed.
		default:
			out = append(out, b.value(e, utilSpec(rest[:1]), false)...)
		}
	}
}

// utilSpec is the conversion of a verb: its %d prints fractions too, and its %o what a debugger would.
func utilSpec(verb string) spec {
	f := spec{dialect: Util, written: "%" + verb}
	switch verb {
	case "d":
		f.kind = Float
	case "o", "O":
		f.kind = Repr
	}
	return f
}

// inspected is the values of a formatting call whose first one is no known format string, with blanks between them.
func (b *builder) inspected(values []*expr.Expr) seq {
	var out seq
	for i, e := range values {
		if i > 0 {
			out = append(out, item{text: " "})
		}
		if e.Is(expr.Spread) {
			out = append(out, b.hole(e.Arg(0), spec{})...)
			continue
		}
		out = append(out, b.text(e)...)
	}
	return out
}
