// Package paste reads what people paste: it finds the errors in a report, wherever it was copied from.
//
// A report is first seen through a [View], which takes away what the medium added (colours, quote marks, prefixes of log
// collectors, HTML entities) and remembers where every byte came from. Trace forms, which the languages bring, and the log forms
// of this package each return spans; [Read] resolves their overlaps. What no form claims is plain text, which has several
// [Reading]s: the matcher tries them in order.
package paste

import (
	"html"
	"sort"
	"strings"
)

// View is a cleaned text that knows where its bytes stood in the original.
type View struct {
	Text string
	// starts[i] is where a run of bytes that stand together in both texts begins here, from[i] where in the original.
	starts, from []int
	size         int // of the original
}

// Origin returns the span of the original that a span of the view came from.
func (v *View) Origin(start, end int) (int, int) {
	if end <= start {
		at := v.origin(start)
		return at, at
	}
	return v.origin(start), v.origin(end-1) + 1
}

func (v *View) origin(at int) int {
	i := sort.SearchInts(v.starts, at+1) - 1
	if i < 0 {
		return 0
	}
	return min(v.from[i]+at-v.starts[i], v.size)
}

// builder makes a view.
type builder struct {
	b            strings.Builder
	starts, from []int
	next         int // where in the original the next byte is expected
}

// keep appends text that stands at from in the original.
func (b *builder) keep(text string, from int) {
	if text == "" {
		return
	}
	if from != b.next || len(b.starts) == 0 {
		b.starts = append(b.starts, b.b.Len())
		b.from = append(b.from, from)
	}
	b.b.WriteString(text)
	b.next = from + len(text)
}

// put appends text that stands for other text at from in the original.
func (b *builder) put(text string, from int) {
	b.next = -1
	b.keep(text, from)
	b.next = -1
}

func (b *builder) view(size int) View { return View{b.b.String(), b.starts, b.from, size} }

// Clean returns the view of a text without what the medium added.
func Clean(text string) View {
	var b builder
	quoted := quotedBy(text)
	entities := strings.Contains(text, "&lt;") || strings.Contains(text, "&gt;") || strings.Contains(text, "&quot;") ||
		strings.Contains(text, "&amp;") || strings.Contains(text, "&#")
	at := 0
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n')
		next := len(text)
		line := text[at:]
		if end >= 0 {
			line, next = text[at:at+end], at+end+1
		}
		b.line(line, at, quoted, entities)
		if end >= 0 {
			b.keep("\n", at+end)
		}
		at = next
	}
	return b.view(len(text))
}

// line appends a line without colours, quote marks, prefixes of collectors and entities.
func (b *builder) line(line string, at int, quoted string, entities bool) {
	line = strings.TrimSuffix(line, "\r")
	skip := 0
	for quoted != "" && strings.HasPrefix(line[skip:], quoted) {
		skip += len(quoted)
		if strings.HasPrefix(line[skip:], " ") {
			skip++
		}
	}
	if strings.HasPrefix(strings.TrimSpace(line[skip:]), "```") {
		return
	}
	for skip < len(line) {
		i := strings.IndexAny(line[skip:], "\x1b&\u00a0")
		if i < 0 {
			break
		}
		b.keep(line[skip:skip+i], at+skip)
		skip += i
		skip += b.special(line[skip:], at+skip, entities)
	}
	b.keep(line[min(skip, len(line)):], at+min(skip, len(line)))
}

// special appends what a sequence at the start of rest stands for, and returns its length.
func (b *builder) special(rest string, at int, entities bool) int {
	switch {
	case rest[0] == 0x1b:
		return escape(rest)
	case strings.HasPrefix(rest, "\u00a0"):
		b.put(" ", at)
		return len("\u00a0")
	case entities:
		if end := strings.IndexByte(rest[:min(len(rest), 12)], ';'); end > 0 {
			if plain := html.UnescapeString(rest[:end+1]); plain != rest[:end+1] {
				b.put(plain, at)
				return end + 1
			}
		}
	}
	b.keep(rest[:1], at)
	return 1
}

// escape is the length of a terminal's control sequence.
func escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[': // CSI: parameters, then a byte from @ to ~
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']': // OSC: up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) {
				return i + 2
			}
		}
		return len(s)
	}
	return 2
}

// quotedBy is the mark that most lines of a quotation or a drawn box begin with; "" if there is none.
func quotedBy(text string) string {
	for _, mark := range []string{">", "|", "│", "┃", "║"} {
		with, without := 0, 0
		for line := range strings.Lines(text) {
			switch trimmed := strings.TrimSpace(line); {
			case trimmed == "":
			case strings.HasPrefix(line, mark):
				with++
			default:
				without++
			}
			if with+without > 200 {
				break
			}
		}
		if with > 0 && with >= 4*without {
			return mark
		}
	}
	return ""
}
