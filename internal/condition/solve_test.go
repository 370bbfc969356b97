package condition

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

func TestSolve(t *testing.T) {
	for _, c := range []struct{ defs, values, cond, quantity, accepted, numbers, shown string }{
		{"window = len(dst) - 2*full", "", "window < 0 || window > n", "len(dst)", "2*full <= len(dst) <= n + 2*full", "", ""},
		{"", "n|%x = 3", "n < 5", "n", "n >= 5", "at least 5", "3 is two too low"},
		{"", "len(x) = 9", "len(x) > 8", "len(x)", "len(x) <= 8", "at most 8", "9 is one too many"},
		{"", "len(x) = 0", "!(len(x) > 0)", "len(x)", "len(x) > 0", "at least 1", "0 is one too few"},
		{"", "len(x) = 3", "len(x) != 2", "len(x)", "len(x) == 2", "exactly 2", "3 is one too many"},
		{"", "len(x) = 4", "len(x) != 2 && len(x) != 3", "len(x)", "len(x) is one of 2, 3", "one of 2, 3", "4 is not accepted"},
		{"", "len(x) = 2", "len(x) == 2", "len(x)", "len(x) != 2", "not 2", "2 is not accepted"},
		{"", "", "2*len(x) + 1 > n", "len(x)", "2 * len(x) <= n - 1", "", ""},
		{"", "n|%x = 6", "2*len(x) > n", "len(x)", "2 * len(x) <= n", "at most 3", ""},
		{"", "", "n - len(x) < 0 && strict", "len(x)", "len(x) <= n", "", ""},
		{"", "x|!r = 2.5", "x < 0 || x >= 1", "x", "0 <= x < 1", "at least 0, below 1", "2.5 is not accepted"},
		{"", "x|!r = 'q'", `x != "a"`, "x", `x == "a"`, `exactly "a"`, `"q" is not accepted`},
		{"", "", "n < 5 && n > 2", "n", "n >= 5 or n <= 2", "at least 5 or at most 2", ""},
		{"", "", "n*n < 5", "n", "", "", ""},
		{"", "", "m < 5", "n", "", "", ""},
		{"", "", "len(n) < n", "n", "", "", ""},
	} {
		env := NewEnv(dynamicRules(), nil)
		env.Define(defs(t, c.defs))
		env.Bind(bindings(t, c.values))
		s, ok := Solve(parse(t, c.cond), parse(t, c.quantity), env)
		if ok != (c.accepted != "") || s.Accepted != c.accepted || s.Range != c.numbers || s.Shown != c.shown {
			t.Errorf("%s for %s\n  got  %q %q %q\n  want %q %q %q", c.cond, c.quantity, s.Accepted, s.Range, s.Shown, c.accepted, c.numbers, c.shown)
		}
	}
}

// TestSolveAgreesWithEvaluate makes random conditions that are linear in x and checks around the ends of what Solve accepts that
// the condition holds outside and not inside.
func TestSolveAgreesWithEvaluate(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	solved := 0
	for range 4000 {
		cond := randomCondition(rnd)
		e := parse(t, cond)
		a, b := int64(rnd.IntN(20)-10), int64(rnd.IntN(20)-10)
		with := func(x *big.Int) *Env {
			env := NewEnv(dynamicRules(), nil)
			env.Set(expr.Ident("a"), IntOf(a))
			env.Set(expr.Ident("b"), IntOf(b))
			if x != nil {
				env.Set(expr.Ident("x"), wholeOf(x))
			}
			return env
		}
		// A value makes the quantity a whole number, so that the ends are.
		s, ok := Solve(e, expr.Ident("x"), with(big.NewInt(1000)))
		if !ok || s.Given != nil || s.Low == nil && s.High == nil {
			continue
		}
		solved++
		for _, edge := range []*big.Int{s.Low, s.High} {
			for d := int64(-2); edge != nil && d <= 2; d++ {
				x := new(big.Int).Add(edge, big.NewInt(d))
				inside := (s.Low == nil || x.Cmp(s.Low) >= 0) && (s.High == nil || x.Cmp(s.High) <= 0)
				got := Evaluate(e, with(x))
				if inside && got != False || !inside && got != True {
					t.Fatalf("%s with a=%d b=%d: accepted %s (%s), but with x=%s it is %s", cond, a, b, s.Accepted, s.Range, x, got)
				}
			}
		}
	}
	if solved < 500 {
		t.Errorf("only %d conditions were solved", solved)
	}
}

func randomCondition(rnd *rand.Rand) string {
	ops := []string{"<", "<=", ">", ">="}
	one := func() string {
		return fmt.Sprintf("%d*x + %d*a - b %s %d*b - x + %d", 1+rnd.IntN(3), rnd.IntN(3), ops[rnd.IntN(4)], rnd.IntN(3), rnd.IntN(9)-4)
	}
	cond := one()
	for rnd.IntN(2) == 0 {
		cond += " || " + one()
	}
	if rnd.IntN(3) == 0 {
		cond = "!(" + cond + ")"
	}
	return cond
}

func TestQuantities(t *testing.T) {
	env := NewEnv(nil, nil)
	env.Define(defs(t, "window = len(dst) - 2*full"))
	e := parse(t, "window < 0 || window > self.n || f(y) > 1 || z*z > 2 || local > 3")
	var got []string
	for _, q := range Quantities(e, env, func(name string) bool { return name != "local" }) {
		got = append(got, q.String())
	}
	if want := "[len(dst) full self.n]"; fmt.Sprint(got) != want {
		t.Errorf("quantities %v, want %s", got, want)
	}
}
