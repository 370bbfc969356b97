package rust

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// raises reports whether a call is of a form that can be a site.
func raises(f *lower.File, n int) bool {
	c := f.Field(n, "function")
	if isMacro(f, n) {
		name := macroName(f.Text(c))
		return !strings.Contains(name, "format") && name != "write" && name != "writeln" && name != "concat" && name != "dbg" && name != "print" && name != "println"
	}
	if f.Kind(c) == "field_expression" {
		switch f.Text(f.Field(c, "field")) {
		case "expect", "unwrap", "expect_err", "unwrap_err", "ok_or", "ok_or_else", "map_err", "context", "with_context", "wrap_err", "wrap_err_with", "fail",
			"whatever_context", "with_whatever_context":
			return true
		}
		return false
	}
	return f.Text(c) == "Err" || f.Kind(c) == "scoped_identifier" && isError(f, spelled(f, c))
}

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "call_expression":
	case "macro_invocation":
		return expanded(b, out, n, stmt), true
	case "return_expression", "break_expression", "continue_expression", "assignment_expression", "compound_assignment_expr":
		return evaluated(b, out, n), true
	case "function_item", "impl_item":
		return b.Stmt(out, n), true
	case "if_expression", "match_expression", "while_expression", "loop_expression", "for_expression", "block", "unsafe_block", "async_block":
		return control(b, out, n)
	default:
		return out, false
	}
	nodes := b.Named(b.Field(n, "arguments"))
	c := b.Field(n, "function")
	if isMacro(b.File, n) {
		for _, a := range nodes {
			out = b.Effects(out, a, stmt)
		}
		return macro(b, out, n, stmt, nodes), true
	}
	if b.Kind(c) == "field_expression" {
		return methodSite(b, out, n, stmt, c, nodes)
	}
	if b.Text(c) == "Err" && len(nodes) == 1 {
		return given(b, out, n, stmt, nodes[0]), true
	}
	if path, _ := callee(b.File, n); path != "" && !isError(b.File, b.Expr(c)) && !makesError(b.File, path) {
		out = b.Potential(out, n, stmt, path, b.All(nodes, 0))
	}
	return out, false
}

// makesError reports whether a path names a function of an error type, which makes errors and raises none.
func makesError(f *lower.File, path string) bool {
	owner := last(strings.TrimSuffix(path, "."+last(path)))
	return errorType(owner) || own(f).errors[owner]
}

// given files the error that Err(value) gives back.
func given(b *lower.Body, out []flow.Stmt, n, stmt, value int) []flow.Stmt {
	if p := b.Kind(b.Parent(n)); strings.HasSuffix(p, "pattern") {
		return out
	}
	before := len(out)
	for _, part := range b.Named(value) {
		out = b.Effects(out, part, stmt)
	}
	e := made(b.File, value, 0)
	if stmt == n || b.Kind(stmt) == "expression_statement" || b.Line(stmt) != b.Line(n) && b.Kind(stmt) != "return_expression" {
		stmt = n
	}
	s := b.Site(raise.KindError, stmt)
	st := b.At(flow.Raise, stmt)
	st.Goes = true
	if !errorSite(b, &s, &st, e) {
		return out[:max(before, len(out))]
	}
	return b.Add(out, s, st)
}

// errorSite fills a site from the error that it makes; false if nothing is made here.
func errorSite(b *lower.Body, s *raise.Site, st *flow.Stmt, e *expr.Expr) bool {
	switch {
	case e == nil:
		return false
	case e.Is(expr.Unknown) && e.Src == "()":
		s.Args = []*expr.Expr{}
	case e.Is(expr.Error):
		s.Type, s.Message = e.Arg(0), e.Arg(1)
		s.Args = append([]*expr.Expr{}, e.Args[2:]...)
	case flow.Textual(e):
		s.Message = e
	case e.Is(expr.Call) && b.Path(e.Arg(0).Path()) != "":
		s.Via, s.Args = strings.TrimSuffix(e.Arg(0).Path(), "()"), append([]*expr.Expr{}, e.Args[1:]...)
		if name := last(s.Via); name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			s.Type, s.Via = e.Arg(0), ""
		}
	case e.Is(expr.Map) && e.Text != "":
		s.Type, s.Args = dotted(e.Text), append([]*expr.Expr{}, e.Args...)
	case e.Is(expr.Attr) && e.Arg(0).Is(expr.Name) && !isLower(e.Arg(0).Text):
		s.Type, s.Args = e, []*expr.Expr{}
	case e.Is(expr.Name) && !isLower(e.Text):
		if strings.ToUpper(e.Text) == e.Text && len(e.Text) > 1 {
			s.Sentinel = e.Text
		}
		s.Type, s.Args = e, []*expr.Expr{}
	case e.Is(expr.Name) || e.Is(expr.Attr):
		s.Kind, st.Value = raise.KindReraise, e
	default:
		s.Message = &expr.Expr{Op: expr.Unknown, Src: e.Src}
	}
	return true
}

// dotted is the expression that a dotted path spells.
func dotted(p string) *expr.Expr {
	var e *expr.Expr
	for part := range strings.SplitSeq(p, ".") {
		if e == nil {
			e = expr.Ident(part)
		} else {
			e = expr.New(expr.Attr, part, e)
		}
	}
	return e
}

// macro files a macro that raises or reports.
func macro(b *lower.Body, out []flow.Stmt, n, stmt int, nodes []int) []flow.Stmt {
	if b.Kind(stmt) != "expression_statement" && b.Line(stmt) != b.Line(n) {
		stmt = n
	}
	name := macroName(b.Text(b.Field(n, "function")))
	args := b.All(nodes, 0)
	s := b.Site(raise.KindPanic, n)
	s.TypeName = "panic"
	st := b.At(flow.Raise, n)
	switch name {
	case "panic":
		s.Message = formatted(args)
		if s.Message == nil {
			s.Message = expr.Str("explicit panic")
		}
	case "unreachable":
		s.Message = prefixed("internal error: entered unreachable code", args)
	case "todo":
		s.Message = prefixed("not yet implemented", args)
	case "unimplemented":
		s.Message = prefixed("not implemented", args)
	case "assert", "debug_assert", "prop_assert":
		return assertion(b, out, s, n, nodes, args)
	case "assert_eq", "debug_assert_eq", "assert_ne", "debug_assert_ne":
		return comparison(b, out, s, n, strings.HasSuffix(name, "eq"), args)
	case "bail", "whatever":
		s.Kind, s.TypeName = raise.KindError, ""
		return bail(b, out, s, st, args)
	case "ensure":
		return ensure(b, out, s, n, nodes, args)
	case "internal_err", "plan_err", "exec_err", "not_impl_err":
		s.Kind, s.TypeName, s.Message = raise.KindError, "", formatted(args)
		st.Goes = true
	case "compile_error":
		if s.Kind, s.TypeName, s.Message = raise.KindError, "", formatted(args); s.Message == nil {
			return out
		}
	case "error", "eprintln", "eprint":
		s.Kind, s.TypeName, st.Goes = raise.KindLog, "", true
		if s.Message = formatted(args); !flow.Textual(s.Message) {
			return out
		}
		if name != "error" && exits(b, n) {
			s.Kind = raise.KindExit
		}
	default:
		return out
	}
	return b.Add(out, s, st)
}

// exits reports whether the statement behind the one of a call ends the process.
func exits(b *lower.Body, n int) bool {
	p := b.Parent(n)
	if b.Kind(p) != "expression_statement" {
		return false
	}
	found := false
	for _, c := range b.Named(b.Parent(p)) {
		if found {
			return strings.Contains(b.Text(c), "exit(") && len(b.Text(c)) < 80
		}
		found = c == p
	}
	return false
}

// prefixed is what the runtime writes before the text of a macro that needs none.
func prefixed(prefix string, args []*expr.Expr) *expr.Expr {
	if len(args) == 0 {
		return expr.Str(prefix)
	}
	return then(expr.Str(prefix+": "), formatted(args))
}

// assertion files assert!(condition, …).
func assertion(b *lower.Body, out []flow.Stmt, s raise.Site, n int, nodes []int, args []*expr.Expr) []flow.Stmt {
	if len(args) == 0 {
		return out
	}
	s.Kind = raise.KindAssertion
	if tested(b.File, n) {
		s.Kind = raise.KindTest
	}
	if s.Message = formatted(args[1:]); s.Message == nil {
		s.Message = expr.Str("assertion failed: " + strings.Join(strings.Fields(b.Text(nodes[0])), " "))
	}
	st := b.At(flow.Assert, n)
	st.Cond = lower.Truth(args[0])
	return b.Add(out, s, st)
}

// comparison files assert_eq!(left, right, …) and its like.
func comparison(b *lower.Body, out []flow.Stmt, s raise.Site, n int, equal bool, args []*expr.Expr) []flow.Stmt {
	if len(args) < 2 {
		return out
	}
	s.Kind = raise.KindAssertion
	if tested(b.File, n) {
		s.Kind = raise.KindTest
	}
	op := map[bool]string{true: "==", false: "!="}[equal]
	own := expr.Str("")
	if text := formatted(args[2:]); text != nil {
		own = then(expr.Str(": "), text)
	}
	s.Message = then(expr.Str("assertion `left "+op+" right` failed"), own, expr.Str("\n  left: "), debug(args[0]), expr.Str("\n right: "), debug(args[1]))
	st := b.At(flow.Assert, n)
	st.Cond = expr.New(expr.Compare, op, args[0], args[1])
	return b.Add(out, s, st)
}

// bail files a macro that returns the error that it makes of its arguments.
func bail(b *lower.Body, out []flow.Stmt, s raise.Site, st flow.Stmt, args []*expr.Expr) []flow.Stmt {
	if len(args) == 1 && !args[0].Is(expr.String) {
		if !errorSite(b, &s, &st, args[0]) {
			return out
		}
		return b.Add(out, s, st)
	}
	s.Message = formatted(args)
	return b.Add(out, s, st)
}

// ensure files ensure!(condition, …).
func ensure(b *lower.Body, out []flow.Stmt, s raise.Site, n int, nodes []int, args []*expr.Expr) []flow.Stmt {
	if len(args) == 0 {
		return out
	}
	s.Kind, s.TypeName = raise.KindError, ""
	st := b.At(flow.Assert, n)
	st.Cond = lower.Truth(args[0])
	switch {
	case len(args) == 1:
		s.Message = expr.Str("Condition failed: `" + strings.Join(strings.Fields(b.Text(nodes[0])), " ") + "`")
	case len(args) == 2 && !args[1].Is(expr.String):
		if !errorSite(b, &s, &st, made(b.File, nodes[1], 0)) {
			return out
		}
	default:
		s.Message = formatted(args[1:])
	}
	return b.Add(out, s, st)
}

// methodSite reads a call of a method that panics, makes an error of an absent value, or puts a text before an error.
func methodSite(b *lower.Body, out []flow.Stmt, n, stmt, c int, nodes []int) ([]flow.Stmt, bool) {
	on, name := b.Field(c, "value"), b.Text(b.Field(c, "field"))
	switch name {
	case "expect", "unwrap", "expect_err", "unwrap_err":
		if len(nodes) > 1 || len(nodes) == 0 && tested(b.File, n) {
			return out, false
		}
		out = b.Effects(out, on, stmt)
		return unwrapped(b, out, n, on, name, nodes), true
	case "ok_or", "ok_or_else":
		if len(nodes) != 1 {
			return out, false
		}
		out = b.Effects(out, on, stmt)
		return absent(b, out, n, stmt, on, nodes[0]), true
	case "map_err", "context", "with_context", "wrap_err", "wrap_err_with", "whatever_context", "with_whatever_context":
		if len(nodes) != 1 {
			return out, false
		}
		out = b.Effects(out, on, stmt)
		return failed(b, out, n, on, nodes[0], name != "map_err"), true
	case "fail":
		if e := made(b.File, on, 0); e.Is(expr.Error) && len(nodes) == 0 {
			s := b.Site(raise.KindError, n)
			st := b.At(flow.Raise, n)
			st.Goes = true
			errorSite(b, &s, &st, e)
			return b.Add(out, s, st), true
		}
	}
	if path, _ := callee(b.File, n); path != "" {
		out = b.Potential(out, n, stmt, path, b.All(nodes, 0))
	}
	return out, false
}

// unwrapped files expect and unwrap: of an option the text alone, of a result the error behind it.
func unwrapped(b *lower.Body, out []flow.Stmt, n, on int, name string, nodes []int) []flow.Stmt {
	value := b.Expr(on)
	var text *expr.Expr
	if len(nodes) == 1 {
		if text = b.Expr(nodes[0]); !flow.Textual(text) && text.Path() == "" {
			return out // a method of a parser or the like
		}
	} else if name == "expect" || name == "expect_err" {
		return out
	}
	s := b.Site(raise.KindPanic, n)
	s.TypeName = "panic"
	if tested(b.File, n) {
		s.Kind = raise.KindTest
	}
	good := ""
	failure := &expr.Expr{Op: expr.Unknown, Src: "error"}
	ofNone, ofErr := text, then(text, expr.Str(": "), debug(failure))
	if text == nil {
		ofNone = expr.Str("called `Option::unwrap()` on a `None` value")
		ofErr = then(expr.Str("called `Result::unwrap()` on an `Err` value: "), debug(failure))
	}
	switch kind := yields(b.File, on); {
	case strings.HasSuffix(name, "_err"):
		good, s.Message = "is_err", ofErr
		if text == nil {
			s.Message = then(expr.Str("called `Result::unwrap_err()` on an `Ok` value: "), debug(failure))
		}
	case kind == "option":
		good, s.Message = "is_some", ofNone
	case kind == "result":
		good, s.Message = "is_ok", ofErr
	default:
		s.Message = expr.New(expr.Alt, "", ofNone, ofErr)
	}
	raised := b.At(flow.Raise, n)
	raised.Goes = true // what is opened without a panic is no branch that others depend on
	if good == "" {
		return onFailure(b, out, n, on, "", b.Add(nil, s, raised))
	}
	st := b.At(flow.If, n)
	st.Cond = holds(value, opposite(good))
	st.Body = b.Add(nil, s, raised)
	return append(out, st)
}

// holds is the condition that a value is what the method asks.
func holds(value *expr.Expr, method string) *expr.Expr {
	return expr.New(expr.Truthy, "", expr.New(expr.Call, "", expr.New(expr.Attr, method, value)))
}

// opposite is the method that asks for the contrary.
func opposite(method string) string {
	switch method {
	case "is_some":
		return "is_none"
	case "is_ok":
		return "is_err"
	}
	return "is_ok"
}

// onFailure lowers what is done where a call failed, whose error has a name ("" for none).
func onFailure(b *lower.Body, out []flow.Stmt, n, call int, name string, body []flow.Stmt) []flow.Stmt {
	st := b.At(flow.Try, n)
	done := b.At(flow.Do, n)
	done.Value = b.Expr(call)
	st.Body = []flow.Stmt{done}
	st.Handlers = []flow.Handler{{Line: b.Line(n), Name: name, Body: body}}
	return append(out, st)
}

// yields says whether a call gives an "option" or a "result", by what the standard library's methods of the name give; "" if unknown.
func yields(f *lower.File, n int) string {
	if f.Kind(n) == "await_expression" {
		n = f.First(n)
	}
	if f.Kind(n) != "call_expression" {
		return ""
	}
	name, _ := callee(f, n)
	if name == "" {
		if c := f.Field(n, "function"); f.Kind(c) == "field_expression" {
			name = f.Text(f.Field(c, "field"))
		}
	}
	if i := strings.IndexByte(last(name), '<'); i > 0 {
		name = last(name)[:i]
	}
	switch last(name) {
	case "get", "get_mut", "next", "next_back", "pop", "pop_front", "pop_back", "first", "last", "first_mut", "last_mut", "ok", "err", "take", "as_mut", "find",
		"position", "max", "min", "max_by_key", "min_by_key", "nth", "peek", "checked_add", "checked_sub", "checked_mul", "checked_div", "strip_prefix",
		"strip_suffix", "split_once", "rsplit_once", "file_name", "parent", "extension", "file_stem", "to_str", "front", "back", "rposition", "find_map",
		"and_then_some", "to_digit", "from_digit", "from_u32", "split_first", "split_last", "captures", "chars_next", "last_key_value", "first_key_value":
		return "option"
	case "parse", "lock", "recv", "send", "read", "write", "read_to_string", "from_str", "from_utf8", "open", "create", "read_line", "write_all", "flush",
		"try_into", "try_from", "ok_or", "ok_or_else", "map_err", "spawn", "output", "status", "wait", "connect", "bind", "canonicalize", "current_dir",
		"create_dir", "create_dir_all", "remove_file", "remove_dir_all", "read_dir", "metadata", "to_string_pretty", "from_slice", "from_reader", "from_str_radix",
		"duration_since", "write_str", "write_fmt", "try_borrow", "try_lock", "set_logger", "into_string", "copy", "rename", "context", "with_context":
		return "result"
	}
	return ""
}

// absent files ok_or(error) and ok_or_else(|| error).
func absent(b *lower.Body, out []flow.Stmt, n, stmt, on, value int) []flow.Stmt {
	e := made(b.File, value, 0)
	if e.Is(expr.Func) {
		if e.Arg(0) == nil {
			return b.Effects(out, value, stmt)
		}
		e = e.Arg(0)
	}
	s := b.Site(raise.KindError, n)
	raised := b.At(flow.Raise, n)
	if !errorSite(b, &s, &raised, e) || s.Kind == raise.KindReraise {
		return out
	}
	if b.Kind(b.Parent(n)) == "try_expression" {
		st := b.At(flow.Assert, n)
		st.Cond = holds(b.Expr(on), "is_some")
		return b.Add(out, s, st)
	}
	raised.Goes = true
	st := b.At(flow.If, n)
	st.Cond = holds(b.Expr(on), opposite("is_some"))
	st.Body = b.Add(nil, s, raised)
	return append(out, st)
}

// failed files what map_err makes of an error, and the text that context puts before one.
func failed(b *lower.Body, out []flow.Stmt, n, on, value int, context bool) []flow.Stmt {
	e := made(b.File, value, 0)
	var caught []string
	if b.Kind(value) == "closure_expression" {
		_, caught, _ = lambda(b.File, value)
		if e.Is(expr.Func) && e.Arg(0) == nil {
			return b.Effects(out, value, n)
		}
	}
	if e.Is(expr.Func) {
		e = e.Arg(0)
	}
	if e == nil || e.Is(expr.Name) || e.Is(expr.Attr) || !context && !e.Is(expr.Error) && !flow.Textual(e) && !e.Is(expr.Call) {
		return out // a conversion, which is a link of the chain
	}
	s := b.Site(raise.KindError, n)
	raised := b.At(flow.Raise, n)
	if !errorSite(b, &s, &raised, e) {
		return out
	}
	if s.Via != "" && !context && !strings.Contains(e.String(), "\"") && !makesError(b.File, s.Via) {
		return out // a conversion by a function
	}
	s.Wraps = b.Expr(on)
	name := ""
	if len(caught) == 1 {
		name = caught[0]
	}
	return onFailure(b, out, n, on, name, b.Add(nil, s, raised))
}
