package lang

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Fault is an error that the language itself raises, without a statement that says so: a missing key, a null pointer, an index
// beyond the end.
type Fault struct {
	// Type is the error's type as reports print it; "" where they print none.
	Type string
	// text is what the message must be, whole.
	text func() *regexp.Regexp
	// Says is what happened, a sentence without its full stop, with names of code between backquotes; $1 is what the first group of
	// the text matched.
	Says string
	// Line finds the expressions of the raising line that can have done it: a regular expression whose $1 stands for what the first
	// group of the text matched. "" if no expression of the line tells.
	Line string
}

// NewFault returns a fault whose whole message the regular expression text matches. It is compiled when it is first asked for, for
// there are many and few reports of them, and panics then if it is none, which tests find.
func NewFault(typ, text, says, line string) Fault {
	return Fault{Type: typ, Says: says, Line: line, text: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?s:` + text + `)$`) })}
}

// Fits reports whether an error of the type with the message is the fault, and gives the groups of the text. Types are compared
// by their last name; an error of unknown type fits by its text, if enough of that is the language's own words.
func (f *Fault) Fits(typ, message string) ([]string, bool) {
	last := typ[strings.LastIndexAny(typ, ".:\\")+1:]
	if f.Type != "" && typ != "" && last != f.Type {
		return nil, false
	}
	groups := f.text().FindStringSubmatch(message)
	if groups == nil {
		return nil, false
	}
	if f.Type != last {
		own := len(message)
		for _, g := range groups[1:] {
			own -= len(g)
		}
		return groups, own >= minOwn
	}
	return groups, true
}

// minOwn is how many bytes of the message of an error of unknown type must be the language's own words.
const minOwn = 12

// Say is what happened, with the groups put in.
func (f *Fault) Say(groups []string) string {
	return expand(f.Says, groups, func(s string) string { return strings.ReplaceAll(s, "`", "'") })
}

// maxExpressions bounds the expressions that are named.
const maxExpressions = 4

// Expressions lists the expressions of a line of source that can have done it, in their order; nil where the line does not tell.
func (f *Fault) Expressions(line string, groups []string) []string {
	if f.Line == "" {
		return nil
	}
	found, err := regexp.Compile(expand(f.Line, groups, regexp.QuoteMeta))
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range found.FindAllStringSubmatch(line, -1) {
		if e := strings.TrimSpace(m[len(m)-1]); e != "" && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	if len(out) > maxExpressions {
		return nil
	}
	return out
}

// expand puts groups in for $1 to $9.
func expand(s string, groups []string, quote func(string) string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '$' && i+1 < len(s) && s[i+1] >= '1' && s[i+1] <= '9' {
			if n := int(s[i+1] - '0'); n < len(groups) {
				b.WriteString(quote(groups[n]))
			}
			i++
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// FaultOf is the fault of the language that an error is; false if it is none.
func (l *Language) FaultOf(typ, message string) (*Fault, []string, bool) {
	for i := range l.Faults {
		if groups, ok := l.Faults[i].Fits(typ, message); ok {
			return &l.Faults[i], groups, true
		}
	}
	return nil, nil, false
}
