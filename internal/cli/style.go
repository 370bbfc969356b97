package cli

import (
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/wherefore-dev/wherefore/internal/visible"
)

// printer writes for people: with colours on a terminal, without elsewhere or when NO_COLOR is set.
type printer struct {
	w     io.Writer
	color bool
	width int
	err   error // the first write that failed
}

func newPrinter(w io.Writer) *printer {
	p := &printer{w: w, width: 100}
	if f, ok := w.(*os.File); ok && terminal(w) {
		p.color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 20 {
			p.width = columns
		}
	}
	return p
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// The styles: SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// in returns s in a style, if this printer has any.
func (p *printer) in(style, s string) string {
	if !p.color || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// clean makes text of a repository or a report safe for a terminal: control characters show as what they are.
func clean(s string) string { return visible.Text(s) }

// short cuts s to n characters.
func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
