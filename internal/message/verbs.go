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
	flags   string          // written before the verb
	verb    rune
	bad     bool // an argument number that is none
}

// scan reads flags, width, precision and verb in the order in which the runtime does, so that misuse comes out the same.
func (c *verbScan) scan() {
	c.written.WriteByte('%')
	for c.rest != "" && strings.IndexByte("+-# 0", c.rest[0]) >= 0 {
		c.keep(1)
	}
	indexed := c.index()
	if c.number() {
		// Digits or a point between the argument number and the verb are misuse; behind a star they are not.
		c.bad = c.bad || indexed
	} else if c.star() {
		indexed = false
	}
	if strings.HasPrefix(c.rest, ".") && len(c.rest) > 1 {
		c.keep(1)
		c.bad = c.bad || indexed
		indexed = c.index()
		if c.star() {
			indexed = false
		} else {
			c.number()
		}
	}
	if !indexed {
		c.index()
	}
	if c.rest == "" {
		return
	}
	r, size := utf8.DecodeRuneInString(c.rest)
	c.verb, c.flags = r, c.written.String()
	c.keep(size)
}

// keep moves n bytes to what is written.
func (c *verbScan) keep(n int) {
	c.written.WriteString(c.rest[:n])
	c.rest = c.rest[n:]
}

// number reads the digits of a width or precision.
func (c *verbScan) number() bool {
	n := len(c.rest) - len(strings.TrimLeft(c.rest, "0123456789"))
	c.keep(n)
	return n > 0
}

// star reads a width or precision that a value gives.
func (c *verbScan) star() bool {
	if !strings.HasPrefix(c.rest, "*") {
		return false
	}
	c.keep(1)
	c.args.take()
	return true
}

// index reads an argument number, "[2]", and reports whether a number was there.
func (c *verbScan) index() bool {
	if !strings.HasPrefix(c.rest, "[") {
		return false
	}
	inner, rest, ok := strings.Cut(c.rest[1:], "]")
	c.args.asked = true
	n := leadingNumber(inner)
	if !ok || len(c.rest) < len("[n]") {
		rest = c.rest[1:]
	}
	c.rest = rest
	if !ok || inner == "" || strings.Trim(inner, "0123456789") != "" {
		c.bad = true
		return false
	}
	if _, there := c.args.at(n - 1); !there {
		c.bad = true
		return true
	}
	c.args.next = n - 1
	return true
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
	case !ok:
		return literal("%!" + letter + "(MISSING)")
	case strings.ContainsRune("sw", c.verb) && strings.HasSuffix(c.flags, ".0"):
		return nil // a text of no characters: how an error is wrapped without being printed
	case strings.ContainsRune("vTtbcdoOqxXUeEfFgGspw", c.verb):
		return b.value(e, spec{dialect: Verbs, written: c.written.String()}, false)
	}
	out := append(literal("%!"+letter+"("), b.hole(e, spec{written: "%T"})...)
	out = append(out, item{text: "="})
	value := b.hole(e, spec{written: c.flags + "v"})
	if !strings.ContainsAny(c.flags, "+#") {
		// These flags mean something else to the verb v.
		value = b.value(e, spec{dialect: Verbs, written: c.flags + "v"}, false)
	}
	return append(append(out, value...), item{text: ")"})
}
