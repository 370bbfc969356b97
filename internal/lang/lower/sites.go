package lower

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// Site starts a site at a statement.
func (b *Body) Site(kind raise.Kind, n int) raise.Site {
	node := &b.Nodes[n]
	return raise.Site{Kind: kind, Function: b.Function, Start: node.Start, End: node.End, Line: b.Line(n), EndLine: b.EndLine(n), Comment: b.comment(n)}
}

// Add files a site and appends the statement that raises it.
func (b *Body) Add(out []flow.Stmt, s raise.Site, st flow.Stmt) []flow.Stmt {
	if b.Silent {
		return out
	}
	st.Site = len(b.Facts.Sites)
	b.Facts.Sites = append(b.Facts.Sites, s)
	return append(out, st)
}

// Throw lowers a statement or expression that raises value; stmt is the statement that it stands in. value is -1 where what was
// caught is raised again.
func (b *Body) Throw(out []flow.Stmt, stmt, value int) []flow.Stmt {
	s := b.Site(raise.KindError, stmt)
	st := b.At(flow.Raise, stmt)
	if value < 0 {
		s.Kind = raise.KindReraise
		return b.Add(out, s, st)
	}
	// What is raised is this site; only its parts can be sites of their own.
	for _, part := range b.Named(value) {
		out = b.Effects(out, part, stmt)
	}
	e := b.Value(value)
	if b.reraised(e) {
		s.Kind, st.Value = raise.KindReraise, e
		if e.Is(expr.Name) && slices.Contains(b.Caught, e.Text) {
			st.Value = nil
		}
		return b.Add(out, s, st)
	}
	b.raised(&s, &st, e)
	return b.Add(out, s, st)
}

// reraised reports whether what is raised is a value made elsewhere.
func (b *Body) reraised(e *expr.Expr) bool { return e.Is(expr.Name) || e.Is(expr.Attr) }

// raised fills a site from the value that it raises.
func (b *Body) raised(s *raise.Site, st *flow.Stmt, e *expr.Expr) {
	switch {
	case e.Is(expr.Error):
		s.Type, s.Message = e.Arg(0), e.Arg(1)
		s.Args = slices.Clone(e.Args[2:])
		if s.Args == nil {
			s.Args = []*expr.Expr{}
		}
		s.Wraps = b.wraps(s.Args)
	case e.Is(expr.Call) && e.Text == "new":
		s.Type, s.Args = e.Arg(0), append([]*expr.Expr{}, e.Args[1:]...)
		s.Wraps = b.wraps(s.Args)
	case e.Is(expr.Call) && b.Path(e.Arg(0).Path()) != "":
		s.Via, s.Args = b.Path(e.Arg(0).Path()), append([]*expr.Expr{}, e.Args[1:]...)
	case e.Is(expr.Cond):
		// One of two errors: both are this site.
		st.Value = expr.New(expr.Alt, "", e.Args[1:]...)
		s.Kind = raise.KindReraise
	case flow.Textual(e):
		s.Message = e
	default:
		s.Message = &expr.Expr{Op: expr.Unknown, Src: e.Src}
	}
}

// wraps is the argument that is the error which another one is chained to: a caught name.
func (b *Body) wraps(args []*expr.Expr) *expr.Expr {
	for _, a := range args {
		if a.Is(expr.Name) && slices.Contains(b.Caught, a.Text) {
			return a
		}
	}
	return nil
}

// Form is a call that raises or reports, as a language's table of them says.
type Form struct {
	Kind raise.Kind
	Type string // what it raises; "" where it has no type
	// Text is the argument that is the message, counted from 0; -1 for none.
	Text int
	// Format is the dialect in which the message is a format of the arguments behind it; "" if it is a plain text.
	Format string
	// Cond is the argument that must hold, counted from 1; 0 if the call raises wherever it stands. Negative: the argument must not
	// be absent (-1 is the first).
	Cond int
	// Goes says that execution continues behind it.
	Goes bool
	// Needs says that it is a site only with a text.
	Needs bool
	// Default is the message that the runtime prints where none is given.
	Default string
}

// Call files a call of a known form with the arguments args.
func (b *Body) Call(out []flow.Stmt, n, stmt int, form Form, args []*expr.Expr) []flow.Stmt {
	s := b.Site(form.Kind, stmt)
	s.TypeName = form.Type
	if form.Text >= 0 && form.Text < len(args) {
		s.Message = args[form.Text]
		if rest := args[form.Text:]; form.Format != "" && len(rest) > 1 {
			s.Message = expr.New(expr.Format, form.Format, rest...)
		}
		if f := s.Message; f.Is(expr.Func) && f.Arg(0) != nil {
			s.Message = f.Arg(0)
		}
	}
	if s.Message == nil && form.Default != "" {
		s.Message = expr.Str(form.Default)
	}
	if form.Needs && (s.Message == nil || !flow.Textual(s.Message) && !s.Message.Is(expr.Name) && !s.Message.Is(expr.Attr) && !s.Message.Is(expr.Call)) {
		return out
	}
	st := b.At(flow.Raise, n)
	st.Goes = form.Goes
	switch at := form.Cond; {
	case at > 0 && at <= len(args):
		st.Kind, st.Cond = flow.Assert, Truth(args[at-1])
	case at < 0 && -at <= len(args):
		value := args[-at-1]
		st.Kind, st.Cond = flow.Assert, expr.New(expr.Compare, "!=", value, expr.New(expr.Null, "null"))
	}
	return b.Add(out, s, st)
}

// Potential files a call that raises what it is given if the function that it names turns out to do that.
func (b *Body) Potential(out []flow.Stmt, n, stmt int, path string, args []*expr.Expr) []flow.Stmt {
	path = b.Path(path)
	last := path[strings.LastIndexByte(path, '.')+1:]
	if path == "" || !RaisingName(last) && !b.raisers[last] || !hasText(args) {
		return out
	}
	s := b.Site(raise.KindError, stmt)
	s.Potential, s.Via, s.Args = true, path, append([]*expr.Expr{}, args...)
	st := b.At(flow.Raise, n)
	st.Goes = true
	return b.Add(out, s, st)
}

// hasText reports whether an argument holds literal text for people.
func hasText(args []*expr.Expr) bool {
	for _, a := range args {
		found := false
		a.Walk(func(x *expr.Expr) bool {
			found = found || x.Is(expr.String) && len(x.Text) > 3 && strings.ContainsAny(x.Text, "abcdefghijklmnopqrstuvwxyz")
			return !found && (x.Op != expr.Call || x == a)
		})
		if found {
			return true
		}
	}
	return false
}

// Expect notes a test that expects an error of a type.
func (b *Body) Expect(n int, typ string, message *expr.Expr, form string, calls []string) {
	if b.Silent {
		return
	}
	b.Facts.Expectations = append(b.Facts.Expectations, raise.Expectation{Function: b.Function, Line: b.Line(n), EndLine: b.EndLine(n),
		Type: typ, Message: message, Form: form, Calls: calls})
}

// CallsIn lists the distinct callees below a node, at most eight.
func (b *Body) CallsIn(n int) []string {
	var out []string
	for c := n; n >= 0 && c < b.After(n) && len(out) < 8; c++ {
		if callee, ok := b.Dialect.Call(b.File, c); ok && callee != "" && len(callee) < 100 {
			if p := b.Path(callee); !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
