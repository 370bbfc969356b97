package ecmascript

import (
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// form is how a call or construction raises.
type form uint8

const (
	formNone      form = iota
	formMade           // new X(…) that is not thrown where it stands
	formReject         // reject("…"), Promise.reject({ message })
	formCallback       // callback("…")
	formEmit           // emitter.emit("error", "…")
	formAssert         // assert(c, m)
	formEqual          // assert.equal(a, b, m)
	formDiffer         // assert.notEqual(a, b, m)
	formFail           // assert.fail(m)
	formTestFail       // t.fail(m)
	formInvariant      // invariant(c, format, …)
	formCtxAssert      // ctx.assert(c, status, m)
	formLog            // console.error(…), logger.error(…)
	formWarn           // console.warn(…)
	formEmitWarn       // process.emitWarning(m, type, code)
	formDeprecate      // util.deprecate(f, m, code)
	formPrint          // process.stderr.write(m)
	formExit           // a print that process.exit follows
	formHTTP           // ctx.throw(404, m)
	formRespond        // res.status(404).send(m)
	formPotential      // fail("…"): something unknown that looks like raising
	formMaybeMade      // new X("…") handed to a callback, where X may be an error
)

// classify decides which calls and constructions make a site, once all functions, classes and helpers of the file are known.
func (f *file) classify() {
	t := &f.tree
	f.findHelpers()
	for _, n := range f.calls {
		if f.declared[n] {
			continue
		}
		k := formNone
		if t.kind(n) == kNew {
			k = f.classifyNew(n)
		} else {
			k = f.classifyCall(n)
		}
		if k != formNone {
			f.forms[n] = k
			f.triggers = append(f.triggers, n)
		}
	}
	f.triggers = append(f.triggers, f.throws...)
	sort.Ints(f.triggers)
	for _, n := range f.calls {
		if path := f.path(t.first(n)); path == "process.exit" || path == "process.abort" || path == "Deno.exit" {
			f.printsBefore(n)
		}
	}
}

func (f *file) classifyNew(n int) form {
	callee, args := f.newParts(n)
	path := f.path(callee)
	if f.errorType(path) {
		return formMade
	}
	if name := lastName(path); args >= 0 && name != "" && name[0] >= 'A' && name[0] <= 'Z' && f.handedOn(n) && f.hasSentence(args) {
		return formMaybeMade
	}
	return formNone
}

// handedOn reports whether a value is the argument by which errors are handed on: of reject, of a callback, of emit("error").
func (f *file) handedOn(n int) bool {
	t := &f.tree
	list := t.parent(n)
	if list < 0 || t.kind(list) != kArguments {
		return false
	}
	name := lastName(f.path(t.first(t.parent(list))))
	return t.first(list) == n && (callbackName(name) || rejectName(name)) || name == "emit" && t.first(list) != n
}

func rejectName(name string) bool { return name == "reject" || name == "rej" || name == "_reject" }

func callbackName(name string) bool {
	switch name {
	case "callback", "cb", "next", "done", "fn", "onError", "onerror", "errback", "_callback", "_cb", "onFail", "onReject":
		return true
	}
	return false
}

// classifyCall decides by the callee's path, and looks at arguments only where the path asks for it.
func (f *file) classifyCall(n int) form {
	t := &f.tree
	callee, args := f.callParts(n)
	path := f.path(callee)
	if path == "" || args < 0 {
		if t.kind(callee) == kMember {
			return f.classifyMember(n, t.text(t.last(callee)), args)
		}
		return formNone
	}
	name := lastName(path)
	if name == "" {
		return formNone
	}
	if f.errorCall(path) && t.kind(args) == kArguments {
		if k := t.kind(t.parent(n)); k == kHeritage || k == kExtends {
			return formNone // makes a base, not an error
		}
		return formMade
	}
	if t.kind(args) != kArguments {
		return formNone
	}
	switch {
	case rejectName(name):
		return f.orNone(formReject, args, true)
	case callbackName(name):
		return f.orNone(formCallback, args, false)
	case name == "emit":
		if first := t.first(args); first >= 0 && isText(t.kind(first)) && f.stringText(first) == "error" {
			return f.orNone(formEmit, args, true)
		}
		return formNone
	}
	if k := f.classifyAssert(path, name, args); k != formNone {
		return k
	}
	if k := f.classifyPrint(path, name, args); k != formNone {
		return k
	}
	return f.classifyMember(n, name, args)
}

// orNone is a form if the arguments hold a text, or an object where objects are raised this way.
func (f *file) orNone(k form, args int, objects bool) form {
	if f.hasSentence(args) || objects && f.tree.child(args, kObject) >= 0 {
		return k
	}
	return formNone
}

// classifyAssert knows the assertions of the runtime and of the usual libraries.
func (f *file) classifyAssert(path, name string, args int) form {
	count := f.count(args)
	head := headName(path)
	switch path {
	case "assert", "assert.ok", "console.assert", "devAssert", "debugAssert", "_assert", "assert.default", "assert.isTrue":
		return formAssert
	case "invariant", "warning", "invariant.default", "tinyInvariant":
		if count >= 1 {
			return formInvariant
		}
	case "assert.equal", "assert.strictEqual", "assert.deepEqual", "assert.deepStrictEqual":
		return formEqual
	case "assert.notEqual", "assert.notStrictEqual", "assert.notDeepEqual", "assert.notDeepStrictEqual":
		return formDiffer
	case "assert.fail", "expect.fail", "chai.assert.fail":
		if count > 0 {
			return formFail
		}
	case "t.fail", "test.fail", "QUnit.assert.ok", "done.fail":
		if f.hasSentence(args) {
			return formTestFail
		}
	}
	if name == "assert" && head != path && count >= 2 {
		return f.classifyMemberAssert(args)
	}
	return formNone
}

// classifyMemberAssert tells ctx.assert(value, status, text) from other members of that name.
func (f *file) classifyMemberAssert(args int) form {
	t := &f.tree
	second := t.next(t.first(args), args)
	if second >= 0 && t.kind(second) == kNumber {
		return formCtxAssert
	}
	return formAssert
}

// classifyPrint knows what prints an error, a warning or a response.
func (f *file) classifyPrint(path, name string, args int) form {
	switch path {
	case "console.error":
		return f.orNone(formLog, args, false)
	case "console.warn":
		return f.orNone(formWarn, args, false)
	case "process.emitWarning":
		return f.orNone(formEmitWarn, args, false)
	case "util.deprecate", "deprecate":
		if f.count(args) >= 2 {
			return f.orNone(formDeprecate, args, false)
		}
	case "process.stderr.write":
		return f.orNone(formPrint, args, false)
	}
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 {
		return formNone
	}
	switch name {
	case "error", "fatal", "critical", "emerg", "alert", "crit":
		if logger(path[:dot]) {
			return f.orNone(formLog, args, false)
		}
	case "throw":
		if f.hasSentence(args) || f.tree.kind(f.tree.first(args)) == kNumber {
			return formHTTP
		}
	}
	return formNone
}

// logger reports whether a receiver's name says that it logs.
func logger(path string) bool {
	name := strings.ToLower(lastName(strings.TrimSuffix(path, "()")))
	for _, word := range []string{"log", "logger", "console", "winston", "pino", "bunyan", "signale", "consola"} {
		if name == word || strings.HasSuffix(name, "logger") || strings.HasSuffix(name, "_log") {
			return true
		}
	}
	return false
}

// classifyMember knows calls by the last name of the callee alone.
func (f *file) classifyMember(n int, name string, args int) form {
	t := &f.tree
	if args < 0 || t.kind(args) != kArguments {
		return formNone
	}
	switch name {
	case "send", "json", "end":
		if f.status(t.first(n)) >= 400 && (f.hasText(args) || t.child(args, kObject) >= 0) {
			return formRespond
		}
		return formNone
	}
	path := f.path(t.first(n))
	if (f.helpers[name] || raisingName(name)) && path != "" && f.hasSentence(args) && !notRaising(path) {
		return formPotential
	}
	return formNone
}

// status is the number in the chain res.status(404).send: 0 if there is none.
func (f *file) status(callee int) int {
	t := &f.tree
	for range 4 {
		if callee < 0 || t.kind(callee) != kMember {
			return 0
		}
		call := t.first(callee)
		if t.kind(call) != kCall {
			return 0
		}
		inner, args := f.callParts(call)
		if t.kind(inner) != kMember {
			return 0
		}
		if name := t.text(t.last(inner)); name == "status" || name == "code" {
			if first := t.first(args); first >= 0 && t.kind(first) == kNumber && len(t.text(first)) == 3 {
				s := t.text(first)
				return int(s[0]-'0')*100 + int(s[1]-'0')*10 + int(s[2]-'0')
			}
			return 0
		}
		callee = inner
	}
	return 0
}

// raisingName reports whether a function's name says that it may raise.
func raisingName(name string) bool {
	if name == "require" {
		return false
	}
	for _, w := range words(name) {
		switch w {
		case "fail", "failed", "failure", "err", "error", "errors", "raise", "throw", "throws", "die", "abort", "panic", "fatal", "warn", "warning",
			"assert", "invariant", "check", "ensure", "exit", "usage", "invalid", "bad", "reject", "exception", "bug", "croak", "complain",
			"bail", "bailout", "unreachable", "unsupported", "unexpected", "deprecate", "deprecated", "boom":
			return true
		}
	}
	return false
}

// notRaising are callees that look like raising and never do.
func notRaising(path string) bool {
	switch strings.TrimSuffix(headName(path), "()") {
	case "console", "expect", "jest", "vi", "sinon", "chai", "should", "describe", "it", "test", "document", "window", "Math", "JSON",
		"Object", "Array", "String", "Symbol", "Promise", "$", "jQuery":
		return true
	}
	dot := strings.LastIndexByte(path, '.')
	return dot > 0 && logger(path[:dot])
}

// words splits a name at its capitals and underscores, in lower case.
func words(name string) []string {
	var out []string
	start := 0
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '_' && name[i] != '$' && !(upper(name[i]) && (!upper(name[i-1]) || i+1 < len(name) && !upper(name[i+1]) && name[i+1] >= 'a')) {
			continue
		}
		if w := strings.ToLower(strings.Trim(name[start:i], "_$#")); w != "" {
			out = append(out, w)
		}
		start = i
	}
	return out
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func (f *file) count(list int) int {
	n := 0
	for c := f.tree.first(list); c >= 0; c = f.tree.next(c, list) {
		n++
	}
	return n
}

// hasSentence reports whether one of the arguments is a text for people, by its form alone.
func (f *file) hasSentence(args int) bool {
	t := &f.tree
	for c := t.first(args); c >= 0; c = t.next(c, args) {
		if f.sentenceAt(c, 0) {
			return true
		}
	}
	return false
}

func (f *file) sentenceAt(n, depth int) bool {
	t := &f.tree
	if n < 0 || depth > 12 {
		return false
	}
	switch t.kind(n) {
	case kString:
		return proseLike(t.text(n))
	case kTemplate:
		return f.templateSentence(n)
	case kBinary, kTernary, kParenthesized, kArray:
		for c := t.first(n); c >= 0; c = t.next(c, n) {
			if f.sentenceAt(c, depth+1) {
				return true
			}
		}
	case kCall:
		callee, args := f.callParts(n)
		if args >= 0 && t.kind(args) == kTemplate {
			return f.sentenceAt(args, depth+1)
		}
		path := f.path(callee)
		if f.formats(path) || translates(path) || lastName(path) == "sprintf" || lastName(path) == "concat" || colours(path) {
			return args >= 0 && f.hasSentence(args)
		}
		if t.kind(callee) == kMember && (lastName(path) == "join" || t.text(t.last(callee)) == "join") {
			return f.sentenceAt(t.first(callee), depth+1)
		}
	}
	return false
}

// templateSentence is sentenceAt for a template: its literal parts decide.
func (f *file) templateSentence(n int) bool {
	t := &f.tree
	at := t.start(n) + 1
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		if t.kind(c) == kSubstitution {
			if part := f.src[at:t.start(c)]; proseLike(part) || letters(part) > 3 {
				return true
			}
			at = t.end(c)
		}
	}
	part := f.src[min(at, t.end(n)):t.end(n)]
	return proseLike(part) || at > t.start(n)+1 && letters(part) > 3
}

// hasText reports whether one of the arguments is a literal text.
func (f *file) hasText(args int) bool { return f.tree.child(args, kString, kTemplate, kBinary) >= 0 }

// findHelpers lists the functions that raise, make or return an error with a text from their parameters.
func (f *file) findHelpers() {
	t := &f.tree
	check := func(n int) {
		i := f.enclosing(n)
		if i < 0 || f.facts.Functions[i].Name == "" {
			return
		}
		fn := &f.facts.Functions[i]
		for c := n; c < t.after(n); c++ {
			if t.kind(c) != kIdentifier {
				continue
			}
			for p := range fn.Params {
				if fn.Params[p].Name == t.text(c) {
					f.helpers[fn.Name] = true
					return
				}
			}
		}
	}
	for _, n := range f.throws {
		check(n)
	}
	for _, n := range f.calls {
		if f.makesErrorAt(n) {
			check(n)
		}
	}
	delete(f.helpers, "constructor")
}

func (f *file) makesErrorAt(n int) bool {
	if f.tree.kind(n) == kNew {
		callee, _ := f.newParts(n)
		return f.errorType(f.path(callee))
	}
	callee, args := f.callParts(n)
	return args >= 0 && f.errorCall(f.path(callee))
}

// maxPrints bounds how many statements before an exit are taken to say why.
const maxPrints = 6

// printsBefore turns the prints directly before process.exit(1) into the text of the exit.
func (f *file) printsBefore(n int) {
	t := &f.tree
	_, args := f.callParts(n)
	code := t.first(args)
	if code < 0 && f.path(t.first(n)) != "process.abort" || code >= 0 && t.kind(code) == kNumber && t.text(code) == "0" {
		return
	}
	st := t.parent(n)
	if st < 0 || t.kind(st) != kExpressionStatement {
		return
	}
	var before []int
	for c := t.first(t.parent(st)); c >= 0 && c != st; c = t.next(c, t.parent(st)) {
		before = append(before, c)
	}
	for i := len(before) - 1; i >= max(0, len(before)-maxPrints); i-- {
		call := t.first(before[i])
		if t.kind(before[i]) != kExpressionStatement || call < 0 || t.kind(call) != kCall {
			return
		}
		callee, args := f.callParts(call)
		path := f.path(callee)
		if headName(path) != "console" && path != "process.stderr.write" && path != "process.stdout.write" && !logger(strings.TrimSuffix(path, "."+lastName(path))) {
			return
		}
		if !f.hasSentence(args) {
			continue
		}
		if _, ok := f.forms[call]; !ok {
			j := sort.SearchInts(f.triggers, call)
			f.triggers = append(f.triggers[:j], append([]int{call}, f.triggers[j:]...)...)
		}
		f.forms[call] = formExit
	}
}

// exits reports whether a call ends the process.
func (f *file) exits(n int) bool {
	if f.tree.kind(n) != kCall {
		return false
	}
	switch f.path(f.tree.first(n)) {
	case "process.exit", "process.abort", "Deno.exit", "process.reallyExit":
		return true
	}
	return false
}

// texts are the arguments that are texts for people, lowered.
func texts(args []*expr.Expr) []*expr.Expr {
	var out []*expr.Expr
	for _, a := range args {
		if sentence(a) {
			out = append(out, a)
		}
	}
	return out
}
