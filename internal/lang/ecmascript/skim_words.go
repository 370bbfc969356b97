package ecmascript

import "strings"

// word takes an identifier or keyword.
func (s *skimmer) word() {
	start := s.pos
	if c := s.src[s.pos]; c == '#' || c == '\\' {
		s.pos++
	}
	for s.pos < len(s.src) && (identByte(s.src[s.pos]) || s.src[s.pos] == '\\') {
		s.pos++
	}
	w := s.src[start:s.pos]
	switch {
	case s.last[0].kind == tkSign && s.src[s.last[0].start] == '.':
		if s.chain != "" {
			s.chain += "." + w
		}
		s.memberWord(w)
	case w == "this":
		s.chain = "self"
	default:
		s.chain = w
		s.plainWord(w)
	}
	s.push(tkWord, start, s.pos)
}

// plainWord looks at a word that is no member's name.
func (s *skimmer) plainWord(w string) {
	switch w {
	case "throw":
		s.keep()
		s.chain = ""
	case "return":
		s.retIn, s.retDepth = true, len(s.stack)
		s.chain = ""
	case "if", "for", "while", "switch", "with", "catch", "do", "else", "case", "typeof", "in", "of", "instanceof", "void", "delete", "new",
		"await", "yield", "async", "function", "var", "let", "const", "class", "extends", "export", "default", "try", "finally":
		s.chain = ""
		if w == "class" {
			s.retIn = false
		}
	default:
		s.errorWord(w)
	}
}

// errorWord notes what "new" makes and what classes extend.
func (s *skimmer) errorWord(w string) {
	before := s.last[0]
	if before.kind != tkWord {
		return
	}
	switch s.text(before) {
	case "extends":
		if s.last[1].kind == tkWord {
			s.heirs = append(s.heirs, [2]string{s.text(s.last[1]), w})
		}
		if errorLike(w) {
			s.keep()
		}
	case "new":
		if upper(w[0]) && errorLike(w) {
			s.keep()
		} else if r := s.regionAt(); r != nil {
			r.made = append(r.made, w)
		}
	}
}

// memberWord looks at a member's name.
func (s *skimmer) memberWord(w string) {
	switch w {
	case "message":
		if r := s.regionAt(); r != nil {
			r.message = true
			if rest := strings.TrimLeft(s.src[s.pos:], " \t\n"); strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && !strings.HasPrefix(rest, "=>") {
				s.keep()
			}
		}
	case "should":
		s.keep()
	case "join", "concat":
		if s.returned() {
			s.keep()
		}
	}
}

// raising says what a callee's name says of its calls.
type raising uint8

const (
	raisesUnasked   raising = iota // not looked at yet
	raisesNothing                  // is no site, whatever it is given
	raisesGiven                    // is a site if it is given a text or an object
	raisesAlways                   // is a site, or an expectation, or declares a class
	raisesComparing                // compares values
)

// callWord decides by the name of a callee whether the function that calls it must be parsed.
func (s *skimmer) callWord(path string) {
	if head := headName(path); head != path && upper(head[0]) && errorLike(head) {
		s.keep() // Error.call(this), Error.captureStackTrace(this)
		return
	}
	name := lastName(path)
	switch s.raising(name) {
	case raisesAlways:
		s.keep()
	case raisesComparing:
		if r := s.regionAt(); r != nil {
			r.compares = true
		}
	}
	switch name {
	case "status", "code":
		if rest := s.src[s.pos+1:]; len(rest) > 3 && (rest[0] == '4' || rest[0] == '5') && rest[3] == ')' {
			s.keep()
		}
	case "emit":
		if rest := s.src[s.pos+1:]; len(rest) > 6 && rest[1:6] == "error" {
			s.keep()
		}
	case "require", "import", "super":
		s.keep()
	case "call":
		if strings.HasPrefix(s.src[s.pos+1:], "this") {
			s.keep() // a constructor that calls another one's
		}
	case "format", "formatWithOptions", "sprintf":
		if len(s.stack) > 0 {
			b := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			if s.returned() {
				s.keep()
			}
			s.stack = append(s.stack, b)
		}
	}
}

// raising looks a name up, once a file.
func (s *skimmer) raising(name string) raising {
	known := s.names[name]
	if known == raisesUnasked {
		known = raisingBy(name)
		s.names[name] = known
	}
	return known
}

// raisingBy says what a name says of the calls of that name.
func raisingBy(name string) raising {
	switch name {
	case "":
		return raisesNothing
	case "emitWarning", "exit", "abort", "throw", "Throw", "rejectedWith", "rejected", "toThrow", "toThrowError",
		"toThrowErrorMatchingInlineSnapshot", "toThrowErrorMatchingSnapshot", "inherits", "setPrototypeOf", "ok", "fail", "deprecate",
		"isTrue":
		return raisesAlways
	case "equal", "strictEqual", "match", "is", "equals", "toBe", "toEqual", "toStrictEqual", "toMatch", "toContain", "toMatchObject",
		"toHaveProperty", "deepEqual", "deepStrictEqual", "notEqual", "notStrictEqual", "notDeepEqual", "notDeepStrictEqual":
		return raisesComparing
	case "error", "fatal", "critical", "emerg", "alert", "crit", "warn", "write":
		return raisesGiven
	}
	if throwsName(name) || upper(name[0]) && errorLike(name) || codeName(name) {
		return raisesAlways
	}
	for _, w := range words(name) {
		if w == "assert" || w == "invariant" || w == "warning" {
			return raisesAlways
		}
	}
	if rejectName(name) || callbackName(name) || raisingName(name) || name == "emit" {
		return raisesGiven
	}
	return raisesNothing
}
