package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// trigger appends the site that a call or construction makes.
func (b *body) trigger(n int, out []flow.Stmt) []flow.Stmt {
	k, ok := b.forms[n]
	if !ok || b.quiet != nil || b.sited[n] {
		return out
	}
	callee, argsAt := b.callParts(n)
	if b.tree.kind(n) == kNew {
		callee, argsAt = b.newParts(n)
	}
	args := b.args(argsAt, 0)
	var s raise.Site
	switch k {
	case formMade:
		s = b.raised(callee, argsAt)
	case formMaybeMade:
		s = raise.Site{Kind: raise.KindError, Potential: true, Via: b.path(callee), Args: named(args)}
	case formAssert, formEqual, formDiffer, formCtxAssert, formInvariant:
		return b.assertion(n, k, args, out)
	case formReject, formCallback, formEmit:
		s = b.handed(k, args)
	case formFail:
		s = raise.Site{Kind: raise.KindAssertion, TypeName: "AssertionError", Message: args[0]}
	case formTestFail:
		s = raise.Site{Kind: raise.KindTest, Message: first(texts(args))}
	case formLog, formPrint:
		s = raise.Site{Kind: raise.KindLog, Message: printed(args)}
	case formWarn:
		s = raise.Site{Kind: raise.KindWarning, Message: printed(args)}
	case formExit:
		s = raise.Site{Kind: raise.KindExit, Message: printed(args)}
	case formEmitWarn:
		s = warning(args)
	case formDeprecate:
		s = raise.Site{Kind: raise.KindWarning, TypeName: "DeprecationWarning", Message: argument(args, 1)}
	case formHTTP:
		s = raise.Site{Kind: raise.KindHTTP, Message: first(texts(args)), Args: args}
	case formRespond:
		s = raise.Site{Kind: raise.KindHTTP, Message: responded(args)}
	case formPotential:
		s = raise.Site{Kind: raise.KindError, Potential: true, Via: b.lexical(b.path(callee)), Args: named(args)}
	}
	if s.Kind == raise.KindExit || s.Message != nil || s.Potential || k == formMade || k == formHTTP {
		return append(out, b.raise(n, k, s))
	}
	return out
}

// raise makes the statement of a site that a call or construction makes.
func (b *body) raise(n int, k form, s raise.Site) flow.Stmt {
	held := b.holding(n)
	i := b.site(n, b.spanned(held, s))
	if k == formMade {
		b.bound[i] = b.keptUnder(n)
	}
	return flow.Stmt{Kind: flow.Raise, Line: b.line(n), Site: i, Goes: k != formHTTP && k != formFail}
}

// keptUnder is the local name that a value is assigned to where it is made; outside of functions the name, with the objects around
// it, under which others find it.
func (b *body) keptUnder(n int) string {
	t := &b.tree
	holder, value := b.holder(n)
	name := t.first(holder)
	switch t.kind(holder) {
	case kDeclarator:
		if name != value && t.kind(name) == kIdentifier {
			return t.text(name)
		}
	case kAssignment:
		if name == value {
			return ""
		}
		if t.kind(name) == kIdentifier {
			return t.text(name)
		}
		if path := b.path(name); b.function == raise.NoFunction && path != "" {
			return exportless(path)
		}
	case kPair:
		if key, ok := b.key(name); ok && b.function == raise.NoFunction {
			return join(b.objectName(t.parent(holder), ""), key)
		}
	}
	return ""
}

func first(all []*expr.Expr) *expr.Expr { return argument(all, 0) }

// printed is what a print makes of its arguments: the runtime's format, with what is left over behind it.
func printed(args []*expr.Expr) *expr.Expr {
	if len(texts(args)) == 0 {
		return nil
	}
	if len(args) == 1 {
		return args[0]
	}
	if args[0].Is(expr.Map) || args[0].Is(expr.Name) && sentence(args[1]) && !strings.HasPrefix(args[1].Text, " ") {
		// A structured log: fields first, then the text.
		args = args[1:]
		if len(args) == 1 {
			return args[0]
		}
	}
	return expr.New(expr.Format, message.Util, args...)
}

// warning is process.emitWarning(text, type, code) or (text, { type, code }).
func warning(args []*expr.Expr) raise.Site {
	s := raise.Site{Kind: raise.KindWarning, TypeName: "Warning", Message: args[0]}
	typ := argument(args, 1)
	if p := property(typ, "type"); p != nil {
		typ = p
	}
	if typ.Is(expr.String) {
		s.TypeName = typ.Text
	}
	return s
}

// handed is the site of a text or an object that is handed on as an error.
func (b *body) handed(k form, args []*expr.Expr) raise.Site {
	s := raise.Site{Kind: raise.KindError}
	value := argument(args, 0)
	if k == formEmit {
		value = argument(args, 1)
	}
	switch {
	case sentence(value):
		s.Message = value
	case value.Is(expr.Map):
		for _, key := range []string{"message", "msg", "error", "reason"} {
			if text := property(value, key); text != nil && s.Message == nil {
				s.Message = text
			}
		}
		s.Args = []*expr.Expr{value}
	}
	return s
}

// responded is the text that a response with an error status carries.
func responded(args []*expr.Expr) *expr.Expr {
	value := argument(args, 0)
	for range 3 {
		switch {
		case flow.Textual(value):
			return value
		case value.Is(expr.Map):
			inner := value
			for _, key := range []string{"message", "error", "msg", "detail", "errors", "title"} {
				if p := property(value, key); p != nil {
					inner = p
					break
				}
			}
			if inner == value {
				return nil
			}
			value = inner
		default:
			return nil
		}
	}
	return nil
}

// assertion appends an assertion: a site if it has a text, and in any case what holds behind it.
func (b *body) assertion(n int, k form, args []*expr.Expr, out []flow.Stmt) []flow.Stmt {
	if len(args) == 0 {
		return out
	}
	st := flow.Stmt{Kind: flow.Assert, Line: b.line(n), Site: flow.NoSite, Cond: truth(args[0])}
	rest := args[1:]
	switch k {
	case formEqual, formDiffer:
		if len(args) < 2 {
			return out
		}
		op := "=="
		if k == formDiffer {
			op = "!="
		}
		st.Cond = expr.New(expr.Compare, op, args[0], args[1])
		rest = args[2:]
	case formCtxAssert:
		rest = args[min(2, len(args)):]
	}
	s := raise.Site{Kind: raise.KindAssertion, TypeName: "AssertionError"}
	switch {
	case k == formInvariant:
		s.TypeName = "Invariant Violation"
		if len(rest) > 1 {
			s.Message = expr.New(expr.Format, message.Util, rest...)
		} else {
			s.Message = first(rest)
		}
	case k == formCtxAssert:
		s.TypeName = ""
		s.Kind = raise.KindHTTP
		s.Message = first(rest)
	case len(rest) > 0 && rest[0].Is(expr.Error):
		s.TypeName, s.Type, s.Message, s.Args = "", rest[0].Arg(0), rest[0].Arg(1), rest[0].Args[2:]
		b.claim(n)
	case len(rest) > 0:
		s.Message = rest[0]
	}
	if s.Message != nil && !s.Message.Is(expr.Null) || s.Type != nil {
		st.Site = b.site(n, b.spanned(b.holding(n), s))
	}
	return append(out, st)
}

// claim marks the error that is made as the argument of an assertion: the assertion is its site. The statement that was made for it
// before goes away with the others that have no text of their own.
func (b *body) claim(n int) {
	t := &b.tree
	for i, node := range b.nodes {
		if node > n && node < t.after(n) {
			b.dropped = append(b.dropped, i)
		}
	}
}
