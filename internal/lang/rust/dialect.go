package rust

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

func dialect(g *syntax.Grammar) *lower.Dialect {
	call, composite := g.Symbol("call_expression"), g.Symbol("struct_expression")
	return &lower.Dialect{
		Language: "Rust", Grammar: g, Stmt: statement, Expr: expression, Function: function, Class: class, Call: callee, Inner: inner,
		Lambda: lambda, Comments: []string{"line_comment", "block_comment"}, Pure: pure, Receiver: "self",
		ErrorType: errorType, Prepare: prepare, Before: before, After: shouldPanic,
		Raises: func(f *lower.File, n int) bool {
			switch f.Symbol(n) {
			case call:
				return raises(f, n)
			case composite:
				return isError(f, spelled(f, f.Field(n, "name")))
			}
			return false
		},
	}
}

// before reads the uses, the types and what is compiled for tests alone.
func before(f *lower.File) {
	declare(f)
	k := own(f)
	for n := 1; n < len(f.Nodes); n++ {
		switch f.Kind(n) {
		case "use_declaration":
			uses(f, f.Field(n, "argument"), "")
		case "macro_definition":
			defineMacro(f, n)
		case "mod_item":
			if f.Field(n, "body") < 0 {
				name := f.Text(f.Field(n, "name"))
				f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: name, Module: "self." + name, Line: f.Line(n)})
			}
			if attributes(f, n, "#[cfg(test)]") {
				k.tests = append(k.tests, [2]int{n, f.After(n)})
			}
		case "function_item":
			if attributes(f, n, "test]", "test(", "#[should_panic", "#[bench]", "#[rstest", "#[quickcheck") {
				k.tests = append(k.tests, [2]int{n, f.After(n)})
			}
		}
	}
	roots(f)
}

// attributes reports whether the attributes of an item hold one of the words.
func attributes(f *lower.File, n int, words ...string) bool {
	_, found := attribute(f, n, words...)
	return found
}

// attribute is the attribute of an item that holds one of the words.
func attribute(f *lower.File, n int, words ...string) (node int, found bool) {
	parent := f.Parent(n)
	for p := n - 1; p > parent; p-- {
		if f.Parent(p) != parent {
			continue
		}
		if f.Kind(p) != "attribute_item" {
			if strings.HasSuffix(f.Kind(p), "comment") {
				continue
			}
			break
		}
		for _, w := range words {
			if strings.Contains(f.Text(p), w) {
				return p, true
			}
		}
	}
	return syntax.None, false
}

// tested reports whether a node is compiled for tests alone.
func tested(f *lower.File, n int) bool {
	for _, t := range own(f).tests {
		if t[0] <= n && n < t[1] {
			return true
		}
	}
	return false
}

func function(b *lower.Body, n int) *lower.Function {
	if b.Kind(n) != "function_item" {
		return nil
	}
	fn := &lower.Function{Name: b.Text(b.Field(n, "name")), Body: b.Field(n, "body"), Static: true}
	for _, p := range b.Named(b.Field(n, "parameters")) {
		switch b.Kind(p) {
		case "self_parameter":
			fn.Static = false
		case "parameter":
			name := strings.TrimPrefix(b.Text(b.Field(p, "pattern")), "mut ")
			fn.Params = append(fn.Params, raise.Param{Name: name, Type: b.Text(b.Field(p, "type"))})
		}
	}
	impl := b.Parent(b.Parent(n))
	trait := b.Kind(impl) == "trait_item" || b.Kind(impl) == "impl_item" && b.Field(impl, "trait") >= 0
	fn.Exported = (trait || b.Text(b.ChildOf(n, "visibility_modifier")) == "pub") && !tested(b.File, n)
	return fn
}

func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "impl_item":
		return &lower.Class{Name: typeName(b.Text(b.Field(n, "type"))), Body: b.Field(n, "body")}
	case "trait_item":
		return &lower.Class{Name: b.Text(b.Field(n, "name")), Body: b.Field(n, "body")}
	}
	return nil
}

// callee is the dotted path of a call.
func callee(f *lower.File, n int) (string, bool) {
	switch f.Kind(n) {
	case "call_expression":
		c := f.Field(n, "function")
		if isMacro(f, n) {
			return "", true
		}
		return calleePath(f, c, 0), true
	case "macro_invocation":
		return "", true
	}
	return "", false
}

func calleePath(f *lower.File, c, depth int) string {
	switch f.Kind(c) {
	case "identifier", "self", "scoped_identifier", "field_identifier":
		return pathText(f, c)
	case "generic_function":
		return calleePath(f, f.Field(c, "function"), depth)
	case "field_expression":
		if depth > 12 {
			return ""
		}
		if on := calleePath(f, f.Field(c, "value"), depth+1); on != "" {
			return on + "." + f.Text(f.Field(c, "field"))
		}
	case "call_expression":
		if on, _ := callee(f, c); on != "" {
			return on + "()"
		}
	case "try_expression", "await_expression", "parenthesized_expression", "reference_expression":
		return calleePath(f, f.First(c), depth+1)
	}
	return ""
}

// isMacro reports whether a call is one of a macro that was written as a function.
func isMacro(f *lower.File, n int) bool {
	c := f.Field(n, "function")
	end := int(f.Nodes[max(c, 0)].End)
	return c >= 0 && end < len(f.Src) && f.Src[end] == '!'
}

// pathText is a path with dots: Self is the type around it, generics are left out.
func pathText(f *lower.File, n int) string {
	text := f.Text(n)
	for {
		i := strings.Index(text, "::<")
		if i < 0 {
			break
		}
		end := strings.IndexByte(text[i:], '>')
		if end < 0 {
			break
		}
		text = text[:i] + text[i+end+1:]
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "::"), "::", ".")
	switch head, rest, dotted := strings.Cut(text, "."); {
	case head == "Self":
		if t := selfType(f, n); t != "" {
			text = strings.TrimSuffix(t+"."+rest, ".")
		}
	case head == "super" && dotted:
		text = parentModule + "." + rest
	case head == "self" && dotted && !strings.Contains(f.Text(n), "self."):
		text = rest
	}
	return text
}

// selfType is the type whose implementation a node stands in; "" if none.
func selfType(f *lower.File, n int) string {
	for p := f.Parent(n); p >= 0; p = f.Parent(p) {
		if f.Kind(p) == "impl_item" {
			return typeName(f.Text(f.Field(p, "type")))
		}
	}
	return ""
}

func lambda(f *lower.File, n int) (body int, names []string, ok bool) {
	if f.Kind(n) != "closure_expression" {
		return 0, nil, false
	}
	for _, p := range f.Named(f.Field(n, "parameters")) {
		if f.Kind(p) == "parameter" {
			p = f.Field(p, "pattern")
		}
		names = append(names, f.Text(p))
	}
	return f.Field(n, "body"), names, true
}
