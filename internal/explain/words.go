package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// verb is what the code does with the error, for somebody who does it and in the passive voice.
func (r *raising) verb() (active, passive string) {
	if r.returned != nil {
		return "returns", "returned"
	}
	if r.kept() {
		return "makes", "made"
	}
	switch r.found.site.Kind {
	case raise.KindLog:
		return "logs", "logged"
	case raise.KindWarning:
		return "warns of", "shown"
	case raise.KindExit:
		return "ends the process with", "printed"
	case raise.KindFatal:
		return "logs and ends the process with", "logged"
	case raise.KindHTTP:
		return "answers with", "sent"
	}
	return "raises", "raised"
}

// summary is the one line that matters first.
func summary(r *raising) string {
	where := fmt.Sprintf("The code at %s:%d", r.path, r.site.Line)
	if name := r.name(); name != "" {
		where = quote(name)
	}
	verb, _ := r.verb()
	if said := r.said(); said != "" {
		return fmt.Sprintf("%s %s it when %s.", where, verb, said)
	}
	if r.name() == "" {
		return fmt.Sprintf("%s %s it.", where, verb)
	}
	return fmt.Sprintf("%s %s it at %s:%d.", where, verb, r.path, r.site.Line)
}

// said is the deciding part in words, with what has to go on behind it up to the raise; "" if there is none.
func (r *raising) said() string {
	var words []string
	for _, p := range deciding(r.site) {
		if text := r.say(p); text != "" {
			words = append(words, text)
		}
	}
	if h := r.helper; h != nil && h.said() != "" {
		words = append(words, "in "+quote(h.name())+" "+h.said())
	}
	return strings.Join(words, ", and ")
}

// deciding are the part of a condition that decides, and what is passed behind it: an arm that is not taken, a loop that ends. Where
// no branch decides, it is what the function passes last.
func deciding(s *raise.Site) []*raise.Part {
	g := guardOf(s)
	if g == nil {
		return nil
	}
	at := slices.IndexFunc(s.Condition, func(p raise.Part) bool { return &p == g || p.Line == g.Line && p.Role == g.Role && p.Expr == g.Expr })
	first := at
	if g.Role == raise.RoleExit {
		for first > 0 && s.Condition[first-1].Role == raise.RoleExit {
			first--
		}
	}
	var out []*raise.Part
	for i := first; i < len(s.Condition); i++ {
		p := &s.Condition[i]
		if i > at && p.Role != raise.RoleExit && p.Role != raise.RoleEnd || p != g && len(p.Stale) > 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}

// say is a part of the condition in words.
func (r *raising) say(p *raise.Part) string {
	if call := r.failing(p); call != "" {
		return quote(call) + " returns an error"
	}
	switch {
	case p.Expr != nil:
		return condition.Say(p.Expr, &r.lang.Spelling)
	case p.Role == raise.RoleHandler:
		if typ, calls, ok := strings.Cut(p.Text+" ", " from "); ok && calls != "" {
			return oneOf(strings.TrimSpace(calls)) + " raises " + quote(typ)
		} else if ok {
			return "what is tried before raises " + quote(typ) // no call, but an index or a conversion
		}
		return oneOf(p.Text) + " fails"
	case p.Role == raise.RoleLoop:
		return "it runs " + p.Text
	case p.Role == raise.RoleEnd:
		return "the loop " + quote(p.Text) + " ends without leaving"
	}
	return p.Text
}

// oneOf is a call, or one of several with commas between them.
func oneOf(calls string) string {
	var all []string
	depth, from := 0, 0
	for i, c := range calls {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				all, from = append(all, quote(calls[from:i])), i+1
			}
		}
	}
	all = append(all, quote(calls[from:]))
	if len(all) == 1 {
		return all[0]
	}
	return "one of " + strings.Join(all, ", ")
}

// failing is the call whose error a part asks for: a name that is called like an error, is not null, and was one of the results of a
// call; "" if the part is anything else.
func (r *raising) failing(p *raise.Part) string {
	e := p.Expr
	if e == nil || !e.Is(expr.Compare) || e.Text != "!=" && e.Text != "is not" || !e.Arg(0).Is(expr.Name) || !e.Arg(1).Is(expr.Null) || len(p.Stale) > 0 {
		return ""
	}
	name := e.Arg(0).Text
	if low := strings.ToLower(name); !strings.HasSuffix(low, "err") && !strings.HasSuffix(low, "error") {
		return ""
	}
	for _, d := range r.site.Defs {
		if d.Name != name {
			continue
		}
		call := d.Value
		if _, of := component(d); of {
			call = d.Value.Arg(0)
		}
		if call.Is(expr.Call) {
			return call.Print(&r.lang.Spelling)
		}
	}
	return ""
}

// component says which of several values of an expression a definition takes, counted from 1; ok is false for one that takes it whole.
// Such a definition prints like the expression.
func component(d raise.Def) (n int, ok bool) {
	if !d.Value.Is(expr.Index) || !d.Value.Arg(1).Is(expr.Number) || d.Value.Src != srcOf(d.Value.Arg(0)) {
		return 0, false
	}
	n, err := strconv.Atoi(d.Value.Arg(1).Text)
	return n + 1, err == nil
}

func srcOf(e *expr.Expr) string {
	if e == nil {
		return ""
	}
	return e.Src
}

// whole leaves out definitions that rest on one of several values of an expression, which print like the expression itself.
func whole(defs []raise.Def) []raise.Def {
	return slices.DeleteFunc(slices.Clone(defs), func(d raise.Def) bool {
		part := false
		d.Value.Walk(func(e *expr.Expr) bool {
			_, of := component(raise.Def{Value: e})
			part = part || of
			return !part
		})
		return part
	})
}

// outer says what the branches around the deciding one ask for.
func outer(r *raising) string {
	said := deciding(r.site)
	var parts []string
	for i := range r.site.Condition {
		p := &r.site.Condition[i]
		if len(p.Stale) > 0 {
			continue // its names mean something else by now
		}
		branch := p.Expr != nil && (p.Role == raise.RoleBranch || p.Role == raise.RoleCase)
		if !branch && p.Role != raise.RoleHandler || slices.Contains(said, p) || p.Role == raise.RoleHandler && p.Text == "" {
			continue
		}
		parts = append(parts, r.say(p))
	}
	if len(parts) == 0 {
		return ""
	}
	return "It can only come to that where " + strings.Join(parts, ", and ") + "."
}

// quote puts code between backquotes.
func quote(code string) string {
	code = strings.Join(strings.Fields(code), " ")
	if code == "" || strings.Contains(code, "`") {
		return code
	}
	return "`" + code + "`"
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
