// Package message holds the templates of error messages: literal pieces and holes.
//
// It is the only package that knows format languages: it turns an expression into templates, prints them, matches them against a
// text and binds the holes.
package message

// The dialects of expr.Format (a format string with values) and expr.Interp (the formats of its holes).
const (
	// Verbs are %v, %q, %w, %+d, %[2]s and the like, with %! errors for misuse.
	Verbs = "verbs"
	// Percent is the classic %s, %5.2f, %r and %(name)s, with a tuple, a map or one value.
	Percent = "percent"
	// Brace is {}, {0}, {name.attr[2]!r:>10}; as an Interp, the formats of holes are written "!r:.2f", and "=" where the hole
	// also prints its own text.
	Brace = "brace"
	// Util is %s, %d, %i, %f, %j, %o, %O, %c: unknown verbs stay, surplus values are appended with blanks.
	Util = "util"
	// Dollar is $name and ${name}.
	Dollar = "dollar"
	// Plain is an Interp whose holes have no formats.
	Plain = ""
)
