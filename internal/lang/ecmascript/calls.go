package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// path is the dotted spelling of a callee or type: "a.b.c", "a().b", with the receiver written "self"; "" for anything else.
func (f *file) path(n int) string { return f.pathAt(n, 0) }

func (f *file) pathAt(n, depth int) string {
	t := &f.tree
	if n < 0 || depth > 40 {
		return ""
	}
	switch t.kind(n) {
	case kIdentifier, kPropertyIdentifier, kPrivateIdentifier, kTypeIdentifier, kSuper:
		return t.text(n)
	case kThis:
		return "self"
	case kParenthesized, kNonNull, kAwait, kAs, kSatisfies, kInstantiation, kGenericType:
		return f.pathAt(t.first(n), depth+1)
	case kMember, kNestedType, kNestedIdentifier:
		text := t.text(n)
		if plainPath(text) {
			if rest, ok := strings.CutPrefix(text, "this."); ok {
				return "self." + rest
			}
			return text
		}
		if base := f.pathAt(t.first(n), depth+1); base != "" {
			return base + "." + t.text(t.last(n))
		}
	case kSubscript:
		if key := t.last(n); t.kind(key) == kString {
			if base := f.pathAt(t.first(n), depth+1); base != "" {
				return base + "." + f.stringText(key)
			}
		}
	case kCall:
		if base := f.pathAt(t.first(n), depth+1); base != "" {
			return base + "()"
		}
	}
	return ""
}

// plainPath reports whether a text is a chain of names and dots alone.
func plainPath(s string) bool {
	for i := 0; i < len(s); i++ {
		if !identByte(s[i]) && s[i] != '.' && s[i] != '#' {
			return false
		}
	}
	return true
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// headName is the first name of a path.
func headName(path string) string {
	head, _, _ := strings.Cut(path, ".")
	return head
}

// callParts splits a call: the callee, and the node of its arguments or of the template that it tags.
func (f *file) callParts(n int) (callee, args int) {
	t := &f.tree
	callee, args = t.first(n), t.last(n)
	if args >= 0 && t.kind(args) != kArguments && t.kind(args) != kTemplate {
		args = -1
	}
	return callee, args
}

// call lowers a call, with what the language and its usual libraries mean by it: formats, joins, type tests, errors made
// without "new".
func (f *file) call(n, depth int) *expr.Expr {
	callee, argsAt := f.callParts(n)
	if argsAt >= 0 && f.tree.kind(argsAt) == kTemplate {
		return f.tagged(n, callee, argsAt, depth)
	}
	args := f.args(argsAt, depth)
	path := f.path(callee)
	var e *expr.Expr
	if path != "" {
		e = f.known(n, path, args, depth, callee)
	} else if f.tree.kind(callee) == kMember {
		e = f.textMethod(f.tree.text(f.tree.last(callee)), callee, args, depth)
	}
	if e != nil {
		return f.respelled(n, e)
	}
	return f.made(n, expr.Call, "", append([]*expr.Expr{f.lower(callee, depth+1)}, args...)...)
}

// known lowers the calls that have a meaning of their own; nil for any other.
func (f *file) known(n int, path string, args []*expr.Expr, depth, callee int) *expr.Expr {
	name := lastName(path)
	first := argument(args, 0)
	switch {
	case first == nil && name != "join" && name != "trim":
		if f.errorCall(path) {
			return f.errorValue(n, callee, nil, depth)
		}
		return nil
	case path == "Array.isArray":
		return expr.New(expr.TypeTest, "", first, expr.Ident("Array"))
	case f.errorCall(path):
		return f.errorValue(n, callee, args, depth)
	case path == "Object.assign" && first.Is(expr.Error):
		return first
	case f.formats(path) && (first.Is(expr.String) || len(args) > 1):
		return expr.New(expr.Format, message.Util, args...)
	case name == "sprintf" || name == "vsprintf":
		return expr.New(expr.Format, message.Percent, args...)
	case name == "localize" && len(args) > 1 && flow.Textual(args[1]):
		return expr.New(expr.Format, message.Brace, args[1:]...)
	case strings.HasSuffix(path, "l10n.t") && flow.Textual(first):
		return expr.New(expr.Format, message.Brace, args...)
	case translates(path) && sentence(first):
		if len(args) == 1 {
			return first
		}
		return expr.New(expr.Format, message.Util, args...)
	case translates(path) && first.Is(expr.String) && first.Text != "":
		return expr.New(expr.Lookup, "", args...)
	case colours(path) && len(args) == 1 && flow.Textual(first):
		return first
	}
	return f.textMethod(name, callee, args, depth)
}

// textMethod lowers the methods of texts and lists that make texts.
func (f *file) textMethod(name string, callee int, args []*expr.Expr, depth int) *expr.Expr {
	t := &f.tree
	if t.kind(callee) != kMember || len(args) > 8 {
		return nil
	}
	receiver := t.first(callee)
	switch name {
	case "join":
		if head := headName(f.path(receiver)); head == "path" || head == "posix" || head == "win32" || len(args) > 1 {
			return nil
		}
		separator := expr.Str(",")
		if len(args) == 1 {
			separator = args[0]
		}
		return expr.New(expr.Join, "", f.lower(receiver, depth+1), separator)
	case "concat":
		e := f.lower(receiver, depth+1)
		if !flow.Textual(e) {
			return nil
		}
		for _, a := range args {
			e = expr.New(expr.Binary, "+", e, a)
		}
		return e
	case "trim":
		if e := f.lower(receiver, depth+1); flow.Textual(e) {
			return trimmed(e)
		}
	case "replace", "replaceAll":
		if e := f.lower(receiver, depth+1); len(args) == 2 && e.Is(expr.String) && args[0].Is(expr.String) && args[0].Text != "" {
			return replaced(e.Text, args[0].Text, args[1])
		}
	}
	return nil
}

// trimmed takes the white space off the ends of a text where they are literal.
func trimmed(e *expr.Expr) *expr.Expr {
	switch {
	case e.Is(expr.String):
		return expr.Str(strings.TrimSpace(e.Text))
	case e.Is(expr.Interp):
		args := append([]*expr.Expr(nil), e.Args...)
		if last := len(args) - 1; args[last].Is(expr.String) {
			args[last] = expr.Str(strings.TrimRight(args[last].Text, " \t\n\r"))
		}
		if args[0].Is(expr.String) {
			args[0] = expr.Str(strings.TrimLeft(args[0].Text, " \t\n\r"))
		}
		return expr.New(expr.Interp, e.Text, args...)
	}
	return e
}

// replaced is a literal text with a placeholder replaced by a value.
func replaced(text, placeholder string, value *expr.Expr) *expr.Expr {
	if value.Is(expr.String) {
		return expr.Str(strings.Replace(text, placeholder, value.Text, 1))
	}
	before, after, ok := strings.Cut(text, placeholder)
	if !ok {
		return expr.Str(text)
	}
	return expr.New(expr.Interp, message.Plain, expr.Str(before), expr.New(expr.Hole, "", value), expr.Str(after))
}

// formats reports whether a callee is the runtime's printf.
func (f *file) formats(path string) bool {
	switch path {
	case "util.format", "format", "utils.format", "nodeUtil.format", "lazyInternalUtilInspect().format":
		return true
	}
	return strings.HasSuffix(path, "util.format") || path == "util.formatWithOptions"
}

// translates reports whether a callee looks a text up in a message catalogue, by the text itself or by a key.
func translates(path string) bool {
	switch path {
	case "_", "__", "gettext", "i18n.__", "i18n.t", "t", "self.__", "i18next.t", "translate", "msg", "tr", "$t", "self.$t", "self.t":
		return true
	}
	return strings.HasSuffix(path, ".gettext") || strings.HasSuffix(path, ".i18n.t")
}

// colours reports whether a callee only wraps its argument in a terminal's colours.
func colours(path string) bool {
	switch headName(path) {
	case "chalk", "pc", "picocolors", "kleur", "colors", "ansis", "colorette", "yoctocolors":
		return true
	}
	return false
}

// sentence reports whether a literal text is meant for people: it has a letter and a blank.
func sentence(e *expr.Expr) bool {
	switch {
	case e == nil:
		return false
	case e.Is(expr.String):
		return proseLike(e.Text)
	case e.Is(expr.Interp), e.Is(expr.Binary), e.Is(expr.Join), e.Is(expr.Format), e.Is(expr.Cond), e.Is(expr.List):
		found := false
		for _, a := range e.Args {
			found = found || a.Is(expr.String) && (proseLike(a.Text) || e.Is(expr.Interp) && letters(a.Text) > 3) || !a.Is(expr.Hole) && sentence(a)
		}
		return found
	}
	return false
}

func proseLike(s string) bool { return strings.ContainsAny(s, " \n") && letters(s) > 1 }

func letters(s string) int {
	n := 0
	for _, c := range s {
		if 'a' <= c|0x20 && c|0x20 <= 'z' || c > 0x7f {
			n++
		}
	}
	return n
}

// tagged lowers a template behind a tag: what the usual tags make of it, or a call.
func (f *file) tagged(n, callee, template, depth int) *expr.Expr {
	path := f.path(callee)
	var text func(string) string
	switch name := lastName(path); {
	case path == "String.raw":
		text = func(s string) string { return s }
	case name == "dedent" || name == "outdent" || name == "stripIndent" || name == "stripIndents" || name == "codeBlock":
		return f.respelled(n, laidOut(f.template(template, depth, unescape), dedented))
	case name == "oneLine" || name == "oneLineTrim":
		return f.respelled(n, laidOut(f.template(template, depth, unescape), oneLine))
	case colours(path), path == "html", path == "text", path == "str", path == "l":
		text = unescape
	default:
		return f.made(n, expr.Call, "", f.lower(callee, depth+1), f.template(template, depth, unescape))
	}
	return f.respelled(n, f.template(template, depth, text))
}

// laidOut applies a layout to the literal parts of a template and takes the white space off its ends.
func laidOut(e *expr.Expr, layout func(string) string) *expr.Expr {
	if e.Is(expr.String) {
		return expr.Str(strings.TrimSpace(layout(e.Text)))
	}
	// Holes stand for one character that no source holds, so that the layout sees the whole text.
	const hole = "\x00"
	var whole strings.Builder
	var holes []*expr.Expr
	for _, a := range e.Args {
		if a.Is(expr.Hole) {
			whole.WriteString(hole)
			holes = append(holes, a)
		} else {
			whole.WriteString(strings.ReplaceAll(a.Text, hole, ""))
		}
	}
	var parts []*expr.Expr
	for i, text := range strings.Split(strings.TrimSpace(layout(whole.String())), hole) {
		if i > 0 && i <= len(holes) {
			parts = append(parts, holes[i-1])
		}
		if text != "" {
			parts = append(parts, expr.Str(text))
		}
	}
	return expr.New(expr.Interp, e.Text, parts...)
}

// construct lowers "new X(…)": an error value if X is an error's type.
func (f *file) construct(n, depth int) *expr.Expr {
	callee, args := f.newParts(n)
	values := f.args(args, depth)
	if f.errorType(f.path(callee)) {
		return f.errorValue(n, callee, values, depth)
	}
	return f.made(n, expr.Call, "new", append([]*expr.Expr{f.lower(callee, depth+1)}, values...)...)
}

// newParts splits "new X(…)".
func (f *file) newParts(n int) (callee, args int) {
	t := &f.tree
	callee, args = t.first(n), t.last(n)
	if args == callee || args >= 0 && t.kind(args) != kArguments {
		args = -1
	}
	return callee, args
}

// errorValue is an error made by an expression: the type, the message if the runtime takes it from the arguments, the arguments.
func (f *file) errorValue(n, callee int, args []*expr.Expr, depth int) *expr.Expr {
	typ := f.lower(callee, depth+1)
	name := lastName(f.path(callee))
	var text *expr.Expr
	if plain := positional(args); builtinError(name) && len(plain) > 0 {
		text = plain[0]
	} else if name == "AggregateError" {
		text = argument(plain, 1)
	}
	return f.made(n, expr.Error, "", append([]*expr.Expr{typ, text}, args...)...)
}

// errorType reports whether a type's path names an error: by its ending, by the convention of codes (ERR_X), or because the file
// defines it as one.
func (f *file) errorType(path string) bool {
	name := lastName(path)
	if name == "" {
		return false
	}
	return errorLike(name) || codeName(name) || f.errorClasses[name]
}

// errorCall reports whether a call without "new" makes an error all the same.
func (f *file) errorCall(path string) bool {
	if builtinError(path) || path == "AggregateError" {
		return true
	}
	name := lastName(path)
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && (strings.HasSuffix(name, "Error") || f.errorClasses[name])
}

// codeName reports whether a name follows the convention for errors that are declared by code: ERR_X, E_X, X_ERR_Y, X_ERROR.
func codeName(name string) bool {
	return codeLike(name) && (strings.HasPrefix(name, "ERR_") || strings.HasPrefix(name, "E_") || strings.Contains(name, "_ERR_") ||
		strings.HasSuffix(name, "_ERROR") || strings.HasSuffix(name, "_ERR"))
}
