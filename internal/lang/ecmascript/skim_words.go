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

// errorWord keeps functions that name an error, and notes what "new" makes and what classes extend.
func (s *skimmer) errorWord(w string) {
	before := s.last[0]
	if before.kind == tkWord && s.text(before) == "extends" && s.last[1].kind == tkWord {
		s.heirs = append(s.heirs, [2]string{s.text(s.last[1]), w})
	}
	if upper(w[0]) && (errorLike(w) || codeName(w)) {
		s.keep()
		return
	}
	if before.kind == tkWord && s.text(before) == "new" {
		if r := s.regionAt(); r != nil {
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
	default:
		if upper(w[0]) && (errorLike(w) || codeName(w)) {
			s.keep()
		}
	}
}

// callWord decides by the name of a callee whether the function that calls it must be parsed.
func (s *skimmer) callWord(path string) {
	name := lastName(path)
	raises, known := s.names[name]
	if !known {
		raises = mayRaise(name)
		s.names[name] = raises
	}
	if raises {
		s.keep()
		return
	}
	switch name {
	case "status", "code":
		if rest := s.src[s.pos+1:]; len(rest) > 3 && (rest[0] == '4' || rest[0] == '5') && rest[3] == ')' {
			s.keep()
		}
	case "error", "fatal", "critical", "emerg", "alert", "crit", "warn":
		s.keep()
	case "equal", "strictEqual", "match", "is", "equals", "toBe", "toEqual", "toStrictEqual", "toMatch", "toContain":
		if r := s.regionAt(); r != nil {
			r.compares = true
		}
	case "require", "import":
		if s.current >= 0 {
			s.keep()
		}
	}
}

// mayRaise reports whether a call of that name can be a site, an expectation, or declare a class.
func mayRaise(name string) bool {
	if rejectName(name) || callbackName(name) || raisingName(name) || throwsName(name) {
		return true
	}
	switch name {
	case "emit", "emitWarning", "exit", "throw", "Throw", "rejectedWith", "rejected", "toThrow", "toThrowError",
		"toThrowErrorMatchingInlineSnapshot", "toThrowErrorMatchingSnapshot", "toMatchObject", "toHaveProperty", "inherits",
		"setPrototypeOf", "ok", "fail":
		return true
	}
	return false
}
