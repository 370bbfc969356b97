package main

import (
	"context"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/catalog"
	"github.com/wherefore-dev/wherefore/internal/condition"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// prover evaluates the conditions of errors with the literal arguments of tests that provoke them: none may come out false.
type prover struct {
	catalog *catalog.Catalog
	langs   map[string]*lang.Language
	keys    map[string]catalog.FactsKey // of the files of the revision, by path
	read    func(path string) []string
}

// prove looks for calls of the function that raises, with nothing but literals, in the first lines of the tests of a page, and returns
// how many there are and the places of those for which the condition is false.
func (v *prover) prove(ctx context.Context, p *api.Page) (calls int, wrong []string, err error) {
	if len(p.Sites) != 1 || p.Sites[0].Via != nil || len(p.Sites[0].Returned) > 0 {
		return 0, nil, nil
	}
	core, site, err := v.site(ctx, p)
	if err != nil || site == nil || site.Function < 0 || site.Function >= len(core.Functions) {
		return 0, nil, err
	}
	fn, l := &core.Functions[site.Function], v.langs[core.Language]
	for _, t := range p.Tests {
		lines := v.read(t.Path)
		from := max(0, t.Line-1)
		args, ok := literals(strings.Join(lines[min(from, len(lines)):min(from+4, len(lines))], "\n"), link.LastName(fn.Name))
		if !ok || len(args) > len(fn.Params) {
			continue
		}
		defs := append([]raise.Def{}, site.Defs...)
		for i, a := range args {
			if name := fn.Params[i].Name; !assigned(site, name) && !fn.Params[i].Variadic {
				defs = append(defs, raise.Def{Name: name, Value: a})
			}
		}
		calls++
		if condition.Judge(site.Condition, defs, nil, &l.Spelling, &l.Rules, nil).Verdict == condition.False {
			wrong = append(wrong, t.Path)
		}
	}
	return calls, wrong, nil
}

func assigned(s *raise.Site, name string) bool {
	for _, a := range s.Assigned {
		if a == name {
			return true
		}
	}
	return false
}

// site reads the facts of the only site of a page.
func (v *prover) site(ctx context.Context, p *api.Page) (core *raise.Facts, site *raise.Site, err error) {
	at := &p.Sites[0]
	err = v.catalog.Cores(ctx, []catalog.FactsKey{v.keys[at.Path]}, func(language string) int {
		if l := v.langs[language]; l != nil {
			return l.FactsVersion()
		}
		return -1
	}, func(_ catalog.FactsKey, encoded []byte) error {
		var err error
		core, err = raise.DecodeCore(encoded)
		return err
	})
	if err != nil || core == nil {
		return nil, nil, err
	}
	for i := range core.Sites {
		if s := &core.Sites[i]; s.Line == at.Line && s.EndLine == at.EndLine {
			site = s
		}
	}
	return core, site, nil
}

// literals are the arguments of the first call of a function in a text, if all of them are literals without a name.
func literals(text, function string) ([]*expr.Expr, bool) {
	at := strings.Index(text, function+"(")
	if at < 0 || function == "" {
		return nil, false
	}
	rest := text[at+len(function)+1:]
	end := strings.IndexByte(rest, ')')
	if end < 0 || strings.ContainsAny(rest[:end], "([{\\\n") {
		return nil, false
	}
	var out []*expr.Expr
	for a := range strings.SplitSeq(rest[:end], ",") {
		e := literal(strings.TrimSpace(a))
		if e == nil {
			return nil, false
		}
		out = append(out, e)
	}
	return out, len(out) > 0
}

// literal is a number, a text, a truth value or null; nil for anything else.
func literal(text string) *expr.Expr {
	switch text {
	case "None", "null", "nil":
		return expr.New(expr.Null, "")
	case "True", "true":
		return expr.New(expr.Bool, "true")
	case "False", "false":
		return expr.New(expr.Bool, "false")
	case "":
		return nil
	}
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] && !strings.ContainsRune(text[1:n-1], rune(text[0])) {
		return expr.Str(text[1 : n-1])
	}
	digits := strings.TrimPrefix(text, "-")
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return nil
	}
	e := expr.New(expr.Number, digits)
	if digits != text {
		e = expr.New(expr.Unary, "-", e)
	}
	return e
}
