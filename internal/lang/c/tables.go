package c

import (
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// table reads the texts of a table of errors: each is raised by whoever asks for it by its code.
func table(b *lower.Body, out []flow.Stmt, name string, list int) []flow.Stmt {
	if !messagish(name) {
		return out
	}
	for i, c := range b.Named(list) {
		if i >= maxTable {
			break
		}
		typ, value := "", c
		switch b.Kind(c) {
		case "initializer_pair":
			value = b.Field(c, "value")
			if d := b.First(b.Field(c, "designator")); b.Kind(d) == "identifier" {
				typ = b.Text(d)
			}
		case "initializer_list":
			value = -1
			for _, part := range b.Named(c) {
				if b.Kind(part) == "initializer_pair" {
					part = b.Field(part, "value")
				}
				switch k := b.Kind(part); {
				case k == "identifier" && typ == "" && shouting(b.Text(part)):
					typ = b.Text(part)
				case k == "string_literal" || k == "concatenated_string" || k == "call_expression":
					if text := b.Expr(part); textual(text) && prose(literalOf(text)) && value < 0 {
						value = part
					}
				}
			}
		}
		if value < 0 {
			continue
		}
		text := b.Expr(value)
		said := literalOf(text)
		if !textual(text) || !prose(said) || !errorish(name) && !alarming(said) {
			continue
		}
		s := b.Site(raise.KindError, c)
		s.TypeName, s.Message = typ, text
		st := b.At(flow.Raise, c)
		st.Goes = true
		out = b.Add(out, s, st)
	}
	return out
}

// returned lowers a return. One of a text in a function that says what an error is, is where that error has its text.
func returned(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	value := b.First(n)
	if value < 0 {
		return b.Leave(out, n, flow.Return, -1)
	}
	if b.Kind(value) == "initializer_list" {
		if typ := resultType(b, n); typ != "" && (ErrorType(typ) || typ == lastName(b.Owner)) {
			st := b.At(flow.Leave, n)
			st.Value = expr.New(expr.Error, "", append([]*expr.Expr{expr.Ident(typ), nil}, b.All(b.Named(value), 0)...)...)
			return append(out, st)
		}
	}
	text := b.Expr(value)
	if said := literalOf(text); textual(text) && text.Op != expr.Call && prose(said) {
		name := functionAround(b.File, n)
		if errorish(name) || messagish(name) && inCase(b, n) {
			s := b.Site(raise.KindError, n)
			s.Message = text
			st := b.At(flow.Raise, n)
			st.Goes = true
			out = b.Add(out, s, st)
		}
	}
	return b.Leave(out, n, flow.Return, value)
}

// inCase reports whether a statement stands in an arm of a switch.
func inCase(b *lower.Body, n int) bool {
	for p := b.Parent(n); p >= 0; p = b.Parent(p) {
		switch b.Kind(p) {
		case "case_statement":
			return true
		case "function_definition":
			return false
		}
	}
	return false
}

// resultType is the type that the function around a node returns, "" if it is not known.
func resultType(b *lower.Body, n int) string {
	for p := b.Parent(n); p >= 0; p = b.Parent(p) {
		if b.Kind(p) == "function_definition" {
			return lastName(typeName(b.Text(b.Field(p, "type"))))
		}
	}
	return ""
}
