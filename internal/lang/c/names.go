package c

import (
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// words splits a name at underscores and capitals, in lower case.
func words(name string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_':
			cut(i)
			start = i + 1
		case upper(c) && i > start && (!upper(name[i-1]) || i+1 < len(name) && lowerCase(name[i+1])):
			cut(i)
		case c >= '0' && c <= '9' && i > start && !(name[i-1] >= '0' && name[i-1] <= '9'), i > start && name[i-1] >= '0' && name[i-1] <= '9' && (c < '0' || c > '9'):
			cut(i)
		}
	}
	cut(len(name))
	return out
}

func upper(c byte) bool     { return c >= 'A' && c <= 'Z' }
func lowerCase(c byte) bool { return c >= 'a' && c <= 'z' }

// shouting reports whether a name is written in capitals, as macros are.
func shouting(name string) bool {
	return len(name) > 1 && name == strings.ToUpper(name) && name != strings.ToLower(name)
}

// manner says how a function of this name raises the text that it is given; ok is false if its name does not say that it does.
func manner(name string) (kind raise.Kind, goes, ok bool) {
	all := words(name)
	if len(all) == 0 || len(name) > 60 {
		return "", false, false
	}
	switch all[0] {
	case "is", "has", "get", "on", "can", "should", "parse", "test", "str", "no", "expect", "find", "register", "init", "free", "new", "ignore", "format", "read", "lookup", "match":
		return "", false, false
	}
	for i, w := range all {
		switch w {
		case "suppress", "disable", "pragma", "push", "pop", "enable", "declare", "define", "list", "diagnostic", "option", "opt", "color", "prefix", "level", "stream", "file", "filename":
			return "", false, false
		case "die", "dief", "fatal", "fatalf", "panic", "bug", "bugf", "croak", "oops", "bail", "abort", "fatalx", "quit":
			return raise.KindFatal, false, true
		case "usage", "exit":
			return raise.KindExit, false, true
		case "throw", "rethrow":
			return raise.KindError, false, true
		case "warn", "warning", "warnx", "warnf", "warningf", "warnings", "vwarn":
			return raise.KindWarning, true, true
		case "raise":
			return raise.KindError, true, i == 0
		case "err", "errx", "errf", "error", "errorf", "errors", "errmsg", "errormsg", "fail", "failf", "failed", "failure", "complain", "reject", "invalid", "verr", "verror",
			"errorx", "seterror", "seterr", "errno":
			return raise.KindError, true, true
		case "strerror", "ferror", "clearerr", "iserror", "haserror":
			return "", false, false
		}
		if strings.HasSuffix(w, "error") || strings.HasSuffix(w, "errorf") {
			return raise.KindError, true, true
		}
		if strings.HasSuffix(w, "fatal") || strings.HasSuffix(w, "panic") {
			return raise.KindFatal, false, true
		}
	}
	return "", false, false
}

// level says how bad what a log call reports is, by the name of its level; ok is false if the name is none of a level.
func level(name string) (kind raise.Kind, ok bool) {
	if len(name) > 40 {
		return "", false
	}
	all := words(name)
	// LOG_ERR, kError, LogLevel::Error, but no variable.
	if len(all) == 0 || !upper(name[0]) && !(name[0] == 'k' && len(name) > 1 && upper(name[1])) {
		return "", false
	}
	switch all[len(all)-1] {
	case "fatal", "panic", "emerg", "emergency", "alert", "dfatal", "qfatal":
		return raise.KindFatal, true
	case "err", "error", "crit", "critical", "severe", "errors", "fail", "failure":
		return raise.KindLog, true
	case "warning", "warn":
		return raise.KindWarning, true
	case "debug", "info", "notice", "trace", "verbose", "quiet", "verb", "debug1", "log", "msg", "message", "information", "debugging", "dbg", "raw":
		return "", shouting(name) || name[0] == 'k'
	}
	return "", false
}

// checks reports whether a macro or function of this name raises unless its condition holds.
func checks(name string) bool {
	all := words(name)
	if slices.Contains(all, "assert") || slices.Contains(all, "assertion") || slices.Contains(all, "asserts") || slices.Contains(all, "dassert") {
		return !slices.Contains(all, "static") || shouting(name)
	}
	if !shouting(name) {
		return false
	}
	for _, w := range all {
		switch w {
		case "check", "dcheck", "qcheck", "pcheck", "require", "requires", "verify", "enforce", "ensure", "ensures", "invariant", "precondition", "postcondition", "insist", "expects":
			return true
		}
	}
	return false
}

// errorish reports whether a variable, a table or a function is called as one that holds error messages.
func errorish(name string) bool {
	for _, w := range words(name) {
		switch w {
		case "err", "errs", "error", "errors", "errmsg", "errmsgs", "errormsg", "errstr", "errstring", "errbuf", "errp", "reason", "reasons", "fail", "failure", "failures", "strerror", "errlist",
			"errtext", "errno", "why", "warning", "warnings", "exception", "complaint", "diag", "emsg", "fault", "errtab", "errm", "errorstring", "perr", "zerr":
			return true
		}
		if strings.HasPrefix(w, "err") || strings.HasSuffix(w, "err") || strings.HasSuffix(w, "error") || strings.HasSuffix(w, "strerror") {
			return true
		}
	}
	return false
}

// messagish reports whether a variable is called as one that holds a message of any kind.
func messagish(name string) bool {
	for _, w := range words(name) {
		switch w {
		case "msg", "msgs", "message", "messages", "text", "status", "result", "problem", "description", "desc":
			return true
		}
	}
	return errorish(name)
}

// alarming reports whether a text that is printed says that something is wrong.
func alarming(text string) bool {
	l := strings.ToLower(text)
	for _, w := range []string{"error", "fail", "cannot", "can't", "can not", "could not", "couldn't", "unable", "invalid", "unknown", "missing", "bad ", "fatal", "warning", "usage:",
		"not found", "unexpected", "expected", "must ", "illegal", "unsupported", "not supported", "too many", "too few", "too long", "too large", "too small", "too big", "no such",
		"abort", "panic", "out of", "denied", "corrupt", "refus", "exceed", "wrong", "unrecognized", "unrecognised", "mismatch", "does not", "doesn't", "did not", "didn't", "not a ",
		"not allowed", "only ", "needs ", "requires", "required", "already", "undefined", "ignored", "ignoring", "incorrect", "malformed", "overflow", "conflict", "broken", "impossible",
		"is not ", "are not ", "no memory", "not enough", "without ", "nothing to", "cowardly", "oops", "assert"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// prose reports whether a text is one for people: several words.
func prose(text string) bool {
	text = strings.TrimSpace(text)
	i := strings.IndexByte(text, ' ')
	return i > 0 && strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz")
}
