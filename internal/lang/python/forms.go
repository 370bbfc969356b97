package python

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// form is a call that raises or reports.
type form struct {
	last    string // its name
	kind    raise.Kind
	typ     string
	text    int      // the index of the text among the arguments
	keyword string   // the name of the text, where it may be given by name
	format  bool     // what is behind the text is formatted into it
	owners  []string // what the name before it ends with; "" for none
}

// forms are all of them. Of those with one name, the first that fits counts.
func forms() []form {
	loggers := []string{"log", "logger", "logging", "_log", "_logger", "log()", "logger()", "logger("}
	parsers := []string{"parser", "parser()", "argparser"}
	return []form{
		{"error", raise.KindLog, "", 0, "msg", true, loggers},
		{"error", raise.KindExit, "SystemExit", 0, "message", false, parsers},
		{"exception", raise.KindLog, "", 0, "msg", true, loggers},
		{"critical", raise.KindLog, "", 0, "msg", true, loggers},
		{"fatal", raise.KindLog, "", 0, "msg", true, loggers},
		{"log", raise.KindLog, "", 1, "msg", true, loggers},
		{"warn", raise.KindWarning, "UserWarning", 0, "message", false, []string{"warnings"}},
		{"warn_explicit", raise.KindWarning, "UserWarning", 0, "message", false, []string{"warnings"}},
		{"exit", raise.KindExit, "SystemExit", 0, "", false, []string{"sys", ""}},
		{"exit", raise.KindExit, "SystemExit", 1, "message", false, parsers},
		{"quit", raise.KindExit, "SystemExit", 0, "", false, []string{""}},
		{"fail", raise.KindTest, "AssertionError", 0, "msg", false, []string{"self", "pytest"}},
		{"abort", raise.KindHTTP, "", 1, "description", false, []string{"", "flask"}},
	}
}

// isForm reports whether a call of that name may be of a form.
func isForm(last string) bool {
	switch last {
	case "error", "exception", "critical", "fatal", "log", "warn", "warn_explicit", "exit", "quit", "fail", "abort":
		return true
	}
	return false
}

// formOf is the form that a call is of, by its path and arguments.
func formOf(last, path string, args []*expr.Expr) (form, bool) {
	if !isForm(last) {
		return form{}, false
	}
	for _, f := range forms() {
		if path[strings.LastIndexByte(path, '.')+1:] == f.last && f.fits(path) && (f.last != "log" || atErrorLevel(args)) {
			return f, true
		}
	}
	return form{}, false
}

// atErrorLevel reports whether the first argument of log.log is the level of an error.
func atErrorLevel(args []*expr.Expr) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0].Last() {
	case "ERROR", "CRITICAL", "FATAL":
		return true
	}
	return false
}

// fits reports whether a dotted path is of the form.
func (f form) fits(path string) bool {
	i := strings.LastIndexByte(path, '.')
	owner := strings.ToLower(path[:max(i, 0)])
	return slices.ContainsFunc(f.owners, func(o string) bool {
		return o == "" && i < 0 || o != "" && i >= 0 && strings.HasSuffix(owner, o)
	})
}

// formed files the site that a call of a form is, if it has a text.
func (b *body) formed(out []flow.Stmt, f form, args []*expr.Expr, c, stmt int) []flow.Stmt {
	s := b.site(f.kind, stmt)
	s.TypeName = f.typ
	var plain []*expr.Expr
	for _, a := range args {
		switch {
		case !a.Is(expr.Keyword):
			plain = append(plain, a)
		case a.Text == f.keyword:
			s.Message = a.Arg(0)
		case a.Text == "category" && f.kind == raise.KindWarning:
			s.Type, s.TypeName = a.Arg(0), ""
		}
	}
	if f.text < len(plain) {
		s.Message = formatted(plain[f.text])
		if f.format && len(plain) > f.text+1 {
			s.Message = &expr.Expr{Op: expr.Format, Text: message.Percent, Args: plain[f.text:]}
		}
	}
	if s.Message == nil || s.Message.Is(expr.Number) || s.Message.Is(expr.Null) {
		return out
	}
	if f.kind == raise.KindWarning && len(plain) > 1 {
		s.Type, s.TypeName = plain[1], ""
	}
	st := b.at(flow.Raise, c)
	st.Goes = true
	return b.add(out, s, st)
}

// imported is a path with the name that a module was asked for in place of what it is called here: "warn" is "warnings.warn" behind
// "from warnings import warn".
func (b *body) imported(path string) string {
	if strings.Contains(path, ".") {
		return path
	}
	for _, i := range b.facts.Imports {
		if i.Local == path && i.Symbol != "" {
			return i.Module + "." + i.Symbol
		}
	}
	return path
}

// importedName reports whether a path begins with a name that the file imports, or is one name.
func (b *body) importedName(e *expr.Expr) bool {
	head, _, dotted := strings.Cut(e.Path(), ".")
	return !dotted || slices.ContainsFunc(b.facts.Imports, func(i raise.Import) bool { return i.Local == head })
}
