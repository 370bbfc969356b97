package c

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// macro is a macro with parameters that raises: the sites of what it expands to, in terms of its parameters.
type macro struct {
	params []raise.Param
	sites  []raise.Site
}

// macros are those of a file, by name.
type macros map[string]*macro

// Bounds on what is read of macros.
const (
	maxMacro  = 4000 // bytes of what one expands to
	maxMacros = 400  // of one file
)

// before reads the includes, the namespaces and the macros of a file.
func before(f *lower.File) {
	include, def, function, space := f.Dialect.Grammar.Symbol("preproc_include"), f.Dialect.Grammar.Symbol("preproc_def"),
		f.Dialect.Grammar.Symbol("preproc_function_def"), f.Dialect.Grammar.Symbol("namespace_definition")
	own := macros{}
	f.Own = own
	var defined []int
	for n := range f.Nodes {
		if !f.Is(n, syntax.Named) {
			continue
		}
		switch f.Symbol(n) {
		case include:
			name := strings.Trim(f.Text(f.Field(n, "path")), `<>"`)
			f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: name[strings.LastIndexByte(name, '/')+1:], Module: name, Line: f.Line(n)})
		case def:
			constant(f, n)
		case function:
			defined = append(defined, n)
		case space:
			for _, part := range strings.Split(f.Text(f.Field(n, "name")), "::") {
				if part = strings.TrimSpace(strings.TrimPrefix(part, "inline ")); part != "" && !slices.Contains(strings.Fields(f.Facts.Module), part) && len(f.Facts.Module) < 400 {
					f.Facts.Module = strings.TrimSpace(f.Facts.Module + " " + part)
				}
			}
		}
	}
	for i, n := range defined {
		if i < maxMacros {
			expands(f, n, own)
		}
	}
}

// constant keeps what a macro without parameters stands for, if that is a text, a number or another name.
func constant(f *lower.File, n int) {
	value := strings.TrimSpace(f.Text(f.Field(n, "value")))
	if value == "" || len(value) > maxMacro {
		return
	}
	var e *expr.Expr
	switch c := value[0]; {
	case c == '"' || strings.HasPrefix(value, "u8\"") || strings.HasPrefix(value, "_(\"") || strings.HasPrefix(value, "N_(\"") || strings.HasPrefix(value, "(\""):
		part := f.Fragment("x = " + unfolded(value) + ";")
		if part == nil {
			return
		}
		for m := range part.Nodes {
			if part.Kind(m) == "assignment_expression" {
				e = part.Expr(part.Field(m, "right"))
				break
			}
		}
	case c >= '0' && c <= '9' && !strings.ContainsAny(value, " ()"):
		e = lower.Number(value)
	case plainName(value):
		e = expr.Ident(value)
	}
	if e != nil {
		(&lower.Body{File: f, Function: raise.NoFunction}).Constant(f.Text(f.Field(n, "name")), e, f.Line(n))
	}
}

func plainName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && !upper(c) && !lowerCase(c) && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return s != ""
}

// unfolded is what a macro stands for, on one line.
func unfolded(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	return strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(s)
}

// expands reads a macro with parameters, and keeps it if what it expands to raises.
func expands(f *lower.File, n int, own macros) {
	body := unfolded(f.Text(f.Field(n, "value")))
	if len(body) > maxMacro || !strings.Contains(body, "(") && !strings.Contains(body, "throw") || !suspicious(body) {
		return
	}
	m := &macro{}
	for _, p := range f.Named(f.Field(n, "parameters")) {
		m.params = append(m.params, raise.Param{Name: f.Text(p)})
	}
	if strings.Contains(f.Text(f.Field(n, "parameters")), "...") {
		m.params = append(m.params, raise.Param{Name: "...", Variadic: true})
	}
	part := f.Fragment("void m(void) {\n" + pasted(body, m.params) + ";\n}")
	if part == nil {
		return
	}
	b := &lower.Body{File: part, Function: raise.NoFunction}
	for fn := range part.Nodes {
		if part.Kind(fn) != "function_definition" {
			continue
		}
		stmts := b.Block(part.Field(fn, "body"))
		names := make([]string, len(m.params))
		for i, p := range m.params {
			names[i] = p.Name
		}
		flow.Analyze(flow.Function{Params: names, Body: stmts, Pure: Pure, Grow: Grow}, part.Facts.Sites)
		break
	}
	name := f.Text(f.Field(n, "name"))
	fn := raise.Function{Name: name, Parent: raise.NoFunction, Params: m.params, Line: f.Line(n), EndLine: f.Line(n) + strings.Count(strings.TrimRight(f.Text(n), "\n"), "\n"), Exported: true}
	for _, s := range part.Facts.Sites {
		if s.Kind == raise.KindReraise || s.Potential && s.Via == name {
			continue
		}
		m.sites = append(m.sites, s)
		if typ := typeOf(&s); !s.Potential && (s.Message != nil || len(s.Args) > 0) {
			fn.Makes = append(fn.Makes, expr.New(expr.Error, "", append([]*expr.Expr{typ, s.Message}, s.Args...)...))
		}
	}
	if len(m.sites) > 0 {
		own[name] = m
		f.Facts.Functions = append(f.Facts.Functions, fn)
	}
}

// typeOf is the type of a site as an expression; nil if it has none.
func typeOf(s *raise.Site) *expr.Expr {
	if s.TypeName != "" {
		return expr.Ident(s.TypeName)
	}
	return s.Type
}

// suspicious reports whether what a macro expands to can raise, by the words in it.
func suspicious(body string) bool {
	l := strings.ToLower(body)
	for _, w := range []string{"throw", "stderr", "abort", "exit", "err", "fail", "fatal", "die", "panic", "assert", "warn", "raise", "check", "bug", "log"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// stringPrefix marks the name of a parameter that a macro turns into a text.
const stringPrefix = "wf_text_of_"

// pasted is what a macro expands to without the operators of the preprocessor: #x becomes a name, ## joins, and named variable
// arguments are those without a name.
func pasted(body string, params []raise.Param) string {
	if !strings.Contains(body, "#") && !strings.Contains(body, "__VA_OPT__") {
		return body
	}
	body = regexp.MustCompile(`,\s*##\s*`).ReplaceAllString(body, ", ")
	body = regexp.MustCompile(`\s*##\s*`).ReplaceAllString(body, "")
	body = regexp.MustCompile(`__VA_OPT__\s*\(\s*,\s*\)`).ReplaceAllString(body, ",")
	for _, p := range params {
		if p.Name != "..." {
			body = regexp.MustCompile(`#\s*`+regexp.QuoteMeta(p.Name)+`\b`).ReplaceAllString(body, stringPrefix+p.Name)
		}
	}
	return strings.ReplaceAll(body, "#__VA_ARGS__", stringPrefix+"args")
}

// macro reads the use of a macro of the same file for what it expands to.
func (u *use) macro(out []flow.Stmt) ([]flow.Stmt, bool) {
	own, _ := u.Own.(macros)
	m := own[u.name]
	if m == nil || u.path != u.name {
		return out, false
	}
	found := false
	for i := range m.sites {
		s := m.bound(&m.sites[i], u)
		if s.Message != nil && !textual(s.Message) || s.Message == nil && s.Via == "" && len(s.Args) == 0 && s.Type == nil {
			continue
		}
		found = true
		made := u.Site(s.Kind, u.place())
		made.Type, made.TypeName, made.Message, made.Args, made.Via, made.Potential = s.Type, s.TypeName, s.Message, s.Args, s.Via, s.Potential
		st := u.At(flow.Raise, u.n)
		st.Goes = s.Kind == raise.KindLog || s.Kind == raise.KindWarning || s.Potential
		if cond := conditionOf(s.Condition); cond != nil {
			st.Kind, st.Cond = flow.Assert, flow.Negate(cond)
		}
		out = u.Add(out, made, st)
	}
	return out, found
}

// conditionOf is the condition of a site as one expression; nil for none.
func conditionOf(parts []raise.Part) *expr.Expr {
	var all []*expr.Expr
	for _, p := range parts {
		if p.Expr == nil || p.Expr.Is(expr.Number) || p.Expr.Is(expr.Truthy) && p.Expr.Arg(0).Is(expr.Number) {
			continue
		}
		if p.Role == raise.RoleGuard || p.Role == raise.RoleBranch || p.Role == raise.RoleAssert {
			all = append(all, p.Expr)
		}
	}
	return expr.Conj(all...)
}

// bound is a site of a macro with the arguments of a use put in for its parameters.
func (m *macro) bound(s *raise.Site, u *use) raise.Site {
	values := map[string]*expr.Expr{}
	for i, p := range m.params {
		switch {
		case p.Variadic:
			values["..."] = expr.New(expr.Tuple, "", u.args[min(i, len(u.args)):]...)
		case i < len(u.args):
			values[p.Name] = u.args[i]
			values[stringPrefix+p.Name] = expr.Str(stringized(u.File, u.nodes[i]))
		}
	}
	put := func(e *expr.Expr) *expr.Expr {
		return e.Map(func(a *expr.Expr) *expr.Expr {
			switch {
			case a.Is(expr.Name) && values[a.Text] != nil:
				return values[a.Text]
			case a.Is(expr.Call) || a.Is(expr.Format) || a.Is(expr.Tuple):
				return spliced(a)
			}
			return a
		})
	}
	out := *s
	out.Type, out.Message = put(s.Type), put(s.Message)
	out.Args, out.Condition = nil, nil
	for _, a := range s.Args {
		out.Args = append(out.Args, put(a))
	}
	out.Args = spliced(expr.New(expr.Tuple, "", out.Args...)).Args
	for _, p := range s.Condition {
		p.Expr = put(p.Expr)
		out.Condition = append(out.Condition, p)
	}
	if s.TypeName == "assert" && s.Message.Is(expr.String) {
		// The condition is printed as it stands in the use.
		out.Message = expr.Str(regexp.MustCompile(`\b\w+\b`).ReplaceAllStringFunc(s.Message.Text, func(w string) string {
			if text := values[stringPrefix+w]; text != nil {
				return text.Text
			}
			return w
		}))
	}
	if len(u.tail) > 0 && out.Message != nil {
		out.Message = interp(out.Message, written(u.File, u.tail, 0))
	}
	return out
}

// spliced puts the elements of an unpacked tuple in its place.
func spliced(e *expr.Expr) *expr.Expr {
	i := slices.IndexFunc(e.Args, func(a *expr.Expr) bool { return a.Is(expr.Spread) && a.Arg(0).Is(expr.Tuple) })
	if i < 0 {
		return e
	}
	args := slices.Concat(e.Args[:i], e.Args[i].Arg(0).Args, e.Args[i+1:])
	return expr.New(e.Op, e.Text, args...)
}

// listed reads the simple form of a list of errors that is a macro: X(CODE, "text") several times.
func listed(b *lower.Body, out []flow.Stmt, n int) []flow.Stmt {
	name := b.Text(b.Field(n, "name"))
	value := b.Field(n, "value")
	body := b.Text(value)
	if value < 0 || !errorish(name) || strings.Count(body, `"`) < 4 {
		return out
	}
	entry := regexp.MustCompile(`\w+\s*\(\s*(-?\w+)\s*,[^"()]*"((?:[^"\\\n]|\\.)*)"[^"()]*\)`)
	for _, at := range entry.FindAllStringSubmatchIndex(body, maxTable) {
		text := Unescape(body[at[4]:at[5]])
		if !prose(text) {
			continue
		}
		s := b.Site(raise.KindError, n)
		s.Start = b.Nodes[value].Start + uint32(at[0])
		s.End = b.Nodes[value].Start + uint32(at[1])
		s.Line, s.EndLine = b.RowAt(s.Start)+1, b.RowAt(s.End)+1
		s.TypeName, s.Message, s.Comment = body[at[2]:at[3]], expr.Str(text), ""
		st := b.At(flow.Raise, n)
		st.Goes = true
		out = b.Add(out, s, st)
	}
	return out
}
