package csharp

import "github.com/wherefore-dev/wherefore/internal/lang/lower"

// target is the type that a value must have where it stands, without its arguments: that of the variable or member that it is given
// to, or what the function returns. "" if the place does not say it.
func target(f *lower.File, n int) string {
	p := holder(f, n)
	switch f.Kind(p) {
	case "variable_declarator":
		if typ := f.Text(f.Field(f.Parent(p), "type")); typ != "var" {
			return typeName(typ)
		}
	case "property_declaration":
		return typeName(f.Text(f.Field(p, "type")))
	case "return_statement", "arrow_expression_clause":
		return result(f, p)
	case "throw_statement", "throw_expression":
		return "Exception"
	}
	return ""
}

// holder is the node that takes the value of n: what stands around conditionals and parentheses that n may be the value of. -1 if n is
// only a part of what decides the value.
func holder(f *lower.File, n int) int {
	for p := f.Parent(n); p >= 0; n, p = p, f.Parent(p) {
		switch f.Kind(p) {
		case "conditional_expression":
			if n == f.Field(p, "condition") {
				return -1
			}
		case "switch_expression", "switch_expression_arm":
			if kids := f.Named(p); f.Kind(p) == "switch_expression" && n == kids[0] || f.Kind(p) == "switch_expression_arm" && n != kids[len(kids)-1] {
				return -1
			}
		case "parenthesized_expression", "await_expression":
		default:
			return p
		}
	}
	return -1
}

// result is the type that the function around a node returns; "" within a lambda.
func result(f *lower.File, n int) string {
	for p := f.Parent(n); p >= 0; p = f.Parent(p) {
		switch f.Kind(p) {
		case "method_declaration":
			return typeName(f.Text(f.Field(p, "returns")))
		case "local_function_statement", "property_declaration", "indexer_declaration":
			return typeName(f.Text(f.Field(p, "type")))
		case "lambda_expression", "anonymous_method_expression", "constructor_declaration", "operator_declaration":
			return ""
		}
	}
	return ""
}

// returned is the type of the error that a call makes for the function around it to give back: one that the function returns, or
// keeps in a variable of such a type. "" for any other call.
func returned(f *lower.File, n int) string {
	p := holder(f, n)
	if k := f.Kind(p); k != "return_statement" && k != "arrow_expression_clause" && k != "variable_declarator" {
		return ""
	}
	if typ := result(f, p); errorType(last(typ)) && errorType(last(target(f, n))) {
		return typ
	}
	return ""
}
