package condition

import "testing"

func TestSay(t *testing.T) {
	for _, c := range []struct{ cond, want string }{
		{"window < 0 || window > n", "`window` is below 0 or above `n`"},
		{"len(x) >= 1 && len(x) <= 3", "`len(x)` is at least 1 and at most 3"},
		{"!(a == 1)", "`a` is not 1"},
		{"x == nil", "`x` is `nil`"},
		{"!truthy(x)", "`x` does not hold"},
		{"truthy(f(x)) && y", "`f(x)` holds and `y` holds"},
		{"!(a || b > 1)", "`a` does not hold and `b` is at most 1"},
		{`notin(mode, list("r", "w"))`, "`mode` is none of `\"r\"`, `\"w\"`"},
		{`in(x, xs)`, "`x` is in `xs`"},
		{`!is(x, list(int, str))`, "`x` is not of type `int` or `str`"},
		{"0 < x", "`x` is above 0"},
		{"a && (b || c)", "`a` holds and (`b` holds or `c` holds)"},
	} {
		if got := Say(parse(t, c.cond), nil); got != c.want {
			t.Errorf("%s: %s, want %s", c.cond, got, c.want)
		}
	}
}
