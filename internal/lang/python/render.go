package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/flow"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// render is what the interpreter prints for an exception of its own library: the argument alone, several as a tuple, and the forms
// of those classes that print otherwise.
func render(name string, args []*expr.Expr) *expr.Expr {
	plain := args[:0:0]
	for _, a := range args {
		switch {
		case a.Is(expr.Spread):
			return expr.New(expr.Interp, message.Brace, expr.New(expr.Hole, "", a))
		case !a.Is(expr.Keyword):
			plain = append(plain, a)
		}
	}
	switch {
	case len(plain) == 0:
		return nil
	case isOSError(name) && len(plain) >= 2:
		text := []*expr.Expr{expr.Str("[Errno "), hole(plain[0], ""), expr.Str("] "), hole(plain[1], "")}
		if len(plain) >= 3 {
			text = append(text, expr.Str(": "), hole(plain[2], "!r"))
		}
		return expr.New(expr.Interp, message.Brace, text...)
	case name == "KeyError" && len(plain) == 1:
		return repr(plain[0])
	case name == "UnicodeDecodeError" && len(plain) == 5:
		return expr.New(expr.Interp, message.Brace, expr.Str("'"), hole(plain[0], ""), expr.Str("' codec can't decode "),
			hole(plain[2], ""), expr.Str(": "), hole(plain[4], ""))
	case name == "UnicodeEncodeError" && len(plain) == 5:
		return expr.New(expr.Interp, message.Brace, expr.Str("'"), hole(plain[0], ""), expr.Str("' codec can't encode "),
			hole(plain[2], ""), expr.Str(": "), hole(plain[4], ""))
	case isGroup(name) && len(plain) == 2:
		return group(plain[0], plain[1])
	case name == "SyntaxError" || len(plain) == 1:
		return plain[0]
	}
	text := expr.Str("(")
	for i, a := range plain {
		if i > 0 {
			text = expr.New(expr.Binary, "+", text, expr.Str(", "))
		}
		text = expr.New(expr.Binary, "+", text, repr(a))
	}
	return expr.New(expr.Binary, "+", text, expr.Str(")"))
}

// group is what a group of errors prints.
func group(text, errors *expr.Expr) *expr.Expr {
	count, end := hole(expr.New(expr.Len, "", errors), ""), " sub-exceptions)"
	if errors.Is(expr.List) && !slices.ContainsFunc(errors.Args, func(e *expr.Expr) bool { return e.Is(expr.Spread) }) {
		count = expr.Str(strconv.Itoa(len(errors.Args)))
		if len(errors.Args) == 1 {
			end = " sub-exception)"
		}
	}
	return expr.New(expr.Binary, "+", text, expr.New(expr.Interp, message.Brace, expr.Str(" ("), count, expr.Str(end)))
}

// repr is what repr() prints of a value: a text in quotes, by its own text if that is known. The quote is a double one if the text
// holds a single one, which its values may bring.
func repr(e *expr.Expr) *expr.Expr {
	if !flow.Textual(e) {
		return expr.New(expr.Interp, message.Brace, hole(e, "!r"))
	}
	quoted := func(q string) *expr.Expr {
		return expr.New(expr.Binary, "+", expr.New(expr.Binary, "+", expr.Str(q), e), expr.Str(q))
	}
	values, apostrophe := false, false
	e.Walk(func(a *expr.Expr) bool {
		values = values || a.Op != expr.String && a.Op != expr.Binary
		apostrophe = apostrophe || a.Is(expr.String) && strings.Contains(a.Text, "'")
		return !a.Is(expr.Call)
	})
	switch {
	case apostrophe:
		return quoted(`"`)
	case values:
		return expr.New(expr.Alt, "", quoted("'"), quoted(`"`))
	}
	return quoted("'")
}

func hole(e *expr.Expr, format string) *expr.Expr { return expr.New(expr.Hole, format, e) }

func isOSError(name string) bool {
	for _, b := range append(bases(name), name) {
		if b == "OSError" || b == "IOError" || b == "EnvironmentError" {
			return true
		}
	}
	return false
}

// bases are the bases of the interpreter's own exceptions, nearest first.
func bases(name string) []string {
	parent := map[string]string{
		"ArithmeticError": "Exception", "AssertionError": "Exception", "AttributeError": "Exception", "BufferError": "Exception",
		"EOFError": "Exception", "ImportError": "Exception", "ModuleNotFoundError": "ImportError", "LookupError": "Exception",
		"IndexError": "LookupError", "KeyError": "LookupError", "MemoryError": "Exception", "NameError": "Exception",
		"UnboundLocalError": "NameError", "OSError": "Exception", "IOError": "OSError", "EnvironmentError": "OSError",
		"BlockingIOError": "OSError", "ChildProcessError": "OSError", "ConnectionError": "OSError", "BrokenPipeError": "ConnectionError",
		"ConnectionAbortedError": "ConnectionError", "ConnectionRefusedError": "ConnectionError", "ConnectionResetError": "ConnectionError",
		"FileExistsError": "OSError", "FileNotFoundError": "OSError", "InterruptedError": "OSError", "IsADirectoryError": "OSError",
		"NotADirectoryError": "OSError", "PermissionError": "OSError", "ProcessLookupError": "OSError", "TimeoutError": "OSError",
		"ReferenceError": "Exception", "RuntimeError": "Exception", "NotImplementedError": "RuntimeError", "RecursionError": "RuntimeError",
		"StopIteration": "Exception", "StopAsyncIteration": "Exception", "SyntaxError": "Exception", "IndentationError": "SyntaxError",
		"TabError": "IndentationError", "SystemError": "Exception", "TypeError": "Exception", "ValueError": "Exception",
		"UnicodeError": "ValueError", "UnicodeDecodeError": "UnicodeError", "UnicodeEncodeError": "UnicodeError",
		"ZeroDivisionError": "ArithmeticError", "OverflowError": "ArithmeticError", "FloatingPointError": "ArithmeticError",
		"Warning": "Exception", "Exception": "BaseException", "SystemExit": "BaseException", "KeyboardInterrupt": "BaseException",
		"GeneratorExit": "BaseException",
	}
	var out []string
	for name = parent[name]; name != ""; name = parent[name] {
		out = append(out, name)
	}
	return out
}
