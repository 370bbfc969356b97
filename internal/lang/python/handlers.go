package python

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// attempt is a try statement: where it begins, and where its first clause does, 0 as long as none was seen.
type attempt struct{ column, at, end int }

// clause is an except clause with the offsets of what it guards.
type clause struct {
	at, from, to int
	types        []string
}

// except takes a clause whose line was just read.
func (s *skimmer) except(at, column int) {
	for i := len(s.tries) - 1; i >= 0; i-- {
		t := &s.tries[i]
		if t.column != column {
			continue
		}
		if t.end == 0 {
			t.end = at
		}
		s.tries = s.tries[:i+1]
		s.clauses = append(s.clauses, clause{at, t.at, t.end, caughtTypes(s.src[at:s.pos])})
		return
	}
}

// caughtTypes lists the types that a clause names; none for one that takes any error.
func caughtTypes(text string) []string {
	text = strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(text, "except")), "*")
	depth, end := 0, 0
	for ; end < len(text) && (depth > 0 || text[end] != ':'); end++ {
		switch text[end] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
	}
	text = text[:end]
	if i := strings.LastIndex(text, " as "); i >= 0 {
		text = text[:i]
	}
	var out []string
	for t := range strings.SplitSeq(strings.Trim(text, " \t\r\n()"), ",") {
		switch t = strings.Join(strings.Fields(t), ""); {
		case t == "Exception" || t == "BaseException":
			return nil
		case t != "" && strings.Trim(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "":
			out = append(out, t)
		}
	}
	if len(out) == 0 && strings.TrimSpace(text) != "" {
		return []string{"?"} // something that is computed
	}
	return out
}

// handlers adds the clauses to the facts, once the functions are known.
func (x *extractor) handlers(s *skimmer) {
	if s == nil {
		return
	}
	for _, c := range s.clauses {
		line := x.lineAt(c.at)
		x.facts.Handled(raise.Handler{Line: line, From: x.lineAt(c.from), To: x.lineAt(c.to) - 1, Types: c.types})
	}
}
