package c

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// use is a call that is looked at: is it a site?
type use struct {
	*lower.Body
	n, stmt    int // the call, and the statement that it stands in
	path, name string
	nodes      []int
	args       []*expr.Expr
	tail       []int // what is written to it with <<
}

// inner reads the sites within expressions.
func inner(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	switch b.Kind(n) {
	case "call_expression":
		return site(b, out, n, n, stmt, nil)
	case "binary_expression":
		return streamedTo(b, out, n, stmt)
	case "assignment_expression":
		if b.Parent(n) == stmt && b.Kind(stmt) == "expression_statement" {
			return out, false
		}
		// An assignment within an expression is made before what it stands in is judged.
		op := strings.TrimSuffix(b.Text(b.Field(n, "operator")), "=")
		st := b.At(flow.Assign, n)
		st.Op, st.Targets, st.Value = op, []*expr.Expr{b.Expr(b.Field(n, "left"))}, b.Value(b.Field(n, "right"))
		out = b.Effects(out, b.Field(n, "right"), stmt)
		return append(out, st), true
	case "throw_statement":
		return throw(b, out, n, b.First(n)), true
	}
	return out, false
}

// streamedTo reads what is written to a stream of errors, to a log or to a check.
func streamedTo(b *lower.Body, out []flow.Stmt, n, stmt int) ([]flow.Stmt, bool) {
	head, parts := stream(b.File, n)
	if len(parts) == 0 || len(parts) > 60 {
		return out, false
	}
	if b.Kind(head) == "call_expression" {
		more, done := site(b, out, head, n, stmt, parts)
		if done {
			for _, p := range parts {
				more = b.Effects(more, p, stmt)
			}
		}
		return more, done
	}
	switch name := lastName(pathOf(b.File, head)); name {
	case "cerr", "wcerr", "clog", "errs":
		text := written(b.File, parts, 0)
		for _, p := range parts {
			out = b.Effects(out, p, stmt)
		}
		return printedTo(b, out, n, stmt, text), true
	}
	return out, false
}

// site reads a call that may raise; whole is the call with what is written to it.
func site(b *lower.Body, out []flow.Stmt, n, whole, stmt int, tail []int) ([]flow.Stmt, bool) {
	u := &use{Body: b, n: whole, stmt: stmt, tail: tail}
	u.path, _ = callee(b.File, n)
	if u.path == "" || len(u.path) > 120 {
		return out, false
	}
	if rest, ok := strings.CutPrefix(b.Text(b.Field(n, "function")), "throw "); ok && rest != "" {
		// The grammar takes "throw X(…)" within an expression for a call of something in "throw".
		return thrownCall(b, out, n, stmt, rest), true
	}
	u.name = lastName(u.path)
	u.nodes = b.Named(b.Field(n, "arguments"))
	if expected(b, n, u.name, u.nodes) {
		return out, true
	}
	if len(u.nodes) > 40 || quiet(u.name) || isText(u.name) {
		return out, false
	}
	u.nodes, u.args = arguments(b.File, b.Field(n, "arguments"))
	before := len(b.Facts.Sites)
	for _, try := range []func([]flow.Stmt) ([]flow.Stmt, bool){u.special, u.macro, u.leveled, u.check, u.status, u.named} {
		if more, ok := try(out); ok {
			if len(b.Facts.Sites) > before || b.Silent {
				return u.parts(more), true
			}
			return out, false
		}
	}
	if prosaic(u.args) || lower.RaisingName(u.name) {
		return u.potential(out), false
	}
	return out, false
}

// parts reads the arguments for sites of their own, but for those that were taken as the error itself.
func (u *use) parts(out []flow.Stmt) []flow.Stmt {
	last := len(out) - 1
	if last < 0 {
		return out
	}
	site := out[last]
	out = out[:last]
	for _, a := range u.nodes {
		if k := u.Kind(a); k == "lambda_expression" || k == "assignment_expression" || k == "conditional_expression" {
			out = u.Effects(out, a, u.stmt)
		}
	}
	return append(out, site)
}

// prosaic reports whether an argument is a text for people.
func prosaic(args []*expr.Expr) bool {
	return slices.ContainsFunc(args, func(a *expr.Expr) bool { return prose(literalOf(a)) })
}

// quiet reports whether a function of the libraries is none that raises, whatever it is given.
func quiet(name string) bool {
	switch name {
	case "printf", "puts", "strcmp", "strncmp", "strcpy", "memcpy", "snprintf", "sprintf", "strcat", "strlen", "strstr", "strchr", "fopen", "open", "printk", "sizeof", "defined", "malloc", "free",
		"memset", "memcmp", "strerror", "atoi", "strtol", "getenv", "va_start", "va_end", "va_arg", "move", "forward", "push_back", "emplace_back", "insert", "find", "c_str", "size", "begin", "end":
		return true
	}
	return false
}

// file files a site at the call: what it says, and whether the program goes on behind it.
func (u *use) file(out []flow.Stmt, kind raise.Kind, typ string, text *expr.Expr, goes bool) []flow.Stmt {
	s := u.Site(kind, u.place())
	s.TypeName, s.Message = typ, correlated(text)
	st := u.At(flow.Raise, u.n)
	st.Goes = goes
	return u.Add(out, s, st)
}

// place is the node that a site of the call covers: the whole statement, if the call is all of it.
func (u *use) place() int {
	if k := u.Kind(u.stmt); k == "expression_statement" || k == "return_statement" || k == "throw_statement" {
		return u.stmt
	}
	return u.n
}

// guarded files a site that is raised unless cond holds.
func (u *use) guarded(out []flow.Stmt, kind raise.Kind, typ string, text, cond *expr.Expr) []flow.Stmt {
	s := u.Site(kind, u.place())
	s.TypeName, s.Message = typ, correlated(text)
	st := u.At(flow.Assert, u.n)
	st.Cond = lower.Truth(cond)
	return u.Add(out, s, st)
}

// text is what the arguments from i on, and what is written to the call, say; nil if that is nothing.
func (u *use) text(i int) *expr.Expr {
	var out *expr.Expr
	if i < len(u.args) {
		out = printed(u.args[i:])
	}
	if out.Is(expr.String) {
		out = expr.Str(protocol(out.Text))
	}
	if len(u.tail) > 0 {
		out = interp(out, written(u.File, u.tail, 0))
	}
	return out
}

// textAt is the argument that is the text: the first that reads like one, else the first with any literal; -1 if there is none.
func (u *use) textAt() int {
	first := -1
	for i, a := range u.args {
		if !textual(a) {
			continue
		}
		s := literalOf(a)
		if prose(s) || strings.Contains(s, "%") {
			return i
		}
		if first < 0 && len(s) > 3 {
			first = i
		}
	}
	return first
}

// textAtAny reports whether an argument is a text or is made of one.
func (u *use) textAtAny() bool {
	return u.textAt() >= 0 || slices.ContainsFunc(u.args, func(a *expr.Expr) bool {
		return a.Is(expr.Call) && slices.ContainsFunc(a.Args, textual)
	})
}

// errnoText is the words of the system for what failed last.
func errnoText() *expr.Expr {
	return hole(expr.New(expr.Call, "", expr.Ident("strerror"), expr.Ident("errno")))
}

// special reads the calls that the libraries define.
func (u *use) special(out []flow.Stmt) ([]flow.Stmt, bool) {
	args := u.args
	switch u.name {
	case "perror":
		if len(args) == 1 {
			return u.file(out, raise.KindLog, "", interp(args[0], expr.Str(": "), errnoText()), true), true
		}
	case "err", "verr":
		if len(args) > 1 && !textual(args[0]) && textual(args[1]) {
			return u.file(out, raise.KindExit, "", interp(u.text(1), expr.Str(": "), errnoText()), false), true
		}
	case "errx", "verrx":
		if len(args) > 1 && !textual(args[0]) {
			return u.file(out, raise.KindExit, "", u.text(1), false), true
		}
	case "warn":
		if len(args) > 0 && textual(args[0]) && !plus(u.File) {
			return u.file(out, raise.KindWarning, "", interp(u.text(0), expr.Str(": "), errnoText()), true), true
		}
	case "error":
		if len(args) > 2 && textual(args[2]) && !textual(args[0]) {
			text := u.text(2)
			if !(args[1].Is(expr.Number) && args[1].Text == "0") {
				text = interp(text, expr.Str(": "), hole(expr.New(expr.Call, "", expr.Ident("strerror"), args[1])))
			}
			goes := args[0].Is(expr.Number) && args[0].Text == "0"
			return u.file(out, map[bool]raise.Kind{true: raise.KindLog, false: raise.KindExit}[goes], "", text, goes), true
		}
	case "fprintf", "vfprintf", "fputs", "fputc", "fwrite", "dprintf", "write", "print", "fputws", "fwprintf", "println":
		return u.toStderr(out, u.name)
	case "ereport", "ereport_domain", "errsave":
		return u.ereport(out)
	case "PyErr_SetString", "PyErr_Format", "PyErr_WarnEx", "PyErr_WarnFormat":
		if len(args) > 1 {
			typ := strings.TrimPrefix(lastName(args[0].Path()), "PyExc_")
			kind := raise.KindError
			if strings.Contains(u.name, "Warn") {
				kind = raise.KindWarning
			}
			return u.file(out, kind, typ, u.text(slices.IndexFunc(args, textual)), true), slices.ContainsFunc(args, textual)
		}
	case "assert":
		if len(args) == 1 {
			return u.guarded(out, raise.KindAssertion, "assert", expr.Str(stringized(u.File, u.nodes[0])), args[0]), true
		}
	case "BUG_ON", "WARN_ON", "WARN_ON_ONCE", "WARN", "WARN_ONCE":
		if len(args) > 0 && !textual(args[0]) {
			kind := raise.KindWarning
			if u.name == "BUG_ON" {
				kind = raise.KindAssertion
			}
			text := u.text(1)
			if text == nil {
				text = expr.Str(stringized(u.File, u.nodes[0]))
			}
			return u.guarded(out, kind, "", text, flow.Negate(lower.Truth(args[0]))), true
		}
	}
	if strings.HasSuffix(u.name, "fprintf") {
		return u.toStderr(out, "fprintf") // of a project's own
	}
	return out, false
}

// toStderr reads what is printed on the standard error stream.
func (u *use) toStderr(out []flow.Stmt, name string) ([]flow.Stmt, bool) {
	where := slices.IndexFunc(u.args, func(a *expr.Expr) bool {
		if p := a.Path(); p == "STDERR_FILENO" || strings.HasSuffix(p, "stderr") || strings.HasSuffix(p, "cerr") {
			return true
		}
		return (name == "dprintf" || name == "write") && a == u.args[0] && a.Is(expr.Number) && a.Text == "2"
	})
	if where < 0 || len(u.args) < 2 {
		return out, name != "print" && name != "println"
	}
	text := u.args[0]
	if where == 0 {
		switch name {
		case "fprintf", "dprintf", "fwprintf":
			text = expr.New(expr.Format, message.Printf, u.args[1:]...)
		case "vfprintf":
			text = expr.New(expr.Format, message.Printf, u.args[1], expr.New(expr.Spread, "", expr.Ident("...")))
		case "print", "println":
			text = expr.New(expr.Format, message.Brace, u.args[1:]...)
		default:
			text = u.args[1]
		}
	}
	before := len(u.Facts.Sites)
	more := printedTo(u.Body, out, u.n, u.stmt, text)
	return more, len(u.Facts.Sites) > before
}

// printedTo files what is printed on the standard error stream, if it is an error: it says so, or the program gives up behind it.
func printedTo(b *lower.Body, out []flow.Stmt, n, stmt int, text *expr.Expr) []flow.Stmt {
	said := literalOf(text)
	then := follows(b.File, stmt)
	switch {
	case !strings.ContainsAny(strings.ToLower(said), "abcdefghijklmnopqrstuvwxyz"):
		// Helpers print what they are given: the places that give it are the sites where their name says so.
		if then < fails && !lower.RaisingName(functionAround(b.File, n)) {
			return out
		}
		if _, _, ok := manner(functionAround(b.File, n)); ok || flow.Textual(text) && !text.Is(expr.Format) && !text.Is(expr.Interp) {
			return out
		}
	case then < fails && !alarming(said) && !diagnostic(text):
		return out
	}
	u := &use{Body: b, n: n, stmt: stmt}
	kind := raise.KindLog
	switch {
	case then == exits:
		kind = raise.KindExit
	case strings.Contains(strings.ToLower(said[:min(len(said), 40)]), "warning"):
		kind = raise.KindWarning
	}
	return u.file(out, kind, "", text, true)
}

// diagnostic reports whether a text has the form in which programs report what another part of them says: "prog: %s".
func diagnostic(text *expr.Expr) bool {
	first := text.Arg(0)
	if !text.Is(expr.Format) || !first.Is(expr.String) || len(text.Args) < 2 {
		return false
	}
	s := strings.TrimRight(first.Text, "\n")
	head, rest, ok := strings.Cut(s, ": ")
	return ok && head != "" && (lowerCase(head[0]) || head[0] == '%') && !strings.ContainsAny(head, " \t=") && len(head) < 20 &&
		(rest == "%s" || strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ") %s"))
}

// ereport reads ereport(level, (errcode(c), errmsg("…", …), errdetail("…"))) and what is written like it.
func (u *use) ereport(out []flow.Stmt) ([]flow.Stmt, bool) {
	if len(u.nodes) < 2 {
		return out, false
	}
	typ := ""
	var text *expr.Expr
	end := u.After(u.nodes[len(u.nodes)-1])
	for n := u.nodes[1]; n < end; n++ {
		path, ok := callee(u.File, n)
		if !ok || u.Kind(n) != "call_expression" {
			continue
		}
		args := u.All(u.Named(u.Field(n, "arguments")), 0)
		switch lastName(path) {
		case "errcode":
			if len(args) == 1 && args[0].Is(expr.Name) {
				typ = args[0].Text
			}
		case "errmsg", "errmsg_internal":
			if len(args) > 0 && text == nil {
				text = expr.New(expr.Format, message.Printf, args...)
			}
		case "errmsg_plural":
			if len(args) > 2 && text == nil {
				text = expr.New(expr.Alt, "", expr.New(expr.Format, message.Printf, append([]*expr.Expr{args[0]}, args[3:]...)...),
					expr.New(expr.Format, message.Printf, append([]*expr.Expr{args[1]}, args[3:]...)...))
			}
		}
	}
	if text == nil {
		return out, false
	}
	kind, goes := raise.KindError, true
	switch name := u.Text(u.nodes[0]); name {
	case "ERROR":
		goes = false
	case "FATAL", "PANIC":
		kind, goes = raise.KindFatal, false
	case "WARNING", "WARNING_CLIENT_ONLY":
		kind = raise.KindWarning
	case "LOG", "INFO", "NOTICE", "COMMERROR", "DEBUG1", "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5", "LOG_SERVER_ONLY":
		if name != "COMMERROR" && name != "LOG" {
			return out, true
		}
		kind = raise.KindLog
	}
	return u.file(out, kind, typ, text, goes), true
}

// leveled reads a log call whose level is an argument, and what is written to a log of a level.
func (u *use) leveled(out []flow.Stmt) ([]flow.Stmt, bool) {
	for i, a := range u.args {
		if i > 2 || !a.Is(expr.Name) && !a.Is(expr.Attr) && !a.Is(expr.Binary) {
			continue
		}
		name := a.Last()
		if a.Is(expr.Binary) { // LL_WARNING|LL_RAW
			name = a.Arg(0).Last()
		}
		kind, ok := level(name)
		if !ok {
			continue
		}
		if kind == "" {
			return out, true
		}
		at := u.textAt()
		if at < 0 && len(u.tail) == 0 {
			return out, false
		}
		goes := kind != raise.KindFatal || u.name == "syslog"
		if u.name == "elog" && name == "ERROR" {
			kind, goes = raise.KindError, false
		}
		if at < 0 {
			at = len(u.args)
		}
		return u.file(out, kind, "", u.text(at), goes), true
	}
	return out, false
}

// check reads an assertion, or a macro like CHECK, whose argument is the condition.
func (u *use) check(out []flow.Stmt) ([]flow.Stmt, bool) {
	if !checks(u.name) || len(u.args) == 0 || inTests(u.File) && shouting(u.name) {
		return out, false
	}
	all := words(u.name)
	cond, rest := -1, len(u.args)
	for i, a := range u.args {
		if textual(a) && !a.Is(expr.Binary) {
			rest = i
			break
		}
		if cond < 0 || judges(a) && !judges(u.args[cond]) {
			cond = i
		}
	}
	if cond < 0 {
		return out, false
	}
	if last := all[len(all)-1]; !shouting(u.name) && !judges(u.args[cond]) && (last != "assert" && last != "asserts" || len(u.args) > 2) {
		return out, true // assert_lockless(x), assertStringReply(x, "OK", 2)
	}
	holds, shown := u.args[cond], stringized(u.File, u.nodes[cond])
	if op := comparison(u.name); op != "" && cond+1 < len(u.args) && rest > cond+1 {
		holds = expr.New(expr.Compare, op, u.args[cond], u.args[cond+1])
		shown += " " + op + " " + stringized(u.File, u.nodes[cond+1])
	} else if rest == len(u.args) && len(u.args) > cond+1 && len(u.tail) == 0 && !judges(holds) {
		return out, false
	}
	text := u.text(rest)
	kind, typ := raise.KindAssertion, ""
	switch {
	case slices.Contains(all, "check") && len(all) <= 2, slices.Contains(all, "dcheck"), slices.Contains(all, "qcheck"), slices.Contains(all, "pcheck"):
		if len(all) == 1 || comparison(u.name) != "" || all[len(all)-1] == "ok" || all[0] != "check" && len(all) == 1 {
			typ = "CHECK"
			text = interp(expr.Str("Check failed: "+shown+" "), text)
		}
	case slices.Contains(all, "assert") && text == nil:
		typ = "assert"
	}
	if text == nil {
		text = expr.Str(shown)
	}
	return u.guarded(out, kind, typ, text, holds), true
}

// stringized is the source of an expression as the preprocessor prints it: on one line, without comments.
func stringized(f *lower.File, n int) string {
	text := f.Text(n)
	if strings.Contains(text, "/") {
		base := int(f.Nodes[n].Start)
		out := []byte(text)
		comment := f.Dialect.Grammar.Symbol("comment")
		for c := n; c < f.After(n); c++ {
			if f.Symbol(c) == comment {
				for i := int(f.Nodes[c].Start) - base; i < int(f.Nodes[c].End)-base && i < len(out); i++ {
					out[i] = ' '
				}
			}
		}
		text = string(out)
	}
	return strings.Join(strings.Fields(unfolded(text)), " ")
}

// judges reports whether an expression is a condition by its form.
func judges(e *expr.Expr) bool {
	return e.Is(expr.Compare) || e.Is(expr.And) || e.Is(expr.Or) || e.Is(expr.Not)
}

// comparison is the operator that the name of a check ends with: CHECK_EQ.
func comparison(name string) string {
	all := words(name)
	switch all[len(all)-1] {
	case "eq":
		return "=="
	case "ne":
		return "!="
	case "lt":
		return "<"
	case "le":
		return "<="
	case "gt":
		return ">"
	case "ge":
		return ">="
	}
	return ""
}

// inTests reports whether a file includes a test framework, whose checks are those of tests.
func inTests(f *lower.File) bool {
	return slices.ContainsFunc(f.Facts.Imports, func(i raise.Import) bool {
		for _, name := range []string{"gtest", "gmock", "catch", "doctest", "boost/test", "CppUTest", "unity.h", "cmocka", "check.h", "greatest.h", "munit.h", "cutest.h"} {
			if strings.Contains(i.Module, name) {
				return true
			}
		}
		return false
	})
}

// status reads an error that is made as a value: Status::Corruption("…"), absl::NotFoundError("…"), X("…") where X is an error.
func (u *use) status(out []flow.Stmt) ([]flow.Stmt, bool) {
	head, _, ok := strings.Cut(u.path, "."+u.name)
	made := ok && strings.HasSuffix(head, "Status") && u.name != "" && upper(u.name[0]) && u.name != "OK"
	if ok && plus(u.File) && ErrorType(lastName(head)) && !strings.Contains(u.path, "(") && u.Kind(u.Field(u.n, "function")) == "qualified_identifier" && u.textAtAny() {
		s := u.Site(raise.KindError, u.place())
		s.Via, s.Args = u.Path(u.path), u.args
		st := u.At(flow.Raise, u.n)
		st.Goes = true
		return u.Add(out, s, st), true
	}
	if !plus(u.File) || !made && !construct(u.name) || u.Kind(u.Parent(u.n)) == "throw_statement" || shouting(u.name) {
		return out, false
	}
	at := u.textAt()
	if at < 0 {
		return out, false
	}
	typ, text := u.path, u.text(at)
	if made {
		if len(u.args) == 2 {
			at = 0
		}
		var parts []*expr.Expr
		for i, a := range u.args[at:] {
			if i > 0 {
				parts = append(parts, expr.Str(": "))
			}
			parts = append(parts, a)
		}
		if len(parts) > 1 && !strings.Contains(literalOf(u.args[at]), "{") && !strings.Contains(literalOf(u.args[at]), "%") {
			text = interp(parts...)
		}
		typ = "Status." + u.name
	}
	s := u.Site(raise.KindError, u.place())
	s.Type, s.Message, s.Args = dotted(typ), text, u.args
	if !made {
		s.Message = nil // what the type makes of it
	}
	st := u.At(flow.Raise, u.n)
	st.Goes = true
	return u.Add(out, s, st), true
}

// named reads a call whose name says that it raises the text that it is given.
func (u *use) named(out []flow.Stmt) ([]flow.Stmt, bool) {
	kind, goes, ok := manner(u.name)
	if !ok {
		return out, false
	}
	all := words(u.name)
	if slices.Contains(all, "throw") && len(u.nodes) > 0 {
		if k := u.Kind(u.nodes[0]); (k == "call_expression" || k == "compound_literal_expression") && !textual(u.args[0]) {
			return throw(u.Body, out, u.stmt, u.nodes[0]), true
		}
	}
	at := u.textAt()
	if at < 0 && len(u.tail) > 0 {
		at = len(u.args)
	}
	if at < 0 || inTests(u.File) && shouting(u.name) && kind == raise.KindError {
		return out, false
	}
	if at < len(u.args) && len(all) > 1 && len(u.tail) == 0 {
		// A single word given to report_error(x, "word") is as well the name of something.
		if s := literalOf(u.args[at]); !prose(s) && !strings.Contains(s, "%") && !slices.Contains(all, "throw") && !slices.Contains(all, "die") {
			return out, false
		}
	}
	typ := ""
	if slices.Contains(all, "throw") && at > 0 && ErrorType(u.args[at-1].Last()) {
		typ = u.args[at-1].Last()
	}
	out = u.file(out, kind, typ, u.text(at), goes)
	if u.Raiser(u.name) && !shouting(u.name) && len(u.tail) == 0 && u.path == u.name {
		// What the function, one of this file, makes of the text is known there.
		last := out[len(out)-1]
		out = append(u.potential(out[:len(out)-1]), last)
	}
	return out, true
}

// potential files a call that raises what it is given if what it names turns out to do that.
func (u *use) potential(out []flow.Stmt) []flow.Stmt {
	if slices.IndexFunc(u.args, textual) < 0 || inTests(u.File) || u.Silent {
		return out
	}
	s := u.Site(raise.KindError, u.place())
	s.Potential, s.Via, s.Args = true, u.Path(u.path), append([]*expr.Expr{}, u.args...)
	st := u.At(flow.Raise, u.n)
	st.Goes = true
	return u.Add(out, s, st)
}
