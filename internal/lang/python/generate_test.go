package python

import (
	"fmt"
	"math/rand"
	"strings"
)

// generator writes modules that no one would write: every kind of block around raise and assert statements, in the layouts that
// the language allows.
type generator struct {
	*rand.Rand
	out  strings.Builder
	unit string // of indentation
}

// generated is a module that Python can parse.
func generated(seed int64) string {
	g := &generator{Rand: rand.New(rand.NewSource(seed))}
	g.unit = []string{"    ", "  ", "\t", " "}[g.Intn(4)]
	for range 3 + g.Intn(5) {
		g.block("", 0, false)
	}
	text := g.out.String()
	if g.Intn(8) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if g.Intn(8) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

func (g *generator) pick(from ...string) string { return from[g.Intn(len(from))] }

func (g *generator) line(indent, format string, args ...any) {
	g.noise(indent)
	text := fmt.Sprintf(format, args...)
	if !strings.HasSuffix(text, ":") && !strings.HasPrefix(text, "@") && g.Intn(9) == 0 {
		text += " ;"
	}
	g.out.WriteString(indent + text + g.pick("", "", "", " # why: 'not'") + "\n")
}

// noise is what may stand between lines without a meaning.
func (g *generator) noise(indent string) {
	switch g.Intn(14) {
	case 0:
		g.out.WriteString("\n")
	case 1:
		g.out.WriteString("# at the margin: def f(: '''\n")
	case 2:
		g.out.WriteString(indent + g.unit + "# deeper \"than\" it should be\n")
	case 3:
		g.out.WriteString("\f\n")
	case 4:
		if indent == "" {
			g.out.WriteString("\f") // before the first word of a line it does not count
		}
	}
}

func (g *generator) value() string {
	return g.pick("x", "f(x, (1, 2)[0])", "{'a': [1]}", "'it''s'", `"\"#"`, `'''three
   lines: raise
'''`, `r'\'`+`'`, `b"\x00"`, "f'{x!r:>{y}} {{'", "[i for i in y if i]", "lambda a, *b: a", "(yield)", "x if y else z", `f"{x['a']} {x:%d}"`, `(
x)`, "x \\\n  + y", "...", "-1_0.5e3", `rb'\d'`, `u"""a "quoted" '\""""`)
}

// quiet writes the body of a function that raises nothing.
func (g *generator) quiet(indent string) {
	for range 2 + g.Intn(4) {
		switch g.Intn(4) {
		case 0:
			g.line(indent, "for i in %s:", g.pick("x", "range(len(x))", "f(y)(z)[0].g(1)"))
			g.quiet(indent + g.unit)
			return
		case 1:
			g.line(indent, "x.%s = %s", g.pick("a", "raised", "b.c"), g.value())
		default:
			g.line(indent, "%s(%s).g(%s)", g.pick("f", "self.g", "super().h", "x[0]", "m . n", "''.join", "print"), g.value(), g.pick("", "lambda: h(1)", "*x, **y", "f'{i(1):>{j(2)}} {k(f\"{l(3)}\")}'"))
		}
	}
}

// block writes one statement, with what is in it.
func (g *generator) block(indent string, depth int, function bool) {
	inner := indent + g.unit
	body := func(function bool) {
		for range 1 + g.Intn(3) {
			g.block(inner, depth+1, function)
		}
	}
	kind := g.Intn(16)
	if depth > 5 {
		kind %= 7
	}
	switch kind {
	case 0, 1:
		g.line(indent, "%s", g.pick("raise", "raise ValueError", "raise ValueError('no')", "raise X(\n"+inner+"'a'\n 'b', 1)", "raise m.Error(f'{x}') from e",
			"raise(KeyError)", "raise X('a'); raise Y", "raise \\\n X", "raise X(\"\"\"\ntext\n\"\"\")"))
	case 2:
		g.line(indent, "assert %s, %s", strings.ReplaceAll(g.pick("x", "(x)", "x.y(z)", "not x"), "yield", "x"), g.pick("'text'", "x", "'%%s' % x"))
	case 3:
		g.line(indent, "assert x")
	case 4:
		v := g.value()
		if !function && strings.Contains(v, "yield") {
			v = "x"
		}
		g.line(indent, "%s = %s", g.pick("a", "a.b", "a[0]", "a, b", "a = c"), v)
	case 5:
		g.line(indent, "%s", g.pick("f(x)", "pass", "self.fail('no')", "'text alone'", "sys.exit('gone')", "log.error('%s is lost', x)", "x: int = 1", "del x", "global q",
			"if x: raise Y", "for i in x: raise Y", "while x: assert y; raise Z", "class Z: pass", "def g(): raise Y", "def g(a=1): assert a, 'no'; return 1"))
	case 6:
		if function {
			g.line(indent, "return %s", g.value())
		} else {
			g.line(indent, "import a.b as c, d")
		}
	case 7, 8, 9:
		for range g.Intn(3) {
			g.line(indent, "@%s", g.pick("a", "a.b(1)", "a(\n'x')"))
		}
		g.line(indent, "%sdef %s(%s)%s:", g.pick("", "async "), g.pick("f", "_g", "check", "__str__"), g.pick("", "self", "a, b=1, *c, d: int = 2, **e", "a: 'x' = (\n1,), *, b"), g.pick("", " -> int", " -> 'a[b]'"))
		if g.Intn(3) == 0 {
			g.line(inner, `"""Does it.`+"\n\n  raise X: or not\n"+`"""`)
		}
		if g.Intn(2) == 0 {
			g.quiet(inner)
		} else {
			body(true)
		}
	case 10:
		g.line(indent, "class %s%s:", g.pick("A", "BError"), g.pick("", "()", "(A, m.B)", "(metaclass=C)"))
		body(false)
	case 11:
		g.line(indent, "if %s:", g.pick("x", "x and (y or\n z)", "'a' in x"))
		body(function)
		if g.Intn(2) == 0 {
			g.line(indent, "elif y:")
			body(function)
		}
		if g.Intn(2) == 0 {
			g.line(indent, "else:")
			body(function)
		}
	case 12:
		g.line(indent, "%s:", g.pick("for i, j in x", "while x", "while True"))
		body(function)
		if g.Intn(3) == 0 {
			g.line(indent, "else:")
			body(function)
		}
	case 13:
		g.line(indent, "try:")
		body(function)
		g.line(indent, "except %s:", g.pick("X", "(X, Y)", "X as e"))
		body(function)
		if g.Intn(2) == 0 {
			g.line(indent, "finally:")
			body(function)
		}
	case 14:
		g.line(indent, "with %s:", g.pick("x", "x as y", "x as y, z() as w", "(x as y, z)"))
		body(function)
	case 15:
		g.line(indent, "match x:")
		g.line(inner, "case %s:", g.pick("1", "'a' | 'b'", "[x, *y]", "{'k': v} if v", "_"))
		for range 1 + g.Intn(2) {
			g.block(inner+g.unit, depth+2, function)
		}
	}
}
