package c

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func statement(b *lower.Body, out []flow.Stmt, n int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "expression_statement":
		return expressionStatement(b, out, n, b.First(n)), true
	case "call_expression", "assignment_expression", "binary_expression", "update_expression":
		// Where macros break the tree, expressions stand without a statement around them.
		return expressionStatement(b, out, n, n), true
	case "throw_statement":
		return throw(b, out, n, b.First(n)), true
	case "if_statement":
		return ifStatement(b, out, n), true
	case "while_statement":
		return b.Loop(out, n, b.First(b.Field(n, "condition")), b.Field(n, "body"), flow.While), true
	case "do_statement":
		return b.Loop(out, n, b.First(b.Field(n, "condition")), b.Field(n, "body"), flow.DoWhile), true
	case "for_statement":
		return forStatement(b, out, n), true
	case "for_range_loop":
		target := []*expr.Expr{expr.Ident(declared(b.File, b.Field(n, "declarator")))}
		return b.Each(out, n, target, b.Field(n, "right"), b.Field(n, "body")), true
	case "return_statement", "co_return_statement":
		return returned(b, out, n), true
	case "break_statement":
		return b.Leave(out, n, flow.Break, -1), true
	case "continue_statement":
		return b.Leave(out, n, flow.Continue, -1), true
	case "goto_statement":
		return b.Leave(out, n, flow.Return, -1), true
	case "labeled_statement":
		out = append(out, b.At(flow.Label, n))
		for _, c := range b.Named(n)[1:] {
			out = b.Stmt(out, c)
		}
		return out, true
	case "switch_statement":
		return switched(b, out, n), true
	case "try_statement", "constructor_try_statement":
		return try(b, out, n), true
	case "compound_statement":
		return b.Nested(out, n), true
	case "declaration", "field_declaration":
		return variables(b, out, n), true
	case "static_assert_declaration":
		return staticAssert(b, out, n), true
	case "preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else":
		return conditional(b, out, n), true
	case "function_definition":
		if b.Field(n, "body") >= 0 && b.Field(n, "type") < 0 {
			// A macro before a block, as those that stand for catch or for a loop.
			st := b.At(flow.Switch, n)
			head := strings.TrimSpace(b.Src[b.Nodes[n].Start:b.Nodes[b.Field(n, "body")].Start])
			st.Cases = []flow.Case{{Line: b.Line(n), Text: expr.Fold(head), Body: b.Block(b.Field(n, "body"))}, {Line: b.Line(n)}}
			return append(out, st), true
		}
	case "preproc_call":
		return directive(b, out, n), true
	case "preproc_function_def", "preproc_def":
		return listed(b, out, n), true
	case "preproc_include", "preproc_directive", "comment", "type_definition", "attribute_declaration", "access_specifier", "using_declaration", "alias_declaration",
		"attribute_specifier", "statement_identifier", "storage_class_specifier", "string_literal", "identifier", "enum_specifier", "template_parameter_list", "parameter_list",
		"field_initializer_list", "base_class_clause", "namespace_identifier", "primitive_type", "type_identifier", "friend_declaration":
		return out, true
	}
	return out, false
}

func ifStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	cond := b.Field(n, "condition")
	value := b.First(cond)
	if b.Kind(cond) == "condition_clause" {
		if init := b.Field(cond, "initializer"); init >= 0 {
			for _, c := range b.Named(init) {
				out = b.Stmt(out, c)
			}
		}
		value = b.Field(cond, "value")
		if b.Kind(value) == "declaration" {
			out = variables(b, out, value)
		}
	}
	if value < 0 || torn(b.File, n) {
		for _, c := range b.Within(n) {
			if c != cond {
				out = b.Stmt(out, c)
			}
		}
		return out
	}
	return b.If(out, n, value, b.Field(n, "consequence"), b.Field(n, "alternative"))
}

// torn reports whether the block of a conditional is opened in one branch of conditional compilation and goes on behind another: what
// stands in it is not under this condition alone.
func torn(f *lower.File, n int) bool {
	cond, then := f.Field(n, "condition"), f.Field(n, "consequence")
	if cond < 0 || then < 0 {
		return true
	}
	between := f.Src[f.Nodes[cond].End:f.Nodes[then].Start]
	inside := strings.TrimLeft(strings.TrimPrefix(f.Text(then), "{"), " \t\r\n")
	return strings.Contains(between, "\n#") || strings.HasPrefix(inside, "#else") || strings.HasPrefix(inside, "#elif") || strings.HasPrefix(inside, "#endif")
}

func forStatement(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	switch init := b.Field(n, "initializer"); b.Kind(init) {
	case "declaration":
		out = variables(b, out, init)
	case "init_statement":
		for _, c := range b.Named(init) {
			out = b.Stmt(out, c)
		}
	case "":
	default:
		out = expressionStatement(b, out, n, init)
	}
	loop := b.Loop(nil, n, b.Field(n, "condition"), b.Field(n, "body"), flow.While)
	if len(loop) > 0 {
		if update := b.Field(n, "update"); update >= 0 {
			last := &loop[len(loop)-1]
			last.Body = expressionStatement(b, last.Body, update, update)
		}
	}
	return append(out, loop...)
}

func switched(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	cond := b.Field(n, "condition")
	value := b.First(cond)
	if v := b.Field(cond, "value"); b.Kind(cond) == "condition_clause" && v >= 0 {
		value = v
	}
	out = b.Effects(out, value, value)
	st := b.At(flow.Switch, n)
	st.Value, st.Breaks = b.Expr(value), true
	var arms func(list int)
	arms = func(list int) {
		for _, c := range b.Within(list) {
			switch k := b.Kind(c); {
			case k == "case_statement":
				st.Cases = append(st.Cases, arm(b, c))
			case strings.HasPrefix(k, "preproc_if"), strings.HasPrefix(k, "preproc_el"):
				arms(c)
			case len(st.Cases) > 0:
				last := &st.Cases[len(st.Cases)-1]
				last.Body = b.Stmt(last.Body, c)
			}
		}
	}
	arms(b.Field(n, "body"))
	return append(out, st)
}

func arm(b *lower.Body, n int) flow.Case {
	value := b.Field(n, "value")
	out := flow.Case{Line: b.Line(n), Falls: true}
	if value >= 0 {
		out.Values = []*expr.Expr{b.Expr(value)}
	}
	for _, c := range b.Within(n) {
		if c != value {
			out.Body = b.Stmt(out.Body, c)
		}
	}
	return out
}

func try(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	st := b.At(flow.Try, n)
	st.Body = b.Block(b.Field(n, "body"))
	for _, c := range b.Named(n) {
		if b.Kind(c) != "catch_clause" {
			continue
		}
		name, types := "", ""
		for _, p := range params(b.File, b.Field(c, "parameters")) {
			if p.Name != "..." {
				name, types = p.Name, p.Type
			}
		}
		st.Handlers = append(st.Handlers, b.Handler(c, types, name, b.Field(c, "body")))
	}
	return append(out, st)
}

// conditional reads all branches of conditional compilation. In a function each is a way of its own.
func conditional(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	read := func(list []flow.Stmt) []flow.Stmt {
		for _, c := range b.Within(n) {
			if c == b.Field(n, "condition") || c == b.Field(n, "name") || c == b.Field(n, "alternative") {
				continue
			}
			list = b.Stmt(list, c)
		}
		return list
	}
	alternative := b.Field(n, "alternative")
	if b.Kind(n) == "preproc_else" {
		return read(out)
	}
	if b.Function < 0 {
		out = read(out)
		if alternative >= 0 {
			out = b.Stmt(out, alternative)
		}
		return out
	}
	line, _, _ := strings.Cut(b.Text(n), "\n")
	st := b.At(flow.Switch, n)
	st.Cases = []flow.Case{{Line: b.Line(n), Text: strings.TrimSpace(line), Body: read(nil)}}
	if alternative >= 0 {
		st.Cases = append(st.Cases, flow.Case{Line: b.Line(alternative), Text: "not " + strings.TrimSpace(line), Body: b.Stmt(nil, alternative)})
	} else {
		st.Cases = append(st.Cases, flow.Case{Line: b.Line(n)})
	}
	return append(out, st)
}

// directive reads #error.
func directive(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(b.Text(b.Field(n, "directive"))), "#"))
	text := strings.Trim(strings.TrimSpace(b.Text(b.Field(n, "argument"))), `"`)
	if name != "error" && name != "warning" || text == "" {
		return out
	}
	s := b.Site(map[string]raise.Kind{"error": raise.KindError, "warning": raise.KindWarning}[name], n)
	s.End = s.Start + uint32(len(strings.TrimRight(b.Text(n), "\r\n")))
	s.EndLine = b.RowAt(s.End) + 1
	s.TypeName, s.Message = "#"+name, expr.Str(expr.Fold(text))
	st := b.At(flow.Raise, n)
	st.Goes = true
	return b.Add(out, s, st)
}

func staticAssert(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	cond := b.Field(n, "condition")
	if cond < 0 {
		return out
	}
	s := b.Site(raise.KindAssertion, n)
	s.TypeName = "static_assert"
	for _, c := range b.Named(n) {
		if c != cond {
			s.Message = b.Expr(c)
		}
	}
	if s.Message == nil || s.Message.Is(expr.String) && s.Message.Text == "" {
		s.Message = expr.Str(stringized(b.File, cond))
	}
	st := b.At(flow.Assert, n)
	st.Cond = lower.Truth(b.Expr(cond))
	return b.Add(out, s, st)
}

func expressionStatement(b *lower.Body, out []flow.Stmt, n, e int) []flow.Stmt {
	for b.Kind(e) == "parenthesized_expression" {
		e = b.First(e)
	}
	switch b.Kind(e) {
	case "":
		return out
	case "assignment_expression":
		return assignment(b, out, n, e)
	case "update_expression":
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{b.Expr(b.Field(e, "argument"))}
		return append(out, st)
	case "comma_expression":
		out = expressionStatement(b, out, n, b.Field(e, "left"))
		return expressionStatement(b, out, n, b.Field(e, "right"))
	case "binary_expression":
		if head, parts := stream(b.File, e); len(parts) > 0 && (b.Kind(head) == "identifier" || b.Kind(head) == "field_expression") && lastName(pathOf(b.File, head)) != "cerr" {
			for _, p := range parts {
				out = b.Effects(out, p, n)
			}
			st := b.At(flow.Do, n)
			st.Value = expr.New(expr.Call, "", append([]*expr.Expr{expr.New(expr.Attr, "append", b.Expr(head))}, written(b.File, parts, 0).Args...)...)
			return append(out, st)
		}
	case "call_expression":
		if more, ok := buffer(b, out, n, e); ok {
			return more
		}
	}
	before, sites := len(out), len(b.Facts.Sites)
	out = b.Do(out, e)
	if len(out) > before && neverReturns(b.File, e) && (len(b.Facts.Sites) == sites || out[len(out)-1].Kind == flow.Do) {
		out[len(out)-1].Kind, out[len(out)-1].Leaves, out[len(out)-1].Value = flow.Leave, flow.Throw, nil
	}
	return out
}

// assignment lowers an assignment. One of a text for people to what holds an error's text, before the function is left, is where the
// error is raised.
func assignment(b *lower.Body, out []flow.Stmt, n, e int) []flow.Stmt {
	left, right := b.Field(e, "left"), b.Field(e, "right")
	op := strings.TrimSuffix(b.Text(b.Field(e, "operator")), "=")
	target := b.Expr(left)
	if target.Is(expr.Unary) {
		target = target.Arg(0) // *err = …
	}
	value := b.Value(right)
	if op == "" && keepsError(target, right, b.File) {
		// An error that is made once, for others to answer with.
		u := &use{Body: b, n: e, stmt: n}
		out = u.file(out, raise.KindError, "", kept(b.File, right), true)
	} else if op == "" && b.Kind(right) != "call_expression" && raisesText(b.File, n, target, value) {
		u := &use{Body: b, n: e, stmt: n}
		out = u.file(out, raise.KindError, "", value, true)
	}
	if b.Kind(left) == "pointer_expression" && (b.Kind(right) == "char_literal" || !textual(value)) {
		// What a pointer points to is not what the pointer is.
		out = b.Effects(out, right, n)
		st := b.At(flow.Assign, n)
		st.Targets = []*expr.Expr{target}
		return append(out, st)
	}
	return b.Assign(out, n, target, op, right)
}

// keepsError reports whether a call makes an error's text for a member that is called as one: shared.loadingerr = make("…").
func keepsError(target *expr.Expr, right int, f *lower.File) bool {
	return target.Is(expr.Attr) && errorish(target.Text) && f.Kind(right) == "call_expression" && kept(f, right) != nil
}

// kept is the only text for people within a call; nil if it has none.
func kept(f *lower.File, n int) *expr.Expr {
	var out *expr.Expr
	for c := n; c < f.After(n); c++ {
		if k := f.Kind(c); (k == "string_literal" || k == "concatenated_string") && f.Kind(f.Parent(c)) != "concatenated_string" {
			if out != nil {
				return nil
			}
			if out = f.Expr(c); !prose(literalOf(out)) {
				return nil
			}
		}
	}
	if out.Is(expr.String) {
		out = expr.Str(protocol(out.Text))
	}
	return out
}

// protocol is an answer without what marks it as an error on the wire, which clients do not show: "-ERR text\r\n".
func protocol(s string) string {
	if len(s) > 2 && s[0] == '-' && upper(s[1]) && upper(s[2]) {
		s = s[1:]
	}
	return strings.TrimRight(s, "\r\n")
}

// raisesText reports whether a text that is put into a variable is an error that is raised there.
func raisesText(f *lower.File, n int, target, value *expr.Expr) bool {
	name := target.Last()
	return name != "" && textual(value) && prose(literalOf(value)) && (errorish(name) && follows(f, n) != goesOn ||
		messagish(name) && follows(f, n) != goesOn && alarming(literalOf(value)))
}

// buffer lowers the calls that write a text into a variable.
func buffer(b *lower.Body, out []flow.Stmt, n, e int) ([]flow.Stmt, bool) {
	path, _ := callee(b.File, e)
	nodes := b.Named(b.Field(e, "arguments"))
	format, op := -1, ""
	switch lastName(path) {
	case "sprintf", "vsprintf", "wsprintf", "asprintf", "vasprintf", "strcpy", "stpcpy":
		format = 1
	case "snprintf", "vsnprintf", "_snprintf", "g_snprintf", "scnprintf", "msnprintf", "mvsnprintf", "curl_msnprintf", "sprintf_s", "slprintf":
		format = 2
	case "strlcpy", "strncpy":
		format = 1
	case "strcat", "strlcat", "strncat":
		format, op = 1, "+"
	}
	if format < 0 || len(nodes) <= format {
		return out, false
	}
	args := b.All(nodes, 0)
	target := args[0]
	if target.Is(expr.Unary) {
		target = target.Arg(0)
	}
	value := args[format]
	switch name := lastName(path); {
	case strings.HasPrefix(name, "v") || strings.HasPrefix(name, "mv"):
		value = expr.New(expr.Format, message.Printf, value, expr.New(expr.Spread, "", expr.Ident("...")))
	case strings.Contains(name, "printf"):
		value = expr.New(expr.Format, message.Printf, args[format:]...)
	}
	if target.Path() == "" {
		return out, false
	}
	out = b.Effects(out, b.Field(e, "arguments"), n)
	if raisesText(b.File, n, target, value) {
		u := &use{Body: b, n: e, stmt: n}
		out = u.file(out, raise.KindError, "", value, true)
	}
	st := b.At(flow.Assign, n)
	st.Op, st.Targets, st.Value = op, []*expr.Expr{target}, value
	return append(out, st), true
}

// variables lowers declarations of locals, of members and of what a file keeps.
func variables(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	if t := b.Field(n, "type"); b.Field(t, "body") >= 0 && b.Kind(t) != "enum_specifier" {
		out = b.Stmt(out, t) // a class that is declared within another one, or with a variable
	}
	field := b.Kind(n) == "field_declaration"
	top := b.Function < 0
	typ := typeName(b.Text(b.Field(n, "type")))
	value := b.Field(n, "value")
	if field {
		value = b.Field(n, "default_value")
	}
	for _, d := range b.Named(n) {
		if k := b.Kind(d); !strings.HasSuffix(k, "declarator") && k != "identifier" && k != "field_identifier" || k == "function_declarator" {
			if d > b.Field(n, "type") && b.Kind(d) == "ERROR" {
				out = b.Effects(out, d, n)
			}
			continue
		}
		name := declared(b.File, d)
		at := value
		if b.Kind(d) == "init_declarator" {
			at = b.Field(d, "value")
		}
		if name == "" {
			continue
		}
		target := expr.Ident(strings.ReplaceAll(name, "::", "."))
		if at < 0 {
			if !top {
				st := b.At(flow.Assign, d)
				st.Targets, st.Value = []*expr.Expr{target}, empty(b.File, typ, name)
				out = append(out, st)
			}
			continue
		}
		made := b.Expr(at)
		switch b.Kind(at) {
		case "argument_list":
			args := b.All(b.Named(at), 0)
			made = &expr.Expr{Op: expr.Call, Args: append([]*expr.Expr{dotted(qualified(b.File, typ))}, args...), Src: typ + b.Text(at)}
			made = constructed(b.File, typ, args, made)
		case "initializer_list":
			if d >= 0 && !strings.Contains(b.Text(d), "[") {
				made = constructed(b.File, typ, b.All(b.Named(at), 0), nil)
			}
			out = table(b, out, name, at)
		}
		if top || field {
			if mutable(b.File, d, name) {
				continue
			}
			if made != nil {
				b.Constant(target.Path(), b.Error(made), b.Line(d))
			}
			out = b.Effects(out, at, n)
			continue
		}
		out = b.Effects(out, at, n)
		st := b.At(flow.Assign, n)
		st.Targets, st.Value = []*expr.Expr{target}, b.Error(made)
		out = append(out, st)
	}
	return out
}

// mutable reports whether a pointer to a text is given other texts in the file, or by other files.
func mutable(f *lower.File, d int, name string) bool {
	decl := f.Field(d, "declarator")
	if f.Kind(decl) != "pointer_declarator" || f.ChildOf(decl, "type_qualifier") >= 0 {
		return false
	}
	if p := f.Parent(d); p >= 0 && !strings.HasPrefix(f.Text(p), "static") && !strings.Contains(f.Text(p), "constexpr") {
		return true
	}
	return len(regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\s*=[^=]`).FindAllStringIndex(f.Src, 2)) > 1
}

// empty is what a variable of a type holds that is given no value; nil if that is not known.
func empty(f *lower.File, typ, name string) *expr.Expr {
	switch last := lastName(typ); {
	case last == "ostringstream" || last == "stringstream" || last == "raw_string_ostream":
		return expr.New(expr.List, "", expr.Str(""))
	case last == "string" || last == "QString":
		// One that others fill is not empty.
		if strings.Contains(f.Src, name+" +=") || strings.Contains(f.Src, name+".append(") {
			return expr.Str("")
		}
	}
	return nil
}

// constructed is a variable of a type made with arguments.
func constructed(f *lower.File, typ string, args []*expr.Expr, other *expr.Expr) *expr.Expr {
	switch name := lastName(typ); {
	case isText(typ) && len(args) == 1:
		return args[0]
	case strings.HasSuffix(name, "stringstream"):
		return expr.New(expr.List, "", append([]*expr.Expr{expr.Str("")}, args...)...)
	case ErrorType(name):
		return expr.New(expr.Call, "new", append([]*expr.Expr{dotted(qualified(f, typ))}, args...)...)
	}
	return other
}
