package java

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

func expression(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier", "this", "super", "type_identifier", "scoped_type_identifier", "scoped_identifier":
		return dotted(text)
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal", "decimal_floating_point_literal":
		return lower.Number(text)
	case "true", "false":
		return expr.New(expr.Bool, text)
	case "null_literal":
		return expr.New(expr.Null, text)
	case "string_literal":
		return expr.Str(literal(text))
	case "character_literal":
		return expr.Str(Unescape(strings.Trim(text, "'")))
	case "field_access":
		name := f.Text(f.Field(n, "field"))
		object := f.Lower(f.Field(n, "object"), depth)
		if keyed(f.Text(f.Field(n, "object")), name) {
			return expr.New(expr.Lookup, "", expr.Str(name))
		}
		if name == "length" {
			return expr.New(expr.Len, "", object)
		}
		return expr.New(expr.Attr, name, object)
	case "array_access":
		return expr.New(expr.Index, "", f.Lower(f.Field(n, "array"), depth), f.Lower(f.Field(n, "index"), depth))
	case "parenthesized_expression":
		return f.Wrapped(n, f.First(n), depth)
	case "cast_expression":
		return f.Wrapped(n, f.Field(n, "value"), depth)
	case "unary_expression":
		return unary(f.Text(f.Field(n, "operator")), f.Lower(f.Field(n, "operand"), depth))
	case "binary_expression":
		return f.Infix(f.Text(f.Field(n, "operator")), f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth))
	case "ternary_expression":
		return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(f.Field(n, "consequence"), depth),
			f.Lower(f.Field(n, "alternative"), depth))
	case "instanceof_expression":
		if right := f.Field(n, "right"); right >= 0 {
			return expr.New(expr.TypeTest, "", f.Lower(f.Field(n, "left"), depth), f.Lower(right, depth))
		}
	case "assignment_expression":
		return f.Wrapped(n, f.Field(n, "right"), depth)
	case "method_invocation":
		return invocation(f, n, depth)
	case "object_creation_expression":
		return creation(f, n, depth)
	case "lambda_expression":
		if body := f.Field(n, "body"); f.Kind(body) != "block" {
			return expr.New(expr.Func, "", f.Value(body))
		}
		return expr.New(expr.Func, "")
	case "method_reference":
		if kids := f.Named(n); strings.HasSuffix(text, "::new") && len(kids) > 0 && ErrorType(last(f.Text(kids[0]))) {
			return expr.New(expr.Func, "", expr.New(expr.Error, "", dotted(f.Text(kids[0])), nil))
		}
	case "array_initializer":
		return expr.New(expr.List, "", f.All(f.Named(n), depth)...)
	case "array_creation_expression":
		if v := f.Field(n, "value"); v >= 0 {
			return f.Wrapped(n, v, depth)
		}
	case "class_literal":
		return dotted(strings.TrimSuffix(text, ".class"))
	}
	return nil
}

// dotted is the expression that a dotted name spells.
func dotted(name string) *expr.Expr {
	name = typeName(name)
	head, rest, _ := strings.Cut(name, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

func unary(op string, operand *expr.Expr) *expr.Expr {
	if op == "!" {
		return expr.New(expr.Not, "", lower.Truth(operand))
	}
	return expr.New(expr.Unary, op, operand)
}

// invocation lowers calls; those that make texts of their arguments become the texts.
func invocation(f *lower.File, n, depth int) *expr.Expr {
	name := f.Text(f.Field(n, "name"))
	object := f.Field(n, "object")
	args := f.All(f.Named(f.Field(n, "arguments")), depth)
	if object < 0 {
		if name == "format" && len(args) > 1 && args[0].Is(expr.String) {
			return expr.New(expr.Format, message.Printf, args...)
		}
		return expr.New(expr.Call, "", append([]*expr.Expr{expr.Ident(name)}, args...)...)
	}
	on := f.Text(object)
	if e := looked(on, name, args); e != nil {
		return e
	}
	switch {
	case name == "format" && last(on) == "String" && len(args) > 0:
		if len(args) > 1 && strings.HasPrefix(args[0].Path(), "Locale") {
			args = args[1:]
		}
		return expr.New(expr.Format, message.Printf, args...)
	case name == "format" && last(on) == "MessageFormat" && len(args) > 0:
		return expr.New(expr.Format, message.MessageFormat, args...)
	case name == "lenientFormat" && last(on) == "Strings" && len(args) > 0:
		return expr.New(expr.Format, message.Printf, args...)
	case name == "join" && last(on) == "String" && len(args) > 1:
		if len(args) == 2 && !args[1].Is(expr.String) {
			return expr.New(expr.Join, "", args[1], args[0])
		}
		return expr.New(expr.Join, "", expr.New(expr.List, "", args[1:]...), args[0])
	case name == "valueOf" && last(on) == "String" && len(args) == 1, name == "toString" && len(args) == 1 && (last(on) == "Integer" || last(on) == "Long" || last(on) == "Objects"):
		return expr.New(expr.Interp, message.Plain, expr.New(expr.Hole, "", args[0]))
	case name == "equals" && last(on) == "Objects" && len(args) == 2:
		return expr.New(expr.Compare, "==", args[0], args[1])
	case (name == "isNull" || name == "nonNull") && last(on) == "Objects" && len(args) == 1:
		return expr.New(expr.Compare, map[string]string{"isNull": "==", "nonNull": "!="}[name], args[0], expr.New(expr.Null, "null"))
	case name == "asList" && last(on) == "Arrays", name == "of" && last(on) == "List":
		return expr.New(expr.List, "", args...)
	}
	inner := f.Lower(object, depth)
	switch {
	case name == "formatted" && text(inner):
		return expr.New(expr.Format, message.Printf, append([]*expr.Expr{inner}, args...)...)
	case (name == "length" || name == "size") && len(args) == 0:
		return expr.New(expr.Len, "", inner)
	case name == "isEmpty" && len(args) == 0:
		return expr.New(expr.Compare, "==", expr.New(expr.Len, "", inner), expr.New(expr.Number, "0"))
	case name == "equals" && len(args) == 1:
		return expr.New(expr.Compare, "==", inner, args[0])
	case name == "toString" && len(args) == 0 && (inner.Is(expr.List) || inner.Is(expr.Name)):
		// Of a text that was built, the joined pieces; of anything else what the value prints.
		return expr.New(expr.Join, "", inner)
	case name == "append" && len(args) == 1 && inner.Is(expr.List):
		return expr.New(expr.List, "", append(inner.Args[:len(inner.Args):len(inner.Args)], args[0])...)
	case name == "initCause" || name == "fillInStackTrace":
		return inner
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, name, inner)}, args...)...)
}

// text reports whether an expression is a literal text or built of one.
func text(e *expr.Expr) bool {
	switch {
	case e.Is(expr.String), e.Is(expr.Interp), e.Is(expr.Format):
		return true
	case e.Is(expr.Binary):
		return e.Text == "+" && (text(e.Arg(0)) || text(e.Arg(1)))
	case e.Is(expr.Name), e.Is(expr.Attr):
		l := strings.ToLower(e.Text)
		return strings.Contains(l, "msg") || strings.Contains(l, "message") || strings.Contains(l, "format") || strings.Contains(l, "template")
	}
	return false
}

// creation lowers new T(…).
func creation(f *lower.File, n, depth int) *expr.Expr {
	typ := typeName(f.Text(f.Field(n, "type")))
	args := f.All(f.Named(f.Field(n, "arguments")), depth)
	switch last(typ) {
	case "StringBuilder", "StringBuffer":
		if len(args) == 0 || len(args) == 1 && args[0].Is(expr.Number) {
			return expr.New(expr.List, "", expr.Str(""))
		}
		return expr.New(expr.List, "", args...)
	case "ArrayList", "LinkedList":
		if len(args) == 0 {
			return expr.New(expr.List, "")
		}
	case "String":
		if len(args) == 1 {
			return args[0]
		}
	}
	return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{dotted(typ)}, args...)...))
}

// literal is the content of a string literal or text block.
func literal(text string) string {
	if block, ok := strings.CutPrefix(text, `"""`); ok {
		return textBlock(strings.TrimSuffix(block, `"""`))
	}
	return Unescape(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`))
}

// textBlock is the content of a text block: without the first line break, the common indentation, and blanks at line ends.
func textBlock(s string) string {
	_, s, _ = strings.Cut(s, "\n")
	lines := strings.Split(s, "\n")
	indent := -1
	for i, l := range lines {
		blank := strings.TrimLeft(l, " \t")
		if blank == "" && i < len(lines)-1 {
			continue
		}
		if n := len(l) - len(blank); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(max(indent, 0), len(l)):], " \t")
	}
	return Unescape(strings.Join(lines, "\n"))
}

// Unescape decodes the escape sequences of a text. What is none stays as it is.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 's':
			b.WriteByte(' ')
		case '\n':
		case '"', '\'', '\\', '$':
			b.WriteByte(c)
		case 'u':
			hex := strings.TrimLeft(s[i:], "u")
			if n, err := strconv.ParseUint(hex[:min(4, len(hex))], 16, 32); err == nil && len(hex) >= 4 {
				b.WriteRune(rune(n))
				i = len(s) - len(hex) + 3
				continue
			}
			b.WriteString(`\u`)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}
