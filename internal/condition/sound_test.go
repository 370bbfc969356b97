package condition

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// TestNeverFalseWhereItHeld runs random conditions with random values by an interpreter of its own, prints the values in random
// formats, and checks that a condition that held is never judged false; and that one that did not hold is not judged true where
// the formats leave nothing open.
func TestNeverFalseWhereItHeld(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1212, 7))
	var decided, all int
	for range 60000 {
		g := generator{rnd}
		values := map[string]any{}
		for _, name := range []string{"a", "b", "c"} {
			values[name] = g.value()
		}
		e := g.condition(3)
		got, err := run(e, values)
		if err != nil {
			continue // the program would have failed before it raised
		}
		holds := truth(got)
		env := NewEnv(dynamicRules(), nil)
		plain := true
		var printed []string
		var bound []Binding
		for _, name := range []string{"a", "b", "c"} {
			if rnd.IntN(4) == 0 {
				continue
			}
			format := g.format(values[name])
			plain = plain && format == "!r"
			hole, err := message.Parse("{" + name + "|" + format + "}")
			if err != nil {
				t.Fatal(err)
			}
			h := hole.Pieces[0].Hole
			h.Expr = expr.Ident(name)
			text := printValue(values[name], format)
			printed = append(printed, name+"|"+format+"="+text)
			bound = append(bound, Binding{Hole: h, Value: text})
		}
		env.Bind(bound)
		v := Evaluate(e, env)
		all++
		if v != Unknown {
			decided++
		}
		if holds && v == False || !holds && v == True && plain {
			t.Fatalf("%s with %v: held %v, judged %s by %v", e, values, holds, v, printed)
		}
	}
	if decided < all/5 {
		t.Errorf("only %d of %d conditions were decided", decided, all)
	}
}

type generator struct{ *rand.Rand }

func (g generator) value() any {
	switch g.IntN(8) {
	case 0, 1, 2:
		return g.IntN(12) - 4
	case 3:
		return float64(g.IntN(40)-10) / 4
	case 4, 5:
		return []string{"", "r", "ab", "abc", "3", "-2", "None", "True", "[1, 2]", "it's", "1.5"}[g.IntN(11)]
	case 6:
		if g.IntN(2) == 0 {
			return nil
		}
		return g.IntN(2) == 0
	}
	list := []any{}
	for range g.IntN(3) {
		list = append(list, g.IntN(4))
	}
	return list
}

func (g generator) format(v any) string {
	formats := []string{"", "!r", "!r", "%s", ":"}
	switch v.(type) {
	case int:
		formats = append(formats, "%d", ":d", "%5d", ":>6", "%.2f")
	case float64:
		formats = append(formats, "%d", ":.1f", "%.0f", ":.1%", "%g")
	case string:
		formats = append(formats, "%6s", "%.2s", ":>5")
	}
	return formats[g.IntN(len(formats))]
}

func (g generator) condition(depth int) *expr.Expr {
	if depth > 0 {
		switch g.IntN(5) {
		case 0:
			return expr.Conj(g.condition(depth-1), g.condition(depth-1))
		case 1:
			return expr.Disj(g.condition(depth-1), g.condition(depth-1))
		case 2:
			return expr.New(expr.Not, "", g.condition(depth-1))
		}
	}
	switch g.IntN(8) {
	case 0:
		return expr.New(expr.Truthy, "", g.name())
	case 1:
		op := []string{"in", "not in"}[g.IntN(2)]
		return expr.New(expr.Compare, op, g.name(), expr.New(expr.List, "", g.constant(), g.constant()))
	case 2:
		return expr.New(expr.Compare, []string{"==", "!="}[g.IntN(2)], g.name(), expr.New(expr.Null, "None"))
	case 3:
		types := []*expr.Expr{expr.Ident("int"), expr.Ident("str"), expr.Ident("float"), expr.Ident("bool"), expr.Ident("list")}
		return expr.New(expr.TypeTest, "", g.name(), types[g.IntN(5)])
	case 4:
		return expr.New(expr.Call, "", expr.New(expr.Attr, "startswith", g.name()), expr.Str("a"))
	}
	op := []string{"<", "<=", ">", ">=", "==", "!="}[g.IntN(6)]
	return expr.New(expr.Compare, op, g.sum(2), g.sum(1))
}

func (g generator) sum(depth int) *expr.Expr {
	switch {
	case depth == 0 || g.IntN(2) == 0:
		if g.IntN(2) == 0 {
			return g.constant()
		}
		return g.name()
	case g.IntN(5) == 0:
		return expr.New(expr.Len, "", g.name())
	}
	op := []string{"+", "-", "*", "//", "%", "/"}[g.IntN(6)]
	return expr.New(expr.Binary, op, g.sum(depth-1), g.sum(depth-1))
}

func (g generator) name() *expr.Expr { return expr.Ident([]string{"a", "b", "c"}[g.IntN(3)]) }

func (g generator) constant() *expr.Expr {
	if g.IntN(3) == 0 {
		return expr.Str([]string{"r", "ab", "3", ""}[g.IntN(4)])
	}
	return expr.New(expr.Number, []string{"0", "1", "2", "3", "0.5"}[g.IntN(5)])
}

// printValue prints as the formats of a dynamic language do.
func printValue(v any, format string) string {
	h := format
	switch format {
	case "", "%s", ":":
		if s, ok := v.(string); ok {
			return s
		}
		return reprValue(v)
	case "!r":
		return reprValue(v)
	case ":d":
		return fmt.Sprint(v)
	case ":.1f":
		return fmt.Sprintf("%.1f", v)
	case ":.1%":
		return fmt.Sprintf("%.1f%%", v.(float64)*100)
	case ":>6":
		return fmt.Sprintf("%6d", v)
	case ":>5":
		return fmt.Sprintf("%5s", v)
	case "%d", "%5d":
		if x, ok := v.(float64); ok {
			v = int(x)
		}
	case "%.2f":
		v = float64(v.(int))
	}
	return strings.TrimSpace(fmt.Sprintf(h, v))
}

func reprValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	case string:
		if strings.Contains(v, "'") {
			return `"` + v + `"`
		}
		return "'" + v + "'"
	case []any:
		var all []string
		for _, x := range v {
			all = append(all, reprValue(x))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return fmt.Sprint(v)
}

var errType = errors.New("type")

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	}
	return true
}

// run is an interpreter for the conditions that the generator makes.
func run(e *expr.Expr, values map[string]any) (any, error) {
	switch e.Op {
	case expr.Name:
		return values[e.Text], nil
	case expr.Number:
		if n, err := strconv.Atoi(e.Text); err == nil {
			return n, nil
		}
		return strconv.ParseFloat(e.Text, 64)
	case expr.String:
		return e.Text, nil
	case expr.Null:
		return nil, nil
	case expr.And, expr.Or:
		for _, a := range e.Args {
			v, err := run(a, values)
			if err != nil {
				return nil, err
			}
			if truth(v) == (e.Op == expr.Or) {
				return e.Op == expr.Or, nil
			}
		}
		return e.Op == expr.And, nil
	case expr.Not:
		v, err := run(e.Args[0], values)
		return !truth(v), err
	case expr.Truthy:
		return run(e.Args[0], values)
	case expr.TypeTest:
		return isType(values[e.Args[0].Text], e.Args[1].Text), nil
	case expr.Len:
		switch v := values[e.Args[0].Text].(type) {
		case string:
			return len(v), nil
		case []any:
			return len(v), nil
		}
		return nil, errType
	case expr.Call:
		s, ok := values[e.Args[0].Args[0].Text].(string)
		if !ok {
			return nil, errType
		}
		return strings.HasPrefix(s, e.Args[1].Text), nil
	}
	if e.Op == expr.Compare && (e.Text == "in" || e.Text == "not in") {
		v, _ := run(e.Args[0], values)
		for _, a := range e.Args[1].Args {
			if x, _ := run(a, values); same(v, x) {
				return e.Text == "in", nil
			}
		}
		return e.Text == "not in", nil
	}
	a, err := run(e.Args[0], values)
	if err != nil {
		return nil, err
	}
	b, err := run(e.Args[1], values)
	if err != nil {
		return nil, err
	}
	if e.Op == expr.Compare {
		return compareValues(e.Text, a, b)
	}
	return calculate(e.Text, a, b)
}

func isType(v any, name string) bool {
	switch v.(type) {
	case int:
		return name == "int"
	case bool:
		return name == "int" || name == "bool"
	case float64:
		return name == "float"
	case string:
		return name == "str"
	case []any:
		return name == "list"
	}
	return false
}

func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func same(a, b any) bool {
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	if okX && okY {
		return x == y
	}
	return fmt.Sprintf("%T%v", a, a) == fmt.Sprintf("%T%v", b, b)
}

func compareValues(op string, a, b any) (any, error) {
	switch op {
	case "==":
		return same(a, b), nil
	case "!=":
		return !same(a, b), nil
	}
	var c int
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	s, okS := a.(string)
	r, okR := b.(string)
	switch {
	case okX && okY && x < y, okS && okR && s < r:
		c = -1
	case okX && okY && x > y, okS && okR && s > r:
		c = 1
	case !(okX && okY) && !(okS && okR):
		return nil, errType
	}
	return map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op], nil
}

func calculate(op string, a, b any) (any, error) {
	if s, ok := a.(string); ok && op == "+" {
		if r, ok := b.(string); ok {
			return s + r, nil
		}
		return nil, errType
	}
	if s, ok := a.(string); ok && op == "*" {
		if n, ok := b.(int); ok {
			return strings.Repeat(s, max(n, 0)), nil
		}
	}
	if s, ok := b.(string); ok && op == "*" {
		if n, ok := a.(int); ok {
			return strings.Repeat(s, max(n, 0)), nil
		}
	}
	x, okX := toFloat(a)
	y, okY := toFloat(b)
	if !okX || !okY || (op == "/" || op == "//" || op == "%") && y == 0 {
		return nil, errType
	}
	out := map[string]float64{"+": x + y, "-": x - y, "*": x * y}[op]
	switch op {
	case "/":
		return x / y, nil
	case "//":
		out = math.Floor(x / y)
	case "%":
		out = x - y*math.Floor(x/y)
	}
	_, floatA := a.(float64)
	_, floatB := b.(float64)
	if floatA || floatB {
		return out, nil
	}
	return int(out), nil
}
