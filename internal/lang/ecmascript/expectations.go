package ecmascript

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// The forms of an expected text.
const (
	formIsEqual    = "equal"
	formIsPart     = "contains"
	formIsRegexp   = "regexp"
	maxExpectCalls = 20 // callees kept of one expecting block
)

// expectations keeps the tests that expect an error.
func (f *file) expectations() {
	for _, n := range f.calls {
		if f.tree.kind(n) != kCall {
			continue
		}
		callee, args := f.callParts(n)
		if args < 0 || f.tree.kind(callee) != kMember && f.tree.kind(callee) != kIdentifier {
			continue
		}
		f.expectation(n, callee, args)
	}
}

func (f *file) expectation(n, callee, args int) {
	path := f.path(callee)
	name := lastName(path)
	if name == "" && f.tree.kind(callee) == kMember {
		name = f.tree.text(f.tree.last(callee)) // (() => {}).should.throw
	}
	x := raise.Expectation{Function: f.enclosing(n)}
	block := -1
	switch {
	case strings.HasPrefix(path, "expect()") || strings.Contains(path, ".expect()"):
		block = f.expected(callee)
		if !f.expectChain(path, name, block, args, &x) {
			return
		}
		if block >= 0 && messageOf(f.tree.text(block)) {
			block = f.attempted(n)
		}
	case throwsName(name):
		if !f.assertThrows(path, name, args, &x) {
			return
		}
		block = f.tree.first(args)
	case (name == "throw" || name == "Throw") && f.shouldChain(callee):
		x.Negated = strings.Contains(f.src[f.tree.start(callee):f.tree.end(callee)], ".not.")
		f.wanted(args, formIsPart, &x)
		block = f.tree.first(callee)
	case name == "equal" || name == "strictEqual" || name == "match" || name == "is" || name == "equals":
		if first := f.tree.first(args); first < 0 || !messageOf(f.tree.text(first)) {
			return
		}
		f.wantedText(f.tree.next(f.tree.first(args), args), formIsEqual, &x)
		block = f.attempted(n)
	default:
		return
	}
	held := f.holding(n)
	x.Line, x.EndLine = f.line(held), f.endLine(held)
	x.Calls = f.callsIn(block)
	if x.Message != nil || x.Type != "" || block >= 0 {
		f.facts.Expectations = append(f.facts.Expectations, x)
	}
}

// throwsName reports whether an assertion of that name expects an error, or that there is none.
func throwsName(name string) bool {
	switch name {
	case "throws", "rejects", "throwsAsync", "doesNotThrow", "doesNotReject", "notThrows", "notThrowsAsync", "assertThrows", "assertRejects",
		"throwsException", "isRejected":
		return true
	}
	return false
}

// expected is the argument of expect(…) in a chain.
func (f *file) expected(callee int) int {
	t := &f.tree
	for n := callee; n >= 0; n = t.first(n) {
		if t.kind(n) == kCall {
			inner, args := f.callParts(n)
			if text := t.text(inner); text == "expect" || strings.HasSuffix(text, ".expect") {
				return t.first(args)
			}
		}
	}
	return -1
}

// expectChain reads expect(block).….toThrow(wanted) of Jest, Vitest and Chai.
func (f *file) expectChain(path, name string, block, args int, x *raise.Expectation) bool {
	x.Negated = strings.Contains(path, ".not.")
	switch name {
	case "toThrow", "toThrowError", "throw", "throws", "Throw", "rejectedWith", "rejected":
		f.wanted(args, formIsPart, x)
		return true
	case "toThrowErrorMatchingInlineSnapshot":
		f.snapshot(f.tree.first(args), x)
		return true
	case "toThrowErrorMatchingSnapshot":
		return true
	case "toMatchObject", "toEqual", "toStrictEqual", "toBe", "toHaveProperty", "toBeInstanceOf", "toMatch", "toContain":
		switch {
		case strings.Contains(path, ".rejects"):
			f.wanted(args, formIsEqual, x)
			return x.Message != nil || x.Type != ""
		case block >= 0 && messageOf(f.tree.text(block)):
			form := formIsEqual
			if name == "toContain" || name == "toMatch" {
				form = formIsPart
			}
			f.wantedText(f.tree.first(args), form, x)
			return x.Message != nil
		}
	}
	return false
}

// messageOf reports whether an expression is the message of an error by its name.
func messageOf(s string) bool {
	owner, ok := strings.CutSuffix(s, ".message")
	if !ok || len(owner) > 60 {
		return false
	}
	owner = strings.ToLower(strings.Trim(owner, "!?()"))
	return owner == "e" || owner == "ex" || strings.Contains(owner, "err") || strings.Contains(owner, "reason") || strings.Contains(owner, "exception")
}

// shouldChain reports whether a callee is a chain of should.
func (f *file) shouldChain(callee int) bool {
	t := &f.tree
	for n := t.first(callee); n >= 0 && t.kind(n) == kMember; n = t.first(n) {
		if t.text(t.last(n)) == "should" {
			return true
		}
	}
	return false
}

// assertThrows reads assert.throws(block, wanted), t.throws(block, wanted) and assertThrows(block, Type, "part").
func (f *file) assertThrows(path, name string, args int, x *raise.Expectation) bool {
	t := &f.tree
	block := t.first(args)
	if block < 0 || path == name && name != "assertThrows" && name != "assertRejects" && name != "throws" && name != "rejects" {
		return false
	}
	if path == name && !t.kind(block).isFunction() && t.kind(block) != kIdentifier && t.kind(block) != kCall {
		return false
	}
	x.Negated = strings.HasPrefix(name, "doesNot") || strings.HasPrefix(name, "not")
	for c := t.next(block, args); c >= 0; c = t.next(c, args) {
		if isText(t.kind(c)) && name != "assertThrows" && name != "assertRejects" && x.Type == "" {
			continue // what the assertion itself says when it fails
		}
		f.want(c, formIsPart, x)
	}
	return true
}

// wanted reads the arguments that say which error is expected.
func (f *file) wanted(args int, form string, x *raise.Expectation) {
	for c := f.tree.first(args); c >= 0; c = f.tree.next(c, args) {
		f.want(c, form, x)
	}
}

// want reads one argument that says which error is expected.
func (f *file) want(n int, form string, x *raise.Expectation) {
	t := &f.tree
	switch t.kind(n) {
	case kString, kTemplate, kRegex, kBinary:
		f.wantedText(n, form, x)
	case kIdentifier, kMember:
		if path := f.path(n); path != "" && (errorLike(path) || upper(lastName(path)[0]) || f.errorClasses[lastName(path)]) {
			x.Type = path
		} else if x.Message == nil {
			x.Message, x.Form = f.expr(n), form
		}
	case kNew:
		callee, args := f.newParts(n)
		x.Type = f.path(callee)
		if first := t.first(args); first >= 0 {
			f.wantedText(first, formIsEqual, x)
		}
	case kObject:
		f.wantedObject(n, x)
	case kCall:
		callee, args := f.callParts(n)
		switch lastName(f.path(callee)) {
		case "objectContaining", "stringContaining":
			f.wanted(args, formIsPart, x)
		case "stringMatching":
			f.wanted(args, formIsRegexp, x)
		case "any":
			x.Type = f.path(t.first(args))
		}
	}
}

// wantedText keeps an expected text or regular expression.
func (f *file) wantedText(n int, form string, x *raise.Expectation) {
	if n < 0 || x.Message != nil {
		return
	}
	t := &f.tree
	switch t.kind(n) {
	case kRegex:
		x.Message, x.Form = f.regexp(n), formIsRegexp
	case kString, kTemplate, kBinary, kIdentifier, kMember:
		x.Message, x.Form = f.expr(n), form
	case kCall:
		f.want(n, form, x)
	}
}

// regexp is a regular expression as a text, with its flags in front.
func (f *file) regexp(n int) *expr.Expr {
	s := f.tree.text(n)
	end := strings.LastIndexByte(s, '/')
	if end < 1 {
		return f.made(n, expr.String, s)
	}
	pattern := s[1:end]
	if flags := strings.Map(func(c rune) rune {
		if strings.ContainsRune("ims", c) {
			return c
		}
		return -1
	}, s[end+1:]); flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	return f.made(n, expr.String, pattern)
}

// wantedObject reads { name, message, code, instanceOf }.
func (f *file) wantedObject(n int, x *raise.Expectation) {
	t := &f.tree
	code := ""
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if t.kind(c) != kPair {
			continue
		}
		key, _ := f.key(t.first(c))
		value := t.last(c)
		switch key {
		case "message":
			f.wantedText(value, formIsEqual, x)
		case "name":
			if t.kind(value) == kString {
				x.Type = f.stringText(value)
			}
		case "instanceOf", "constructor":
			x.Type = f.path(value)
		case "code":
			if t.kind(value) == kString {
				code = f.stringText(value)
			}
		}
	}
	if codeName(code) {
		x.Type = code // a declared error: its code says more than the type that it extends
	}
}

// snapshot reads an inline snapshot: "text" in quotes, or [Type: text].
func (f *file) snapshot(n int, x *raise.Expectation) {
	if n < 0 || !isText(f.tree.kind(n)) {
		return
	}
	text := strings.TrimSpace(f.stringText(n))
	switch {
	case len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"':
		text = text[1 : len(text)-1]
	case len(text) > 1 && text[0] == '[' && text[len(text)-1] == ']':
		text = text[1 : len(text)-1]
		if t, ok := typed(text); ok && t.start == 0 {
			x.Type, text = t.typ, text[t.message:]
		}
	}
	x.Message, x.Form = f.made(n, expr.String, text), formIsEqual
}

// attempted is the block whose error a check of its message speaks of: the body of the try statement around, or what .catch is
// called on.
func (f *file) attempted(n int) int {
	t := &f.tree
	for p := t.parent(n); p >= 0; p = t.parent(p) {
		switch k := t.kind(p); {
		case k == kCatch:
			return t.first(t.parent(p))
		case k.isFunction():
			list := t.parent(p)
			if list < 0 || t.kind(list) != kArguments {
				return -1
			}
			callee, _ := f.callParts(t.parent(list))
			if t.kind(callee) == kMember && t.text(t.last(callee)) == "catch" {
				return t.first(callee)
			}
			return -1
		}
	}
	return -1
}

// callsIn lists what a block calls.
func (f *file) callsIn(n int) []string {
	if n < 0 {
		return nil
	}
	var out []string
	if k := f.tree.kind(n); k == kIdentifier || k == kMember {
		if path := f.path(n); path != "" && !messageOf(path) {
			return []string{path}
		}
	}
	i, _ := slices.BinarySearch(f.calls, n)
	for ; i < len(f.calls) && f.calls[i] < f.tree.after(n) && len(out) < maxExpectCalls; i++ {
		path := f.path(f.tree.first(f.calls[i]))
		if path != "" && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
