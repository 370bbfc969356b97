package condition

import (
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// key is the structure of an expression as a text: equal for equal expressions only, whatever their spelling; "" for one that is
// too large to have a key.
func key(e *expr.Expr) string {
	var b strings.Builder
	writeKey(&b, e, 0)
	if b.Len() > maxText {
		return ""
	}
	return b.String()
}

// writeKey writes operation, text and arguments, each with its length or in brackets, so that no two structures are written alike.
// Truthy is left out: a value is the same where it is used as a condition.
func writeKey(b *strings.Builder, e *expr.Expr, depth int) {
	if e == nil {
		b.WriteByte('-')
		return
	}
	if depth > maxDepth || b.Len() > maxText {
		b.WriteString(strings.Repeat("-", maxText+1))
		return
	}
	if e.Op == expr.Truthy && len(e.Args) == 1 {
		writeKey(b, e.Args[0], depth)
		return
	}
	text := e.Text
	if e.Op == expr.Unknown && text == "" {
		text = e.Src
	}
	b.WriteString(strconv.Itoa(int(e.Op)))
	b.WriteByte(':')
	b.WriteString(strconv.Itoa(len(text)))
	b.WriteByte(':')
	b.WriteString(text)
	b.WriteByte('(')
	for _, a := range e.Args {
		if writeKey(b, a, depth+1); b.Len() > maxText {
			return
		}
	}
	b.WriteByte(')')
}
