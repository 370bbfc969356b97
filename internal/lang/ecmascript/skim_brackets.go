package ecmascript

import (
	"slices"
	"strings"
)

// bracketOpen takes an opening bracket: of a call, of parameters, of a function's body, of an object, of a block.
func (s *skimmer) bracketOpen(c byte) {
	s.open(c)
	if s.lost {
		return
	}
	b := &s.stack[len(s.stack)-1]
	switch c {
	case '(':
		s.parenthesis(b)
	case '{':
		s.brace(b)
	}
	s.chain = ""
	s.push(tkSign, s.pos, s.pos+1)
	s.pos++
}

// parenthesis says whether a parenthesis is a call's, a condition's, or a function's parameters.
func (s *skimmer) parenthesis(b *bracket) {
	t := b.before[0]
	if t.kind == tkWord {
		switch w := s.text(t); w {
		case "if", "for", "while", "switch", "with", "catch":
			b.control = !s.member()
			return
		case "await":
			b.control = b.before[1].kind == tkWord && s.text(b.before[1]) == "for"
		}
	}
	if s.chain == "" || t.kind == tkSign && s.src[t.start] != '.' && s.src[t.start] != '>' {
		return
	}
	if r := s.regionAt(); r != nil && len(r.calls) < maxSkimCalls {
		b.call = len(r.calls)
		r.calls = append(r.calls, callToken{path: s.chain, at: t.start})
	}
	b.chain = s.chain
	s.callWord(s.chain)
}

// maxSkimCalls bounds the calls noted in one function.
const maxSkimCalls = 20000

// brace says whether a brace opens a function's body, an object or a block.
func (s *skimmer) brace(b *bracket) {
	t := b.before[0]
	switch {
	case t.kind == tkSign && t.start > 0 && s.src[t.start] == '>' && s.src[t.start-1] == '=':
		s.enter(b, s.arrowName(b))
	case (t.kind == tkClose && s.src[t.start] == ')' || s.resultType(b.at)) && s.parameters():
		s.enter(b, s.functionName())
	default:
		b.value = s.startsExpression() && t.kind != tkBlockEnd && t.kind != tkNone && t.kind != tkClose && !s.blockSign(t)
		if b.value {
			s.handsOver()
		}
	}
}

// blockSign reports whether a brace behind a token opens a block although an expression could stand there.
func (s *skimmer) blockSign(t token) bool {
	switch s.text(t) {
	case ";", "{", "do", "else":
		return true
	case ":":
		// case x: { … } opens a block, a: { … } in an object does not.
		n := len(s.stack)
		return n < 2 || s.stack[n-2].open == '{' && !s.stack[n-2].value
	}
	return false
}

// resultType reports whether what stands between the parenthesis that was closed last and a brace is a function's result type, as
// far as it has neither brackets nor braces of its own.
func (s *skimmer) resultType(at int) bool {
	if s.closedEnd <= 0 || at-s.closedEnd > 200 {
		return false
	}
	between := strings.TrimSpace(s.src[s.closedEnd:at])
	if len(between) < 2 || between[0] != ':' {
		return false
	}
	if strings.ContainsAny(between[1:], "(){};=?:/") {
		return false
	}
	t := s.closed.before[0]
	return t.kind == tkWord && !expressionWord(s.text(t)) && (s.closed.before[1].kind != tkSign || s.src[s.closed.before[1].start] != '?')
}

// parameters reports whether the parenthesis that was closed last holds the parameters of a function whose body follows.
func (s *skimmer) parameters() bool {
	if s.closed.control {
		return false
	}
	switch t := s.closed.before[0]; t.kind {
	case tkWord:
		return true
	case tkSign:
		c := s.src[t.start]
		return c == '*' || c == '>'
	case tkClose, tkValue:
		return true // a computed or quoted name of a method
	}
	return false
}

// enter begins the body of a function.
func (s *skimmer) enter(b *bracket, name string) {
	// What looked like a call of the function's name was its parameters.
	if r := s.regionAt(); r != nil && s.closed.call >= 0 && s.closed.call < len(r.calls) && (b.before[0].kind != tkSign || s.src[b.before[0].start] != '>') {
		r.calls = slices.Delete(r.calls, s.closed.call, s.closed.call+1)
	}
	begin := s.closed.at
	if name != "" {
		begin = s.nameAt(name, b.at)
	}
	s.regions = append(s.regions, region{start: b.at, parent: s.current, name: name, line: begin})
	b.region = len(s.regions) - 1
	s.current = b.region
	s.retIn = false
	if name == "message" || s.declares() {
		s.keep()
	}
}

// declares reports whether the function that begins here is the argument of a call that declares an error by its code.
func (s *skimmer) declares() bool {
	if len(s.stack) < 2 {
		return false
	}
	outer := &s.stack[len(s.stack)-2]
	name := lastName(outer.chain)
	return outer.open == '(' && name != "" && (name == "E" || s.raising(name) != raisesNothing)
}

// nameAt is the offset of the last place before at where the name stands, which is where its function begins.
func (s *skimmer) nameAt(name string, at int) int {
	if i := strings.LastIndex(s.src[max(0, at-2000):at], name); i >= 0 {
		return max(0, at-2000) + i
	}
	return at
}

// functionName is the name of a function whose parameters were closed last: "function name(", "name = function (", "name(" in a
// class or object.
func (s *skimmer) functionName() string {
	t := s.closed.before
	if t[0].kind != tkWord {
		return ""
	}
	w := s.text(t[0])
	if w == "function" {
		return s.assigned(t[1], t[2])
	}
	return strings.TrimPrefix(w, "#")
}

// arrowName is the name that an arrow function is assigned to.
func (s *skimmer) arrowName(b *bracket) string {
	// The token before "=>" is ">" of it, "=", then the parameters' end or the only parameter.
	p := b.before[2]
	if p.kind == tkClose && s.src[p.start] == ')' {
		t := s.closed.before
		if t[0].kind == tkWord && s.text(t[0]) == "async" {
			return s.assigned(t[1], t[2])
		}
		return s.assigned(t[0], t[1])
	}
	return ""
}

// assigned is the name in "name =" or "name:".
func (s *skimmer) assigned(sign, name token) string {
	if sign.kind != tkSign || name.kind != tkWord {
		return ""
	}
	if c := s.src[sign.start]; c != '=' && c != ':' {
		return ""
	}
	return s.text(name)
}

// bracketClose takes a closing bracket.
func (s *skimmer) bracketClose(c byte) {
	n := len(s.stack)
	if n == 0 || !fits(s.stack[n-1].open, c) {
		s.lost = true
		return
	}
	b := s.stack[n-1]
	s.stack = s.stack[:n-1]
	kind := tkClose
	s.chain = ""
	switch c {
	case ')':
		s.closed, s.closedEnd = b, s.pos+1
		if b.chain != "" && len(b.chain) < 200 {
			s.chain = b.chain + "()"
		}
	case '}':
		if b.region >= 0 {
			s.regions[b.region].end = s.pos + 1
			s.current = s.regions[b.region].parent
		}
		if !b.value {
			kind = tkBlockEnd
		}
		s.retIn = s.retIn && len(s.stack) >= s.retDepth
	}
	s.push(kind, s.pos, s.pos+1)
	s.pos++
}

func fits(open, c byte) bool {
	return open == '(' && c == ')' || open == '[' && c == ']' || open == '{' && c == '}'
}

// element begins an element of JSX, if "<" stands where an expression starts and what follows is no list of type parameters.
func (s *skimmer) element() bool {
	if !s.startsExpression() {
		return false
	}
	rest := s.src[s.pos+1:]
	if rest == "" || !identByte(rest[0]) && rest[0] != '>' {
		return false
	}
	end := 0
	for end < len(rest) && (identByte(rest[end]) || rest[end] == '.' || rest[end] == '-') {
		end++
	}
	if after := strings.TrimLeft(rest[end:], " "); strings.HasPrefix(after, ",") || strings.HasPrefix(after, "extends ") {
		return false
	}
	s.open('<')
	s.pos++
	s.push(tkSign, s.pos-1, s.pos)
	return true
}

// tag takes a part of an element's opening or closing tag.
func (s *skimmer) tag() {
	switch c := s.src[s.pos]; c {
	case '"', '\'':
		i := strings.IndexByte(s.src[s.pos+1:], c)
		if i < 0 {
			s.lost = true
			return
		}
		s.pos += i + 2
	case '{':
		s.bracketOpen('{')
		if !s.lost {
			s.stack[len(s.stack)-1].value = true
		}
	case '/':
		if strings.HasPrefix(s.src[s.pos:], "/>") {
			s.pos += 2
			s.leave()
			return
		}
		s.slashInTag()
	case '>':
		s.pos++
		s.stack[len(s.stack)-1].open = '>' // its children follow
	default:
		s.pos++
	}
}

func (s *skimmer) slashInTag() {
	if strings.HasPrefix(s.src[s.pos:], "/*") || strings.HasPrefix(s.src[s.pos:], "//") {
		s.slash()
		return
	}
	s.pos++
}

// children takes what stands between an element's tags.
func (s *skimmer) children() {
	i := strings.IndexAny(s.src[s.pos:], "<{")
	if i < 0 {
		s.lost = true
		return
	}
	s.pos += i
	switch {
	case s.src[s.pos] == '{':
		s.bracketOpen('{')
		if !s.lost {
			s.stack[len(s.stack)-1].value = true
		}
	case strings.HasPrefix(s.src[s.pos:], "</"):
		j := strings.IndexByte(s.src[s.pos:], '>')
		if j < 0 {
			s.lost = true
			return
		}
		s.pos += j + 1
		s.leave()
	default:
		s.open('<')
		s.pos++
	}
}

// leave ends an element.
func (s *skimmer) leave() {
	b := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.chain = ""
	s.push(tkClose, b.at, s.pos)
}
