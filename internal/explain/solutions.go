package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// solutions are what to do, most likely first: what the condition accepts of each quantity, the other ways out, what failed before.
func solutions(out *api.Page, r *raising) []api.Sentence {
	var all []api.Sentence
	where := ""
	if several(out, r) {
		where = fmt.Sprintf("At %s:%d: ", r.path, r.site.Line)
	}
	add := func(text string, evidence ...api.Evidence) {
		all = append(all, api.Sentence{Text: where + text, Origin: api.FromSource, Evidence: evidence})
	}
	c := conditionOf(r.core, r.site, r.lang)
	solved := false
	if c != nil {
		for _, s := range c.Solved {
			if s.Leaves == "" && s.Quantity != "" {
				text := fmt.Sprintf("Give %s a value for which %s.", quote(s.Quantity), quote(s.Accepted))
				if list, ok := strings.CutPrefix(s.Accepted, s.Quantity+" is one of "); ok {
					text = fmt.Sprintf("Give %s one of these values: %s.", quote(s.Quantity), quote(list))
				}
				add(text, r.here("condition", s.Line, s.Accepted))
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
	if !solved {
		if text, p := r.avoid(); text != "" {
			add(text, r.here("condition", p.Line, p.Text))
		}
	}
	return all
}

// avoid says how not to come to the raise where no quantity is solved for, and on which part of the condition that rests; "" if what
// decides is nothing that anybody outside of the function can see.
func (r *raising) avoid() (text string, on *raise.Part) {
	g := guardOf(r.site)
	if g == nil {
		return "", nil
	}
	if call := r.failing(g); call != "" {
		return fmt.Sprintf("Look at why %s fails.", quote(call)), g
	}
	if g.Expr == nil && g.Role == raise.RoleHandler && g.Text != "" {
		return "Look at why " + r.say(g) + ".", g
	}
	if r.helper != nil && g.Role == raise.RoleExit {
		return "", nil // what the helper asks for decides
	}
	// The nearest branch that is about something that can be seen.
	for i := range slices.Backward(r.site.Condition) {
		p := &r.site.Condition[i]
		if p != g && p.Role != raise.RoleBranch && p.Role != raise.RoleCase && p.Role != raise.RoleGuard || p.Expr == nil || len(p.Stale) > 0 && p != g {
			continue
		}
		if each, ok := r.visible(p.Expr); ok {
			return fmt.Sprintf("Make sure that %s%s.", condition.Say(condition.Negate(p.Expr), &r.lang.Spelling), each), p
		}
	}
	return "", nil
}

// visible reports whether a condition is about something else than names that the function gave values of its own, which nobody sees.
// Those that a page says the definition of can be followed; for what a loop takes, each says of what.
func (r *raising) visible(e *expr.Expr) (each string, ok bool) {
	ok = true
	e.Walk(func(a *expr.Expr) bool {
		path := a.Path()
		if path == "" || a.Is(expr.Call) {
			return true
		}
		switch name := assigned(r.site, path); {
		case name == "", slices.ContainsFunc(r.site.Defs, func(d raise.Def) bool { return d.Name == name }):
		default:
			loop := r.loopOver(name)
			ok = ok && loop != ""
			each = loop
		}
		return false
	})
	return each, ok
}

// loopOver is what the loop that gives a name its values says; "" if none does.
func (r *raising) loopOver(name string) string {
	for i := range r.site.Condition {
		p := &r.site.Condition[i]
		targets, _, ok := strings.Cut(strings.TrimPrefix(p.Text, "for each "), " in ")
		if p.Role == raise.RoleLoop && ok && slices.Contains(strings.Split(targets, ", "), name) {
			return " " + p.Text
		}
	}
	return ""
}

// assigned is the name or member path, among those that the function of a site itself assigns, that a path begins with; "" if none.
func assigned(s *raise.Site, path string) string {
	for _, a := range s.Assigned {
		if path == a || strings.HasPrefix(path, a+".") {
			return a
		}
	}
	return ""
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
