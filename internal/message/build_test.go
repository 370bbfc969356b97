package message

import (
	"slices"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Short constructors, so that the tables below read like code.
func id(s string) *expr.Expr                    { return expr.Ident(s) }
func str(s string) *expr.Expr                   { return expr.Str(s) }
func num(s string) *expr.Expr                   { return expr.New(expr.Number, s) }
func call(f string, a ...*expr.Expr) *expr.Expr { return method(id(f), a...) }
func attr(e *expr.Expr, name string) *expr.Expr { return expr.New(expr.Attr, name, e) }
func add(a ...*expr.Expr) *expr.Expr {
	sum := a[0]
	for _, x := range a[1:] {
		sum = expr.New(expr.Binary, "+", sum, x)
	}
	return sum
}
func method(f *expr.Expr, a ...*expr.Expr) *expr.Expr {
	return expr.New(expr.Call, "", append([]*expr.Expr{f}, a...)...)
}
func format(dialect, f string, a ...*expr.Expr) *expr.Expr {
	return expr.New(expr.Format, dialect, append([]*expr.Expr{str(f)}, a...)...)
}
func interp(dialect string, a ...*expr.Expr) *expr.Expr { return expr.New(expr.Interp, dialect, a...) }
func hole(e *expr.Expr, f string) *expr.Expr            { return expr.New(expr.Hole, f, e) }
func list(a ...*expr.Expr) *expr.Expr                   { return expr.New(expr.List, "", a...) }
func tuple(a ...*expr.Expr) *expr.Expr                  { return expr.New(expr.Tuple, "", a...) }
func kw(name string, e *expr.Expr) *expr.Expr           { return expr.New(expr.Keyword, name, e) }
func spread(e *expr.Expr) *expr.Expr                    { return expr.New(expr.Spread, "", e) }
func cond(c, a, b *expr.Expr) *expr.Expr                { return expr.New(expr.Cond, "", c, a, b) }
func or(a ...*expr.Expr) *expr.Expr                     { return expr.New(expr.Or, "", a...) }

func TestFromExpr(t *testing.T) {
	x, y := id("x"), id("y")
	for _, c := range []struct {
		name string
		e    *expr.Expr
		want string // the alternatives, one a line
	}{
		{"literal", str("it is {so}"), "it is {{so}}"},
		{"name", x, "{x}"},
		{"sum", add(str("no "), x, str("!")), "no {x}!"},
		{"sum of numbers first", add(x, y, str("!")), "{x + y}!"},
		{"sum of numbers", add(x, y), "{x + y}"},
		{"interpolated", interp(Brace, str("age "), hole(x, ":.2f"), str(" of "), hole(call("len", y), "!r")), "age {x|:.2f} of {len(y)|!r}"},
		{"own text", interp(Brace, hole(x, "="), str(", "), hole(y, " = :>5")), "x={x|!r}, y = {y|:>5}"},
		{"constant hole", interp(Brace, str("v"), hole(num("3"), ":03d"), hole(str("a"), "!r")), "v003'a'"},
		{"conversion calls", add(str("got "), call("str", x), str(" "), call("repr", y)), "got {x} {y|!r}"},
		{"length", add(str("n="), expr.New(expr.Len, "", x)), "n={len(x)||int}"},
		{"conditional", add(str("a"), cond(x, str("b"), str("c"))), "ab\nac"},
		{"conditional under quotes", format(Verbs, "a %q", cond(x, str("b"), y)), "a \"b\"\na {y|%q}"},
		{"default inside", add(str("why: "), or(x, str("unknown"))), "why: {x or \"unknown\"}"},
		{"default as a whole", or(x, str("unknown")), "{x}\nunknown"},
		{"conditional in disguise", add(str("a"), or(expr.New(expr.And, "", x, add(str(" "), y)), str(""))), "a {y}\na"},
		{"repeated", add(expr.New(expr.Binary, "*", str("-"), num("3")), x), "---{x}"},
		{"joined", expr.New(expr.Join, "", list(str("a"), x, str("b")), str("\n")), "a\n{x}\nb"},
		{"printf", format(Printf, "%2$s of %1$-5d%n%,d %<z>s%%", x, y, num("7")), "{y|%s} of {x|%-5d}\n{x|%+d} {z|%s}%"},
		{"printf, names in braces", format(Printf, "no %{what} here", expr.New(expr.Map, "", expr.New(expr.Keyword, "what", x))), "no {x|%s} here"},
		{"composite", format(Composite, "{1} of {0:D3}, {{{0,4}}} {7}", x, y), "{y} of {x|D3|int}, {{{x}}} {{7}}"},
		{"message format", format(MessageFormat, "it''s {0,number,#} '{1}' {1}", x, y), "it's {x} {{1}} {y}"},
		{"slots", format(Slots, "a {} b {} \\{} {}", x, y), "a {x} b {y} {{}} {{}}"},
		{"joined, made in two ways", expr.New(expr.Join, "", expr.New(expr.Alt, "", list(str("a"), x), list(x, str("b"))), str("-")), "a-{x}\n{x}-b"},
		{"joined, not known", expr.New(expr.Join, "", x, str(", ")), "{x}"},
		{"replaced", method(attr(str("no {x}"), "replace"), str("{x}"), call("str", y)), "no {y}"},
		{"format not known", expr.New(expr.Format, Percent, y, x), "{y}"},
		{"gettext", expr.New(expr.Format, Percent, call("_", str("no %s")), x), "no {x|%s}"},
		{"error", expr.New(expr.Error, "", id("ValueError"), str("bad")), "bad"},

		{"verbs", format(Verbs, "open %q: %w", x, y), "open {x|%q}: {y|%w}"},
		{"verbs, several causes", format(Verbs, "%w: %w", x, y), "{x|%w}: {y|%w}"},
		{"verbs, numbered", format(Verbs, "%[2]*[1]d %v", x, y), "{x|%*d} {y|%v}"},
		{"verbs, width", format(Verbs, "%-8s|%+d|%08.3f|%%", x, x, x), "{x|%-8s}|{x|%+d}|{x|%08.3f}|%"},
		{"verbs, missing", format(Verbs, "%d of %d", x), "{x|%d} of %!d(MISSING)"},
		{"verbs, surplus", format(Verbs, "all", x, str("a")), "all%!(EXTRA {x|%T}={x|%v}, {\"a\"|%T}=a)"},
		{"verbs, unknown", format(Verbs, "%z %", x), "%!z({x|%T}={x|%v}) %!(NOVERB)"},
		{"verbs, no verb", format(Verbs, "50%"), "50%!(NOVERB)"},
		{"verbs, constants", format(Verbs, "%d %x %q %5.1f %t %v", num("0x10"), num("255"), str("a"), num("2.25"), expr.New(expr.Bool, "true"), expr.New(expr.Null, "nil")), "16 ff \"a\"   2.2 true <nil>"},
		{"verbs, wrong constant", format(Verbs, "%d", str("hi")), "%!d(string=hi)"},
		{"verbs, not printed", format(Verbs, "%w%.0w", x, y), "{x|%w}"},
		{"verbs, rest", format(Verbs, "%s: %d", x, spread(y)), "{x|%s}: {y[0]|%d}"},
		{"verbs, unpacked", format(Verbs, "%s: %d", spread(tuple(x, y))), "{x|%s}: {y|%d}"},
		{"format not known", expr.New(expr.Format, Verbs, x, y), "{x}"},
		{"format known in part", expr.New(expr.Format, Verbs, add(str("a %d "), x), y), "a {y|%d} {x}"},
		{"format of two", expr.New(expr.Format, Verbs, cond(x, str("a %d"), str("b %s")), y), "a {y|%d}\nb {y|%s}"},

		{"percent tuple", format(Percent, "%s of %5.2f%%", tuple(x, y)), "{x|%s} of {y|%5.2f}%"},
		{"percent value", format(Percent, "no %r", x), "no {x|%r}"},
		{"percent, tuple of unknown length", format(Percent, "%s, %d", x), "{x[0]|%s}, {x[1]|%d}"},
		{"percent map", format(Percent, "%(a)s is %(b)d", expr.New(expr.Map, "", kw("a", x), kw("b", y))), "{x|%s} is {y|%d}"},
		{"percent names of a value", format(Percent, "%(a)s is %(b)d", x), "{x[\"a\"]|%s} is {x[\"b\"]|%d}"},
		{"percent, values as arguments", format(Percent, "%lu of %zu: %m", x, y), "{x|%lu} of {y|%zu}: {errno||error}"},
		{"percent, no values", format(Percent, "100%% sure"), "100% sure"},
		{"percent, verbatim", format(Percent, "100% sure of %s"), "100% sure of %s"},
		{"percent, star", format(Percent, "%*d %.*s", x, y, x, y), "{y|%*d} {y|%.*s}"},
		{"percent, constants", format(Percent, "%s %r %d %x", tuple(num("3"), str("it's"), num("4"), num("255"))), "3 \"it's\" 4 ff"},

		{"brace", format(Brace, "{} {} {{}} {0!r:>5}", x, y), "{x} {y} {{}} {x|!r:>5}"},
		{"brace names", format(Brace, "{a.b[2]} {c} {}", y, kw("a", x)), "{x.b[2]} {c} {y}"},
		{"brace nested", format(Brace, "{:{}.{}f}", x, y, y), "{x|:\\{\\}.\\{\\}f}"},
		{"brace unpacked", format(Brace, "{a}", spread(x)), "{x[\"a\"]}"},
		{"brace missing", format(Brace, "{} {}", x), "{x} {{}}"},
		{"brace constants", format(Brace, "{:>4}{:<4}{:^5}{:.1f}{:+d}{:04}", num("3"), str("a"), str("b"), num("2"), num("5"), num("-7")), "   3a     b  2.0+5-007"},

		{"util", format(Util, "%s %d %j", x, y, x), "{x|%s} {y|%d|float} {x|%j}"},
		{"util surplus", format(Util, "a %s", x, y, str("z")), "a {x|%s} {y} z"},
		{"util missing", format(Util, "%s and %s", x), "{x|%s} and %s"},
		{"util verbatim", format(Util, "%s 100%%"), "%s 100%%"},
		{"util without format", expr.New(expr.Format, Util, x, str("failed")), "{x} failed"},
		{"dollar", format(Dollar, "$a and ${b}, $$5 $", kw("a", x)), "{x} and {b}, $5 $"},
	} {
		var got []string
		for _, tpl := range FromExpr(c.e, nil, nil) {
			got = append(got, tpl.String())
			if again, err := Parse(tpl.String()); err != nil || again.String() != tpl.String() {
				t.Errorf("%s: %s does not parse back: %v", c.name, tpl, err)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n  got  %q\n  want %q", c.name, strings.Join(got, "\n"), c.want)
		}
	}
}

// TestFromExprLooksUp checks what names of other files become.
func TestFromExprLooksUp(t *testing.T) {
	table := map[string]*expr.Expr{
		"MSG":       str("no %s here"),
		"LIMIT":     num("64"),
		"ALIAS":     id("MSG"),
		"LOOP":      add(str("x"), id("LOOP")),
		"PARTS":     list(str("a"), str("b")),
		"f()":       interp(Plain, str("made of "), hole(id("z"), "")),
		"ERRORS[0]": expr.New(expr.Alt, "", str("one"), str("two")),
	}
	lookup := func(e *expr.Expr) *expr.Expr {
		if e.Is(expr.Index) {
			return table[e.Arg(0).Path()+"[0]"]
		}
		return table[e.Path()]
	}
	for _, c := range []struct {
		e    *expr.Expr
		want string
	}{
		{expr.New(expr.Format, Percent, id("MSG"), id("x")), "no {x|%s} here"},
		{expr.New(expr.Format, Percent, id("ALIAS"), id("x")), "no {x|%s} here"},
		{add(str("at most "), id("LIMIT")), "at most {LIMIT}"},
		{expr.New(expr.Join, "", id("PARTS"), str("-")), "a-b"},
		{call("f"), "made of {z}"},
		{expr.New(expr.Index, "", id("ERRORS"), id("code")), "one\ntwo"},
		{format(Verbs, "%s", id("MSG")), "no %s here"},
	} {
		var got []string
		for _, tpl := range FromExpr(c.e, lookup, nil) {
			got = append(got, tpl.String())
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n  got  %q\n  want %q", c.e, got, c.want)
		}
	}
	// A name that stands for itself ends.
	if got := FromExpr(id("LOOP"), lookup, nil); len(got) != 1 || !strings.HasPrefix(got[0].String(), "xxx") {
		t.Errorf("a cycle gives %v", got)
	}
}

func TestAlternativesAreBounded(t *testing.T) {
	one := func(i string) *expr.Expr { return cond(id("c"+i), str("aaaa"+i), str("bbbb"+i)) }
	got := FromExpr(add(str("x"), one("1"), one("2"), one("3"), cond(id("n"), str(""), str("s"))), nil, nil)
	if len(got) != MaxAlternatives {
		t.Fatalf("%d alternatives, want %d", len(got), MaxAlternatives)
	}
	if want := "xaaaa1aaaa2aaaa3{\"\" if n else \"s\"||enum ,s}"; got[0].String() != want {
		t.Errorf("got  %s\nwant %s", got[0], want)
	}
	var many []*expr.Expr
	for i := range 100 {
		many = append(many, str("message "+strings.Repeat("i", i)))
	}
	if got := FromExpr(expr.New(expr.Alt, "", many...), nil, nil); len(got) != maxTexts {
		t.Errorf("a table gives %d texts, want %d", len(got), maxTexts)
	}
}

func TestKey(t *testing.T) {
	a := FromExpr(interp(Brace, str("no "), hole(id("x"), "!r"), str(" here")), nil, nil)[0]
	b := FromExpr(interp(Brace, str("no "), hole(id("renamed"), ""), str(" here")), nil, nil)[0]
	if a.Key() != "no \x00 here" || a.Key() != b.Key() {
		t.Errorf("keys %q and %q", a.Key(), b.Key())
	}
	if got := mustParse(t, "open {p|%q}: {len(x)}").Display(); got != "open {p}: {len(x)}" {
		t.Errorf("displays as %q", got)
	}
}

func TestTokens(t *testing.T) {
	var got []string
	for tok := range mustParse(t, "no {x}item{s} in the_list, é").Tokens {
		if tok.Whole {
			tok.Text += "."
		}
		got = append(got, tok.Text)
	}
	if want := []string{"no.", "item", "in.", "the_list.", "é."}; !slices.Equal(got, want) {
		t.Errorf("tokens %q, want %q", got, want)
	}
	if n := mustParse(t, "no {x}item{s} in the_list, é").Weight(); n != 2+4+2+7+1 {
		t.Errorf("weight %d", n)
	}
	for s, want := range map[string]bool{"{x}": false, "error: {x}": false, "failed to {x}": true, "no x": false, "unimplemented": true} {
		if got := mustParse(t, s).Specific(); got != want {
			t.Errorf("%q specific: %v", s, got)
		}
	}
}
