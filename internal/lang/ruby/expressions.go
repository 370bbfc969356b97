package ruby

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// lowered lowers an expression; nil if it is not understood.
func lowered(f *lower.File, n, depth int) *expr.Expr {
	text := f.Text(n)
	switch f.Kind(n) {
	case "identifier", "constant", "self", "super", "global_variable":
		return expr.Ident(text)
	case "instance_variable", "class_variable":
		return expr.New(expr.Attr, text, expr.Ident("self"))
	case "scope_resolution":
		e := f.Lower(f.Field(n, "scope"), depth)
		if e == nil {
			return expr.Ident(f.Text(f.Field(n, "name")))
		}
		return expr.New(expr.Attr, f.Text(f.Field(n, "name")), e)
	case "integer", "float":
		return lower.Number(text)
	case "true", "false":
		return expr.New(expr.Bool, text)
	case "nil":
		return expr.New(expr.Null, text)
	case "string", "bare_string":
		return quoted(f, n, depth)
	case "chained_string":
		return expr.New(expr.Join, "", expr.New(expr.List, "", f.All(f.Named(n), depth)...), expr.Str(""))
	case "heredoc_beginning":
		return heredoc(f, n, depth)
	case "simple_symbol":
		return expr.Str(strings.Trim(strings.TrimPrefix(text, ":"), `"'`))
	case "hash_key_symbol":
		return expr.Str(text)
	case "parenthesized_statements", "argument_list", "pattern", "then":
		if kids := f.Named(n); len(kids) == 1 {
			return f.Wrapped(n, kids[0], depth)
		}
	case "array", "string_array", "symbol_array":
		return expr.New(expr.List, "", f.All(f.Named(n), depth)...)
	case "hash":
		return expr.New(expr.Map, "", f.All(f.Named(n), depth)...)
	case "pair":
		key, value := f.Field(n, "key"), f.Field(n, "value")
		if k := f.Kind(key); k == "hash_key_symbol" || k == "simple_symbol" || k == "string" {
			if value < 0 { // f(name:)
				return expr.New(expr.Keyword, f.Text(key), expr.Ident(f.Text(key)))
			}
			return expr.New(expr.Keyword, f.Expr(key).Text, f.Lower(value, depth))
		}
		return expr.New(expr.Entry, "", f.Lower(key, depth), f.Lower(value, depth))
	case "splat_argument", "hash_splat_argument":
		return expr.New(expr.Spread, "", f.Lower(f.First(n), depth))
	case "element_reference":
		if kids := f.Named(n); len(kids) == 2 {
			return expr.New(expr.Index, "", f.Lower(kids[0], depth), f.Lower(kids[1], depth))
		}
	case "unary":
		return unary(f, n, depth)
	case "binary":
		return binary(f, n, depth)
	case "conditional":
		return expr.New(expr.Cond, "", lower.Truth(f.Lower(f.Field(n, "condition"), depth)), f.Lower(f.Field(n, "consequence"), depth),
			f.Lower(f.Field(n, "alternative"), depth))
	case "assignment":
		return f.Wrapped(n, f.Field(n, "right"), depth)
	case "call":
		return call(f, n, depth)
	case "lambda", "block", "do_block":
		return expr.New(expr.Func, "")
	case "regex":
		return expr.Str(strings.Trim(text, "/"))
	case "if", "unless", "elsif":
		return branches(f, n, depth)
	case "case", "case_match":
		return arms(f, n, depth)
	}
	return nil
}

// quoted lowers "… #{a} …", '…' and %q(…).
func quoted(f *lower.File, n, depth int) *expr.Expr {
	single := strings.HasPrefix(f.Text(n), "'") || strings.HasPrefix(f.Text(n), "%q")
	out := expr.New(expr.Interp, message.Plain)
	for _, c := range f.Named(n) {
		switch f.Kind(c) {
		case "string_content", "heredoc_content":
			if single {
				add(out, unquoted(f.Text(c)))
			} else {
				add(out, f.Text(c))
			}
		case "escape_sequence":
			if single {
				add(out, unquoted(f.Text(c)))
			} else {
				add(out, lower.Unescape(f.Text(c)))
			}
		case "interpolation":
			out.Args = append(out.Args, expr.New(expr.Hole, "", f.Lower(f.First(c), depth)))
		}
	}
	return plain(out)
}

// unquoted is what stands between single quotes, where only the quote and the backslash itself are escaped.
func unquoted(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(s)
}

// add appends literal text.
func add(e *expr.Expr, s string) {
	if k := len(e.Args); k > 0 && e.Args[k-1].Is(expr.String) {
		e.Args[k-1] = expr.Str(e.Args[k-1].Text + s)
	} else if s != "" {
		e.Args = append(e.Args, expr.Str(s))
	}
}

// plain is a text without values as a literal.
func plain(e *expr.Expr) *expr.Expr {
	if len(e.Args) == 0 {
		return expr.Str("")
	}
	if len(e.Args) == 1 && e.Args[0].Is(expr.String) {
		return e.Args[0]
	}
	return e
}

// heredoc lowers the text that a heredoc's beginning stands for.
func heredoc(f *lower.File, n, depth int) *expr.Expr {
	bodies, _ := f.Own.(heredocs)
	body, ok := bodies[n]
	if !ok {
		return nil
	}
	out := quoted(f, body, depth)
	if out.Is(expr.String) {
		out = expr.New(expr.Interp, message.Plain, out)
	}
	if len(out.Args) == 0 {
		return expr.Str("")
	}
	squiggly := strings.HasPrefix(f.Text(n), "<<~")
	indent := margin(f.Text(body))
	for i, a := range out.Args {
		if !a.Is(expr.String) {
			continue
		}
		s := a.Text
		if squiggly {
			s = strings.ReplaceAll(s, "\n"+indent, "\n")
		}
		if i == 0 {
			s = strings.TrimPrefix(s, "\n")
		}
		if i == len(out.Args)-1 {
			s = s[:strings.LastIndexByte(s, '\n')+1] // up to the closing mark
		}
		out.Args[i] = expr.Str(s)
	}
	return plain(out)
}

// margin is the blanks that all lines of a heredoc but empty ones and the closing mark begin with.
func margin(body string) string {
	lines := strings.Split(strings.TrimPrefix(body, "\n"), "\n")
	var indent string
	for i, l := range lines[:max(len(lines)-1, 0)] {
		blanks := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if strings.TrimSpace(l) != "" && (i == 0 || indent == "" || len(blanks) < len(indent)) {
			indent = blanks
		}
	}
	return indent
}

func unary(f *lower.File, n, depth int) *expr.Expr {
	inner := f.Lower(f.Field(n, "operand"), depth)
	switch text := f.Text(n); {
	case inner == nil:
		return nil
	case strings.HasPrefix(text, "!"), strings.HasPrefix(text, "not"):
		return expr.New(expr.Not, "", lower.Truth(inner))
	case flow.Textual(inner) && (text[0] == '+' || text[0] == '-'):
		return inner // +"…" can be changed, -"…" cannot
	case strings.HasPrefix(text, "-"):
		return expr.New(expr.Unary, "-", inner)
	}
	return nil
}

// operator is the token between the operands.
func operator(f *lower.File, n int) string {
	left, right := f.Field(n, "left"), f.Field(n, "right")
	if left < 0 || right < 0 {
		return ""
	}
	return strings.TrimSpace(f.Src[f.Nodes[left].End:f.Nodes[right].Start])
}

func binary(f *lower.File, n, depth int) *expr.Expr {
	op := operator(f, n)
	left, right := f.Lower(f.Field(n, "left"), depth), f.Lower(f.Field(n, "right"), depth)
	switch op {
	case "%":
		if flow.Textual(left) || left.Is(expr.Name) && strings.ToUpper(left.Text) == left.Text {
			args := []*expr.Expr{left, right}
			if right.Is(expr.List) {
				args = append([]*expr.Expr{left}, right.Args...)
			}
			return expr.New(expr.Format, message.Printf, args...)
		}
	case "<<":
		if flow.Textual(left) {
			return expr.New(expr.Binary, "+", left, right)
		}
		return expr.New(expr.Call, "", expr.New(expr.Attr, "<<", left), right)
	case "===", "=~", "!~", "<=>":
		return nil
	}
	return f.Infix(op, left, right)
}

// branches is an if that stands for a value.
func branches(f *lower.File, n, depth int) *expr.Expr {
	then, els := value(f, f.Field(n, "consequence"), depth), value(f, f.Field(n, "alternative"), depth)
	if then == nil || els == nil {
		return nil
	}
	cond := lower.Truth(f.Lower(f.Field(n, "condition"), depth))
	if f.Kind(n) == "unless" {
		cond = expr.New(expr.Not, "", cond)
	}
	return expr.New(expr.Cond, "", cond, then, els)
}

// arms is a case that stands for a value: one of those of its arms.
func arms(f *lower.File, n, depth int) *expr.Expr {
	var all []*expr.Expr
	for _, c := range f.Named(n) {
		body := c
		switch f.Kind(c) {
		case "when", "in_clause":
			body = f.Field(c, "body")
		case "else":
		default:
			continue
		}
		if v := value(f, body, depth); v != nil {
			all = append(all, v)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return expr.New(expr.Alt, "", all...)
}

// value is what a branch stands for that holds nothing but one expression; nil for others.
func value(f *lower.File, n, depth int) *expr.Expr {
	if n < 0 || f.Kind(n) == "elsif" {
		return f.Lower(n, depth)
	}
	kids := slices.DeleteFunc(slices.Clone(f.Named(n)), func(k int) bool { return f.Kind(k) == "comment" || f.Kind(k) == "heredoc_body" })
	if len(kids) != 1 {
		return nil
	}
	return f.Lower(kids[0], depth)
}

// call lowers calls; those that make texts of their arguments become the texts.
func call(f *lower.File, n, depth int) *expr.Expr {
	m := f.Text(f.Field(n, "method"))
	args := f.All(f.Named(f.Field(n, "arguments")), depth)
	r := f.Field(n, "receiver")
	if r < 0 {
		switch {
		case (m == "format" || m == "sprintf") && len(args) > 0:
			return expr.New(expr.Format, message.Printf, args...)
		case m == "Rainbow" && len(args) == 1:
			return args[0]
		case (m == "t" || m == "_" || m == "translate") && len(args) > 0 && args[0].Is(expr.String):
			return expr.New(expr.Lookup, "", args...)
		}
		return expr.New(expr.Call, "", append([]*expr.Expr{expr.Ident(m)}, args...)...)
	}
	object := f.Lower(r, depth)
	if len(args) == 0 {
		if e := asked(f, n, object, m); e != nil {
			return e
		}
	}
	on := dotted(f.Text(r))
	switch {
	case (m == "t" || m == "translate" || m == "t!") && last(on) == "I18n" && len(args) > 0:
		return expr.New(expr.Lookup, "", args...)
	case (m == "format" || m == "sprintf") && on == "Kernel" && len(args) > 0:
		return expr.New(expr.Format, message.Printf, args...)
	case m == "join" && len(args) <= 1:
		return expr.New(expr.Join, "", object, append(args, expr.Str(""))[0])
	case m == "new" && on == "String":
		if len(args) == 0 || args[0].Is(expr.Keyword) {
			return expr.Str("")
		}
		return args[0]
	case m == "new":
		return f.Error(expr.New(expr.Call, "new", append([]*expr.Expr{object}, args...)...))
	case m == "exception" && len(args) == 1:
		return f.Error(expr.New(expr.Call, "new", object, args[0]))
	case (m == "is_a?" || m == "kind_of?" || m == "instance_of?") && len(args) == 1:
		return expr.New(expr.TypeTest, "", object, args[0])
	case m == "include?" && len(args) == 1 && (object.Is(expr.List) || object.Is(expr.Name) && strings.ToUpper(object.Text) == object.Text):
		return expr.New(expr.Compare, "in", args[0], object)
	case m == "fetch" && len(args) >= 1 && object.Is(expr.Name) && strings.ToUpper(object.Text) == object.Text:
		return expr.New(expr.Index, "", object, args[0])
	case (m == "eql?" || m == "equal?") && len(args) == 1:
		return expr.New(expr.Compare, "==", object, args[0])
	case m == "message" && len(args) == 0:
		return expr.New(expr.Attr, m, object)
	}
	if len(args) == 0 && f.Field(n, "arguments") < 0 {
		return expr.New(expr.Attr, m, object)
	}
	return expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, m, object)}, args...)...)
}

// asked lowers methods without arguments that ask something of a value, or give it back.
func asked(f *lower.File, n int, object *expr.Expr, m string) *expr.Expr {
	zero := expr.New(expr.Number, "0")
	switch m {
	case "nil?":
		return expr.New(expr.Compare, "==", object, expr.New(expr.Null, "nil"))
	case "length", "size", "count", "bytesize":
		return expr.New(expr.Len, "", object)
	case "empty?":
		return expr.New(expr.Compare, "==", expr.New(expr.Len, "", object), zero)
	case "any?":
		return expr.New(expr.Compare, "!=", expr.New(expr.Len, "", object), zero)
	case "zero?":
		return expr.New(expr.Compare, "==", object, zero)
	case "positive?":
		return expr.New(expr.Compare, ">", object, zero)
	case "negative?":
		return expr.New(expr.Compare, "<", object, zero)
	case "blank?":
		return expr.New(expr.Not, "", lower.Truth(object))
	case "present?":
		return expr.New(expr.Truthy, "", object)
	case "new":
		if object.Is(expr.Name) && object.Text == "String" {
			return expr.Str("")
		}
		return f.Error(expr.New(expr.Call, "new", object))
	case "freeze", "to_s", "dup", "squish", "html_safe", "to_str", "itself", "-@", "+@", "to_sym", "b":
		return &expr.Expr{Op: object.Op, Text: object.Text, Args: object.Args, Src: f.Text(n)}
	case "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bold", "bright", "underline", "light_red", "light_yellow":
		if flow.Textual(object) {
			return object // what a terminal's colours are put around
		}
	case "strip", "chomp", "rstrip", "lstrip":
		if trimmed := stripped(object); trimmed != nil {
			return trimmed
		}
	}
	return nil
}

// stripped is a text without the blanks at its ends; nil for what is no text.
func stripped(e *expr.Expr) *expr.Expr {
	switch {
	case e.Is(expr.String):
		return expr.Str(strings.TrimSpace(e.Text))
	case e.Is(expr.Interp) && len(e.Args) > 0:
		args := append([]*expr.Expr{}, e.Args...)
		if args[0].Is(expr.String) {
			args[0] = expr.Str(strings.TrimLeft(args[0].Text, " \t\n"))
		}
		if k := len(args) - 1; args[k].Is(expr.String) {
			args[k] = expr.Str(strings.TrimRight(args[k].Text, " \t\n"))
		}
		return expr.New(expr.Interp, e.Text, args...)
	}
	return nil
}
