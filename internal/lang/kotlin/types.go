package kotlin

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func class(b *lower.Body, n int) *lower.Class {
	c := &lower.Class{Body: b.ChildOf(n, "class_body", "enum_class_body")}
	switch b.Kind(n) {
	case "class_declaration", "object_declaration":
		c.Name = b.Text(b.Field(n, "name"))
	case "object_literal":
		// One that a property holds is known by the property's name.
		if b.Function < 0 && b.Kind(b.Parent(n)) == "property_declaration" {
			c.Name = property(b.File, b.Parent(n))
		}
	default:
		return nil
	}
	for _, s := range b.Named(b.ChildOf(n, "delegation_specifiers")) {
		t := s
		if by := b.ChildOf(s, "explicit_delegation"); by >= 0 && c.Body < 0 {
			// The grammar takes the body behind "by x" for a lambda that x is called with.
			c.Body = trailing(b.File, b.ChildOf(by, "call_expression"))
		}
		if call := b.ChildOf(s, "constructor_invocation"); call >= 0 {
			t = call
		}
		if name := typeName(b.Text(b.ChildOf(t, "user_type"))); name != "" {
			c.Bases = append(c.Bases, name)
		}
	}
	if java.ErrorType(c.Name) || len(c.Bases) > 0 && java.ErrorType(last(c.Bases[0])) || superCall(b.File, n) >= 0 {
		c.Type = errorType(b, n, c.Body)
	} else {
		c.Type = &raise.Type{Params: constructorParams(b.File, n)}
	}
	return c
}

// constructorParams are the parameters of the primary constructor of a class.
func constructorParams(f *lower.File, n int) []raise.Param {
	return params(f, f.ChildOf(f.ChildOf(n, "primary_constructor"), "class_parameters"))
}

// superCall is the list of what a class hands to the constructor of its base; -1 for none.
func superCall(f *lower.File, n int) int {
	for _, s := range f.Named(f.ChildOf(n, "delegation_specifiers")) {
		if call := f.ChildOf(s, "constructor_invocation"); call >= 0 {
			return f.ChildOf(call, "value_arguments")
		}
	}
	return -1
}

// errorType reads what an exception of a class prints: what its constructors hand on, and its property message.
func errorType(b *lower.Body, n, body int) *raise.Type {
	t := &raise.Type{Params: constructorParams(b.File, n)}
	for _, p := range b.Named(b.ChildOf(b.ChildOf(n, "primary_constructor"), "class_parameters")) {
		name := b.Text(b.ChildOf(p, "identifier"))
		if b.Has(p, "val") || b.Has(p, "var") {
			t.Fields = append(t.Fields, raise.Def{Name: "self." + name, Value: expr.Ident(name), Line: b.Line(p)})
			if name == "message" && strings.Contains(b.Text(b.ChildOf(p, "modifiers")), "override") {
				t.Message = expr.New(expr.Attr, name, expr.Ident("self"))
			}
		}
	}
	if list := superCall(b.File, n); list >= 0 {
		t.Super = b.All(b.Named(list), 0)
	}
	for _, m := range b.Named(body) {
		switch b.Kind(m) {
		case "secondary_constructor":
			secondary(b, t, m)
		case "property_declaration":
			value := initial(b.File, m)
			getter := b.ChildOf(b.ChildOf(m, "getter"), "function_body")
			switch name := property(b.File, m); {
			case name == "message" && getter >= 0:
				t.Message = b.Returned(nil, b.First(getter), b.Has(getter, "="))
			case name == "message" && value >= 0:
				t.Fields = append(t.Fields, raise.Def{Name: "self.message", Value: b.Value(value), Line: b.Line(m)})
				t.Message = expr.New(expr.Attr, name, expr.Ident("self"))
			case name != "" && value >= 0:
				t.Fields = append(t.Fields, raise.Def{Name: "self." + name, Value: b.Value(value), Line: b.Line(m)})
			}
		case "function_declaration":
			if name := b.Text(b.Field(m, "name")); name == "toString" && t.Message == nil && t.Super == nil {
				if text := b.ChildOf(m, "function_body"); text >= 0 {
					t.Message = b.Returned(nil, b.First(text), b.Has(text, "="))
				}
			}
		}
	}
	return t
}

// secondary takes the text that a constructor in the body hands on, where the primary one has none.
func secondary(b *lower.Body, t *raise.Type, n int) {
	call := b.ChildOf(n, "constructor_delegation_call")
	if call < 0 || !strings.HasPrefix(b.Text(call), "super") {
		return
	}
	args := b.All(b.Named(b.ChildOf(call, "value_arguments")), 0)
	says := false
	for _, a := range t.Super {
		says = says || flow.Textual(a)
	}
	if says || len(args) == 0 && len(t.Super) > 0 {
		return
	}
	t.Params, t.Super = params(b.File, b.ChildOf(n, "function_value_parameters")), args
}

// enumEntry keeps what an entry of an enumeration is made with: its members refer to it.
func enumEntry(b *lower.Body, n int) {
	args := b.All(b.Named(b.ChildOf(n, "value_arguments")), 0)
	for _, a := range args {
		if flow.Textual(a) || a.Is(expr.Keyword) && flow.Textual(a.Arg(0)) {
			b.Constant(b.Text(b.ChildOf(n, "identifier")), expr.New(expr.Tuple, "", args...), b.Line(n))
			return
		}
	}
}
