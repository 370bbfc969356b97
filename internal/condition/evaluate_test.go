package condition

import (
	"math/big"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// dynamicRules are those of a language in which values of different types compare as not equal.
func dynamicRules() *Rules {
	return &Rules{
		Truth:    Truth{Known: true, Zero: true, EmptyString: true, EmptyList: true},
		FloorMod: true, RoundsVerbs: true, Integers: Unbounded,
		Types: map[string][]Kind{"int": {Whole, Boolean}, "float": {Number}, "str": {Text}, "bool": {Boolean}, "list": {Sequence}},
		Calls: map[string]Call{".startswith": HasPrefix, ".endswith": HasSuffix, ".isdigit": IsDigits, ".lower": ToLower, "abs": Abs, "max": Max, "strings.HasPrefix": HasPrefix},
	}
}

// bindings reads "expression|format = printed" lines.
func bindings(t testing.TB, lines string) []Binding {
	t.Helper()
	var out []Binding
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		left, value, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		hole, err := message.Parse("{" + strings.TrimSpace(left) + "}")
		if err != nil {
			t.Fatal(err)
		}
		h := hole.Pieces[0].Hole
		h.Expr = parse(t, h.Text)
		if h.Kind == message.Any && h.Expr.Is(expr.Len) {
			h.Kind = message.Int
		}
		out = append(out, Binding{Hole: h, Value: value})
	}
	return out
}

func TestEvaluate(t *testing.T) {
	for _, c := range []struct{ name, values, cond, want string }{
		{"numbers", "n = 9", "n > 8", "true"},
		{"numbers", "n = 9", "n < 0", "false"},
		{"nothing known", "n = 9", "m < 0", "unknown"},
		{"arithmetic", "len(dst) = 15\nfull = 3", "len(dst) - 2*full == 9", "true"},
		{"exact beyond 64 bits", "n|%d = 18446744073709551617", "n*n == 340282366920938463500268095579187314689", "true"},
		{"or decided by what is known", "n = 9", "x || n > 8", "true"},
		{"or with an unknown part", "n = 9", "x || n > 9", "unknown"},
		{"and decided by what is known", "n = 9", "x && n > 9", "false"},
		{"negation", "n|%.1f = 9.0", "!(n > 8)", "false"},

		{"a text may print like a number", "v = 2", "v != 2", "unknown"},
		{"and the number is the likelier reading", "v = 2", "v == 2", "true"},
		{"under %r it would have quotes", "v|!r = 2", "v != 2", "false"},
		{"a rounded fraction", "x|%.2f = 1.00", "x < 1", "unknown"},
		{"far from its limit", "x|%.2f = 3.00", "x < 1", "false"},
		{"%d takes the fraction off", "x|%d = 3", "x > 3", "unknown"},
		{"%d of a length does not", "len(x)|%d = 3", "len(x) > 3", "false"},
		{"percent", "x|:.1% = 50.0%", "x > 0.6", "false"},

		{"texts", "mode = r", `mode == "w"`, "false"},
		{"what prints the same may differ", "mode = r", `mode != "r"`, "unknown"},
		{"quoted text", `mode|!r = 'r'`, `mode != "r"`, "false"},
		{"names of constants are no texts", "c = Color.RED", `c == "red"`, "unknown"},
		{"bytes are no texts", "c = b'red'", `c == "red"`, "unknown"},
		{"membership", "mode|!r = 'x'", `notin(mode, list("r", "w"))`, "true"},
		{"membership", "mode|!r = 'r'", `notin(mode, set("r", "w"))`, "false"},
		{"membership with unknown elements", "mode|!r = 'x'", `in(mode, list("r", other))`, "unknown"},
		{"membership in a printed list", "x|!r = 3\nxs|!r = [1, 2]", "in(x, xs)", "false"},
		{"part of a text", "s|!r = 'abc'", `in("b", s)`, "true"},
		{"prefix", "s|!r = 'abc'", `s.startswith("ab")`, "true"},
		{"prefixes", "s|!r = 'abc'", `s.startswith(list("x", "b"))`, "false"},
		{"function", "s|%q = \"abc\"", `strings.HasPrefix(s, "x")`, "false"},
		{"digits", "s = 12a", "!s.isdigit()", "true"},
		{"case", "s = ABC", `s.lower() == "abc"`, "true"},
		{"length of a text", "s|!r = 'abc'", "len(s) == 3", "true"},
		{"length beyond ASCII", "s|!r = 'äbc'", "len(s) == 4", "unknown"},

		{"null", "x = nil", "x == nil", "true"},
		{"null", "x|!r = 'a'", "x == nil", "false"},
		{"null", "x = 3", "x != nil", "true"},
		{"what has a length is there", "len(x) = 3", "x == nil", "false"},
		{"truth of a text", "x|!r = ''", "!truthy(x)", "true"},
		{"truth of a number", "x|!r = 0", "truthy(x)", "false"},
		{"truth of a length", "len(x) = 0", "truthy(x)", "false"},
		{"truth of another object", "x = abc", "!truthy(x)", "unknown"},
		{"type", "x|!r = 'a'", "!is(x, str)", "unknown"},
		{"type", "x|!r = 'a'", "is(x, int)", "false"},
		{"type", "x|!r = 3", "!is(x, str)", "true"},
		{"type of a number that may be a text", "x = 3", "!is(x, int)", "unknown"},
		{"type that was printed", "x|%T = int", "is(x, str)", "false"},
		{"type that was printed", "x|%T = Foo", "is(x, str)", "unknown"},

		{"bits", "f|%d = 6", "f & 4 == 4", "true"},
		{"bits of hexadecimal digits", "f|%#x = 0x6", "f & 1 == 1", "false"},
		{"remainder of a negative number", "n|!r = -7", "n % 3 == 2", "true"},
		{"conditional", "n|!r = 3", "cond(n > 2, n < 3, n > 9)", "false"},
		{"known functions", "n|!r = -3", "abs(n) > 4", "false"},
		{"unknown functions", "f(x) = 3", "f(x) > 4", "unknown"},

		{"deduced", "2*full|%d = 6\n2*full + half|%d = 8", "full == 3 && half == 2", "true"},
		{"deduced", "a + b = 6\na - b = 2", "a > 4", "false"},
		{"not the one possible value", "a + b = 6", "a > 4", "unknown"},
		{"contradictions", "a + b = 6\na + b + 0 = 7", "a > 4", "unknown"},
		{"NaN", "x|%f = nan", "x > 0", "unknown"},
		{"an unsure format", "x|%.3s = abc", `x == "abd"`, "unknown"},
	} {
		env := NewEnv(dynamicRules(), nil)
		env.Bind(bindings(t, c.values))
		if got := Evaluate(parse(t, c.cond), env).String(); got != c.want {
			t.Errorf("%s: with %q, %s is %s, want %s", c.name, c.values, c.cond, got, c.want)
		}
	}
}

// TestEvaluateStatic checks what comparisons between types say where they do not compile.
func TestEvaluateStatic(t *testing.T) {
	rules := &Rules{Static: true, CountsBytes: true}
	for _, c := range []struct{ values, cond, want string }{
		{"v|%v = 2", "v != 2", "false"},
		{"v|%v = 2", `v == "2"`, "true"},
		{"v|%v = 2", `v == "3"`, "false"},
		{"k|%v = Red", "k == 3", "unknown"}, // its text is made by a method
		{"err|%v = gone", "err != nil", "true"},
		{"err|%v = <nil>", "err != nil", "unknown"}, // a typed nil prints the same
		{"s|%q = \"äb\"", "len(s) == 3", "true"},
		{"xs|%v = []", "xs == nil", "unknown"},
		{"a|%d = 3\nb|%d = 5", "a - b > 8", "unknown"}, // without a sign the difference is large
		{"a|%d = 3\nb|%d = 5", "a - b < 0", "true"},
		{"a|%d = 4000000000\nb|%d = 4000000000", "a + b < a", "unknown"},
		{"a|%d = 3\nb|%d = 5", "a + b < a", "false"},
		{"n|%d = -7", "n % 3 == -1", "true"},
		{"n|%d = 7", "n / 2 == 3", "true"},
	} {
		env := NewEnv(rules, &expr.Spelling{IntegerDivision: true})
		env.Bind(bindings(t, c.values))
		if got := Evaluate(parse(t, c.cond), env).String(); got != c.want {
			t.Errorf("with %q, %s is %s, want %s", c.values, c.cond, got, c.want)
		}
	}
}

func defs(t testing.TB, lines string) []raise.Def {
	var out []raise.Def
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		if name, value, ok := strings.Cut(line, " = "); ok {
			out = append(out, raise.Def{Name: strings.TrimSpace(name), Value: parse(t, value)})
		}
	}
	return out
}

func TestSubstitute(t *testing.T) {
	for _, c := range []struct{ defs, cond, want string }{
		{"window = len(dst) - 2*full", "window < 0", "len(dst) - 2*full < 0"},
		{"a = b\nb = c + 1", "2*a > self.a", "2 * (c + 1) > self.a"},
		{"a = b\nb = a + 1", "a > 0", "a + 1 > 0"},
		{"self.size = n", "self.size > self.sizes", "n > self.sizes"},
	} {
		if got := Substitute(parse(t, c.cond), defs(t, c.defs)).String(); got != c.want {
			t.Errorf("%s with %q is %s, want %s", c.cond, c.defs, got, c.want)
		}
	}
	// What doubles with each definition stays bounded.
	var growing []raise.Def
	for i := range 60 {
		name, next := "x"+string(rune('A'+i)), "x"+string(rune('B'+i))
		growing = append(growing, raise.Def{Name: name, Value: expr.New(expr.Binary, "+", expr.Ident(next), expr.Ident(next))})
	}
	if n := size(Substitute(expr.Ident("xA"), growing)); n > maxSize+1 {
		t.Errorf("substitution grew to %d nodes", n)
	}
}

func TestNegateAndSimplify(t *testing.T) {
	for _, c := range []struct{ cond, negated, simple string }{
		{"a < b", "a >= b", "a < b"},
		{"a < b || c", "a >= b and not c", "a < b || c"},
		{"!(a && b == 1)", "a && b == 1", "!(a && b == 1)"},
		{"!!a", "!a", "a"},
		{"!(a == b)", "a == b", "a != b"},
		{"!(a < b)", "a < b", "!(a < b)"},
		{"a && true", "not a or false", "a"},
		{"a || true || b", "not a and false and not b", "a or true"},
		{"x > 2*3 + 1", "x <= 2*3 + 1", "x > 7"},
		{"1 < 2", "1 >= 2", "true"},
		{"in(a, b)", "a not in b", "a in b"},
	} {
		e := parse(t, c.cond)
		if got := Negate(e).String(); got != c.negated {
			t.Errorf("not %s is %s, want %s", c.cond, got, c.negated)
		}
		if got := Simplify(e).String(); got != c.simple {
			t.Errorf("%s simplifies to %s, want %s", c.cond, got, c.simple)
		}
	}
}

func TestReadNumbers(t *testing.T) {
	for s, want := range map[string]string{"15": "15", "-3": "-3", "0x1F": "31", "1.50": "1.5", "2e3": "2000", "007": "7", "": "?", "abc": "?", "1.2.3": "?", "1e999999999": "?"} {
		v, _ := parseNumber(s)
		if got := v.String(); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
	if got := decimal(big.NewRat(-3, 4)); got != "-0.75" {
		t.Errorf("prints %s", got)
	}
}

// TestEvaluateDefinitions checks what names are taken for. A list that has a name may have got more elements before the raise.
func TestEvaluateDefinitions(t *testing.T) {
	for _, c := range []struct{ defs, values, cond, want string }{
		{"n = m + 1", "m|!r = 3", "n > 4", "false"},
		{"n = m + 1", "m|!r = 3\nn|!r = 9", "n > 4", "true"},
		{"n = n + 1", "", "n > 4", "unknown"},
		{"xs = list(1, 2)", "x|!r = 3", "in(x, xs)", "unknown"},
		{"xs = list(1, 2)", "x|!r = 3", "notin(x, xs)", "true"},
		{"xs = list(1, 2)", "x|!r = 3", "!(in(x, xs))", "true"},
		{"xs = list(1, 2)", "x|!r = 2", "notin(x, xs)", "false"},
		{"xs = list(1, 2)", "", "!truthy(xs)", "unknown"},
		{"xs = list()", "", "truthy(xs)", "unknown"},
		{"xs = list()", "", "len(xs) > 0", "unknown"},
		{"ok = n > 3", "n|!r = 2", "ok", "false"},
		{"ok = n > 3", "n|!r = 2", "!truthy(ok)", "true"},
	} {
		env := NewEnv(dynamicRules(), nil)
		env.Define(defs(t, c.defs))
		env.Bind(bindings(t, c.values))
		if got := Evaluate(parse(t, c.cond), env).String(); got != c.want {
			t.Errorf("with %q and %q, %s is %s, want %s", c.defs, c.values, c.cond, got, c.want)
		}
	}
}
