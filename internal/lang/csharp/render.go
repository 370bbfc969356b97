package csharp

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// Texts that the library prints where none is given.
const (
	nullText  = "Value cannot be null."
	rangeText = "Specified argument was out of the range of valid values."
)

// defaults are the messages of types that are made without one.
func defaults(typ string) string {
	switch typ {
	case "ArgumentException":
		return "Value does not fall within the expected range."
	case "ArgumentNullException":
		return nullText
	case "ArgumentOutOfRangeException":
		return rangeText
	case "InvalidOperationException":
		return "Operation is not valid due to the current state of the object."
	case "NotSupportedException":
		return "Specified method is not supported."
	case "NotImplementedException":
		return "The method or operation is not implemented."
	case "KeyNotFoundException":
		return "The given key was not present in the dictionary."
	case "FormatException":
		return "One of the identified items was in an invalid format."
	case "IndexOutOfRangeException":
		return "Index was outside the bounds of the array."
	case "InvalidCastException":
		return "Specified cast is not valid."
	case "TimeoutException":
		return "The operation has timed out."
	case "OperationCanceledException":
		return "The operation was canceled."
	case "TaskCanceledException":
		return "A task was canceled."
	case "PlatformNotSupportedException":
		return "Operation is not supported on this platform."
	case "UnauthorizedAccessException":
		return "Attempted to perform an unauthorized operation."
	case "OverflowException":
		return "Arithmetic operation resulted in an overflow."
	}
	return ""
}

// render is the message of an exception of the library, with what the runtime appends to it.
func render(typ string, args []*expr.Expr) *expr.Expr {
	given := named(args)
	switch typ {
	case "ArgumentNullException":
		name, text := given.at(0, "paramName"), given.at(1, "message")
		if isCause(text) {
			name, text = nil, name // (message, innerException)
		}
		if text == nil {
			text = expr.Str(nullText)
		}
		return parameter(text, name)
	case "ArgumentOutOfRangeException":
		name, text := given.at(0, "paramName"), given.at(1, "message")
		if len(args) == 3 {
			return actual(parameter(given.at(2, "message"), name), given.at(1, "actualValue"))
		}
		if isCause(text) {
			name, text = nil, name
		}
		if text == nil {
			text = expr.Str(rangeText)
		}
		return parameter(text, name)
	case "ArgumentException":
		name := given.at(1, "paramName")
		if isCause(name) {
			name = nil
		}
		if text := given.at(0, "message"); text != nil {
			return parameter(text, name)
		}
	case "ObjectDisposedException":
		if name := given.at(0, "objectName"); name != nil {
			text := given.at(1, "message")
			if text == nil || isCause(text) {
				text = expr.Str("Cannot access a disposed object.")
			}
			return expr.New(expr.Interp, message.Plain, hole(text), expr.Str("\nObject name: '"), hole(name), expr.Str("'."))
		}
	default:
		if text := given.at(0, "message"); text != nil {
			return text
		}
	}
	if text := defaults(typ); text != "" {
		return expr.Str(text)
	}
	return nil
}

func hole(e *expr.Expr) *expr.Expr { return expr.New(expr.Hole, "", e) }

// parameter appends the name of a parameter, as .NET does since 5, and as it did before.
func parameter(text, name *expr.Expr) *expr.Expr {
	if name == nil || text == nil || name.Is(expr.Null) {
		return text
	}
	return expr.New(expr.Alt, "",
		expr.New(expr.Interp, message.Plain, hole(text), expr.Str(" (Parameter '"), hole(name), expr.Str("')")),
		expr.New(expr.Interp, message.Plain, hole(text), expr.Str("\nParameter name: "), hole(name)))
}

// actual appends the value that was given.
func actual(text, value *expr.Expr) *expr.Expr {
	if text == nil || value == nil || value.Is(expr.Null) {
		return text
	}
	return expr.New(expr.Interp, message.Plain, hole(text), expr.Str("\nActual value was "), hole(value), expr.Str("."))
}

// isCause reports whether an argument is the exception that caused this one.
func isCause(e *expr.Expr) bool {
	if !e.Is(expr.Name) {
		return false
	}
	switch l := strings.ToLower(e.Text); l {
	case "e", "ex", "exc", "exception", "inner", "innerexception", "innerex", "cause", "err", "error":
		return true
	}
	return false
}

// arguments are those of a call, by position and by name.
type arguments struct {
	list  []*expr.Expr
	names map[string]*expr.Expr
}

func named(args []*expr.Expr) arguments {
	a := arguments{names: map[string]*expr.Expr{}}
	for _, e := range args {
		if e.Is(expr.Keyword) {
			a.names[e.Text] = e.Arg(0)
		} else {
			a.list = append(a.list, e)
		}
	}
	return a
}

// at is argument number i, or the one of that name; nil if it is not given.
func (a arguments) at(i int, name string) *expr.Expr {
	if e := a.names[name]; e != nil {
		return e
	}
	if i < len(a.list) {
		return a.list[i]
	}
	return nil
}
