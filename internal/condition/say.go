package condition

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// Say puts a condition into plain words, with the code's expressions in backquotes: "`window` is below 0 or above `n`". What
// neighbours say of the same subject is said in one breath. sp may be nil for the neutral spelling.
func Say(e *expr.Expr, sp *expr.Spelling) string {
	s := sayer{env: NewEnv(nil, sp)}
	return s.condition(positive(e, false, 0), 0)
}

type sayer struct{ env *Env }

// clause is a subject with what is said of it.
type clause struct{ subject, verb, predicate string }

// condition says a condition; what And and Or join in it stands in brackets where it is not of the same kind.
func (s *sayer) condition(e *expr.Expr, depth int) string {
	switch {
	case e == nil:
		return ""
	case depth > maxDepth:
		return s.code(e)
	case e.Op == expr.And:
		return s.list(e, " and ", depth)
	case e.Op == expr.Or:
		return s.list(e, " or ", depth)
	}
	c := s.clause(e)
	return c.String()
}

// String is the clause as a sentence without a full stop.
func (c clause) String() string {
	if c.verb == "does" && c.predicate == "hold" {
		return c.subject + " holds"
	}
	return c.subject + " " + c.verb + " " + c.predicate
}

// list joins clauses; a clause with the subject and verb of the one before it only adds what is new.
func (s *sayer) list(e *expr.Expr, word string, depth int) string {
	var b strings.Builder
	var last clause
	for i, a := range e.Args {
		if i > 0 {
			b.WriteString(word)
		}
		if a.Is(expr.And) || a.Is(expr.Or) {
			b.WriteString("(" + s.condition(a, depth+1) + ")")
			last = clause{}
			continue
		}
		c := s.clause(a)
		switch {
		case i > 0 && c.subject == last.subject && c.verb == last.verb:
			b.WriteString(c.predicate)
		case i > 0 && c.subject == last.subject:
			b.WriteString(c.verb + " " + c.predicate)
		default:
			b.WriteString(c.String())
		}
		last = c
	}
	return b.String()
}

// clause says one part.
func (s *sayer) clause(e *expr.Expr) clause {
	negated := false
	for e.Is(expr.Not) || e.Is(expr.Truthy) {
		negated = negated != e.Is(expr.Not)
		e = e.Arg(0)
	}
	switch {
	case e == nil:
		return clause{}
	case e.Op == expr.Compare && len(e.Args) == 2 && opposite(e.Text) != "":
		c := e
		if negated {
			c = Negate(e)
		}
		return s.comparison(c)
	case e.Op == expr.TypeTest && len(e.Args) > 1:
		var types []string
		for _, t := range e.Args[1:] {
			for _, m := range members(t) {
				if m.Is(expr.Null) && len(e.Args) == 2 {
					return clause{s.code(e.Args[0]), "is", not(negated) + s.code(m)}
				}
				types = append(types, s.code(m))
			}
		}
		return clause{s.code(e.Args[0]), "is", not(negated) + "of type " + strings.Join(types, " or ")}
	case negated:
		return clause{s.code(e), "does", "not hold"}
	}
	return clause{s.code(e), "does", "hold"}
}

// not is the word, or nothing.
func not(negated bool) string {
	if negated {
		return "not "
	}
	return ""
}

// comparison says a comparison from the side of what is no constant.
func (s *sayer) comparison(e *expr.Expr) clause {
	a, b := e.Args[0], e.Args[1]
	op := e.Text
	if constant(a) && !constant(b) && op != "in" && op != "not in" {
		a, b, op = b, a, mirrored(op)
	}
	subject, object := s.code(a), s.object(b)
	switch op {
	case "<":
		return clause{subject, "is", "below " + object}
	case "<=":
		return clause{subject, "is", "at most " + object}
	case ">":
		return clause{subject, "is", "above " + object}
	case ">=":
		return clause{subject, "is", "at least " + object}
	case "!=", "is not":
		return clause{subject, "is", "not " + object}
	case "in", "not in":
		return s.membership(a, b, op == "not in")
	}
	return clause{subject, "is", object}
}

// membership says what a value is or is not among.
func (s *sayer) membership(a, b *expr.Expr, negated bool) clause {
	switch b.Op {
	case expr.List, expr.Tuple, expr.Set:
		var all []string
		for _, x := range b.Args {
			all = append(all, s.object(x))
		}
		if len(all) == 0 {
			break
		}
		if negated {
			return clause{s.code(a), "is", "none of " + strings.Join(all, ", ")}
		}
		if len(all) == 1 {
			return clause{s.code(a), "is", all[0]}
		}
		return clause{s.code(a), "is", "one of " + strings.Join(all, ", ")}
	}
	return clause{s.code(a), "is", not(negated) + "in " + s.code(b)}
}

// code is an expression in backquotes.
func (s *sayer) code(e *expr.Expr) string { return "`" + s.env.print(e) + "`" }

// object is what something is compared with: numbers stand as they are.
func (s *sayer) object(e *expr.Expr) string {
	if e.Is(expr.Number) || e.Is(expr.Unary) && e.Arg(0).Is(expr.Number) {
		return s.env.print(e)
	}
	return s.code(e)
}
