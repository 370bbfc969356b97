package c

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/lower"
)

// ending is what a program does behind a statement.
type ending uint8

const (
	goesOn ending = iota
	leaves        // the function, the loop or the arm
	fails         // the function, with a value that says that it failed, or for its clean-up
	exits         // the program
)

// maxFollowing is how many statements behind one are looked at: it is printed first and given up then, with little between.
const maxFollowing = 4

// follows says what is done behind a statement, in its own block.
func follows(f *lower.File, n int) ending {
	for range 4 {
		if p := f.Parent(n); p >= 0 && !holds(f.Kind(p)) && f.Kind(p) != "translation_unit" {
			if k := f.Kind(p); !strings.HasSuffix(k, "_statement") && !strings.HasSuffix(k, "_expression") || isBranch(k) {
				return goesOn
			}
			n = p
			continue
		}
		break
	}
	next := n
	for range maxFollowing {
		next = f.NextSibling(next)
		if next < 0 {
			return goesOn
		}
		switch f.Kind(next) {
		case "return_statement", "co_return_statement":
			if v := f.First(next); v >= 0 && failure(f.Text(v)) {
				return fails
			}
			return leaves
		case "goto_statement", "throw_statement":
			return fails
		case "break_statement", "continue_statement":
			return leaves
		case "expression_statement":
			if e := f.First(next); neverReturns(f, e) {
				return exits
			}
		case "if_statement", "for_statement", "while_statement", "switch_statement", "declaration":
			return goesOn
		}
	}
	return goesOn
}

func isBranch(kind string) bool {
	switch kind {
	case "if_statement", "for_statement", "while_statement", "do_statement", "switch_statement", "for_range_loop", "labeled_statement":
		return true
	}
	return false
}

// holds reports whether a node holds statements in a row.
func holds(kind string) bool {
	return kind == "compound_statement" || kind == "case_statement" || strings.HasPrefix(kind, "preproc_") || kind == "declaration_list" || kind == "ERROR" || kind == "labeled_statement"
}

// failure reports whether a value that a function returns says that it failed.
func failure(value string) bool {
	switch value {
	case "NULL", "nullptr", "false", "FALSE", "EXIT_FAILURE", "1", "2", "std::nullopt":
		return true
	}
	if strings.HasPrefix(value, "-") {
		return true
	}
	name, _, _ := strings.Cut(value, "(")
	_, _, raises := manner(name)
	return raises || errorish(name) || shouting(name) && strings.HasPrefix(name, "E")
}

// neverReturns reports whether a call never returns.
func neverReturns(f *lower.File, n int) bool {
	path, ok := callee(f, n)
	if !ok {
		return false
	}
	switch lastName(path) {
	case "exit", "_exit", "_Exit", "quick_exit", "abort", "terminate", "longjmp", "siglongjmp", "__builtin_unreachable", "__builtin_trap", "unreachable", "g_assert_not_reached",
		"ExitProcess", "rethrow_exception", "throw_exception", "Q_UNREACHABLE", "__builtin_abort", "llvm_unreachable", "proc_exit", "pthread_exit", "execvp_or_die", "die_errno",
		"pg_unreachable", "assert_unreachable", "common_exit", "exit_nicely", "usage":
		return true
	}
	name := strings.ToLower(lastName(path))
	if !strings.Contains(name, "die") && !strings.Contains(name, "fatal") && !strings.Contains(name, "panic") && !strings.Contains(name, "unreachable") {
		return false
	}
	for _, w := range words(lastName(path)) {
		switch w {
		case "die", "fatal", "panic", "unreachable":
			return true
		}
	}
	return false
}
