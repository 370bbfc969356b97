package python

import "strings"

// Parsing is what a file costs, and most functions neither raise nor make a text for others. So a file is skimmed first: a scanner of
// lines and tokens finds the functions and what they call, and the bodies in which nothing can be a site are left out when the file is
// parsed. Their functions stay, with the calls that the skimmer saw. Where the skimmer loses its way (brackets that do not fit, a text
// that does not end), or where what is left does not parse, the whole file is parsed.

// region is a function or class whose body stands on lines of its own, or a function on one line.
type region struct {
	parent int // the region around it, or -1
	class  bool
	bases  string // of a class, with the parentheses; empty for none
	column int    // of "def" or "class"
	name   string
	at     int // where the definition begins: at "def", or "async" before it
	start  int // of the first line that can be left out: what follows the documentation; -1 if the body is on the line of "def"
	indent string
	end    int  // behind the last line
	last   int  // behind the last token
	first  bool // the next line is the first of the body
	holds  bool // a definition stands in it
	keep   bool
	raises bool
	gives  bool // has a return statement
	calls  []callToken
}

// callToken is a call that was skimmed: from where to where the callee stands, and whether a text is among its arguments.
type callToken struct {
	start, end int
	handy      bool
}

// bracket is one that is open.
type bracket struct {
	open  byte
	chain int // where the expression begins that the closing bracket ends
	call  int // of a call: its index in the region's calls, or -1
}

type skimmer struct {
	src     string
	pos     int
	regions []region
	current int // the innermost region of the line, or -1
	into    int // the region that gets the calls, or -1
	stack   []bracket
	chain   int  // where the expression begins that a parenthesis at this point would call, or -1
	dotted  bool // a dot ends it
	last    int  // behind the last token
	lineEnd int  // behind the last line with a token
	lost    bool
	tries   []attempt // in order
	clauses []clause
	// calm, if not nil, is a copy of the text from which is taken what parsers stumble on and what says nothing: comments, and the
	// ends of lines that end no statement.
	calm []byte
}

// Bounds on what a skimmer follows.
const (
	maxBrackets = 1000
	maxHoles    = 20 // of formatted texts in formatted texts
)

// skim finds the functions of a text; nil if it loses its way.
func skim(src string) *skimmer {
	s := &skimmer{src: src, current: -1, into: -1, chain: -1}
	for s.pos < len(src) && !s.lost {
		s.line()
	}
	if s.lost {
		return nil
	}
	s.close(-1)
	return s
}

// line takes a logical line: a statement, or several with semicolons.
func (s *skimmer) line() {
	start := s.pos
	column := s.indentation()
	if s.pos == len(s.src) {
		return
	}
	if c := s.src[s.pos]; c == '\n' || c == '\r' || c == '#' {
		from := s.pos
		s.skipLine()
		s.blank(from, s.pos)
		return
	}
	s.close(column)
	if s.current >= 0 {
		s.begin(&s.regions[s.current], start)
	}
	s.into = s.function()
	s.chain, s.dotted = -1, false
	at := s.pos
	switch s.peekWord() {
	case "def", "async", "class":
		s.definition(at, column)
	case "try":
		s.tries = append(s.tries, attempt{column: column, at: at})
	case "except":
		defer s.except(at, column)
	case "match", "case", "type":
		if s.pattern() || strings.HasPrefix(s.src[s.pos:], "type(") {
			s.hold() // what is in it looks like calls
		}
	}
	s.tokens(false)
	s.lineEnd = s.pos
}

// indentation takes the white space that a line begins with and returns the column behind it.
func (s *skimmer) indentation() (column int) {
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case ' ':
			column++
		case '\t':
			column = (column/8 + 1) * 8
		case '\f':
			column = 0
		default:
			return column
		}
	}
	return column
}

// close ends the regions that a line of that column is not in.
func (s *skimmer) close(column int) {
	for s.current >= 0 && column <= s.regions[s.current].column {
		r := &s.regions[s.current]
		r.end, r.last = s.lineEnd, s.last
		s.current = r.parent
	}
}

// begin notes the first line of a body, or the line behind its documentation.
func (s *skimmer) begin(r *region, line int) {
	if !r.first {
		if r.start == 0 {
			r.start = line
		}
		return
	}
	r.first, r.indent = false, s.src[line:s.pos]
	rest := s.src[s.pos:]
	n := 0
	for n < len(rest) && n < 3 && stringPrefix(rest[n]) {
		n++
	}
	if n == len(rest) || rest[n] != '"' && rest[n] != '\'' {
		r.start = line
	}
}

// blank takes a stretch out of the calm text, but for the end of a line that it ends with.
func (s *skimmer) blank(from, to int) {
	for i := from; i < to && s.calm != nil; i++ {
		if c := s.src[i]; i+1 < to || c != '\n' {
			s.calm[i] = ' '
		}
	}
}

// calmed is a text of the same length with the same statements, on fewer lines; nil if the skimmer loses its way.
func calmed(src string) []byte {
	s := &skimmer{src: src, current: -1, into: -1, chain: -1, calm: []byte(src)}
	for s.pos < len(src) && !s.lost {
		s.line()
	}
	if s.lost {
		return nil
	}
	return s.calm
}

func stringPrefix(c byte) bool { return strings.IndexByte("rRuUbBfFtT", c) >= 0 }

func (s *skimmer) skipLine() {
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		s.pos += i + 1
	} else {
		s.pos = len(s.src)
	}
}

// function is the innermost function around this point, or -1.
func (s *skimmer) function() int {
	r := s.current
	for r >= 0 && s.regions[r].class {
		r = s.regions[r].parent
	}
	return r
}

// pattern reports whether "match" or "case" at this point is no name.
func (s *skimmer) pattern() bool {
	rest := s.src[s.pos+len(s.peekWord()):]
	after := strings.TrimLeft(rest, " \t")
	return len(after) < len(rest) && after != "" && strings.IndexByte("=.,:;)]}<>!+/%&|^@\r\n#", after[0]) < 0
}

// hold says that what is around this point must be parsed, as a definition stands in it.
func (s *skimmer) hold() {
	for r := s.current; r >= 0 && !s.regions[r].holds; r = s.regions[r].parent {
		s.regions[r].holds = true
	}
}

func (s *skimmer) peekWord() string {
	end := s.pos
	for end < len(s.src) && wordByte(s.src[end]) {
		end++
	}
	return s.src[s.pos:end]
}

func (s *skimmer) spaces() {
	for s.pos < len(s.src) && (s.src[s.pos] == ' ' || s.src[s.pos] == '\t') {
		s.pos++
	}
}

// definition takes "def", "async def" or "class" with what it needs to know of the rest of the line.
func (s *skimmer) definition(at, column int) {
	word := s.peekWord()
	if word == "async" {
		s.pos += len(word)
		s.spaces()
		if word = s.peekWord(); word != "def" {
			return
		}
	}
	s.pos += len(word)
	s.spaces()
	r := region{parent: s.current, class: word == "class", column: column, name: s.peekWord(), at: at, first: true}
	s.pos += len(r.name)
	s.hold()
	s.into = -1
	s.spaces()
	bases := s.pos
	s.tokens(true)
	if s.lost || s.pos == 0 || s.src[s.pos-1] != ':' {
		return
	}
	if r.class {
		r.bases = strings.TrimRight(s.src[bases:s.pos], ": \t\r\n")
	}
	s.spaces()
	s.regions = append(s.regions, r)
	index := len(s.regions) - 1
	if s.pos < len(s.src) && s.src[s.pos] != '\n' && s.src[s.pos] != '\r' && s.src[s.pos] != '#' {
		if !r.class {
			s.regions[index].start, s.into = -1, index
		}
		return
	}
	s.current = index
}

// settle decides which functions are left out: those without a statement or a call that may be a site, that make no text for others
// and tell nothing of an error's class.
func (s *skimmer) settle() {
	raisers, errors := map[string]bool{}, map[string]bool{}
	for i := range s.regions {
		r := &s.regions[i]
		if r.class && r.bases != "" && isHeir(r.bases, errors) {
			errors[r.name] = true
		}
		if r.raises || r.gives && makesMessages(r.name) {
			raisers[r.name] = true
		}
	}
	known := map[string]callName{}
	for i := range s.regions {
		r := &s.regions[i]
		r.keep = r.class || r.holds || r.raises || r.start <= 0 || r.gives && makesText(r.name) || s.constructs(r) || s.needed(r, raisers, errors, known)
	}
}

// constructs reports whether a function is the constructor of a class that may be an error.
func (s *skimmer) constructs(r *region) bool {
	if r.name != "__init__" && r.name != "__new__" || r.parent < 0 || !s.regions[r.parent].class {
		return false
	}
	c := &s.regions[r.parent]
	return c.bases != "" && c.bases != "()" || strings.Contains(s.src[c.at:c.end], "__str__")
}

func (s *skimmer) needed(r *region, raisers, errors map[string]bool, known map[string]callName) bool {
	for _, c := range r.calls {
		callee := s.src[c.start:c.end]
		last := callee[strings.LastIndexByte(callee, '.')+1:]
		k, ok := known[last]
		if !ok {
			k = callNamed(last)
			known[last] = k
		}
		if k == raisesAlways || errors[last] || c.handy && (k == raisesGiven || raisers[last]) {
			return true
		}
	}
	return false
}
