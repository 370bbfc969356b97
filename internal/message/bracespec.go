package message

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// braceSpec is a format specification in braces: [[fill]align][sign][#][0][width][group][.precision][type].
type braceSpec struct {
	fill      rune
	align     byte // one of < > ^ =, 0 for the value's own
	sign      byte
	alternate bool
	width     int
	group     byte
	precision int // -1 for none
	verb      byte
}

// parseBraceSpec reads a specification; ok is false if something of it is left over.
func parseBraceSpec(s string) (braceSpec, bool) {
	l := braceSpec{fill: ' ', precision: -1}
	if r, size := utf8.DecodeRuneInString(s); size < len(s) && strings.IndexByte("<>^=", s[size]) >= 0 {
		l.fill, l.align, s = r, s[size], s[size+1:]
	} else if s != "" && strings.IndexByte("<>^=", s[0]) >= 0 {
		l.align, s = s[0], s[1:]
	}
	take := func(set string) byte {
		if s == "" || strings.IndexByte(set, s[0]) < 0 {
			return 0
		}
		c := s[0]
		s = s[1:]
		return c
	}
	number := func() int {
		n := leadingNumber(s)
		s = strings.TrimLeft(s, "0123456789")
		return n
	}
	l.sign = take("+- ")
	l.alternate = take("#") != 0
	if take("0") != 0 && l.align == 0 {
		l.fill, l.align = '0', '='
	}
	l.width = number()
	l.group = take(",_")
	if take(".") != 0 {
		l.precision = number()
	}
	l.verb = take("sdxXobcfFeEgG%")
	return l, s == ""
}

// number prints a numeric literal; ok is false for what is better left to the runtime.
func (l braceSpec) number(e *expr.Expr) (string, bool) {
	v, ok := goValue(e)
	_, whole := v.(int)
	if !ok || l.group != 0 || l.verb == 'c' || l.verb == 's' {
		return "", false
	}
	verb, suffix := l.verb, ""
	switch {
	case verb == 0 && whole && l.precision < 0:
		verb = 'd'
	case verb == 0:
		return "", false
	case verb == '%':
		verb, suffix = 'f', "%"
		x, isFloat := v.(float64)
		if !isFloat {
			x = float64(v.(int))
		}
		v = x * 100
	}
	if n, isInt := v.(int); isInt && strings.IndexByte("fFeEgG", verb) >= 0 {
		v = float64(n)
	}
	format := "%"
	if l.sign == '+' || l.sign == ' ' {
		format += string(l.sign)
	}
	if l.alternate {
		format += "#"
	}
	if strings.IndexByte("fFeEgG", verb) >= 0 {
		precision := l.precision
		if precision < 0 {
			precision = 6
		}
		format += fmt.Sprintf(".%d", precision)
	}
	text := fmt.Sprintf(format+string(verb), v) + suffix
	return l.pad(text, '>'), !strings.HasPrefix(text, "%!")
}

// pad fills text up to the width; align is the value's own alignment.
func (l braceSpec) pad(text string, align byte) string {
	n := l.width - utf8.RuneCountInString(text)
	if n <= 0 {
		return text
	}
	if l.align != 0 {
		align = l.align
	}
	fill := strings.Repeat(string(l.fill), n)
	switch align {
	case '<':
		return text + fill
	case '^':
		left := n / 2
		return strings.Repeat(string(l.fill), left) + text + strings.Repeat(string(l.fill), n-left)
	case '=':
		if text[0] == '-' || text[0] == '+' || text[0] == ' ' {
			return text[:1] + fill + text[1:]
		}
	}
	return fill + text
}
