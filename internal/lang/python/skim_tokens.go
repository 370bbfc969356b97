package python

import "strings"

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// tokens takes what is left of a logical line; of a definition, up to the colon that its body follows.
func (s *skimmer) tokens(head bool) {
	for s.pos < len(s.src) && !s.lost {
		c := s.src[s.pos]
		switch {
		case c == '\n':
			s.pos++
			if len(s.stack) == 0 {
				return
			}
			s.within()
		case c == ':' && head && len(s.stack) == 0:
			s.pos++
			s.last = s.pos
			return
		default:
			s.token(c)
		}
	}
	if len(s.stack) > 0 {
		s.lost = true
	}
}

// within takes the end of a line that ends no statement out of the calm text.
func (s *skimmer) within() {
	if s.calm != nil {
		s.calm[s.pos-1] = ' '
	}
}

// token takes one token that is no end of a line.
func (s *skimmer) token(c byte) {
	switch {
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		s.pos++
		if c == '\r' && s.calm != nil && len(s.stack) > 0 {
			s.calm[s.pos-1] = ' '
		}
		return
	case c == '#':
		from := s.pos
		if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
			s.pos += i
		} else {
			s.pos = len(s.src)
		}
		s.blank(from, s.pos)
		return
	case c == '\\':
		from := s.pos
		s.pos++
		if strings.HasPrefix(s.src[s.pos:], "\r\n") {
			s.pos++
		}
		if s.pos < len(s.src) && s.src[s.pos] == '\n' {
			s.pos++
			s.blank(from, s.pos-1)
			s.within()
		}
		return
	case wordByte(c):
		s.word()
	case c == '"' || c == '\'':
		s.quoted(s.pos, "", 0)
	case c == '(' || c == '[' || c == '{':
		s.open(c)
	case c == ')' || c == ']' || c == '}':
		s.closing(c)
	case c == '.':
		s.dotted = s.chain >= 0
		s.pos++
	default:
		s.chain, s.dotted = -1, false
		s.pos++
	}
	s.last = s.pos
}

// word takes a name, a keyword, a number, or the letters before a text.
func (s *skimmer) word() {
	start := s.pos
	w := s.peekWord()
	s.pos += len(w)
	if s.pos < len(s.src) && (s.src[s.pos] == '"' || s.src[s.pos] == '\'') && len(w) <= 2 && stringPrefix(w[0]) && stringPrefix(w[len(w)-1]) {
		s.quoted(start, w, 0)
		return
	}
	switch {
	case s.dotted:
		s.dotted = false
	case keyword(w):
		s.chain = -1
		s.keyword(w)
	case w[0] >= '0' && w[0] <= '9':
		s.chain = -1
	default:
		s.chain = start
	}
}

// keyword notes what a keyword says of the function that it stands in.
func (s *skimmer) keyword(w string) {
	if s.into < 0 {
		return
	}
	switch w {
	case "raise", "assert":
		s.regions[s.into].raises = s.regions[s.into].raises || w == "raise"
		s.regions[s.into].holds = true
	case "return":
		s.regions[s.into].gives = true
	}
}

func keyword(w string) bool {
	switch w {
	case "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
		"except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
		"return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// open takes an opening bracket: of a call, if it follows an expression.
func (s *skimmer) open(c byte) {
	if len(s.stack) >= maxBrackets {
		s.lost = true
		return
	}
	b := bracket{open: c, chain: s.chain, call: -1}
	if b.chain < 0 || s.dotted || c == '{' {
		b.chain = s.pos
	} else if c == '(' && s.into >= 0 {
		r := &s.regions[s.into]
		b.call = len(r.calls)
		r.calls = append(r.calls, callToken{start: s.chain, end: s.last})
	}
	s.stack = append(s.stack, b)
	s.chain, s.dotted = -1, false
	s.pos++
}

func (s *skimmer) closing(c byte) {
	n := len(s.stack)
	if n == 0 || !(s.stack[n-1].open == '(' && c == ')' || s.stack[n-1].open == '[' && c == ']' || s.stack[n-1].open == '{' && c == '}') {
		s.lost = true
		return
	}
	s.chain, s.dotted = s.stack[n-1].chain, false
	s.stack = s.stack[:n-1]
	s.pos++
}

// quoted takes a text literal that begins at start, with the letters before its quote.
func (s *skimmer) quoted(start int, prefix string, depth int) {
	quote := s.src[s.pos : s.pos+1]
	if rest := s.src[s.pos:]; len(rest) > 2 && rest[1] == rest[0] && rest[2] == rest[0] {
		quote = rest[:3]
	}
	s.pos += len(quote)
	content := s.pos
	formatted := strings.ContainsAny(prefix, "fFtT")
	for {
		if s.pos >= len(s.src) || s.lost {
			s.lost = true
			return
		}
		c := s.src[s.pos]
		switch {
		case c == '\\':
			s.pos += 2
		case c == quote[0] && strings.HasPrefix(s.src[s.pos:], quote):
			s.literal(s.src[content:s.pos])
			s.pos += len(quote)
			s.last = s.pos
			s.chain, s.dotted = start, false
			return
		case c == '\n' && len(quote) == 1:
			s.lost = true
		case c == '{' && formatted:
			if s.pos++; s.pos < len(s.src) && s.src[s.pos] == '{' {
				s.pos++
			} else {
				s.hole(depth)
			}
		default:
			s.pos++
		}
	}
}

// literal notes a text of the arguments of the calls around it.
func (s *skimmer) literal(text string) {
	if s.into < 0 || len(s.stack) == 0 || !says(text) {
		return
	}
	calls := s.regions[s.into].calls
	for _, b := range s.stack {
		if b.call >= 0 {
			calls[b.call].handy = true
		}
	}
}

// hole takes a value in a formatted text, behind its brace, with its format.
func (s *skimmer) hole(depth int) {
	if depth >= maxHoles {
		s.lost = true
		return
	}
	base := len(s.stack)
	s.chain, s.dotted = -1, false
	for s.pos < len(s.src) && !s.lost {
		c := s.src[s.pos]
		switch {
		case c == '}' && len(s.stack) == base:
			s.pos++
			return
		case c == ':' && len(s.stack) == base:
			s.format(depth)
			return
		case c == '\n':
			s.pos++
			s.within()
		case c == '"' || c == '\'':
			s.quoted(s.pos, "", depth+1)
		default:
			s.token(c)
		}
	}
	s.lost = true
}

// format takes the format of a value up to the brace behind it.
func (s *skimmer) format(depth int) {
	for s.pos++; s.pos < len(s.src) && !s.lost; {
		switch s.src[s.pos] {
		case '}':
			s.pos++
			return
		case '{':
			s.pos++
			s.hole(depth + 1)
		case '\n':
			s.lost = true
		default:
			s.pos++
		}
	}
	s.lost = true
}

// says reports whether a literal is long enough to be a text for people.
func says(text string) bool {
	if len(text) <= 3 {
		return false
	}
	for i := range len(text) {
		if text[i] >= 'a' && text[i] <= 'z' {
			return true
		}
	}
	return false
}
