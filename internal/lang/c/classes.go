package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// class describes a class or struct with members.
func class(b *lower.Body, n int) *lower.Class {
	switch b.Kind(n) {
	case "class_specifier", "struct_specifier":
	default:
		return nil
	}
	c := &lower.Class{Name: lastName(typeName(b.Text(b.Field(n, "name")))), Body: b.Field(n, "body")}
	if c.Name == "" || c.Body < 0 {
		return nil
	}
	for _, t := range b.Named(b.ChildOf(n, "base_class_clause")) {
		if b.Kind(t) != "access_specifier" {
			c.Bases = append(c.Bases, qualified(b.File, b.Text(t)))
		}
	}
	c.Type = &raise.Type{}
	if ErrorType(c.Name) || len(c.Bases) > 0 && ErrorType(lastName(c.Bases[0])) {
		c.Type = errorType(b, c)
	}
	return c
}

// errorType reads what an exception of a class says: what its constructors hand to its base, and what().
func errorType(b *lower.Body, c *lower.Class) *raise.Type {
	t := &raise.Type{}
	for _, m := range members(b, c.Body) {
		if b.Kind(m) != "function_definition" {
			continue
		}
		decl := functionDeclarator(b.File, b.Field(m, "declarator"))
		switch name := b.Text(b.Field(decl, "declarator")); name {
		case c.Name:
			one := &raise.Type{}
			constructor(b, c, one, m, decl)
			if says(one) > says(t) || t.Params == nil {
				t.Params, t.Fields, t.Super = one.Params, one.Fields, one.Super
			}
		case "what", "message", "ToString", "toString", "getMessage":
			if message := b.Returned(nil, b.Field(m, "body"), false).Map(held); message != nil && (name == "what" || t.Message == nil) && !strings.Contains(message.String(), "what(") {
				t.Message = message
			}
		}
	}
	if t.Message != nil {
		t.Message = ofSelf(t.Message, t)
		if unset(t.Message, t) {
			t.Message = nil
		}
	}
	return t
}

// held takes x.what() of an exception that is kept in a member for the member.
func held(e *expr.Expr) *expr.Expr {
	if callee := e.Arg(0); e.Is(expr.Call) && len(e.Args) == 1 && callee.Is(expr.Attr) && callee.Text == "what" && callee.Arg(0).Is(expr.Name) {
		return callee.Arg(0)
	}
	return e
}

// members lists the members of a class, those in templates and conditional compilation included.
func members(b *lower.Body, body int) []int {
	var out []int
	for _, m := range b.Within(body) {
		switch k := b.Kind(m); {
		case k == "template_declaration", k == "ERROR", strings.HasPrefix(k, "preproc_if"), strings.HasPrefix(k, "preproc_el"):
			if len(out) < 500 {
				out = append(out, members(b, m)...)
			}
		default:
			out = append(out, m)
		}
	}
	return out
}

// constructor reads the initializers and the body of a constructor.
func constructor(b *lower.Body, c *lower.Class, t *raise.Type, n, decl int) {
	t.Params = params(b.File, b.Field(decl, "parameters"))
	b.Constructor(t, t.Params, b.Field(n, "body"), func(*expr.Expr) ([]*expr.Expr, bool) { return nil, false })
	for _, i := range b.Named(b.ChildOf(n, "field_initializer_list")) {
		kids := b.Named(i)
		if len(kids) < 2 {
			continue
		}
		name := lastName(qualified(b.File, b.Text(kids[0])))
		args := b.All(b.Named(kids[len(kids)-1]), 0)
		isBase := name == c.Name
		for _, base := range c.Bases {
			isBase = isBase || lastName(base) == name
		}
		switch {
		case isBase && t.Super == nil:
			t.Super = append([]*expr.Expr{}, args...)
			t.SuperOf = ""
		case len(args) == 1:
			t.Fields = append(t.Fields, raise.Def{Name: "self." + name, Value: args[0], Line: b.Line(i)})
		}
	}
	for i := range t.Fields {
		t.Fields[i].Value = ofSelf(t.Fields[i].Value, t)
	}
}

// says is how much of its own a constructor says.
func says(t *raise.Type) int {
	n := len(t.Super) + len(t.Fields)
	for _, a := range t.Super {
		if textual(a) {
			n += 10
		}
	}
	return n
}

// ofSelf writes the members of a class, which are named like variables, as members of self.
func ofSelf(e *expr.Expr, t *raise.Type) *expr.Expr {
	return e.Map(func(a *expr.Expr) *expr.Expr {
		if !a.Is(expr.Name) {
			return a
		}
		for _, p := range t.Params {
			if p.Name == a.Text {
				return a
			}
		}
		for _, f := range t.Fields {
			if f.Name == "self."+a.Text {
				return expr.New(expr.Attr, a.Text, expr.Ident("self"))
			}
		}
		return a
	})
}

// unset reports whether a message is a member that no constructor here sets: then a base decides.
func unset(e *expr.Expr, t *raise.Type) bool {
	if !e.Is(expr.Name) {
		return false
	}
	for _, p := range t.Params {
		if p.Name == e.Text {
			return false
		}
	}
	return true
}
