package langtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func lines(line, end int) string {
	if end > line {
		return fmt.Sprintf("%d-%d", line, end)
	}
	return strconv.Itoa(line)
}

// where names a function by its index.
func where(f *raise.Facts, function int) string {
	if function < 0 || function >= len(f.Functions) {
		return "<top>"
	}
	fn := f.Functions[function]
	name := fn.Name
	if name == "" {
		name = "<anonymous>"
	}
	if fn.Owner != "" {
		name = fn.Owner + "." + name
	}
	return name
}

func sites(f *raise.Facts) string {
	var b strings.Builder
	for _, s := range f.Sites {
		typ := s.TypeName
		if typ == "" && s.Type != nil {
			typ = s.Type.String()
		}
		fmt.Fprintf(&b, "%s %s %s in %s\n", lines(s.Line, s.EndLine), s.Kind, orDash(typ), where(f, s.Function))
		field(&b, "potential", map[bool]string{true: "yes"}[s.Potential])
		field(&b, "declared", s.Declared)
		field(&b, "sentinel", s.Sentinel)
		field(&b, "via", s.Via)
		exprField(&b, "message", s.Message)
		if s.Message == nil || s.Via != "" {
			exprField(&b, "args", expr.New(expr.Tuple, "", s.Args...))
		}
		exprField(&b, "wraps", s.Wraps)
		for _, p := range s.Condition {
			fmt.Fprintf(&b, "  %s %d: %s\n", p.Role, p.Line, condition(p))
		}
		for _, d := range s.Defs {
			fmt.Fprintf(&b, "  def %d: %s = %s\n", d.Line, d.Name, d.Value)
		}
		for _, d := range s.Held {
			fmt.Fprintf(&b, "  held %d: %s = %s\n", d.Line, d.Name, d.Value)
		}
		for line := range strings.Lines(s.Comment) {
			field(&b, "comment", strings.TrimSpace(line))
		}
	}
	return b.String()
}

func condition(p raise.Part) string {
	var parts []string
	if p.Expr != nil {
		parts = append(parts, p.Expr.String())
	}
	if p.Text != "" {
		parts = append(parts, "“"+p.Text+"”")
	}
	if p.Leaves != "" {
		parts = append(parts, "(else "+p.Leaves+")")
	}
	if len(p.Stale) > 0 {
		parts = append(parts, "(stale "+strings.Join(p.Stale, ", ")+")")
	}
	return strings.Join(parts, " ")
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func field(b *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(b, "  %s: %s\n", name, value)
	}
}

func exprField(b *strings.Builder, name string, e *expr.Expr) {
	if e != nil {
		fmt.Fprintf(b, "  %s: %s\n", name, Tree(e))
	}
}

// Tree prints a message's expression by structure: strings quoted, holes in braces with their format, alternatives in [ | ].
func Tree(e *expr.Expr) string {
	args := func(sep string) string {
		var out []string
		for _, a := range e.Args {
			out = append(out, Tree(a))
		}
		return strings.Join(out, sep)
	}
	if e == nil {
		return "-"
	}
	switch e.Op {
	case expr.String:
		return strconv.Quote(e.Text)
	case expr.Interp:
		return "interp" + e.Text + "(" + args(" ") + ")"
	case expr.Hole:
		return "{" + e.Arg(0).String() + "}" + e.Text
	case expr.Format:
		return "format " + e.Text + "(" + args(", ") + ")"
	case expr.Join:
		return "join(" + args(", ") + ")"
	case expr.Alt:
		return "[" + args(" | ") + "]"
	case expr.Cond:
		return "cond(" + args(", ") + ")"
	case expr.Binary:
		return args(" " + e.Text + " ")
	case expr.Error:
		return "error(" + args(", ") + ")"
	case expr.Tuple:
		return "(" + args(", ") + ")"
	}
	return e.String()
}

func functions(f *raise.Facts) string {
	var b strings.Builder
	for i, fn := range f.Functions {
		fmt.Fprintf(&b, "%s %s(%s)", lines(fn.Line, fn.EndLine), where(f, i), params(fn.Params))
		if fn.Exported {
			b.WriteString(" exported")
		}
		if fn.Static {
			b.WriteString(" static")
		}
		if fn.Parent >= 0 {
			b.WriteString(" within " + where(f, fn.Parent))
		}
		b.WriteByte('\n')
		field(&b, "doc", fn.Doc)
		for _, c := range fn.Calls {
			fmt.Fprintf(&b, "  calls %d: %s\n", c.Line, c.Callee)
		}
		for _, m := range fn.Makes {
			exprField(&b, "makes", m)
		}
	}
	return b.String()
}

func params(all []raise.Param) string {
	var out []string
	for _, p := range all {
		s := p.Name
		if p.Variadic {
			s = "*" + s
		}
		if p.Type != "" {
			s += ": " + p.Type
		}
		if p.Default != nil {
			s += " = " + p.Default.String()
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func types(f *raise.Facts) string {
	var b strings.Builder
	for _, t := range f.Types {
		fmt.Fprintf(&b, "%s %s(%s)\n", lines(t.Line, t.EndLine), t.Name, strings.Join(t.Bases, ", "))
		field(&b, "doc", t.Doc)
		field(&b, "params", params(t.Params))
		for _, d := range t.Fields {
			fmt.Fprintf(&b, "  field %s = %s\n", d.Name, d.Value)
		}
		exprField(&b, "message", t.Message)
		if t.Super != nil {
			exprField(&b, "super", expr.New(expr.Tuple, "", t.Super...))
		}
	}
	return b.String()
}

func values(f *raise.Facts) string {
	var b strings.Builder
	for _, v := range f.Values {
		fmt.Fprintf(&b, "%d %s = %s\n", v.Line, v.Name, Tree(v.Value))
		if v.Site >= 0 {
			fmt.Fprintf(&b, "  site: %d\n", v.Site)
		}
	}
	return b.String()
}

func imports(f *raise.Facts) string {
	var b strings.Builder
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "%d %s = %s %s\n", i.Line, i.Local, i.Module, i.Symbol)
	}
	return b.String()
}

func expectations(f *raise.Facts) string {
	var b strings.Builder
	for _, x := range f.Expectations {
		not := map[bool]string{true: "not "}[x.Negated]
		fmt.Fprintf(&b, "%s %s%s %s in %s\n", lines(x.Line, x.EndLine), not, orDash(x.Type), x.Form, where(f, x.Function))
		exprField(&b, "message", x.Message)
		field(&b, "calls", strings.Join(x.Calls, ", "))
	}
	return b.String()
}

func handlers(f *raise.Facts) string {
	var b strings.Builder
	for _, h := range f.Handlers {
		fmt.Fprintf(&b, "%d %s in %s\n", h.Line, orDash(strings.Join(h.Types, ", ")), where(f, h.Function))
		if h.From > 0 {
			field(&b, "of", lines(h.From, h.To))
		}
	}
	return b.String()
}

func problems(f *raise.Facts) string {
	var b strings.Builder
	for _, p := range f.Problems {
		fmt.Fprintf(&b, "%d %s\n", p.Line, p.Reason)
	}
	return b.String()
}
