package message

import (
	"strings"
	"unicode/utf8"
)

// verbs reads a format string of the Verbs dialect: %[flags][width][.precision]verb, with * and [n] where numbers may stand.
func (b *builder) verbs(format string, a *arguments) seq {
	var out seq
	for {
		text, rest, ok := strings.Cut(format, "%")
		out = append(out, item{text: text})
		if !ok {
			return out
		}
		if rest == "" {
			return append(out, item{text: "%!(NOVERB)"})
		}
		c := verbScan{rest: rest, args: a}
		c.scan()
		format = c.rest
		out = append(out, b.verb(&c)...)
	}
}

// verbScan reads one conversion.
type verbScan struct {
	rest    string
	args    *arguments
	written strings.Builder // the conversion without argument numbers and without its verb
	verb    rune
	bad     bool // an argument number that is none
}

func (c *verbScan) scan() {
	c.written.WriteByte('%')
	for c.rest != "" && strings.IndexByte("+-# 0", c.rest[0]) >= 0 {
		c.keep(1)
	}
	c.number()
	if strings.HasPrefix(c.rest, ".") && len(c.rest) > 1 {
		c.keep(1)
		c.number()
	}
	c.index()
	if c.rest == "" {
		return
	}
	r, size := utf8.DecodeRuneInString(c.rest)
	c.verb = r
	c.keep(size)
}

func (c *verbScan) keep(n int) {
	c.written.WriteString(c.rest[:n])
	c.rest = c.rest[n:]
}

// number reads a width or precision: digits, or a star that takes a value.
func (c *verbScan) number() {
	c.index()
	if strings.HasPrefix(c.rest, "*") {
		c.keep(1)
		c.args.take()
		return
	}
	for c.rest != "" && '0' <= c.rest[0] && c.rest[0] <= '9' {
		c.keep(1)
	}
}

// index reads an argument number, "[2]".
func (c *verbScan) index() {
	if !strings.HasPrefix(c.rest, "[") {
		return
	}
	inner, rest, ok := strings.Cut(c.rest[1:], "]")
	c.args.asked = true
	n := leadingNumber(inner)
	if !ok || n == 0 || strings.Trim(inner, "0123456789") != "" {
		c.bad = true
		if ok {
			c.rest = rest
		} else {
			c.rest = c.rest[1:]
		}
		return
	}
	c.args.next = n - 1
	c.rest = rest
}

// verb is what one conversion prints, with the runtime's notes on misuse as literal text.
func (b *builder) verb(c *verbScan) seq {
	letter := string(c.verb)
	switch {
	case c.verb == 0:
		return literal("%!(NOVERB)")
	case c.verb == '%':
		return literal("%")
	case c.bad:
		return literal("%!" + letter + "(BADINDEX)")
	}
	e, ok := c.args.take()
	switch {
	case !ok && c.args.asked:
		return literal("%!" + letter + "(BADINDEX)")
	case !ok:
		return literal("%!" + letter + "(MISSING)")
	case strings.ContainsRune("vTtbcdoOqxXUeEfFgGspw", c.verb):
		return b.value(e, spec{dialect: Verbs, written: c.written.String()}, false)
	}
	out := append(literal("%!"+letter+"("), b.hole(e, spec{written: "%T"})...)
	out = append(out, item{text: "="})
	return append(append(out, b.hole(e, spec{written: "%v"})...), item{text: ")"})
}
