package golang

import "strings"

// push opens a bracket.
func (s *skimmer) push(c byte) {
	operand := s.prev == tkWord || s.prev == tkClose || s.prev == tkIndexed
	b := bracket{open: c, call: -1, chain: s.chain, at: s.chainAt, operand: operand}
	switch {
	case c == '{' && s.prev == tkType:
		b.methods = true
	case c == '(' && len(s.stack) > 0 && s.stack[len(s.stack)-1].methods: // a method of an interface
	case c == '(' && operand && s.chain != "" && s.open >= 0:
		b.call = len(s.calls)
		s.calls = append(s.calls, skimmedCall{path: s.chain, at: s.chainAt})
	case c == '(' && operand && s.chain != "":
		b.call = len(s.calls) // outside of what may be left out nobody asks for the calls
	case c == '(' && s.prev == tkKeyword && len(s.stack) == 0:
		b.group = true
	case c == '{' && (s.prev == tkWord || s.prev == tkIndexed):
		name := s.word
		if s.prev == tkIndexed && s.chain != "" {
			name = s.chain[strings.LastIndexByte(s.chain, '.')+1:]
		}
		s.made = append(s.made, name)
	}
	if len(s.stack) == 0 && s.head.kind == 'f' && s.open < 0 {
		s.heading(c)
	}
	if c == '{' && s.open < 0 {
		s.begin()
	}
	s.stack = append(s.stack, b)
	s.at++
	s.operator(tkSign)
}

// heading follows the header of a function: its receiver stands before its name, its parameters behind it.
func (s *skimmer) heading(c byte) {
	switch {
	case c == '(' && s.head.name == "":
		s.head.receiver[0] = s.at + 1
	case c == '(' && s.head.params[0] == 0:
		s.head.params[0] = s.at + 1
	}
}

// begin opens a region at a brace, if one may begin there.
func (s *skimmer) begin() {
	outer := len(s.stack) == 0 || len(s.stack) == 1 && s.stack[0].group
	switch {
	case s.prev == tkType || !outer:
		return
	case s.head.kind == 'f' && s.head.closed > 0:
		s.open = len(s.regions)
		s.regions = append(s.regions, region{function: true, name: s.head.name, results: s.src[s.head.closed:s.at]})
		s.declare()
	case s.head.kind == 'v' && !s.head.nested:
		s.open = len(s.regions)
		s.regions = append(s.regions, region{})
	default:
		return
	}
	r := &s.regions[s.open]
	r.start, r.calls[0], r.made[0] = s.at+1, len(s.calls), len(s.made)
	if !r.function && (s.prev == tkWord || s.prev == tkIndexed) {
		r.made[0]-- // the type of the value itself
	}
	s.inReturn = -1
}

// declare notes what a function's header says of the file: a type is an error, a function returns errors.
func (s *skimmer) declare() {
	h := &s.head
	if h.name == "Error" && h.receiver[1] > h.receiver[0] && strings.TrimSpace(s.src[h.params[0]:h.params[1]]) == "" {
		receiver := s.src[h.receiver[0]:h.receiver[1]]
		s.errorTypes = append(s.errorTypes, receiverType(receiver))
		s.whole = s.whole || !strings.Contains(receiver, "*") // constants may be errors
	}
	if strings.Contains(s.src[h.closed:s.at], "rror") {
		s.makers[h.name] = true
	}
}

// receiverType is the name of the type in a receiver as written: "e *T[K]" has T.
func receiverType(text string) string {
	text, _, _ = strings.Cut(text, "[")
	fields := strings.Fields(strings.ReplaceAll(text, "*", " "))
	if len(fields) == 0 {
		return ""
	}
	return strings.Trim(fields[len(fields)-1], "()")
}

// pop closes a bracket; false if another one is open.
func (s *skimmer) pop(c byte) bool {
	n := len(s.stack) - 1
	if n < 0 {
		return false
	}
	b := s.stack[n]
	if b.open == '(' && c != ')' || b.open == '[' && c != ']' || b.open == '{' && c != '}' {
		return false
	}
	s.stack = s.stack[:n]
	if n > 0 && b.text {
		s.stack[n-1].text = true
	}
	s.operator(tkLiteral)
	if n < s.inReturn {
		s.inReturn = -1
	}
	switch c {
	case ')':
		s.prev = tkClose
		if b.call >= 0 {
			s.chain, s.chainAt = b.chain+"()", b.at
			if b.text && b.call < len(s.calls) && s.open >= 0 {
				s.calls[b.call].text = true
			}
		}
	case ']':
		s.prev = tkIndexed
		s.typed = !b.operand
		if !b.slice {
			s.chain, s.chainAt = b.chain, b.at
		}
	}
	if n == 0 && s.head.kind == 'f' && c == ')' {
		switch {
		case s.head.name == "":
			s.head.receiver[1] = s.at
		case s.head.params[1] == 0:
			s.head.params[1], s.head.closed = s.at, s.at+1
		}
	}
	if c == '}' && s.open >= 0 && s.closes(n) {
		r := &s.regions[s.open]
		r.end, r.calls[1], r.made[1] = s.at, len(s.calls), len(s.made)
		s.open = -1
	}
	s.at++
	return true
}

// closes reports whether the brace that leaves n brackets open is the one that ends the open region.
func (s *skimmer) closes(n int) bool {
	return n == 0 || n == 1 && s.stack[0].group && !s.regions[s.open].function
}
