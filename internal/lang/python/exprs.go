package python

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// expr lowers an expression; nil for no node.
func (x *extractor) expr(i int) *expr.Expr { return x.lower(i, 0) }

func (x *extractor) lower(i, depth int) *expr.Expr {
	if i < 0 {
		return nil
	}
	src := x.text(i)
	if depth > expr.Depth {
		return &expr.Expr{Op: expr.Unknown, Src: src}
	}
	out := x.structure(i, depth+1)
	if out.Src == "" {
		out.Src = src
	}
	return out
}

func (x *extractor) all(nodes []int, depth int) []*expr.Expr {
	out := make([]*expr.Expr, 0, len(nodes))
	for _, n := range nodes {
		out = append(out, x.lower(n, depth))
	}
	return out
}

func (x *extractor) structure(i, depth int) *expr.Expr {
	text := x.text(i)
	switch x.name(i) {
	case "identifier":
		return &expr.Expr{Op: expr.Name, Text: text}
	case "integer", "float":
		return &expr.Expr{Op: expr.Number, Text: strings.TrimRight(strings.ReplaceAll(text, "_", ""), "lLjJ")}
	case "true", "false":
		return &expr.Expr{Op: expr.Bool, Text: strings.ToLower(text)}
	case "none":
		return &expr.Expr{Op: expr.Null, Text: text}
	case "string":
		return x.str(i, depth)
	case "concatenated_string":
		return x.concatenated(i, depth)
	case "attribute":
		object, name := x.lower(x.child(i, x.f.object), depth), x.text(x.child(i, x.f.attribute))
		if name == "value" && object.Is(expr.Attr) && strings.ToUpper(object.Text) == object.Text {
			return &expr.Expr{Op: expr.Attr, Text: object.Text, Args: object.Args} // a member of an enumeration
		}
		return &expr.Expr{Op: expr.Attr, Text: name, Args: []*expr.Expr{object}}
	case "subscript":
		return x.subscript(i, depth)
	case "call":
		return x.call(i, depth)
	case "parenthesized_expression":
		kids := x.named(i)
		if len(kids) != 1 {
			return &expr.Expr{Op: expr.Unknown}
		}
		inner := x.lower(kids[0], depth)
		return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: text}
	case "unary_operator":
		return &expr.Expr{Op: expr.Unary, Text: x.text(x.child(i, x.f.operator)), Args: []*expr.Expr{x.lower(x.child(i, x.f.argument), depth)}}
	case "not_operator":
		return &expr.Expr{Op: expr.Not, Args: []*expr.Expr{truth(x.lower(x.child(i, x.f.argument), depth))}}
	case "binary_operator":
		return x.binary(i, depth)
	case "boolean_operator":
		return x.boolean(i, depth)
	case "comparison_operator":
		return x.comparison(i, depth)
	case "conditional_expression":
		if kids := x.named(i); len(kids) == 3 {
			return &expr.Expr{Op: expr.Cond, Args: []*expr.Expr{truth(x.lower(kids[1], depth)), x.lower(kids[0], depth), x.lower(kids[2], depth)}}
		}
	case "named_expression":
		inner := x.lower(x.child(i, x.f.value), depth)
		return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: text}
	case "await":
		if kids := x.named(i); len(kids) == 1 {
			inner := x.lower(kids[0], depth)
			return &expr.Expr{Op: inner.Op, Text: inner.Text, Args: inner.Args, Src: text}
		}
	case "list":
		return &expr.Expr{Op: expr.List, Args: x.all(x.named(i), depth)}
	case "tuple", "expression_list":
		return &expr.Expr{Op: expr.Tuple, Args: x.all(x.named(i), depth)}
	case "set":
		return &expr.Expr{Op: expr.Set, Args: x.all(x.named(i), depth)}
	case "dictionary":
		return x.dictionary(i, depth)
	case "list_splat":
		return &expr.Expr{Op: expr.Spread, Args: x.all(x.named(i), depth)}
	case "dictionary_splat":
		// Named arguments that are handed on: no text is made of them.
		return &expr.Expr{Op: expr.Keyword, Text: "**", Args: x.all(x.named(i), depth)}
	case "keyword_argument":
		return &expr.Expr{Op: expr.Keyword, Text: x.text(x.child(i, x.f.name)), Args: []*expr.Expr{x.lower(x.child(i, x.f.value), depth)}}
	case "lambda":
		return &expr.Expr{Op: expr.Func, Args: []*expr.Expr{x.lower(x.child(i, x.f.body), depth)}}
	}
	return &expr.Expr{Op: expr.Unknown}
}

// truth marks a plain value that is used as a condition.
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

func (x *extractor) subscript(i, depth int) *expr.Expr {
	value := x.lower(x.child(i, x.f.value), depth)
	var subs []int
	for c := range x.tree.NamedChildren(i) {
		if x.tree.Nodes[c].Field == x.f.subscript {
			subs = append(subs, c)
		}
	}
	if len(subs) != 1 {
		return &expr.Expr{Op: expr.Unknown}
	}
	if x.name(subs[0]) != "slice" {
		return &expr.Expr{Op: expr.Index, Args: []*expr.Expr{value, x.lower(subs[0], depth)}}
	}
	out := &expr.Expr{Op: expr.Slice, Args: []*expr.Expr{value, nil, nil}}
	at := 1
	for c := range x.tree.Children(subs[0]) {
		switch {
		case x.text(c) == ":":
			at++
		case x.tree.Is(c, syntax.Named) && at < 3:
			out.Args[at] = x.lower(c, depth)
		}
	}
	return out
}

func (x *extractor) binary(i, depth int) *expr.Expr {
	op := x.text(x.child(i, x.f.operator))
	left, right := x.lower(x.child(i, x.f.left), depth), x.lower(x.child(i, x.f.right), depth)
	if op == "%" && textual(left) {
		args := []*expr.Expr{left}
		switch right.Op {
		case expr.Tuple:
			args = append(args, right.Args...)
		default:
			args = append(args, right)
		}
		return &expr.Expr{Op: expr.Format, Text: message.Percent, Args: args}
	}
	return &expr.Expr{Op: expr.Binary, Text: op, Args: []*expr.Expr{left, right}}
}

// textual reports whether an expression is a text: "%" then formats rather than divides.
func textual(e *expr.Expr) bool {
	if e == nil {
		return false
	}
	switch e.Op {
	case expr.String, expr.Interp, expr.Format, expr.Join:
		return true
	case expr.Binary:
		return e.Text == "+" && (textual(e.Arg(0)) || textual(e.Arg(1)))
	case expr.Cond:
		return textual(e.Arg(1))
	case expr.Alt:
		return textual(e.Arg(0))
	case expr.Call:
		return e.Arg(0).Is(expr.Name) && (e.Arg(0).Text == "_" || e.Arg(0).Text == "gettext")
	case expr.Name:
		// A name in capitals or one that says what it is holds a format more often than a number.
		l := strings.ToLower(e.Text)
		return strings.Contains(l, "msg") || strings.Contains(l, "message") || strings.Contains(l, "fmt") || strings.Contains(l, "format") || strings.Contains(l, "template")
	case expr.Attr:
		l := strings.ToLower(e.Text)
		return strings.Contains(l, "msg") || strings.Contains(l, "message") || strings.Contains(l, "fmt") || strings.Contains(l, "format")
	}
	return false
}

func (x *extractor) boolean(i, depth int) *expr.Expr {
	left, right := x.lower(x.child(i, x.f.left), depth), x.lower(x.child(i, x.f.right), depth)
	if x.text(x.child(i, x.f.operator)) == "and" {
		return expr.Conj(left, right)
	}
	return expr.Disj(left, right)
}

// comparison lowers a < b, and a chain a < b < c to its links.
func (x *extractor) comparison(i, depth int) *expr.Expr {
	var links []*expr.Expr
	op := ""
	left := syntax.None
	for c := range x.tree.Children(i) {
		if x.tree.Nodes[c].Field == x.f.operators {
			op = strings.TrimSpace(op + " " + strings.Join(strings.Fields(x.text(c)), " "))
			continue
		}
		if !x.tree.Is(c, syntax.Named) || x.tree.Is(c, syntax.Extra) {
			continue
		}
		if left >= 0 {
			if op == "<>" {
				op = "!="
			}
			src := x.src[x.tree.Nodes[left].Start:x.tree.Nodes[c].End]
			links = append(links, &expr.Expr{Op: expr.Compare, Text: op, Args: []*expr.Expr{x.lower(left, depth), x.lower(c, depth)}, Src: src})
		}
		left, op = c, ""
	}
	if len(links) == 0 {
		return &expr.Expr{Op: expr.Unknown}
	}
	return expr.Conj(links...)
}

func (x *extractor) dictionary(i, depth int) *expr.Expr {
	out := &expr.Expr{Op: expr.Map}
	for _, c := range x.named(i) {
		if x.name(c) != "pair" {
			out.Args = append(out.Args, x.lower(c, depth))
			continue
		}
		key, value := x.lower(x.child(c, x.f.key), depth), x.lower(x.child(c, x.f.value), depth)
		if key.Is(expr.String) {
			out.Args = append(out.Args, &expr.Expr{Op: expr.Keyword, Text: key.Text, Args: []*expr.Expr{value}, Src: x.text(c)})
		} else {
			out.Args = append(out.Args, &expr.Expr{Op: expr.Entry, Args: []*expr.Expr{key, value}, Src: x.text(c)})
		}
	}
	return out
}

// call lowers calls; those that make texts of their arguments become the texts.
func (x *extractor) call(i, depth int) *expr.Expr {
	fn := x.child(i, x.f.function)
	args := x.child(i, x.f.arguments)
	callee := x.lower(fn, depth)
	if x.name(args) != "argument_list" {
		if text := textCall(callee, []*expr.Expr{x.lower(args, depth)}); text.Is(expr.Join) {
			return text
		}
		return &expr.Expr{Op: expr.Call, Args: []*expr.Expr{callee, x.lower(args, depth)}}
	}
	values := x.all(x.named(args), depth)
	path := callee.Path()
	switch {
	case path == "len" && len(values) == 1:
		return &expr.Expr{Op: expr.Len, Args: values}
	case path == "dict" && len(values) > 0 && !slices.ContainsFunc(values, func(v *expr.Expr) bool { return !v.Is(expr.Keyword) }):
		return &expr.Expr{Op: expr.Map, Args: values}
	case path == "isinstance" && len(values) == 2:
		out := &expr.Expr{Op: expr.TypeTest, Args: []*expr.Expr{values[0]}}
		if values[1].Is(expr.Tuple) {
			out.Args = append(out.Args, values[1].Args...)
		} else {
			out.Args = append(out.Args, values[1])
		}
		return out
	}
	if text := textCall(callee, values); text != nil {
		return text
	}
	return &expr.Expr{Op: expr.Call, Args: append([]*expr.Expr{callee}, values...)}
}

// translates reports whether a function looks its text up in a message catalogue.
func translates(path string) bool {
	switch path {
	case "_", "gettext", "gettext.gettext", "ugettext", "gettext_lazy", "ugettext_lazy", "lazy_gettext", "self.gettext":
		return true
	}
	return false
}
