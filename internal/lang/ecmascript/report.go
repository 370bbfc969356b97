package ecmascript

import "strings"

// report is a pasted text seen as lines.
type report struct {
	text   string
	starts []int // of the lines; one more at the end
}

func newReport(text string) *report {
	r := &report{text: text, starts: make([]int, 0, strings.Count(text, "\n")+2)}
	r.starts = append(r.starts, 0)
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			r.starts = append(r.starts, i+1)
		}
	}
	if r.starts[len(r.starts)-1] < len(text) {
		r.starts = append(r.starts, len(text))
	}
	return r
}

func (r *report) len() int { return len(r.starts) - 1 }

// line returns a line without white space around it, where that text starts in the report, and the columns before it.
func (r *report) line(i int) (text string, at, indent int) {
	raw := r.text[r.starts[i]:r.starts[i+1]]
	left := strings.TrimLeft(raw, " \t\r\n\v\f")
	indent = len(raw) - len(left)
	return strings.TrimRight(left, " \t\r\n\v\f"), r.starts[i] + indent, indent
}

// rest is line without the mark that a stream put before each of its lines ("npm ERR!", "[web]"), if the line has it.
func (r *report) rest(i int, mark string) (text string, at, indent int) {
	text, at, indent = r.line(i)
	if mark == "" || !strings.HasPrefix(text, mark) {
		return text, at, indent
	}
	cut := strings.TrimLeft(text[len(mark):], " \t")
	return cut, at + len(text) - len(cut), indent + len(text) - len(cut)
}

func (r *report) blank(i int) bool {
	text, _, _ := r.line(i)
	return text == ""
}
