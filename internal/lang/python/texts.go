package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// textCall is the text that a call makes of its arguments; nil for other calls.
func textCall(callee *expr.Expr, values []*expr.Expr) *expr.Expr {
	if path := callee.Path(); len(values) > 0 {
		switch {
		case translates(path):
			return inner(values[0])
		case strings.HasSuffix(path, "ngettext") && !strings.HasSuffix(path, "npgettext") && len(values) == 3:
			return expr.New(expr.Alt, "", values[0], values[1])
		case (path == "pgettext" || path == "pgettext_lazy") && len(values) == 2:
			return inner(values[1])
		case path == "dedent" || path == "textwrap.dedent":
			return dedent(values[0])
		}
	}
	if !callee.Is(expr.Attr) {
		return nil
	}
	on := callee.Arg(0)
	switch {
	case callee.Text == "format" && (textual(on) || on.Is(expr.Index)):
		return &expr.Expr{Op: expr.Format, Text: message.Brace, Args: append([]*expr.Expr{on}, values...)}
	case callee.Text == "format_map" && textual(on) && len(values) == 1:
		return &expr.Expr{Op: expr.Format, Text: message.Brace, Args: append([]*expr.Expr{on}, names(values[0])...)}
	case callee.Text == "join" && len(values) == 1 && on.Is(expr.String):
		return &expr.Expr{Op: expr.Join, Args: []*expr.Expr{values[0], on}}
	case callee.Text == "replace" && len(values) == 2 && on.Is(expr.String) && values[0].Is(expr.String) && values[1].Is(expr.String):
		return expr.Str(strings.ReplaceAll(on.Text, values[0].Text, values[1].Text))
	case callee.Text == "substitute" || callee.Text == "safe_substitute":
		return substituted(on, values)
	case callee.Text == "get" && len(values) == 2 && textual(values[1]):
		// A table of texts with one for what is not in it.
		return expr.New(expr.Alt, "", expr.New(expr.Index, "", on, values[0]), values[1])
	}
	return nil
}

// formatted is the text of an error: what follows "%" there is formatted into what a name holds, and no remainder of a division.
func formatted(e *expr.Expr) *expr.Expr {
	if !e.Is(expr.Binary) {
		return e
	}
	left, right := e.Arg(0), e.Arg(1)
	switch {
	case e.Text == "+":
		return &expr.Expr{Op: expr.Binary, Text: "+", Args: []*expr.Expr{formatted(left), formatted(right)}, Src: e.Src}
	case e.Text == "%" && (left.Is(expr.Name) || left.Is(expr.Attr)) && !right.Is(expr.Number):
		args := []*expr.Expr{left, right}
		if right.Is(expr.Tuple) {
			args = append(args[:1], right.Args...)
		}
		return &expr.Expr{Op: expr.Format, Text: message.Percent, Args: args, Src: e.Src}
	}
	return e
}

// inner is an expression that stands for a call of it.
func inner(e *expr.Expr) *expr.Expr {
	return &expr.Expr{Op: e.Op, Text: e.Text, Args: e.Args, Src: e.Src}
}

// names are named arguments with the values of a dictionary.
func names(dictionary *expr.Expr) []*expr.Expr {
	if dictionary.Is(expr.Map) {
		return dictionary.Args
	}
	return []*expr.Expr{expr.New(expr.Keyword, "**", dictionary)}
}

// dedent is a text without the white space that all its lines begin with; values in it stand for text.
func dedent(e *expr.Expr) *expr.Expr {
	if !e.Is(expr.String) && !e.Is(expr.Interp) {
		return inner(e)
	}
	const value = "\x00"
	var all strings.Builder
	var values []*expr.Expr
	if e.Is(expr.String) {
		all.WriteString(e.Text)
	}
	for _, a := range e.Args {
		if a.Is(expr.String) {
			all.WriteString(a.Text)
		} else {
			all.WriteString(value)
			values = append(values, a)
		}
	}
	lines := strings.SplitAfter(all.String(), "\n")
	margin, found := "", false
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			lines[i] = strings.TrimLeft(line, " \t")
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !found {
			margin, found = indent, true
		}
		for !strings.HasPrefix(indent, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], margin)
	}
	var parts []*expr.Expr
	for i, text := range strings.Split(strings.Join(lines, ""), value) {
		if i > 0 && i <= len(values) {
			parts = append(parts, values[i-1])
		}
		if text != "" {
			parts = append(parts, expr.Str(text))
		}
	}
	return stringOf(parts)
}

// substituted is what a Template makes of its text: $name and ${name} are values, $$ is a dollar sign. nil for another value.
func substituted(template *expr.Expr, values []*expr.Expr) *expr.Expr {
	if !template.Is(expr.Call) || template.Arg(0).Last() != "Template" || !template.Arg(1).Is(expr.String) {
		return nil
	}
	given := map[string]*expr.Expr{}
	for _, v := range values {
		args := []*expr.Expr{v}
		if v.Is(expr.Map) {
			args = v.Args
		}
		for _, a := range args {
			if a.Is(expr.Keyword) && a.Text != "**" {
				given[a.Text] = a.Arg(0)
			}
		}
	}
	var parts []*expr.Expr
	text := template.Arg(1).Text
	for {
		before, rest, ok := strings.Cut(text, "$")
		if strings.HasPrefix(rest, "$") {
			before, rest = before+"$", rest[1:]
		} else if ok {
			name, behind := templateName(rest)
			if before != "" {
				parts = append(parts, expr.Str(before))
			}
			value := given[name]
			if value == nil {
				value = expr.Ident(name)
			}
			parts, before, rest = append(parts, expr.New(expr.Hole, "", value)), "", behind
		}
		if before != "" {
			parts = append(parts, expr.Str(before))
		}
		if text = rest; !ok {
			return stringOf(joined(parts))
		}
	}
}

// templateName is the name behind a dollar sign, and what is behind it.
func templateName(s string) (name, rest string) {
	if braced, ok := strings.CutPrefix(s, "{"); ok {
		if name, rest, ok := strings.Cut(braced, "}"); ok {
			return name, rest
		}
	}
	n := 0
	for n < len(s) && wordByte(s[n]) && s[n] < 0x80 {
		n++
	}
	return s[:n], s[n:]
}

// joined makes one text of texts that stand side by side.
func joined(parts []*expr.Expr) []*expr.Expr {
	var out []*expr.Expr
	for _, p := range parts {
		if n := len(out); n > 0 && p.Is(expr.String) && out[n-1].Is(expr.String) {
			out[n-1] = expr.Str(out[n-1].Text + p.Text)
		} else {
			out = append(out, p)
		}
	}
	return out
}
