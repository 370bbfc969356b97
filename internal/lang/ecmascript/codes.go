package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// codeDeclaration is a call that declares an error by its code: E("ERR_X", "text %s", TypeError).
type codeDeclaration struct {
	node int
	name string // what the result is kept under, "" if only the code names it
}

// declaration notes a call that declares an error by its code. It is no site.
func (f *file) declaration(n int, name string) bool {
	t := &f.tree
	if t.kind(n) != kCall {
		return false
	}
	callee, args := f.callParts(n)
	code := t.first(args)
	if code < 0 || t.kind(args) != kArguments || t.kind(code) != kString || !codeLike(f.stringText(code)) || len(f.stringText(code)) < 3 {
		return false
	}
	text := t.next(code, args)
	if text < 0 || !isText(t.kind(text)) && !t.kind(text).isFunction() && t.kind(text) != kBinary {
		return false
	}
	path := f.path(callee)
	if path == "" || path != "E" && !raisingName(lastName(path)) && !codeName(f.stringText(code)) {
		return false
	}
	f.codes = append(f.codes, codeDeclaration{n, name})
	f.declared[n] = true
	return true
}

// codeType keeps a declared error as a type, under its code and under the name that it is kept under.
func (f *file) codeType(d codeDeclaration) {
	t := &f.tree
	_, args := f.callParts(d.node)
	code := t.first(args)
	text := t.next(code, args)
	typ := raise.Type{Line: f.line(d.node), EndLine: f.endLine(d.node)}
	for c := t.next(text, args); c >= 0; c = t.next(c, args) {
		if path := f.path(c); errorLike(path) {
			typ.Bases = append(typ.Bases, path)
		}
	}
	if t.kind(text).isFunction() {
		f.messageFunction(text, &typ)
	} else {
		typ.Message, typ.Params = declaredText(f.expr(text))
	}
	names := []string{f.stringText(code), "codes." + f.stringText(code)}
	if d.name != "" && d.name != names[0] && d.name != names[1] {
		names = append(names, d.name)
	}
	for _, name := range names {
		typ.Name = name
		f.facts.Types = append(f.facts.Types, typ)
	}
}

// declaredText is the message of a declared text: a format of all the arguments if it has verbs.
func declaredText(e *expr.Expr) (*expr.Expr, []raise.Param) {
	if !e.Is(expr.String) || !strings.Contains(e.Text, "%") {
		return e, nil
	}
	const args = "args"
	return expr.New(expr.Format, message.Util, e, expr.New(expr.Spread, "", expr.Ident(args))), []raise.Param{{Name: args, Variadic: true}}
}

// messageFunction takes the texts that a message function returns.
func (f *file) messageFunction(n int, typ *raise.Type) {
	index, ok := f.indexOf[n]
	if !ok {
		return
	}
	typ.Params = f.facts.Functions[index].Params
	b := newBody(f, n, index)
	b.quiet = &constructor{}
	made := flow.Analyze(flow.Function{Params: append(f.paramNames(n), "this"), Body: b.functionBody(n, 0), Pure: pure, Grow: grown}, b.sites)
	typ.Message = selfed(alternative(made))
}
