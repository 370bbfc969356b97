package java

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// looked is what a method gives that finds a text in a bundle by its key; nil for any other method.
func looked(on, name string, args []*expr.Expr) *expr.Expr {
	switch {
	case len(args) == 0 || !bundle(on):
		return nil
	case name == "getString" && len(args) == 1, name == "getText" && len(args) == 1, name == "get" && len(args) == 1 && args[0].Is(expr.String):
		return expr.New(expr.Lookup, "", args[0])
	case name == "getString" || name == "getFormattedString" || name == "format" && args[0].Is(expr.String) || name == "getMessage" && args[0].Is(expr.String):
		// With the values for its places; Spring takes them as an array, and a locale.
		values := args[1:]
		if len(values) > 0 && values[0].Is(expr.List) {
			values = values[0].Args
		} else if name == "getMessage" && len(values) > 0 && (values[0].Is(expr.Null) || strings.Contains(strings.ToLower(values[0].Path()), "locale")) {
			values = nil
		}
		if len(values) == 0 {
			return expr.New(expr.Lookup, "", args[0])
		}
		return expr.New(expr.Lookup, message.MessageFormat, append([]*expr.Expr{args[0]}, values...)...)
	case name == "bind" && last(on) == "NLS":
		if args[0].Is(expr.Attr) { // a field that keyed does not tell
			args = append([]*expr.Expr{expr.New(expr.Lookup, "", expr.Str(args[0].Text))}, args[1:]...)
		}
		return expr.New(expr.Format, message.MessageFormat, args...)
	}
	return nil
}

// keyed reports whether a field of a class is filled with the text of its name when the class is loaded, as Eclipse does it: such
// fields are called after the class that uses them.
func keyed(class, field string) bool {
	return last(class) == "Messages" && strings.Contains(field, "_") && field != strings.ToUpper(field)
}

// bundle reports whether a name is that of a bundle of texts, or of a class that wraps one. Rows and objects, of which texts are got by
// name too, are none.
func bundle(on string) bool {
	l := strings.ToLower(strings.TrimSuffix(last(strings.TrimSuffix(on, ")")), "("))
	if strings.Contains(on, "getBundle(") {
		return true
	}
	for _, part := range []string{"bundle", "messages", "messagesource", "resources", "i18n", "localstrings", "localizer"} {
		if strings.HasSuffix(l, part) {
			return true
		}
	}
	return l == "sm" || l == "rb" || l == "nls"
}
