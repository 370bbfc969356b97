package explain

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// code is a check to put before the call, and what takes the error up, in the manner of the language; each only if it is well-formed.
func (p *page) code(r *raising) (check, handler *api.Code) {
	l := r.lang
	fn := r.function()
	if l.Parses == nil || fn == nil || !fn.Exported || fn.Parent >= 0 || p.files[r.file].Kind == "test" {
		return nil, nil // nobody else calls it
	}
	made := func(text string) *api.Code {
		if text == "" || !l.Parses(text) {
			return nil
		}
		return &api.Code{Language: l.Name, Text: text, Origin: api.FromSource}
	}
	call := r.callText(fn)
	if call == "" {
		return nil, nil
	}
	if g := guardOf(r.site); l.CheckCode != nil && g != nil && g.Expr != nil && len(g.Stale) == 0 {
		if e := condition.Substitute(g.Expr, whole(r.site.Defs)); controlled(e, fn, r.site) {
			check = made(l.CheckCode(condition.Negate(e).Print(&l.Spelling), call))
		}
	}
	if k := r.found.site.Kind; l.HandlerCode != nil && (k == raise.KindError || k == raise.KindAssertion) && !r.kept() && !p.caughtInside(r) {
		handler = made(l.HandlerCode(r.found.variant.Type, call))
	}
	return check, handler
}

// callText is a call of a function with its parameters as arguments; "" if it can only be run in another way.
func (r *raising) callText(fn *raise.Function) string {
	var args []string
	for _, p := range fn.Params {
		if p.Default == nil && !p.Variadic && !p.Keywords {
			args = append(args, p.Name)
		}
	}
	name := fn.Name
	owner := link.LastName(fn.Owner)
	switch {
	case strings.Contains(fn.Owner, "<"):
		return ""
	case slices.Contains(r.lang.Constructors, fn.Name):
		name = r.lang.Spelling.New + owner
	case strings.HasPrefix(fn.Name, "__") || strings.HasPrefix(fn.Name, "<"):
		return "" // the language calls it
	case fn.Owner != "" && fn.Static:
		name = owner + "." + name
	case fn.Owner != "":
		name = lowered(owner) + "." + name // a value of the type, called like it
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// lowered writes the capitals that a name begins with small, but for the one that begins its second word: "HTTPServer" is "httpServer".
func lowered(name string) string {
	name = strings.TrimLeft(name, "_")
	n := 0
	for n < len(name) && name[n] >= 'A' && name[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(name) && name[n] >= 'a' && name[n] <= 'z' {
		n--
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// controlled reports whether a condition is about nothing but what the caller gives: parameters as they came, their members and lengths.
func controlled(e *expr.Expr, fn *raise.Function, s *raise.Site) bool {
	ok, any := true, false
	e.Walk(func(a *expr.Expr) bool {
		switch {
		case a.Is(expr.Unknown), a.Is(expr.Func):
			ok = false
		case a.Is(expr.Call):
			for _, arg := range a.Args[1:] {
				ok = ok && controlledOrConstant(arg, fn, s)
			}
			if callee := a.Arg(0); callee.Is(expr.Attr) {
				ok = ok && controlledOrConstant(callee.Arg(0), fn, s)
				any = true
			} else {
				ok = false
			}
			return false
		case a.Is(expr.Name):
			given := slices.ContainsFunc(fn.Params, func(p raise.Param) bool { return p.Name == a.Text && !p.Variadic && !p.Keywords }) && assigned(s, a.Text) == ""
			ok, any = ok && given, any || given
		case a.Is(expr.Attr) && assigned(s, a.Path()) != "":
			ok = false
		}
		return ok
	})
	return ok && any
}

func controlledOrConstant(e *expr.Expr, fn *raise.Function, s *raise.Site) bool {
	constant := true
	e.Walk(func(a *expr.Expr) bool {
		constant = constant && !a.Is(expr.Name) && !a.Is(expr.Call) && !a.Is(expr.Unknown)
		return constant
	})
	return constant || controlled(e, fn, s)
}
