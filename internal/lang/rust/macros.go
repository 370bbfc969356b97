package rust

import (
	"bytes"
	"strings"
)

// prepare writes the calls of macros whose arguments are expressions as calls of functions, so that the grammar reads the arguments,
// which are token trees for it otherwise: the exclamation mark becomes a blank. The fields that stand before the message of a log are
// blanked out. The macro str gets a name that is no type's.
func prepare(src []byte) []byte {
	out := src
	own := false
	for i := 0; i < len(src); {
		j := bytes.IndexByte(src[i:], '!')
		if j < 0 {
			break
		}
		j += i
		i = j + 1
		open := j + 1
		for open < len(src) && open < j+3 && src[open] == ' ' {
			open++
		}
		if open >= len(src) || src[open] != '(' && src[open] != '[' {
			continue
		}
		start := j
		for start > 0 && wordByte(src[start-1]) {
			start--
		}
		name := string(src[start:j])
		if name == "str" {
			if !own {
				out, own = bytes.Clone(src), true
			}
			out[start] = '_' // the grammar takes the name of the type for no macro
			continue
		}
		if src[open] != '(' {
			continue
		}
		log := isLog(name)
		if !log && !expressionMacro(name) && !takesClosure(src[open:]) {
			continue
		}
		message := open + 1
		if log {
			if message = logMessage(src, open); message < 0 {
				continue
			}
		}
		if !own {
			out, own = bytes.Clone(src), true
		}
		out[j] = ' '
		for k := open + 1; k < message; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isLog(name string) bool { return name == "error" }

// expressionMacro reports whether the arguments of a macro are expressions, some of them named.
func expressionMacro(name string) bool {
	switch name {
	case "panic", "unreachable", "todo", "unimplemented", "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne",
		"bail", "ensure", "anyhow", "eyre", "format_err", "miette", "whatever", "format", "format_args", "write", "writeln", "print", "println",
		"eprint", "eprintln", "concat", "dbg", "fail", "prop_assert", "ensure_eq", "vec_of_strings", "bstr", "internal_err", "plan_err",
		"exec_err", "not_impl_err", "crate_err", "compile_error":
		return true
	}
	return false
}

// takesClosure reports whether the arguments that src begins with hold the block of a closure, on their first line.
func takesClosure(src []byte) bool {
	line, _, _ := bytes.Cut(src[:min(len(src), 400)], []byte("\n"))
	i := bytes.LastIndexByte(line, '|')
	return i > 0 && bytes.Count(line, []byte("|")) == 2 && bytes.HasSuffix(bytes.TrimRight(line, " \r"), []byte("{"))
}

// logMessage is where the message of a log call begins, whose arguments are opened at open: the first literal text that is an argument
// by itself; -1 if there is none.
func logMessage(src []byte, open int) int {
	depth := 0
	before := byte(0) // what stands before, blanks apart
	for i := open; i < len(src) && i < open+4000; i++ {
		c := src[i]
		switch c {
		case ' ', '\n', '\t', '\r':
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return -1
			}
		case '"':
			if depth == 1 && (before == '(' || before == ',' || before == ';') {
				return i
			}
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		}
		before = c
	}
	return -1
}

// macroName is the last name of the path of a macro, or of a function that was written as one.
func macroName(path string) string { return path[strings.LastIndexByte(path, ':')+1:] }
