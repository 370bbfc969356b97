package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// explain fills the parts of a page that say what the error means, when it happens and what to do.
func (p *page) explain(out *api.Page) error {
	r := p.first(out)
	if r == nil {
		return nil
	}
	out.Summary = summary(r)
	out.Meaning = meaning(out, r)
	out.Situations = situations(out)
	out.Tests = p.tests(r)
	out.Triggers = p.triggers(r)
	out.Related = p.related(r)
	var err error
	if out.Changes, err = p.changes(r); err != nil {
		return err
	}
	out.Solutions = solutions(r)
	out.Check, out.Handler = code(r)
	return nil
}

// said is the deciding part in words, with the definitions of its names put in; "" if there is none.
func (r *raising) said() string {
	g := guardOf(r.site)
	switch {
	case g == nil:
		return ""
	case g.Expr != nil:
		return condition.Say(g.Expr, &r.lang.Spelling)
	case g.Role == raise.RoleHandler:
		if typ, call, ok := strings.Cut(g.Text, " from "); ok {
			return quote(call) + " raises " + quote(typ)
		}
		return quote(g.Text) + " fails"
	case g.Role == raise.RoleLoop:
		return "it runs " + g.Text
	case g.Role == raise.RoleEnd:
		return "the loop " + quote(g.Text) + " ends without leaving"
	}
	return g.Text
}

// quote puts code between backquotes.
func quote(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if code == "" || strings.Contains(code, "`") {
		return code
	}
	return "`" + code + "`"
}

func summary(r *raising) string {
	where := "The code outside of functions"
	if name := r.name(); name != "" {
		where = quote(name)
	}
	verb := map[raise.Kind]string{raise.KindLog: "logs", raise.KindWarning: "warns of", raise.KindExit: "ends the process with",
		raise.KindFatal: "logs and ends the process with", raise.KindHTTP: "answers with"}[r.found.site.Kind]
	if verb == "" {
		verb = "raises"
	}
	if said := r.said(); said != "" {
		return fmt.Sprintf("%s %s it when %s.", where, verb, said)
	}
	return fmt.Sprintf("%s %s it at %s:%d.", where, verb, r.path, r.site.Line)
}

// meaning says who raises the error, in doing what, and what the code concludes from the condition.
func meaning(out *api.Page, r *raising) []api.Sentence {
	var all []api.Sentence
	add := func(text string, evidence ...api.Evidence) {
		all = append(all, api.Sentence{Text: text, Origin: api.FromSource, Evidence: evidence})
	}
	if fn := r.function(); fn != nil && fn.Doc != "" {
		add(quote(r.name())+" is documented as: "+fn.Doc, r.here("doc", fn.Line, fn.Doc))
	}
	for i := range r.core.Types {
		if t := &r.core.Types[i]; t.Doc != "" && t.Name == r.found.variant.Type {
			add(quote(t.Name)+" is documented as: "+t.Doc, r.here("doc", t.Line, t.Doc))
		}
	}
	if said := r.said(); said != "" {
		g := guardOf(r.site)
		text := "It is raised when " + said + "."
		if len(out.Sites) > 1 {
			text = fmt.Sprintf("At %s:%d it is raised when %s.", r.path, r.site.Line, said)
		}
		evidence := []api.Evidence{r.here("condition", g.Line, g.Text)}
		for _, d := range whole(r.site.Defs) {
			if g.Expr != nil && names(g.Expr, d.Name) {
				text += fmt.Sprintf(" There %s is %s.", quote(d.Name), quote(d.Value.Print(&r.lang.Spelling)))
				evidence = append(evidence, r.here("definition", d.Line, ""))
			}
		}
		add(text, evidence...)
	}
	if before := outer(r); before != "" {
		add(before, r.here("condition", r.site.Line, ""))
	}
	if n := len(out.Sites); n > 1 {
		var places []string
		var evidence []api.Evidence
		for i := range out.Sites {
			if i == 4 {
				places = append(places, fmt.Sprintf("%d more", n-i))
				break
			}
			s := &out.Sites[i]
			places = append(places, fmt.Sprintf("%s (%s:%d)", quote(orTop(s.Function)), s.Path, s.Line))
			evidence = append(evidence, api.Evidence{Kind: "call", Path: s.Path, Line: s.Line, EndLine: s.EndLine})
		}
		add(fmt.Sprintf("%d places raise it with this text: %s.", n, strings.Join(places, ", ")), evidence...)
	}
	return all
}

// whole leaves out definitions by one of several results of a call, which print like the call itself.
func whole(defs []raise.Def) []raise.Def {
	return slices.DeleteFunc(slices.Clone(defs), func(d raise.Def) bool {
		part := false
		d.Value.Walk(func(e *expr.Expr) bool {
			part = part || e.Is(expr.Index) && !strings.HasSuffix(strings.TrimSpace(e.Src), "]")
			return !part
		})
		return part
	})
}

func orTop(function string) string {
	if function == "" {
		return "the top level"
	}
	return function
}

// names reports whether an expression holds a name or member path.
func names(e *expr.Expr, name string) bool {
	found := false
	e.Walk(func(a *expr.Expr) bool {
		found = found || a.Path() == name
		return !found
	})
	return found
}

// outer says what the branches around the deciding one ask for.
func outer(r *raising) string {
	g := guardOf(r.site)
	var parts []string
	for i := range r.site.Condition {
		c := &r.site.Condition[i]
		if c == g || c.Expr == nil || c.Role != raise.RoleBranch && c.Role != raise.RoleCase {
			continue
		}
		parts = append(parts, condition.Say(c.Expr, &r.lang.Spelling))
	}
	if len(parts) == 0 {
		return ""
	}
	return "It can only come to that where " + strings.Join(parts, ", and ") + "."
}

// situations are the comments beside the checks.
func situations(out *api.Page) []api.Sentence {
	var all []api.Sentence
	for i := range out.Sites {
		s := &out.Sites[i]
		text := strings.Join(strings.Fields(s.Comment), " ")
		if text == "" || noise(text) || slices.ContainsFunc(all, func(o api.Sentence) bool { return o.Evidence[0].Text == text }) {
			continue
		}
		all = append(all, api.Sentence{Text: fmt.Sprintf("A comment at the check in %s says: %s", quote(orTop(s.Function)), text), Origin: api.FromSource,
			Evidence: []api.Evidence{{Kind: "comment", Path: s.Path, Line: s.Line, EndLine: s.EndLine, Text: text}}})
		if len(all) == 4 {
			break
		}
	}
	return all
}

// noise reports whether a comment speaks to tools.
func noise(text string) bool {
	for _, mark := range []string{"noqa", "pragma:", "nolint", "eslint-", "type: ignore", "pylint:", "istanbul", "c8 ignore", "codeql", "fmt: ", "prettier-"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return len(strings.Fields(text)) < 2
}

// solutions are what to do, most likely first: what the condition accepts of each quantity, the other ways out, what the tests do,
// and how to take the error up.
func solutions(r *raising) []api.Sentence {
	var all []api.Sentence
	add := func(text string, evidence ...api.Evidence) {
		all = append(all, api.Sentence{Text: text, Origin: api.FromSource, Evidence: evidence})
	}
	c := r.wire.Condition
	solved := false
	if c != nil {
		for _, s := range c.Solved {
			if s.Leaves == "" && s.Quantity != "" && !r.imported(s.Quantity) {
				add(fmt.Sprintf("Give %s a value for which %s.", quote(s.Quantity), quote(s.Accepted)), r.here("condition", s.Line, s.Accepted))
				solved = true
			}
		}
		for _, s := range c.Solved {
			if s.Leaves != "" {
				rest := ""
				if asks(c, s.Line) > 1 {
					rest = " and all else holds that the line asks for"
				}
				add(fmt.Sprintf("Where %s%s, line %d takes another way before the check.", quote(s.Accepted), rest, s.Line), r.here("condition", s.Line, s.Accepted))
			}
		}
	}
	if g := guardOf(r.site); !solved && g != nil && g.Expr != nil {
		add(fmt.Sprintf("Make sure that %s.", condition.Say(condition.Negate(g.Expr), &r.lang.Spelling)), r.here("condition", g.Line, g.Text))
	}
	if g := guardOf(r.site); g != nil && g.Expr == nil && g.Role == raise.RoleHandler && g.Text != "" {
		add(fmt.Sprintf("Look at what failed: %s.", quote(g.Text)), r.here("condition", g.Line, g.Text))
	}
	return all
}

// imported reports whether a quantity belongs to another module: it is none that a caller gives.
func (r *raising) imported(quantity string) bool {
	head, _, dotted := strings.Cut(quantity, ".")
	return dotted && slices.ContainsFunc(r.core.Imports, func(i raise.Import) bool {
		return i.Local == head || i.Local == "" && strings.HasSuffix("/"+i.Module, "/"+head)
	})
}

// asks counts the parts of a condition that stand on a line.
func asks(c *api.Condition, line int) int {
	n := 0
	for _, p := range c.Parts {
		if p.Line == line {
			n++
		}
	}
	return n
}

// code is a check to put before the call, and what takes the error up, in the manner of the language; each only if it is well-formed.
func code(r *raising) (check, handler *api.Code) {
	l := r.lang
	fn := r.function()
	if l.Parses == nil || fn == nil || !fn.Exported {
		return nil, nil // nobody else calls it
	}
	made := func(text string) *api.Code {
		if text == "" || !l.Parses(text) {
			return nil
		}
		return &api.Code{Language: l.Name, Text: text, Origin: api.FromSource}
	}
	call := callText(fn)
	if g := guardOf(r.site); l.CheckCode != nil && g != nil && g.Expr != nil {
		if e := condition.Substitute(g.Expr, whole(r.site.Defs)); controlled(e, fn) {
			check = made(l.CheckCode(condition.Negate(e).Print(&l.Spelling), call))
		}
	}
	if k := r.found.site.Kind; l.HandlerCode != nil && (k == raise.KindError || k == raise.KindAssertion) {
		handler = made(l.HandlerCode(r.found.variant.Type, call))
	}
	return check, handler
}

// callText is a call of a function with its parameters as arguments.
func callText(fn *raise.Function) string {
	var args []string
	for _, p := range fn.Params {
		if p.Default == nil && !p.Variadic {
			args = append(args, p.Name)
		}
	}
	name := fn.Name
	if fn.Owner != "" && !fn.Static && !strings.Contains(fn.Owner, "<") {
		// A value of the type, called like it.
		owner := link.LastName(fn.Owner)
		name = strings.ToLower(owner[:1]) + owner[1:] + "." + name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// controlled reports whether a condition is about nothing but what the caller gives: parameters, and their members and lengths.
func controlled(e *expr.Expr, fn *raise.Function) bool {
	ok, any := true, false
	e.Walk(func(a *expr.Expr) bool {
		switch {
		case a.Is(expr.Unknown), a.Is(expr.Func):
			ok = false
		case a.Is(expr.Call):
			for _, arg := range a.Args[1:] {
				ok = ok && controlledOrConstant(arg, fn)
			}
			if callee := a.Arg(0); callee.Is(expr.Attr) {
				ok = ok && controlledOrConstant(callee.Arg(0), fn)
				any = true
			} else {
				ok = false
			}
			return false
		case a.Is(expr.Name):
			given := slices.ContainsFunc(fn.Params, func(p raise.Param) bool { return p.Name == a.Text })
			ok, any = ok && given, any || given
		}
		return ok
	})
	return ok && any
}

func controlledOrConstant(e *expr.Expr, fn *raise.Function) bool {
	constant := true
	e.Walk(func(a *expr.Expr) bool {
		constant = constant && !a.Is(expr.Name) && !a.Is(expr.Call) && !a.Is(expr.Unknown)
		return constant
	})
	return constant || controlled(e, fn)
}
