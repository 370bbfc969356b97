package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// maxElements bounds the elements of one literal that are lowered; a longer one keeps its spelling alone.
const maxElements = 4096

// expr lowers an expression. Every result but a string that was rewritten keeps its source spelling.
func (f *file) expr(n int) *expr.Expr { return f.lower(n, 0) }

func (f *file) lower(n, depth int) *expr.Expr {
	if n < 0 {
		return nil
	}
	if depth > expr.Depth {
		return f.made(n, expr.Unknown, "")
	}
	t := &f.tree
	switch k := t.kind(n); k {
	case kParenthesized, kAwait, kAs, kSatisfies, kNonNull, kInstantiation:
		return f.lower(t.first(n), depth+1)
	case kTypeAssertion:
		return f.lower(t.last(n), depth+1)
	case kSequence:
		return f.lower(t.last(n), depth+1)
	case kIdentifier, kThis, kSuper, kPropertyIdentifier, kPrivateIdentifier, kMetaProperty:
		return f.made(n, expr.Name, t.text(n))
	case kUndefined, kNull:
		return f.made(n, expr.Null, t.text(n))
	case kTrue, kFalse:
		return f.made(n, expr.Bool, t.text(n))
	case kNumber:
		return f.made(n, expr.Number, number(t.text(n)))
	case kString:
		return f.made(n, expr.String, f.stringText(n))
	case kTemplate:
		return f.template(n, depth, unescape)
	case kMember:
		return f.member(n, depth)
	case kSubscript:
		return f.made(n, expr.Index, "", f.lower(t.first(n), depth+1), f.lower(t.last(n), depth+1))
	case kCall:
		return f.call(n, depth)
	case kNew:
		return f.construct(n, depth)
	case kBinary:
		return f.binary(n, depth)
	case kUnary:
		return f.unary(n, depth)
	case kTernary:
		kids := t.kids(n)
		if len(kids) == 3 {
			return f.made(n, expr.Cond, "", truth(f.lower(kids[0], depth+1)), f.lower(kids[1], depth+1), f.lower(kids[2], depth+1))
		}
	case kAssignment:
		return f.lower(t.last(n), depth+1)
	case kObject:
		return f.object(n, depth)
	case kArray:
		return f.list(n, depth)
	case kSpread:
		return f.made(n, expr.Spread, "", f.lower(t.first(n), depth+1))
	case kArrow, kFunctionExpression, kGeneratorFunction:
		return f.function(n, depth)
	}
	return f.made(n, expr.Unknown, "")
}

// made builds an expression with the spelling of node n.
func (f *file) made(n int, op expr.Op, text string, args ...*expr.Expr) *expr.Expr {
	return &expr.Expr{Op: op, Text: text, Args: args, Src: f.tree.text(n)}
}

// respelled is e with the spelling of node n.
func (f *file) respelled(n int, e *expr.Expr) *expr.Expr {
	c := *e
	c.Src = f.tree.text(n)
	return &c
}

// stringText is the content of a string literal.
func (f *file) stringText(n int) string {
	s := f.tree.text(n)
	if len(s) >= 2 {
		s = s[1 : len(s)-1]
	}
	return unescape(s)
}

// template lowers a template literal; text decodes its literal parts.
func (f *file) template(n, depth int, text func(string) string) *expr.Expr {
	t := &f.tree
	at, end := t.start(n)+1, t.end(n)
	if end > at && f.src[end-1] == '`' {
		end--
	}
	var parts []*expr.Expr
	literal := func(from, to int) {
		if from < to {
			parts = append(parts, expr.Str(text(f.src[from:to])))
		}
	}
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if t.kind(c) != kSubstitution {
			continue
		}
		literal(at, t.start(c))
		value := f.lower(t.first(c), depth+1)
		if value == nil {
			value = f.made(c, expr.Unknown, "")
		}
		parts = append(parts, expr.New(expr.Hole, "", value))
		at = t.end(c)
	}
	literal(at, end)
	switch {
	case len(parts) == 0:
		return f.made(n, expr.String, "")
	case len(parts) == 1 && parts[0].Is(expr.String):
		return f.made(n, expr.String, parts[0].Text)
	}
	return f.made(n, expr.Interp, message.Plain, parts...)
}

// member lowers a.b; a length is a Len.
func (f *file) member(n, depth int) *expr.Expr {
	object := f.lower(f.tree.first(n), depth+1)
	name := f.tree.text(f.tree.last(n))
	if name == "length" && !object.Is(expr.Unknown) {
		return f.made(n, expr.Len, "", object)
	}
	return f.made(n, expr.Attr, name, object)
}

// binary lowers an operator between two values.
func (f *file) binary(n, depth int) *expr.Expr {
	left, op, right := f.operands(n)
	if left < 0 || right < 0 {
		return f.made(n, expr.Unknown, "")
	}
	a, b := f.lower(left, depth+1), f.lower(right, depth+1)
	switch op {
	case "&&":
		return f.made(n, expr.And, "", a, b)
	case "||":
		return f.made(n, expr.Or, "", a, b)
	case "??":
		return f.made(n, expr.Coalesce, "", a, b)
	case "===", "==":
		return f.made(n, expr.Compare, "==", a, b)
	case "!==", "!=":
		return f.made(n, expr.Compare, "!=", a, b)
	case "<", "<=", ">", ">=", "in":
		return f.made(n, expr.Compare, op, a, b)
	case "instanceof":
		return f.made(n, expr.TypeTest, "", a, b)
	case "+":
		return f.sum(n, a, b)
	case "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^":
		return f.made(n, expr.Binary, op, a, b)
	}
	return f.made(n, expr.Unknown, "")
}

// sum lowers a + b; two literals are one.
func (f *file) sum(n int, a, b *expr.Expr) *expr.Expr {
	if a.Is(expr.String) && b.Is(expr.String) {
		return f.made(n, expr.String, a.Text+b.Text)
	}
	return f.made(n, expr.Binary, "+", a, b)
}

// operands splits a binary expression or an augmented assignment.
func (f *file) operands(n int) (left int, op string, right int) {
	t := &f.tree
	left, right = t.first(n), t.last(n)
	if left < 0 || left == right {
		return left, "", -1
	}
	return left, f.between(t.end(left), t.start(right)), right
}

// between is the source between two offsets without white space and comments.
func (f *file) between(from, to int) string {
	s := strings.TrimSpace(f.src[from:max(from, to)])
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			break
		}
		j := strings.Index(s[i:], "*/")
		if j < 0 {
			return s[:i]
		}
		s = strings.TrimSpace(s[:i] + s[i+j+2:])
	}
	if i := strings.Index(s, "//"); i >= 0 {
		rest := ""
		if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
			rest = s[i+j:]
		}
		return strings.TrimSpace(s[:i] + strings.TrimSpace(rest))
	}
	return s
}

func (f *file) unary(n, depth int) *expr.Expr {
	t := &f.tree
	operand := t.last(n)
	if operand < 0 {
		return f.made(n, expr.Unknown, "")
	}
	value := f.lower(operand, depth+1)
	switch op := f.between(t.start(n), t.start(operand)); op {
	case "!":
		return f.made(n, expr.Not, "", truth(value))
	case "-", "+", "~":
		return f.made(n, expr.Unary, op, value)
	case "void":
		return f.made(n, expr.Null, "undefined")
	case "typeof", "delete":
		return f.made(n, expr.Unary, op, value)
	}
	return f.made(n, expr.Unknown, "")
}

// truth is a value used as a condition.
func truth(e *expr.Expr) *expr.Expr {
	if e == nil {
		return nil
	}
	switch e.Op {
	case expr.Compare, expr.Not, expr.TypeTest, expr.Bool, expr.Truthy:
		return e
	case expr.And, expr.Or:
		args := make([]*expr.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = truth(a)
		}
		return &expr.Expr{Op: e.Op, Args: args, Src: e.Src}
	}
	return &expr.Expr{Op: expr.Truthy, Args: []*expr.Expr{e}, Src: e.Src}
}

// object lowers an object literal.
func (f *file) object(n, depth int) *expr.Expr {
	t := &f.tree
	var entries []*expr.Expr
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if len(entries) >= maxElements {
			return f.made(n, expr.Unknown, "")
		}
		switch t.kind(c) {
		case kPair:
			entries = append(entries, f.pair(c, depth))
		case kShorthand:
			entries = append(entries, f.made(c, expr.Keyword, t.text(c), f.made(c, expr.Name, t.text(c))))
		case kSpread:
			entries = append(entries, f.lower(c, depth+1))
		case kMethod:
			if name, ok := f.key(t.child(c, kPropertyIdentifier, kString, kNumber)); ok {
				entries = append(entries, f.made(c, expr.Keyword, name, f.function(c, depth)))
			}
		}
	}
	return f.made(n, expr.Map, "", entries...)
}

func (f *file) pair(n, depth int) *expr.Expr {
	t := &f.tree
	key, value := t.first(n), f.lower(t.last(n), depth+1)
	if name, ok := f.key(key); ok {
		return f.made(n, expr.Keyword, name, value)
	}
	return f.made(n, expr.Entry, "", f.lower(t.first(key), depth+1), value)
}

// key is the name under which an object or class literal keeps something; false if it is computed.
func (f *file) key(n int) (string, bool) {
	if n < 0 {
		return "", false
	}
	switch f.tree.kind(n) {
	case kPropertyIdentifier, kPrivateIdentifier, kIdentifier:
		return f.tree.text(n), true
	case kString:
		return f.stringText(n), true
	case kNumber:
		return number(f.tree.text(n)), true
	case kComputed:
		if inner := f.tree.first(n); inner >= 0 && f.tree.kind(inner) == kString {
			return f.stringText(inner), true
		}
	}
	return "", false
}

func (f *file) list(n, depth int) *expr.Expr {
	t := &f.tree
	var out []*expr.Expr
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if len(out) >= maxElements {
			return f.made(n, expr.Unknown, "")
		}
		out = append(out, f.lower(c, depth+1))
	}
	return f.made(n, expr.List, "", out...)
}

// function lowers a function value: its result, if its body is one expression.
func (f *file) function(n, depth int) *expr.Expr {
	t := &f.tree
	if body := t.last(n); t.kind(n) == kArrow && body >= 0 && t.kind(body) != kBlock {
		return f.made(n, expr.Func, "", f.lower(body, depth+1))
	}
	return f.made(n, expr.Func, "")
}

// args lowers the arguments of a call.
func (f *file) args(n, depth int) []*expr.Expr {
	if n < 0 || f.tree.kind(n) != kArguments {
		return nil
	}
	var out []*expr.Expr
	for c := f.tree.first(n); c >= 0; c = f.tree.next(c, n) {
		out = append(out, f.lower(c, depth+1))
	}
	return out
}
