package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

func expression(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier", "field_identifier", "type_identifier", "this", "namespace_identifier", "statement_identifier", "primitive_type":
		switch text {
		case "__VA_ARGS__":
			return expr.New(expr.Spread, "", expr.Ident("..."))
		case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
			if name := functionAround(f, n); name != "" {
				return expr.Str(name)
			}
		}
		return expr.Ident(text)
	case "qualified_identifier", "template_function", "template_type", "dependent_name":
		return dotted(qualified(f, text))
	case "number_literal":
		return lower.Number(text)
	case "true", "false":
		return expr.New(expr.Bool, text)
	case "null", "nullptr":
		return expr.New(expr.Null, text)
	case "string_literal", "raw_string_literal":
		return expr.Str(literal(text))
	case "user_defined_literal":
		return f.Wrapped(n, f.First(n), depth)
	case "concatenated_string":
		return joined(f, n, depth)
	case "char_literal":
		_, text, _ = strings.Cut(text, "'")
		return expr.Str(Unescape(strings.TrimSuffix(text, "'")))
	case "field_expression":
		return expr.New(expr.Attr, typeName(f.Text(f.Field(n, "field"))), f.Lower(f.Field(n, "argument"), depth))
	case "subscript_expression":
		return expr.New(expr.Index, "", f.Lower(f.Field(n, "argument"), depth), f.Lower(subscript(f, n), depth))
	case "parenthesized_expression":
		return f.Wrapped(n, f.First(n), depth)
	case "condition_clause":
		return f.Lower(f.Field(n, "value"), depth)
	case "cast_expression":
		return f.Wrapped(n, f.Field(n, "value"), depth)
	case "unary_expression", "pointer_expression":
		return unary(f.Text(f.Field(n, "operator")), f.Lower(f.Field(n, "argument"), depth))
	case "binary_expression":
		return binary(f, n, depth)
	case "conditional_expression":
		then := f.Field(n, "consequence")
		if then < 0 {
			return expr.New(expr.Coalesce, "", f.Lower(f.Field(n, "condition"), depth), f.Lower(f.Field(n, "alternative"), depth))
		}
		return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(then, depth), f.Lower(f.Field(n, "alternative"), depth))
	case "assignment_expression":
		// Inside of an expression: what was assigned, which stands in its own statement before it.
		return f.Wrapped(n, f.Field(n, "left"), depth)
	case "comma_expression":
		return f.Wrapped(n, f.Field(n, "right"), depth)
	case "call_expression":
		return call(f, n, depth)
	case "new_expression":
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(typeName(f.Text(f.Field(n, "type"))))}, f.All(f.Named(f.Field(n, "arguments")), depth)...)...))
	case "compound_literal_expression":
		typ := qualified(f, f.Text(f.Field(n, "type")))
		args := f.All(f.Named(f.Field(n, "value")), depth)
		if isText(typ) && len(args) == 1 {
			return args[0]
		}
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(typ)}, args...)...))
	case "initializer_list":
		return initializer(f, n, depth)
	case "lambda_expression":
		return expr.New(expr.Func, "")
	case "parameter_pack_expansion":
		return expr.New(expr.Spread, "", f.Lower(f.First(n), depth))
	case "declaration": // in a condition
		return expr.Ident(declared(f, f.Field(n, "declarator")))
	case "argument_list", "ERROR", "preproc_arg":
		if kids := f.Named(n); len(kids) == 1 {
			return f.Lower(kids[0], depth)
		}
	case "type_descriptor":
		return dotted(qualified(f, text))
	}
	return nil
}

// functionAround is the name of the function that a node stands in.
func functionAround(f *lower.File, n int) string {
	for p := f.Parent(n); p >= 0; p = f.Parent(p) {
		if f.Kind(p) == "function_definition" {
			return lastName(declared(f, functionDeclarator(f, f.Field(p, "declarator"))))
		}
	}
	return ""
}

// subscript is the node of an index.
func subscript(f *lower.File, n int) int {
	if i := f.Field(n, "index"); i >= 0 {
		return i
	}
	for _, c := range f.Named(n) {
		if f.Kind(c) == "subscript_argument_list" {
			return f.First(c)
		}
	}
	return -1
}

func unary(op string, operand *expr.Expr) *expr.Expr {
	switch op {
	case "!", "not":
		if operand.Is(expr.Call) && compares(operand.Arg(0).Path()) && len(operand.Args) == 3 {
			return expr.New(expr.Compare, "==", operand.Args[1], operand.Args[2])
		}
		return expr.New(expr.Not, "", lower.Truth(operand))
	case "*":
		if operand.Is(expr.Name) && operand.Text == "this" {
			return operand
		}
	}
	return expr.New(expr.Unary, op, operand)
}

// compares reports whether a function compares two texts and returns 0 where they are equal.
func compares(path string) bool {
	switch lastName(path) {
	case "strcmp", "strcasecmp", "stricmp", "_stricmp", "wcscmp":
		return true
	}
	return false
}

func binary(f *lower.File, n, depth int) *expr.Expr {
	op := f.Text(f.Field(n, "operator"))
	if op == "<<" {
		if e := streamed(f, n, depth); e != nil {
			return e
		}
	}
	left, right := f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth)
	if (op == "==" || op == "!=") && left.Is(expr.Call) && len(left.Args) == 3 && right.Is(expr.Number) && right.Text == "0" && compares(left.Arg(0).Path()) {
		return expr.New(expr.Compare, op, left.Args[1], left.Args[2])
	}
	return f.Infix(op, left, right)
}

// initializer is a list, or a map where its elements are designated.
func initializer(f *lower.File, n, depth int) *expr.Expr {
	kids := f.Named(n)
	if len(kids) > maxTable {
		kids = kids[:maxTable]
	}
	designated := false
	for _, c := range kids {
		designated = designated || f.Kind(c) == "initializer_pair"
	}
	if !designated {
		return expr.New(expr.List, "", f.All(kids, depth)...)
	}
	out := expr.New(expr.Map, "")
	for _, c := range kids {
		if f.Kind(c) != "initializer_pair" {
			continue
		}
		value := f.Lower(f.Field(c, "value"), depth)
		switch d := f.Field(c, "designator"); f.Kind(d) {
		case "field_designator":
			out.Args = append(out.Args, expr.New(expr.Keyword, strings.TrimLeft(f.Text(d), ". "), value))
		case "subscript_designator":
			out.Args = append(out.Args, expr.New(expr.Entry, "", f.Lower(f.First(d), depth), value))
		}
	}
	return out
}

// maxTable bounds the elements of a table that are read.
const maxTable = 500

// call lowers calls; those that make texts of their arguments become the texts.
func call(f *lower.File, n, depth int) *expr.Expr {
	function := f.Field(n, "function")
	_, args := arguments(f, f.Field(n, "arguments"))
	path := pathOf(f, function)
	name := lastName(path)
	switch {
	case (name == "__builtin_expect" || hints(name)) && len(args) > 0:
		return args[0] // which way is taken more often
	case name == "strlen" && len(args) == 1 && f.Facts.Language == "C":
		return expr.New(expr.Len, "", args[0])
	}
	if e := made(path, name, args); e != nil {
		return e
	}
	if f.Kind(function) == "field_expression" {
		object := f.Lower(f.Field(function, "argument"), depth)
		switch {
		case (name == "c_str" || name == "data") && len(args) == 0:
			return object
		case name == "str" && len(args) == 0 && (object.Is(expr.Name) || object.Is(expr.Attr)):
			return expr.New(expr.Join, "", object)
		case name == "str" && len(args) == 0:
			return object
		case (name == "size" || name == "length") && len(args) == 0 && f.Facts.Language != "C":
			return expr.New(expr.Len, "", object)
		case name == "empty" && len(args) == 0 && f.Facts.Language != "C":
			return expr.New(expr.Compare, "==", expr.New(expr.Len, "", object), expr.New(expr.Number, "0"))
		case name == "append" && len(args) == 1 && flow.Textual(object):
			return expr.New(expr.Binary, "+", object, args[0])
		}
		return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, name, object)}, args...)...)
	}
	callee := dotted(path)
	if path == "" {
		callee = f.Lower(function, depth)
	}
	if plus(f) && construct(name) && !strings.HasPrefix(f.Text(function), "throw") {
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{callee}, args...)...))
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{callee}, args...)...)
}

// hints reports whether a macro only tells the compiler which way is likely.
func hints(name string) bool {
	last := words(name)
	return len(last) > 0 && (last[len(last)-1] == "likely" || last[len(last)-1] == "unlikely")
}

// construct reports whether a name is that of an exception's type, so that a call of it makes one.
func construct(name string) bool {
	return ErrorType(name) && (upper(name[0]) || len(bases(name)) > 0)
}

// plus reports whether a file is read as C++.
func plus(f *lower.File) bool { return f.Dialect.Grammar.Symbol("throw_statement") != 0 }

// isText reports whether a type is one of texts.
func isText(typ string) bool {
	switch lastName(typ) {
	case "string", "string_view", "QString", "String", "Twine", "StringRef", "Slice", "wstring", "StringPiece", "QStringLiteral", "QLatin1String", "AsciiString", "CString":
		return true
	}
	return false
}
