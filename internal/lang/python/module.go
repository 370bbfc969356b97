package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// module reads the top level: definitions first, so that what a function calls is known, then the statements between them.
func (x *extractor) module() {
	x.survey()
	x.facts.Doc = x.docstring(0)
	b := &body{extractor: x, function: raise.NoFunction}
	stmts := b.block(0)
	flow.Analyze(flow.Function{Body: stmts, Pure: pure, Grow: grown}, x.facts.Sites)
	x.leftOver()
	x.values(0, "")
	x.facts.SortSites()
}

// leftOver gives a site to every raise and assert statement that the statements did not lead to: in code that does not parse, and
// deeper than is entered.
func (x *extractor) leftOver() {
	sited := map[uint32]bool{}
	for i := range x.facts.Sites {
		sited[x.facts.Sites[i].Start] = true
	}
	for i := range x.tree.Nodes {
		if name := x.tree.Name(i); name != "raise_statement" && name != "assert_statement" || sited[x.tree.Nodes[i].Start] {
			continue
		}
		b := &body{extractor: x, function: x.functionAt(x.enclosing(i))}
		flow.Analyze(flow.Function{Body: b.stmt(nil, i), Pure: pure, Grow: grown}, x.facts.Sites)
	}
}

// functionAt is the index of the function that a definition was read as, or raise.NoFunction.
func (x *extractor) functionAt(definition int) int {
	if definition < 0 {
		return raise.NoFunction
	}
	line := x.line(definition)
	for i := range x.facts.Functions {
		if f := &x.facts.Functions[i]; f.Line == line && f.Name == x.text(x.child(definition, x.f.name)) {
			return i
		}
	}
	return raise.NoFunction
}

// survey finds the functions of the file that raise or return something: calls of them with a text can be sites. And it finds the
// classes that are errors by their bases, and the methods called "error".
func (x *extractor) survey() {
	for i := range x.tree.Nodes {
		switch x.tree.Name(i) {
		case "class_definition":
			if bases := x.child(i, x.f.superclasses); bases >= 0 && isHeir(x.text(bases), x.errorClasses) {
				x.errorClasses[x.text(x.child(i, x.f.name))] = true
			}
		case "function_definition":
			class := x.tree.Parent(max(x.tree.Parent(i), 0))
			if x.name(class) == "class_definition" && x.text(x.child(i, x.f.name)) == "error" {
				x.errorMethods = append(x.errorMethods, x.text(x.child(class, x.f.name))+".error")
			}
		case "raise_statement", "return_statement":
			if fn := x.enclosing(i); fn >= 0 {
				name := x.text(x.child(fn, x.f.name))
				if x.tree.Name(i) == "raise_statement" || makesMessages(name) {
					x.raisers[name] = true
				}
			}
		}
	}
}

// enclosing is the function definition around a node, or None.
func (x *extractor) enclosing(i int) int {
	for p := x.tree.Parent(i); p >= 0; p = x.tree.Parent(p) {
		if x.tree.Name(p) == "function_definition" {
			return p
		}
	}
	return syntax.None
}

// docstring is the first paragraph of the text that a module's, class's or function's block begins with.
func (x *extractor) docstring(block int) string {
	kids := x.named(block)
	if len(kids) == 0 || x.name(kids[0]) != "expression_statement" {
		return ""
	}
	inner := x.named(kids[0])
	if len(inner) == 0 {
		return ""
	}
	e := x.expr(inner[0])
	if !e.Is(expr.String) {
		return ""
	}
	text, _, _ := strings.Cut(strings.TrimSpace(e.Text), "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 400 {
		text = string(r[:399]) + "…"
	}
	return text
}

// values keeps the constants of a module or class that messages may refer to.
func (x *extractor) values(block int, owner string) {
	for _, c := range x.named(block) {
		switch x.name(c) {
		case "expression_statement":
			for _, a := range x.named(c) {
				if x.name(a) == "assignment" {
					x.value(a, owner)
				}
			}
		case "if_statement", "try_statement":
			if owner == "" {
				x.values(x.child(c, x.f.consequence), owner)
				x.values(x.child(c, x.f.body), owner)
			}
		}
	}
}

func (x *extractor) value(a int, owner string) {
	left, right := x.child(a, x.f.left), x.child(a, x.f.right)
	if x.name(left) != "identifier" || right < 0 {
		return
	}
	e := x.expr(right)
	keep := false
	switch e.Op {
	case expr.String, expr.Number, expr.Bool, expr.Interp, expr.Format, expr.Join, expr.Binary, expr.Error:
		keep = true
	case expr.Name, expr.Attr:
		keep = true
	case expr.Map, expr.Tuple, expr.List:
		keep = len(e.Args) > 0 && len(e.Args) <= 300 && holdsText(e)
	}
	if !keep {
		return
	}
	name := x.text(left)
	if owner != "" {
		name = owner + "." + name
	}
	x.facts.Values = append(x.facts.Values, raise.Value{Name: name, Value: e, Line: x.line(a), Site: -1})
}

func holdsText(e *expr.Expr) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Op == expr.String && strings.ContainsRune(a.Text, ' ') || a.Op == expr.Interp
		return !found
	})
	return found
}

// imports reads an import statement.
func (x *extractor) imports(i int) {
	switch x.name(i) {
	case "import_statement":
		for _, c := range x.named(i) {
			name, local := x.text(c), ""
			if x.name(c) == "aliased_import" {
				name, local = x.text(x.child(c, x.f.name)), x.text(x.child(c, x.f.alias))
			}
			if local == "" {
				local = name
			}
			x.facts.Imports = append(x.facts.Imports, raise.Import{Local: local, Module: name, Line: x.line(i)})
		}
	case "import_from_statement":
		module := x.child(i, x.f.moduleName)
		from := x.text(module)
		for _, c := range x.named(i) {
			if c == module {
				continue
			}
			name, local := x.text(c), x.text(c)
			switch x.name(c) {
			case "aliased_import":
				name, local = x.text(x.child(c, x.f.name)), x.text(x.child(c, x.f.alias))
			case "wildcard_import":
				name, local = "", "*"
			}
			x.facts.Imports = append(x.facts.Imports, raise.Import{Local: local, Module: from, Symbol: name, Line: x.line(i)})
			if name != "" {
				// The name can be a module of the package.
				sub := from + "." + name
				if strings.HasSuffix(from, ".") {
					sub = from + name
				}
				x.facts.Imports = append(x.facts.Imports, raise.Import{Local: local, Module: sub, Line: x.line(i)})
			}
		}
	}
}

// function reads a definition: its outline, and its statements where something in them raises or makes an error.
func (x *extractor) function(i int, parent *body) []flow.Stmt {
	name := x.text(x.child(i, x.f.name))
	block := x.child(i, x.f.body)
	owner, inClass := parent.ownerFor()
	fn := raise.Function{Name: name, Owner: owner, Parent: parent.function, Line: x.line(i), EndLine: x.endLine(i),
		Exported: !strings.HasPrefix(name, "_"), Doc: x.docstring(block), Params: x.params(x.child(i, x.f.parameters))}
	b := &body{extractor: x, function: len(x.facts.Functions), class: parent.class, depth: parent.depth + 1}
	if inClass {
		fn.Static = x.decorated(i, "staticmethod") || x.decorated(i, "classmethod")
		if len(fn.Params) > 0 && !x.decorated(i, "staticmethod") {
			b.receiver = fn.Params[0].Name
			fn.Params = fn.Params[1:]
		}
	} else {
		b.receiver = parent.receiver
		b.class = ""
	}
	x.facts.Functions = append(x.facts.Functions, fn)
	if r := x.elided[int(x.tree.Nodes[i].Start)]; r != nil {
		b.skimmedCalls(r)
		return nil
	}
	b.outline(block)
	if !b.raises && !(b.gives && makesText(name)) {
		return nil
	}
	params := b.paramNames()
	stmts := b.block(block)
	made := flow.Analyze(flow.Function{Params: params, Receiver: b.receiver, Body: stmts, Pure: pure, Grow: grown}, x.facts.Sites)
	f := &x.facts.Functions[b.function]
	for _, m := range made {
		if m.Is(expr.Error) || usesAny(m, f.Params) || f.Owner != "" || makesText(name) {
			f.Makes = append(f.Makes, b.selfish(m))
		}
	}
	return nil
}

// makesText reports whether a function is called as one that makes a message or an error for others.
func makesText(name string) bool {
	return makesMessages(name) || name == "__str__" || name == "__repr__"
}

func makesMessages(name string) bool {
	return raisingName(name) || strings.Contains(name, "msg") || strings.Contains(name, "message")
}

func usesAny(e *expr.Expr, params []raise.Param) bool {
	used := false
	e.Walk(func(a *expr.Expr) bool {
		for _, p := range params {
			used = used || a.Is(expr.Name) && a.Text == p.Name
		}
		return !used
	})
	return used
}

// decorated reports whether a definition has a decorator of that name.
func (x *extractor) decorated(i int, name string) bool {
	p := x.tree.Parent(i)
	if x.name(p) != "decorated_definition" {
		return false
	}
	for _, c := range x.named(p) {
		if x.name(c) == "decorator" && strings.Trim(x.text(c), "@ ") == name {
			return true
		}
	}
	return false
}

func (x *extractor) params(i int) []raise.Param {
	var out []raise.Param
	for _, c := range x.named(i) {
		p := raise.Param{}
		switch x.name(c) {
		case "identifier":
			p.Name = x.text(c)
		case "default_parameter", "typed_default_parameter":
			p.Name, p.Default = x.text(x.child(c, x.f.name)), x.expr(x.child(c, x.f.value))
			p.Type = x.text(x.child(c, x.f.typ))
		case "typed_parameter":
			p.Type = x.text(x.child(c, x.f.typ))
			if kids := x.named(c); len(kids) > 0 {
				p.Name = strings.TrimLeft(x.text(kids[0]), "*")
				p.Keywords = strings.HasPrefix(x.text(kids[0]), "**")
				p.Variadic = strings.HasPrefix(x.text(kids[0]), "*") && !p.Keywords
			}
		case "list_splat_pattern":
			p.Name, p.Variadic = strings.TrimLeft(x.text(c), "*"), true
		case "dictionary_splat_pattern":
			p.Name, p.Keywords = strings.TrimLeft(x.text(c), "*"), true
		}
		if p.Name != "" {
			out = append(out, p)
		}
	}
	return out
}
