package condition

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// call is the result of a function that the language's rules name.
func (v *view) call(e *expr.Expr) Value {
	callee := e.Arg(0)
	calls := v.env.rules.Calls
	if len(calls) == 0 || callee == nil {
		return Value{}
	}
	does, args := calls[callee.Path()], e.Args[1:]
	if does == NoCall && callee.Is(expr.Attr) {
		does = calls["."+callee.Text]
		args = append([]*expr.Expr{callee.Arg(0)}, args...)
	}
	if does == NoCall || len(args) == 0 {
		return Value{}
	}
	operands := make([]Value, len(args))
	for i, a := range args {
		if a.Is(expr.Keyword) || a.Is(expr.Spread) {
			return Value{}
		}
		operands[i] = v.value(a)
	}
	return v.env.rules.apply(does, operands)
}

// apply is what a known function returns.
func (r *Rules) apply(does Call, args []Value) Value {
	for _, a := range args {
		switch a.Kind {
		case Opaque:
			return Value{}
		case Alien, failed:
			return Value{Kind: failed}
		}
	}
	a := args[0]
	switch does {
	case Abs, Min, Max, IsInteger:
		return onNumbers(does, args)
	case IsNull:
		return BoolOf(a.Kind == Null)
	case ToNumber:
		if n, ok := parseNumber(strings.TrimSpace(a.text)); a.Kind == Text && ok {
			return n
		}
		if a.Kind == Number {
			return a
		}
	case Contains:
		return r.contains(args)
	}
	if a.Kind != Text {
		return Value{}
	}
	if len(args) == 1 {
		return onText(does, a.text)
	}
	return onTexts(does, a.text, args)
}

// contains is whether a text has a part or a list has an element.
func (r *Rules) contains(args []Value) Value {
	if len(args) != 2 {
		return Value{}
	}
	a, b := args[0], args[1]
	if a.Kind == Text && b.Kind == Text {
		return BoolOf(contains(a.text, b.text))
	}
	if a.Kind != Sequence || a.elems == nil || a.open {
		return Value{}
	}
	out := BoolOf(false)
	for _, x := range a.elems {
		switch r.equal(x, b) {
		case True:
			return BoolOf(true)
		case False:
		default:
			out = Value{}
		}
	}
	return out
}

// contains is whether part stands in s.
func contains(s, part string) bool { return strings.Contains(s, part) }

// onNumbers is a function of numbers. Of ranges, the least and greatest are taken end by end.
func onNumbers(does Call, args []Value) Value {
	for _, a := range args {
		if a.Kind != Number {
			return Value{}
		}
	}
	a := args[0]
	switch does {
	case Abs:
		if x, ok := a.exact(); ok && len(args) == 1 {
			r := new(big.Rat).Abs(x)
			return Value{Kind: Number, low: r, high: r, whole: a.whole}
		}
		return Value{}
	case IsInteger:
		if x, ok := a.exact(); ok {
			return BoolOf(x.IsInt())
		}
		return Value{}
	}
	if len(args) < 2 {
		return Value{} // of one list
	}
	for _, b := range args[1:] {
		if c := b.low.Cmp(a.low); does == Min && c < 0 || does == Max && c > 0 {
			a.low, a.whole = b.low, a.whole && b.whole
		}
		if c := b.high.Cmp(a.high); does == Min && c < 0 || does == Max && c > 0 {
			a.high, a.whole = b.high, a.whole && b.whole
		}
	}
	return a
}

// onText is a function of one text. What holds of letters and digits beyond ASCII differs between languages.
func onText(does Call, s string) Value {
	if !ascii(s) {
		return Value{}
	}
	switch does {
	case ToLower:
		return TextOf(strings.ToLower(s))
	case ToUpper:
		return TextOf(strings.ToUpper(s))
	case TrimSpace:
		return TextOf(strings.TrimSpace(s))
	case ToText:
		return TextOf(s)
	case IsDigits:
		return BoolOf(s != "" && strings.Trim(s, "0123456789") == "")
	case IsAlpha:
		return BoolOf(all(s, letter))
	case IsAlnum:
		return BoolOf(all(s, func(c byte) bool { return letter(c) || '0' <= c && c <= '9' }))
	case IsSpace:
		return BoolOf(s != "" && strings.TrimSpace(s) == "")
	case IsUpper:
		return BoolOf(s != strings.ToLower(s) && s == strings.ToUpper(s))
	case IsLower:
		return BoolOf(s != strings.ToUpper(s) && s == strings.ToLower(s))
	}
	return Value{}
}

// letter reports whether c is an ASCII letter.
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// all reports whether s is not empty and has only bytes that is takes.
func all(s string, is func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !is(s[i]) {
			return false
		}
	}
	return s != ""
}

// onTexts is a function of a text and another one; prefixes and suffixes may be several.
func onTexts(does Call, s string, args []Value) Value {
	if len(args) != 2 {
		return Value{} // with bounds or flags
	}
	b := args[1]
	if b.Kind == Sequence && b.elems != nil && !b.open && (does == HasPrefix || does == HasSuffix) {
		for _, x := range b.elems {
			if got := onTexts(does, s, []Value{args[0], x}); got.Kind != Boolean || got.truth {
				return got
			}
		}
		return BoolOf(false)
	}
	if b.Kind != Text {
		return Value{}
	}
	switch does {
	case HasPrefix:
		return BoolOf(strings.HasPrefix(s, b.text))
	case HasSuffix:
		return BoolOf(strings.HasSuffix(s, b.text))
	case EqualFold:
		if ascii(s) && ascii(b.text) {
			return BoolOf(strings.EqualFold(s, b.text))
		}
	case IndexOf:
		if at := strings.Index(s, b.text); at < 0 || ascii(s) {
			return IntOf(int64(at))
		}
	case CountOf:
		if b.text != "" && utf8.ValidString(s) {
			return IntOf(int64(strings.Count(s, b.text)))
		}
	}
	return Value{}
}
