package message

import "strings"

// printf reads a format string of the Printf dialect.
func (b *builder) printf(format string, a *arguments) seq {
	return b.conversions(format, a, scanPrintf)
}

// scanPrintf reads the conversion at the start of s, which stands behind the percent sign: one of the Percent dialect, one with the
// flags "," and "(" or with angle brackets around a name, or one of the verbs that other languages add.
func scanPrintf(s string) (c percentScan, ok bool) {
	if name, after, found := strings.Cut(strings.TrimPrefix(s, "<"), ">"); found && strings.HasPrefix(s, "<") {
		if c, ok = scanPercent(after); ok && name != "" && !strings.ContainsAny(name, " %") {
			c.name, c.named = name, true
			c.size += len(name) + 2
			return c, true
		}
		return percentScan{}, false
	}
	if name, after, found := strings.Cut(strings.TrimPrefix(s, "{"), "}"); found && strings.HasPrefix(s, "{") && name != "" && !strings.ContainsAny(name, " %") {
		return percentScan{name: name, named: true, written: "%s", verb: 's', size: len(s) - len(after)}, true
	}
	plain := strings.Map(func(r rune) rune {
		if r == ',' || r == '(' {
			return '+'
		}
		return r
	}, s[:min(len(s), 12)])
	if c, ok = scanPercent(plain); ok {
		return c, true
	}
	i := 0
	if n := leadingNumber(s); n > 0 {
		if rest := strings.TrimLeft(s, "0123456789"); strings.HasPrefix(rest, "$") {
			c.number, i = n, len(s)-len(rest)+1
		}
	}
	for i < len(s) && strings.IndexByte("#0- +'0123456789.,", s[i]) >= 0 {
		i++
	}
	if i == len(s) || strings.IndexByte("nbBSChHu", s[i]) < 0 {
		return percentScan{}, false
	}
	c.verb, c.size = s[i], i+1
	switch s[i] {
	case 'u':
		c.written = "%d"
	case 'n':
	default:
		c.written = "%s"
	}
	return c, true
}

// composite reads a format string of the Composite dialect. A field without a value stays as it is written.
func (b *builder) composite(format string, a *arguments) seq {
	return fields(format, func(field string) (seq, bool) {
		number, _, _ := strings.Cut(strings.ReplaceAll(field, ",", ":"), ":")
		return b.numberedField(strings.TrimSpace(number), field, a)
	})
}

// messageFormat reads a format string of the MessageFormat dialect: an apostrophe quotes what stands up to the next one, two are one.
func (b *builder) messageFormat(format string, a *arguments) seq {
	var out seq
	for {
		i := strings.IndexAny(format, "'{")
		if i < 0 {
			return append(out, item{text: format})
		}
		out = append(out, item{text: format[:i]})
		if format[i] == '\'' {
			quoted, rest, closed := strings.Cut(format[i+1:], "'")
			if !closed {
				return append(out, item{text: quoted})
			}
			if quoted == "" {
				quoted = "'"
			}
			out = append(out, item{text: quoted})
			format = rest
			continue
		}
		end := fieldEnd(format[i:])
		if end < 0 {
			return append(out, item{text: format[i:]})
		}
		field := format[i+1 : i+end]
		number, _, _ := strings.Cut(field, ",")
		value, ok := b.numberedField(strings.TrimSpace(number), "", a)
		if !ok {
			value = literal(format[i : i+end+1])
		}
		out = append(out, value...)
		format = format[i+end+1:]
	}
}

// slots reads a format string of the Slots dialect: each "{}" takes the next value, and stays where none is left.
func (b *builder) slots(format string, a *arguments) seq {
	var out seq
	for {
		text, rest, ok := strings.Cut(format, "{}")
		if strings.HasSuffix(text, `\`) && ok {
			out = append(out, item{text: strings.TrimSuffix(text, `\`) + "{}"})
			format = rest
			continue
		}
		out = append(out, item{text: text})
		if !ok {
			return out
		}
		format = rest
		if e, given := a.take(); given {
			out = append(out, b.text(e)...)
		} else {
			out = append(out, item{text: "{}"})
		}
	}
}

// numberedField is the value of a field that names it by its number, or by name.
func (b *builder) numberedField(number, field string, a *arguments) (seq, bool) {
	a.asked = true
	if number == "" || strings.Trim(number, "0123456789") != "" {
		if e := a.named[number]; e != nil {
			return b.text(e), true
		}
		return nil, false
	}
	e, ok := a.at(leadingNumber(number))
	if !ok {
		return nil, false
	}
	_, format, formatted := strings.Cut(field, ":")
	if !formatted {
		return b.text(e), true
	}
	return b.value(e, spec{dialect: Composite, written: format, kind: compositeKind(format)}, false), true
}

// fields splits a format string at its fields in braces; doubled braces are braces. A field without a value stays as it is.
func fields(format string, value func(field string) (seq, bool)) seq {
	var out seq
	for {
		i := strings.IndexAny(format, "{}")
		if i < 0 {
			return append(out, item{text: format})
		}
		out = append(out, item{text: format[:i]})
		if i+1 < len(format) && format[i+1] == format[i] {
			out = append(out, item{text: format[i : i+1]})
			format = format[i+2:]
			continue
		}
		end := fieldEnd(format[i:])
		if format[i] == '}' || end < 0 {
			out = append(out, item{text: format[i : i+1]})
			format = format[i+1:]
			continue
		}
		filled, ok := value(format[i+1 : i+end])
		if !ok {
			filled = literal(format[i : i+end+1])
		}
		out = append(out, filled...)
		format = format[i+end+1:]
	}
}

// compositeKind is what a format of the Composite dialect prints: D5 and X8 have digits, and so have N0 and F2.
func compositeKind(format string) Kind {
	if len(format) == 0 || strings.Trim(format[1:], "0123456789") != "" {
		return Any
	}
	switch format[0] {
	case 'D', 'd':
		return Int
	case 'X', 'x':
		return Hex
	}
	return Any
}
