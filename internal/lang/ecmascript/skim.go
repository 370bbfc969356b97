package ecmascript

import "strings"

// Parsing is what a file costs, and most functions neither raise nor make a text for others. So a file is skimmed first: a scanner of
// tokens finds the bodies of functions and what they call, and the bodies in which nothing can be a site are left out when the file
// is parsed. Their functions stay, with the calls that the skimmer saw. Where the skimmer loses its way (brackets that do not fit), or
// where what is left does not parse, the whole file is parsed.

// region is the body of a function, with its braces.
type region struct {
	start, end int
	parent     int // the region around it, or -1
	keep       bool
	name       string // what the function is called, as far as the tokens before it tell
	line       int    // offset at which the function begins
	calls      []callToken
	made       []string // what "new" makes in it
	message    bool     // reads a member called message
	compares   bool     // compares values as tests do
}

// callToken is a call that was skimmed: the callee's path as written, without white space.
type callToken struct {
	path  string
	at    int
	handy bool // has a text for people, or an object, among its arguments
}

// token is what the skimmer remembers of a token.
type token struct {
	kind       tokenKind
	start, end int
}

type tokenKind uint8

const (
	tkNone     tokenKind = iota
	tkWord               // an identifier or keyword
	tkValue              // a literal: text, number, regular expression, template
	tkClose              // ) or ] or } of an expression
	tkBlockEnd           // } of a block
	tkSign               // anything else
)

// bracket is one that is open.
type bracket struct {
	open    byte // ( [ { ` < (a tag of JSX) > (its children)
	at      int
	before  [3]token // the tokens before it, nearest first
	value   bool     // a brace of an expression: an object, a template's hole
	region  int      // of a function's body, or -1
	call    int      // of a call: its index in the region's calls, or -1
	chain   string   // of a call: the callee's path
	control bool     // the condition of if, for, while, switch, with or catch
}

type skimmer struct {
	src     string
	jsx     bool
	pos     int
	stack   []bracket
	last    [4]token // nearest first
	closed  bracket  // the parenthesis that was closed last
	chain   string   // the path that a call at this point would have
	regions []region
	current int // the innermost region
	lost    bool
	// retIn is set between "return" and the end of its statement; retDepth is the depth of the brackets there.
	retIn     bool
	retDepth  int
	closedEnd int         // behind the parenthesis that was closed last
	heirs     [][2]string // classes and what they extend
	raisers   map[string]bool
	names     map[string]raising // what is known of the names of callees
}

// skim finds the functions of a text; nil if it loses its way.
func skim(src string, jsx bool) *skimmer {
	s := &skimmer{src: src, jsx: jsx, current: -1, raisers: map[string]bool{}, names: map[string]raising{}}
	for s.pos < len(src) && !s.lost {
		s.step()
	}
	if s.lost || len(s.stack) > 0 {
		return nil
	}
	return s
}

// maxSkimDepth bounds the brackets that may be open.
const maxSkimDepth = 2000

func (s *skimmer) step() {
	if n := len(s.stack); n > 0 {
		switch s.stack[n-1].open {
		case '>':
			s.children()
			return
		case '<':
			s.tag()
			return
		case '`':
			s.template()
			return
		}
	}
	c := s.src[s.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.pos++
	case c == '@':
		s.pos++ // a decorator reads like a call
	case identByte(c) || c == '#' || c == '\\':
		s.word()
	case c == '"' || c == '\'':
		s.quoted(c)
	case c == '`':
		s.open('`')
		s.pos++
	case c == '/':
		s.slash()
	case c == '(' || c == '[' || c == '{':
		s.bracketOpen(c)
	case c == ')' || c == ']' || c == '}':
		s.bracketClose(c)
	case c == '<' && s.jsx && s.element():
	default:
		s.sign()
	}
}

// push remembers a token.
func (s *skimmer) push(k tokenKind, start, end int) {
	s.last = [4]token{{k, start, end}, s.last[0], s.last[1], s.last[2]}
}

func (s *skimmer) text(t token) string { return s.src[t.start:t.end] }

// sign takes an operator's character.
func (s *skimmer) sign() {
	start := s.pos
	c := s.src[s.pos]
	s.pos++
	if (c == '.' || c == '?') && s.last[0].kind != tkSign {
		if c == '?' && !strings.HasPrefix(s.src[start:], "?.") {
			s.chain = ""
		}
	} else if c != '.' && c != '!' {
		s.chain = ""
	}
	if c == ';' {
		s.retIn = false
	}
	s.push(tkSign, start, s.pos)
}

// quoted takes a text literal.
func (s *skimmer) quoted(q byte) {
	start := s.pos
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; {
		case c == q:
			s.pos++
			s.literal(start)
			return
		case c == '\\':
			s.pos++
			if s.pos < len(s.src) && s.src[s.pos] == '\r' && strings.HasPrefix(s.src[s.pos:], "\r\n") {
				s.pos++
			}
		case c == '\n':
			s.lost = true
			return
		}
	}
	s.lost = true
}

// literal notes a text for people: of a call's arguments, or of a return statement.
func (s *skimmer) literal(start int) {
	s.chain = ""
	text := s.src[start:s.pos]
	prose := proseLike(text) || text[0] == '`' && strings.Contains(text, "${")
	if prose {
		s.handsOver()
	}
	if s.returned() && (prose || s.added()) {
		s.keep()
	}
	s.push(tkValue, start, s.pos)
}

// returned reports whether what stands here is what a return statement returns, and not a part of something in it.
func (s *skimmer) returned() bool {
	if !s.retIn || len(s.stack) < s.retDepth {
		return false
	}
	for _, b := range s.stack[s.retDepth:] {
		if b.open != '(' || b.chain != "" {
			return false
		}
	}
	return true
}

// added reports whether something is added to the text that ends here, or the text to something.
func (s *skimmer) added() bool {
	if t := s.last[0]; t.kind == tkSign && s.src[t.start] == '+' {
		return true
	}
	return strings.HasPrefix(strings.TrimLeft(s.src[s.pos:], " \t\r\n"), "+")
}

// handsOver notes, for the calls around this point, that they get a text or an object.
func (s *skimmer) handsOver() {
	r := s.regionAt()
	for i := len(s.stack) - 1; i >= 0 && r != nil; i-- {
		b := &s.stack[i]
		if b.region >= 0 {
			break
		}
		if b.call >= 0 && b.call < len(r.calls) {
			r.calls[b.call].handy = true
		}
	}
}

func (s *skimmer) regionAt() *region {
	if s.current < 0 {
		return nil
	}
	return &s.regions[s.current]
}

// keep says that the function at this point, and those around it, must be parsed.
func (s *skimmer) keep() {
	for r := s.current; r >= 0 && !s.regions[r].keep; r = s.regions[r].parent {
		s.regions[r].keep = true
		if s.regions[r].name != "" {
			s.raisers[s.regions[r].name] = true
		}
	}
}

// template takes the text of a template up to its end or its next hole.
func (s *skimmer) template() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\\':
			s.pos += 2
			continue
		case c == '`':
			start := s.stack[len(s.stack)-1].at
			s.stack = s.stack[:len(s.stack)-1]
			s.pos++
			s.literal(start)
			return
		case c == '$' && strings.HasPrefix(s.src[s.pos:], "${"):
			s.pos++
			s.open('{')
			s.stack[len(s.stack)-1].value = true
			s.pos++
			s.push(tkSign, s.pos-1, s.pos)
			return
		}
		s.pos++
	}
	s.lost = true
}

// open puts a bracket on the stack.
func (s *skimmer) open(c byte) {
	if len(s.stack) >= maxSkimDepth {
		s.lost = true
		return
	}
	s.stack = append(s.stack, bracket{open: c, at: s.pos, before: [3]token(s.last[:3]), region: -1, call: -1})
}

// slash takes a comment, a regular expression or a division.
func (s *skimmer) slash() {
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			s.pos += i
		} else {
			s.pos = len(s.src)
		}
	case strings.HasPrefix(rest, "/*"):
		i := strings.Index(rest[2:], "*/")
		if i < 0 {
			s.lost = true
			return
		}
		s.pos += i + 4
	case s.startsExpression() && s.regexp():
	default:
		s.sign()
	}
}

// startsExpression reports whether what follows can only be the start of an expression.
func (s *skimmer) startsExpression() bool {
	t := s.last[0]
	switch t.kind {
	case tkNone, tkBlockEnd:
		return true
	case tkWord:
		return expressionWord(s.text(t)) && !s.member()
	case tkSign:
		if c := s.src[t.start]; (c == '+' || c == '-') && s.last[1].end == t.start && s.src[s.last[1].start] == c {
			return s.last[2].kind == tkSign || s.last[2].kind == tkNone // x++ is a value
		}
		return true
	case tkClose:
		return s.src[t.start] == ')' && s.closed.control
	}
	return false
}

// member reports whether the last token is a member's name.
func (s *skimmer) member() bool {
	t := s.last[1]
	return t.kind == tkSign && s.src[t.start] == '.'
}

// expressionWord reports whether an expression can follow a keyword.
func expressionWord(w string) bool {
	switch w {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "instanceof", "yield", "await", "default",
		"extends", "export":
		return true
	}
	return false
}

// regexp takes a regular expression, if it is one.
func (s *skimmer) regexp() bool {
	class := false
	for i := s.pos + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n':
			return false
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			start := s.pos
			for i++; i < len(s.src) && s.src[i] >= 'a' && s.src[i] <= 'z'; i++ {
			}
			s.pos = i
			s.chain = ""
			s.push(tkValue, start, i)
			return true
		}
	}
	return false
}
