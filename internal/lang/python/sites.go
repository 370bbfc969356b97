package python

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// site starts a site at a statement.
func (b *body) site(kind raise.Kind, i int) raise.Site {
	n := &b.tree.Nodes[i]
	return raise.Site{Kind: kind, Function: b.function, Start: n.Start, End: n.End, Line: b.line(i), EndLine: b.endLine(i), Comment: b.comment(i)}
}

// add files a site and appends the statement that raises it.
func (b *body) add(out []flow.Stmt, s raise.Site, st flow.Stmt) []flow.Stmt {
	if b.silent {
		return out
	}
	st.Site = len(b.facts.Sites)
	b.facts.Sites = append(b.facts.Sites, s)
	return append(out, st)
}

// comment is the text of the comments directly above a statement, or above the branch that it is the first statement of, and
// beside it.
func (b *body) comment(i int) string {
	var parts []string
	for _, n := range []int{b.guard(i), i} {
		if n < 0 {
			continue
		}
		var above []string
		start := int(b.tree.Nodes[n].Start)
		for {
			lineStart := strings.LastIndexByte(b.src[:start], '\n')
			if lineStart < 0 {
				break
			}
			prev := strings.LastIndexByte(b.src[:lineStart], '\n') + 1
			line := strings.TrimSpace(b.src[prev:lineStart])
			if !strings.HasPrefix(line, "#") || len(above) > 10 {
				break
			}
			above = append(above, strings.TrimSpace(strings.TrimLeft(line, "#")))
			start = prev
		}
		slices.Reverse(above)
		parts = append(parts, above...)
		end := strings.IndexByte(b.src[b.tree.Nodes[i].End:], '\n')
		if n == i && end > 0 {
			if beside := strings.TrimSpace(b.src[b.tree.Nodes[i].End : int(b.tree.Nodes[i].End)+end]); strings.HasPrefix(beside, "#") {
				parts = append(parts, strings.TrimSpace(strings.TrimLeft(beside, "#")))
			}
		}
	}
	return strings.Join(parts, "\n")
}

// guard is the if statement whose branch begins with a statement, or -1.
func (b *body) guard(i int) int {
	block := b.tree.Parent(i)
	if b.name(block) != "block" || b.tree.FirstChild(block) != i {
		return -1
	}
	if p := b.tree.Parent(block); b.name(p) == "if_statement" {
		return p
	}
	return -1
}

// raise reads a raise statement.
func (b *body) raise(out []flow.Stmt, i int) []flow.Stmt {
	s := b.site(raise.KindError, i)
	st := b.at(flow.Raise, i)
	cause := b.child(i, b.f.cause)
	var values []int
	for _, k := range b.named(i) {
		if k != cause {
			values = append(values, k)
		}
	}
	if cause >= 0 {
		s.Wraps = b.expr(cause)
	}
	if len(values) == 0 {
		s.Kind = raise.KindReraise
		return b.add(out, s, st)
	}
	value := values[0]
	if b.name(value) == "expression_list" {
		if kids := b.named(value); len(kids) >= 1 { // raise X, "text" of version 2
			s.Type = b.expr(kids[0])
			if len(kids) > 1 {
				s.Args = []*expr.Expr{b.expr(kids[1])}
			}
			return b.add(out, s, st)
		}
	}
	return b.raised(out, b.expr(value), s, st, value)
}

// raised reads the value of a raise statement.
func (b *body) raised(out []flow.Stmt, e *expr.Expr, s raise.Site, st flow.Stmt, value int) []flow.Stmt {
	switch e.Op {
	case expr.Cond:
		way := b.at(flow.If, value)
		way.Cond = e.Arg(0)
		way.Body = b.raised(nil, e.Arg(1), s, st, value)
		way.Else = b.raised(nil, e.Arg(2), s, st, value)
		return append(out, way)
	case expr.Call:
		out = b.grouped(out, e, s, st)
		b.raisedCall(&s, &st, e)
	case expr.Name:
		switch {
		case slices.Contains(b.caught, e.Text):
			s.Kind = raise.KindReraise
		case e.Text[0] >= 'A' && e.Text[0] <= 'Z':
			s.Type = e
		default:
			s.Kind, st.Value = raise.KindReraise, e
		}
	case expr.Attr:
		if e.Text != "" && e.Text[0] >= 'A' && e.Text[0] <= 'Z' {
			s.Type = e
		} else {
			s.Kind, st.Value = raise.KindReraise, e
		}
	default:
		s.Message = &expr.Expr{Op: expr.Unknown, Src: b.text(value)}
	}
	return b.add(out, s, st)
}

// grouped files the errors that are made within the raising of a group of them.
func (b *body) grouped(out []flow.Stmt, e *expr.Expr, s raise.Site, st flow.Stmt) []flow.Stmt {
	if !isGroup(e.Arg(0).Last()) || !e.Arg(2).Is(expr.List) {
		return out
	}
	st.Goes = true
	for _, a := range e.Arg(2).Args {
		if a.Is(expr.Call) && b.errorClass(a.Arg(0)) {
			one := s
			b.raisedCall(&one, &st, a)
			out = b.add(out, one, st)
		}
	}
	return out
}

func isGroup(name string) bool { return name == "ExceptionGroup" || name == "BaseExceptionGroup" }

// raisedCall reads raise X(…): X is a class, or a function that makes the exception.
func (b *body) raisedCall(s *raise.Site, st *flow.Stmt, e *expr.Expr) {
	callee := e.Arg(0)
	last := callee.Last()
	if callee.Is(expr.Attr) && callee.Text == "with_traceback" {
		inner := callee.Arg(0)
		if inner.Is(expr.Call) {
			b.raisedCall(s, st, inner)
			return
		}
		s.Kind, st.Value = raise.KindReraise, inner
		return
	}
	s.Args = append([]*expr.Expr{}, e.Args[1:]...)
	for i, a := range s.Args {
		s.Args[i] = formatted(a)
	}
	if last != "" && (last[0] >= 'A' && last[0] <= 'Z' || last[0] == '_' && len(last) > 1 && last[1] >= 'A' && last[1] <= 'Z') {
		s.Type = callee
		return
	}
	if last == "error" {
		// A class of that name, or a method that makes an error with more than it is given.
		if s.Type = callee; !b.importedName(callee) && len(b.errorMethods) == 1 {
			s.Type, s.Via = nil, b.errorMethods[0]
		}
		return
	}
	if p := b.path(callee); p != "" && !strings.Contains(p, "()") {
		s.Via = p
		return
	}
	s.Type = callee
}

// assert reads an assert statement. Without a message it is a site whose text is empty.
func (b *body) assert(out []flow.Stmt, i int) []flow.Stmt {
	kids := b.named(i)
	st := b.at(flow.Assert, i)
	if len(kids) == 0 {
		return out
	}
	st.Cond = truth(b.expr(kids[0]))
	s := b.site(raise.KindAssertion, i)
	s.TypeName = "AssertionError"
	if len(kids) > 1 {
		s.Message = formatted(b.expr(kids[1]))
	}
	return b.add(out, s, st)
}

// calls files the sites among the calls of an expression, which stands in the statement stmt.
func (b *body) calls(out []flow.Stmt, i, stmt int) []flow.Stmt {
	if i < 0 || b.silent {
		return out
	}
	for c := i; c < b.tree.After(i); c++ {
		switch b.name(c) {
		case "lambda":
			c = b.tree.After(c) - 1
		case "call":
			out = b.call(out, c, stmt)
		}
	}
	return out
}

// call files what a call raises, prints as an error, or may turn out to raise.
func (b *body) call(out []flow.Stmt, c, stmt int) []flow.Stmt {
	fn := b.child(c, b.f.function)
	name := b.name(fn)
	if name != "identifier" && name != "attribute" {
		return out
	}
	last := b.text(fn)
	if name == "attribute" {
		last = b.text(b.child(fn, b.f.attribute))
	}
	kind := callNamed(last)
	if kind == raisesNothing && !b.raisers[last] {
		return out
	}
	e := b.expr(c)
	if !e.Is(expr.Call) {
		return out
	}
	path := b.path(e.Arg(0))
	args := e.Args[1:]
	if f, ok := formOf(last, b.imported(path), args); ok {
		return b.formed(out, f, args, c, stmt)
	}
	if !raisingName(last) && !b.raisers[last] || !hasText(args) {
		return out
	}
	if b.errorClass(e.Arg(0)) || path == "" {
		return out
	}
	s := b.site(raise.KindError, stmt)
	s.Potential, s.Via, s.Args = true, path, append([]*expr.Expr{}, args...)
	st := b.at(flow.Raise, c)
	st.Goes = true
	return b.add(out, s, st)
}

// hasText reports whether an argument holds literal text.
func hasText(args []*expr.Expr) bool {
	for _, a := range args {
		found := false
		a.Walk(func(x *expr.Expr) bool {
			found = found || x.Is(expr.String) && len(x.Text) > 3 && strings.ContainsAny(x.Text, "abcdefghijklmnopqrstuvwxyz")
			return !found && x.Op != expr.Call
		})
		if found {
			return true
		}
	}
	return false
}

// raisingName reports whether a function is called as one that raises what it is given.
func raisingName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"err", "fail", "fatal", "throw", "die", "abort", "bug", "invalid", "bad", "reject", "warn", "usage", "exit",
		"check", "require", "complain", "skip", "exception", "raise", "unsupported", "unexpected"} {
		if strings.Contains(name, part) {
			return !strings.HasPrefix(name, "assert") && name != "checkbox"
		}
	}
	return false
}

// outline records the calls of a function and whether something in it may raise; functions inside it are read on their own.
func (b *body) outline(block int) {
	if block < 0 {
		return
	}
	f := &b.facts.Functions[b.function]
	seen := map[string]bool{}
	for i := block; i < b.tree.After(block); i++ {
		switch b.name(i) {
		case "raise_statement", "assert_statement", "class_definition":
			b.raises = true
		case "return_statement":
			b.gives = true
		case "function_definition":
			b.raises = true
			i = b.tree.After(i) - 1
		case "call":
			fn := b.child(i, b.f.function)
			callee := b.text(fn)
			last := callee[strings.LastIndexByte(callee, '.')+1:]
			b.raises = b.raises || b.mayRaise(i, last)
			if name := b.calleeName(callee); name != "" && !seen[name] {
				seen[name] = true
				f.Calls = append(f.Calls, raise.Call{Callee: name, Line: b.line(i)})
			}
			b.expectedCall(i, last)
		}
	}
}

// calleeName is the name under which a call is recorded; empty for what is no name.
func (b *body) calleeName(callee string) string {
	callee = strings.TrimLeft(callee, "*") // the grammar takes the stars of f(*g()) for a part of the callee in print statements
	if len(callee) > 100 || strings.ContainsAny(callee, " \t\r\n\"'\\") {
		return ""
	}
	if rest, ok := strings.CutPrefix(callee, b.receiver+"."); ok && b.receiver != "" {
		callee = "self." + rest
	}
	return strings.Replace(callee, "super().", "super.", 1)
}

// callName is what a name says of the calls of that name.
type callName uint8

const (
	raisesNothing callName = iota
	raisesGiven            // may be a site if it is given a text
	raisesAlways           // may be a site or an expectation whatever it is given
)

func callNamed(last string) callName {
	if last == "log" {
		return raisesGiven
	}
	if isForm(last) || errorName(last) || expects(last) {
		return raisesAlways
	}
	if raisingName(last) {
		return raisesGiven
	}
	return raisesNothing
}

// mayRaise reports whether a call may be a site or an expectation, or make an error.
func (b *body) mayRaise(call int, last string) bool {
	if b.errorClasses[last] {
		return true
	}
	switch callNamed(last) {
	case raisesAlways:
		return true
	case raisesNothing:
		if !b.raisers[last] {
			return false
		}
	}
	args := b.child(call, b.f.arguments)
	for i := args; i >= 0 && i < b.tree.After(args); i++ {
		if b.name(i) == "string" && says(strings.Trim(b.text(i), "rRuUbBfFtT\"'")) {
			return true
		}
	}
	return false
}

// expects reports whether a call of that name is how a test expects an error.
func expects(last string) bool {
	switch last {
	case "raises", "warns", "assertRaises", "assertWarns", "assertRaisesRegex", "assertRaisesRegexp", "assertWarnsRegex":
		return true
	}
	return false
}
