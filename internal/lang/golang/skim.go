package golang

import "strings"

// Parsing is half of what a file costs, and most functions neither raise nor make a text for others. So a file is skimmed first: a
// scanner of tokens finds the bodies of functions, what they call, and the tables of package-level variables. What can hold no site
// and no text is left out when the file is parsed; functions keep the calls that the skimmer saw. Where it loses its way (brackets
// that do not fit), or where what is left does not parse, the whole file is parsed. A syntax error within what is left out is not
// noticed: nothing that is reported stands there.

// region is a part that may be left out: what stands between the braces of a function's body or of a variable's value.
type region struct {
	start, end int // offsets behind the opening brace and of the closing one
	calls      [2]int
	made       [2]int // composite literals: indices in skimmer.made
	name       string // of a function
	results    string // of a function, as written
	sentinel   bool   // returns what is called like a declared error
	function   bool   // a function's body, not a value
	texts      bool   // of a value: has a text of several words
	nested     bool   // of a value: has a function in it
}

// skimmedCall is a call that was skimmed.
type skimmedCall struct {
	path string // as body.calleeSelf spells it, with the receiver's own name
	at   int
	text bool // a text stands among its arguments
}

// tokenKind is what the skimmer remembers of the token before.
type tokenKind uint8

const (
	tkSign    tokenKind = iota // an operator, or nothing
	tkWord                     // an identifier
	tkKeyword                  // a keyword behind which a statement goes on
	tkType                     // struct or interface
	tkLiteral                  // a literal, a closing brace, or a keyword that ends a statement
	tkClose                    // )
	tkIndexed                  // ]
	tkDot
)

// bracket is one that is open.
type bracket struct {
	open    byte
	call    int    // index of the call whose arguments it holds, or -1
	chain   string // the operand before it
	at      int    // where that begins
	operand bool   // an operand stands before it
	slice   bool   // a colon stands in it
	text    bool   // a text stands in it
	group   bool   // of a declaration: var ( … )
	methods bool   // of a type: struct { … }, interface { … }
}

// header is what the skimmer knows of the declaration at hand.
type header struct {
	kind     byte // 'f' function, 'v' variable or constant, 0 any other
	receiver [2]int
	name     string
	params   [2]int
	closed   int // offset behind the parameters
	nested   bool
}

type skimmer struct {
	src      string
	at       int
	prev     tokenKind
	word     string // the last identifier
	chain    string // the operand that ends here, as a path; "" if it has none
	chainAt  int
	typed    bool // the operand is a type: []T, map[K]V
	stack    []bracket
	head     header
	open     int // index of the region that is open, or -1
	inReturn int // depth of the return statement that is open, or -1
	imports  map[string]string
	importAs string
	inImport bool

	regions    []region
	calls      []skimmedCall
	made       []string
	errorTypes []string
	makers     map[string]bool
	whole      bool // nothing may be left out
}

// skim scans a file; false if its brackets do not fit.
func (s *skimmer) skim(src string) bool {
	*s = skimmer{src: src, open: -1, inReturn: -1, imports: map[string]string{}, makers: map[string]bool{}, stack: s.stack[:0],
		regions: s.regions[:0], calls: s.calls[:0], made: s.made[:0], errorTypes: s.errorTypes[:0]}
	for s.at < len(src) {
		if !s.token(src[s.at]) {
			return false
		}
	}
	return len(s.stack) == 0 && s.open < 0
}

// token reads one token, which begins with c.
func (s *skimmer) token(c byte) bool {
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	case isLetter(c):
		s.identifier()
	case c == '\n' || c == ';':
		s.at++
		if c == ';' || s.prev == tkWord || s.prev == tkLiteral || s.prev == tkClose || s.prev == tkIndexed {
			s.endStatement()
		}
	case c == '(' || c == '[' || c == '{':
		s.push(c)
	case c == ')' || c == ']' || c == '}':
		return s.pop(c)
	case c == '"' || c == '`' || c == '\'':
		return s.literal(c)
	case c >= '0' && c <= '9':
		s.number()
	case c == '/' && s.at+1 < len(s.src) && (s.src[s.at+1] == '/' || s.src[s.at+1] == '*'):
		return s.comment(s.src[s.at+1])
	default:
		s.sign(c)
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }

func (s *skimmer) sign(c byte) {
	s.at++
	switch {
	case c == '.' && strings.HasPrefix(s.src[s.at:], ".."):
		s.at += 2
	case c == '.' && s.prev != tkSign && s.prev != tkKeyword:
		s.prev = tkDot
		return
	case c == '*' && s.prev == tkIndexed && s.typed:
		return // []*T
	case c == '=' && s.inReturn < 0 && s.open >= 0 && s.plainAssignment():
		s.inReturn = len(s.stack)
	case c == ':' && len(s.stack) > 0:
		s.stack[len(s.stack)-1].slice = true
	}
	s.operator(tkSign)
}

// plainAssignment reports whether the sign just read, "=", assigns.
func (s *skimmer) plainAssignment() bool {
	return !strings.ContainsRune("=!<>:", rune(s.src[s.at-2])) && s.at < len(s.src) && s.src[s.at] != '='
}

// operator ends the operand at hand.
func (s *skimmer) operator(k tokenKind) { s.prev, s.chain, s.typed = k, "", false }

func (s *skimmer) endStatement() {
	s.operator(tkSign)
	if len(s.stack) <= s.inReturn {
		s.inReturn = -1
	}
	if len(s.stack) == 0 {
		s.head, s.inImport = header{}, false
	}
}

func (s *skimmer) identifier() {
	start := s.at
	for s.at < len(s.src) && (isLetter(s.src[s.at]) || s.src[s.at] >= '0' && s.src[s.at] <= '9') {
		s.at++
	}
	w := s.src[start:s.at]
	if s.prev != tkDot && keywords[w] != 0 {
		s.keyword(w)
		return
	}
	switch {
	case s.prev == tkDot && s.chain != "":
		if s.chainAt+len(s.chain)+1 == start {
			s.chain = s.src[s.chainAt:s.at]
		} else {
			s.chain += "." + w
		}
	case s.prev == tkDot && !s.typed:
		s.chain, s.chainAt = "()."+w, start
	case s.prev == tkDot:
	case s.prev == tkIndexed:
		s.operator(tkWord)
		s.typed = true
	default:
		s.chain, s.chainAt, s.typed = w, start, false
	}
	s.word, s.prev = w, tkWord
	if s.inReturn >= 0 && s.open >= 0 && sentinelName(w) {
		s.regions[s.open].sentinel = true
	}
	switch {
	case s.inImport:
		s.importAs = w
	case len(s.stack) == 0 && s.head.kind == 'f' && s.head.name == "":
		s.head.name = w
	}
}

// keywords says how a statement goes on behind each keyword.
var keywords = map[string]tokenKind{"break": tkLiteral, "case": tkKeyword, "chan": tkKeyword, "const": tkKeyword, "continue": tkLiteral,
	"default": tkKeyword, "defer": tkKeyword, "else": tkKeyword, "fallthrough": tkLiteral, "for": tkKeyword, "func": tkKeyword,
	"go": tkKeyword, "goto": tkKeyword, "if": tkKeyword, "import": tkKeyword, "interface": tkType, "map": tkKeyword,
	"package": tkKeyword, "range": tkKeyword, "return": tkKeyword, "select": tkKeyword, "struct": tkType, "switch": tkKeyword,
	"type": tkKeyword, "var": tkKeyword}

func (s *skimmer) keyword(w string) {
	kind := keywords[w]
	switch w {
	case "return":
		s.inReturn = len(s.stack)
		kind = tkKeyword
	case "func":
		if s.open >= 0 {
			s.regions[s.open].nested = true
		}
		s.head.nested = true
	}
	if len(s.stack) == 0 {
		switch w {
		case "func":
			if s.head.kind == 0 {
				s.head = header{kind: 'f'}
			}
		case "var", "const":
			s.head = header{kind: 'v'}
		case "import":
			s.head, s.inImport, s.importAs = header{}, true, ""
		case "type", "package":
			s.head = header{kind: 't'}
		}
	}
	s.operator(kind)
}

// sentinelName reports whether a name is one of a declared error, as isSentinel has it.
func sentinelName(name string) bool {
	if name == "EOF" {
		return true
	}
	return len(name) > 3 && (name[0] == 'E' || name[0] == 'e') && name[1:3] == "rr" && name[3] >= 'A' && name[3] <= 'Z'
}

func (s *skimmer) number() {
	for s.at < len(s.src) {
		c := s.src[s.at]
		if !isLetter(c) && (c < '0' || c > '9') && c != '.' {
			break
		}
		s.at++
	}
	s.operator(tkLiteral)
}

func (s *skimmer) comment(kind byte) bool {
	if kind == '/' {
		n := strings.IndexByte(s.src[s.at:], '\n')
		if n < 0 {
			n = len(s.src) - s.at
		}
		s.at += n // the line break counts
		return true
	}
	n := strings.Index(s.src[s.at+2:], "*/")
	if n < 0 {
		return false
	}
	text := s.src[s.at : s.at+n+4]
	s.at += len(text)
	if strings.IndexByte(text, '\n') >= 0 && (s.prev == tkWord || s.prev == tkLiteral || s.prev == tkClose || s.prev == tkIndexed) {
		s.endStatement()
	}
	return true
}

// literal reads a text or a character.
func (s *skimmer) literal(quote byte) bool {
	start := s.at + 1
	end := start
	if quote == '`' {
		n := strings.IndexByte(s.src[start:], '`')
		if n < 0 {
			return false
		}
		end = start + n
	} else {
		for end < len(s.src) && s.src[end] != quote && s.src[end] != '\n' {
			if s.src[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s.src) || s.src[end] != quote {
			return false
		}
	}
	text := s.src[start:end]
	s.at = end + 1
	s.operator(tkLiteral)
	if quote == '\'' {
		return true
	}
	if s.inImport {
		importedAs(text, s.importAs, s.imports)
		s.importAs = ""
	}
	if n := len(s.stack); n > 0 && len(text) > 2 {
		s.stack[n-1].text = true
	}
	if s.open >= 0 && !s.regions[s.open].function && (strings.IndexByte(text, ' ') >= 0 || strings.IndexByte(text, '\\') >= 0) {
		s.regions[s.open].texts = true
	}
	return true
}
