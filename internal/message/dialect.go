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
	// Printf is %s, %-5d, %1$s, %,.2f, %<name>d, %{name}, %n for a line break and %m for the text of errno.
	Printf = "printf"
	// Composite is {0}, {0,10} and {0:N2}, with {{ and }} for braces.
	Composite = "composite"
	// MessageFormat is {0} and {0,number,#.#}, with apostrophes around text that is taken as it is.
	MessageFormat = "messageformat"
	// Slots is {}, which takes the next value.
	Slots = "slots"
	// Plain is an Interp whose holes have no formats.
	Plain = ""
)
