package link

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// overload is the function that a call with these arguments means, of those that have the name of sym in its type and file: the one
// whose parameters take them, with texts where texts are asked for. sym itself, where none does.
func (l *linker) overload(sym symbol, args []*expr.Expr) symbol {
	if sym.function < 0 {
		return sym
	}
	others := l.symbols.overloads[place{sym.file, sym.function}]
	if len(others) == 0 {
		return sym
	}
	functions := l.facts(sym.file).Functions
	best, most := sym.function, fits(functions[sym.function].Params, args)
	for _, other := range others {
		if n := fits(functions[other].Params, args); n > most {
			best, most = other, n
		}
	}
	sym.function = best
	return sym
}

// unfit is what fits says of parameters that do not take the arguments.
const unfit = -1000

// fits says how well arguments suit parameters: unfit if their number or names do not, otherwise more the more of them agree.
func fits(params []raise.Param, args []*expr.Expr) int {
	given := map[string]bool{}
	plain := 0
	for _, a := range args {
		switch {
		case a.Is(expr.Spread):
			return 0
		case a.Is(expr.Keyword):
			given[a.Text] = true
		default:
			plain++
		}
	}
	score, at := 0, 0
	positional := make([]*expr.Expr, 0, plain)
	for _, a := range args {
		if !a.Is(expr.Keyword) {
			positional = append(positional, a)
		}
	}
	for i := range params {
		p := &params[i]
		switch {
		case p.Variadic:
			at, score = plain, score-1
		case given[p.Name]:
			delete(given, p.Name)
		case at < plain:
			score += agrees(p, positional[at])
			at++
		case p.Default == nil && !p.Keywords:
			return unfit
		}
	}
	if at < plain || len(given) > 0 {
		return unfit
	}
	return score
}

// agrees says whether an argument is of the type of a parameter, as far as both show it: more than 0 if it seems so, less if not.
func agrees(p *raise.Param, arg *expr.Expr) int {
	text := strings.Contains(strings.ToLower(p.Type), "str")
	switch {
	case arg.Is(expr.Name) && arg.Text == p.Name:
		return 1
	case p.Type == "" || arg == nil:
		return 0
	case flow.Textual(arg) && text:
		return 2
	case flow.Textual(arg) && p.Type != "object" && p.Type != "Object" && p.Type != "Any":
		return -2
	case arg.Is(expr.Number) && text:
		return -2
	}
	return 0
}
