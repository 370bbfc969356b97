package paste

import (
	"html"
	"strings"
)

// Clean returns the view of a text without what the medium added.
func Clean(text string) View {
	c := &cleaner{text: text, entities: hasEntities(text), bare: strings.Contains(text, "[0m") || strings.Contains(text, "[39m")}
	c.split()
	c.unquote()
	c.collect()
	for k, stream := range c.order() {
		if k > 0 {
			c.put("\n\n", c.lines[stream[0]].start, 0)
		}
		depth := 0
		for _, i := range stream {
			l := &c.lines[i]
			if l.depth != depth || l.fresh {
				c.put("\n", l.start, 0)
			}
			depth = l.depth
			c.line(l)
		}
	}
	return c.view(len(text), nil)
}

// span is a line of the pasted text, of which what is not said by the program was cut off.
type span struct {
	start, end int
	log        field // the value that holds the line, of runtimes that write objects
	stream     string
	partial    bool // the line goes on in the next one of its stream
	depth      int  // of the quotation that it stands in
	fresh      bool // it belongs to nothing above it
	gone       bool // nothing of the program stands on it
	unended    bool // the last line of a text without a line end
}

type cleaner struct {
	builder
	text     string
	lines    []span
	entities bool // the text holds entities of HTML
	bare     bool // colours have lost their escape character
}

// hasEntities reports whether a text was copied from the source of a page.
func hasEntities(text string) bool {
	for _, e := range []string{"&lt;", "&gt;", "&quot;", "&amp;", "&#"} {
		if strings.Contains(text, e) {
			return true
		}
	}
	return false
}

// split finds the lines. Fences of Markdown, and tags that stand alone, are none of the program's.
func (c *cleaner) split() {
	for at := 0; at < len(c.text); {
		end, next := len(c.text), len(c.text)
		if i := strings.IndexByte(c.text[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		l := span{start: at, end: end, unended: next == end}
		if end > at && c.text[end-1] == '\r' {
			l.end--
		}
		switch trimmed := strings.TrimSpace(c.text[l.start:min(l.end, l.start+64)]); {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			l.gone = true
		case strings.HasPrefix(trimmed, "<") && strings.HasSuffix(trimmed, ">") && tag(trimmed):
			l.gone = true
		}
		c.lines = append(c.lines, l)
		at = next
	}
}

// tag reports whether a line is a tag of HTML that surrounds a report.
func tag(s string) bool {
	switch strings.Trim(s, "</>") {
	case "pre", "code", "details", "summary", "p", "div", "br":
		return true
	}
	return false
}

// unquote cuts off the marks that the lines of a quotation or a drawn box begin with. A quotation has at least two lines, a box three.
func (c *cleaner) unquote() {
	for _, q := range []struct {
		mark  string
		least int
	}{{">", 2}, {"|", 3}, {"│", 3}, {"┃", 3}, {"║", 3}} {
		if !strings.Contains(c.text, q.mark) {
			continue
		}
		for i := 0; i < len(c.lines); i++ {
			first := i
			for i < len(c.lines) && strings.HasPrefix(c.of(i), q.mark) {
				i++
			}
			if (i-first >= q.least || q.least > 2 && i > first && c.boxed(first, q.mark)) && !strings.HasPrefix(c.of(first), ">>> ") {
				for k := first; k < i; k++ {
					c.cutMarks(&c.lines[k], q.mark)
				}
			}
		}
	}
}

// boxed reports whether a line has both sides of a drawn box.
func (c *cleaner) boxed(i int, mark string) bool {
	return mark != "|" && strings.HasSuffix(strings.TrimRight(c.of(i), " "), " "+mark)
}

func (c *cleaner) of(i int) string { return c.text[c.lines[i].start:c.lines[i].end] }

// cutMarks cuts marks off the start of a line, each with a blank behind it, and the right side of a box.
func (c *cleaner) cutMarks(l *span, mark string) {
	for range 8 {
		rest, ok := strings.CutPrefix(c.text[l.start:l.end], mark)
		if !ok {
			break
		}
		l.start = l.end - len(strings.TrimPrefix(rest, " "))
		if mark != ">" {
			if body, ok := strings.CutSuffix(strings.TrimRight(c.text[l.start:l.end], " "), mark); ok {
				l.end = l.start + len(strings.TrimRight(body, " "))
			}
			break
		}
		l.depth++
	}
}

// collect cuts off the prefixes of collectors, if at least half of the lines have one.
func (c *cleaner) collect() {
	found, filled := 0, 0
	cuts := make([]int, len(c.lines))
	for i := range c.lines {
		l := &c.lines[i]
		text := c.of(i)
		if strings.TrimSpace(text) == "" {
			continue
		}
		filled++
		if f, stream, ok := runtimeObject(text); ok {
			l.log, l.stream, found = f, stream, found+1
		} else if cuts[i], l.stream = collected(text); cuts[i] > 0 {
			found++
			l.partial = strings.HasSuffix(text[:cuts[i]], " P ")
			if n := command(text[cuts[i]:]); n > 0 {
				cuts[i] += n
				l.fresh = true
			}
		}
	}
	if found < 2 || 2*found < filled {
		for i := range c.lines {
			c.lines[i].log, c.lines[i].stream, c.lines[i].partial, c.lines[i].fresh = field{}, "", false, false
		}
		return
	}
	for i := range c.lines {
		c.lines[i].start += cuts[i]
	}
}

// runtimeObject reads a line of a file in which a container runtime keeps what was printed: {"log":"text\n","stream":"stderr",…}.
func runtimeObject(text string) (log field, stream string, ok bool) {
	if !strings.HasPrefix(text, `{"log":"`) {
		return field{}, "", false
	}
	for _, f := range fieldsOf(text) {
		switch f.key {
		case "log":
			log, ok = f, true
		case "stream":
			stream = text[f.start:f.end]
		}
	}
	if ok && strings.HasSuffix(text[log.start:log.end], `\n`) {
		log.end -= 2
	}
	return log, stream, ok
}

// order lists the lines of each stream, streams in the order of their first lines. Without mixed streams that is the text's order.
func (c *cleaner) order() [][]int {
	index := map[string]int{}
	var out [][]int
	for i := range c.lines {
		l := &c.lines[i]
		if strings.TrimSpace(c.of(i)) == "" && l.log.end == 0 && len(out) > 0 && l.stream == "" {
			// A blank line belongs to what stands above it.
			last := 0
			if i > 0 {
				last = index[c.lines[i-1].stream]
			}
			l.stream = c.lines[max(0, i-1)].stream
			out[last] = append(out[last], i)
			continue
		}
		at, ok := index[l.stream]
		if !ok {
			at = len(out)
			index[l.stream] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], i)
	}
	return out
}

// line appends a line without colours and entities.
func (c *cleaner) line(l *span) {
	if l.gone {
		return
	}
	if l.log.end > 0 {
		c.unescape(c.text[l.start+l.log.start:l.start+l.log.end], l.start+l.log.start)
	} else {
		c.plain(l.start, l.end)
	}
	if !l.partial && !l.unended {
		c.keep("\n", l.end)
	}
}

// plain appends a part of the text.
func (c *cleaner) plain(start, end int) {
	stops := "\x1b\u00a0\u200b\ufeff"
	if c.entities {
		stops += "&"
	}
	if c.bare {
		stops += "["
	}
	if strings.Contains(c.text[start:end], `1b[`) || strings.Contains(c.text[start:end], `033[`) {
		stops += `\`
	}
	for start < end {
		i := strings.IndexAny(c.text[start:end], stops)
		if i < 0 {
			break
		}
		c.keep(c.text[start:start+i], start)
		start += i
		start += c.special(c.text[start:end], start)
	}
	c.keep(c.text[start:end], start)
}

// special appends what a sequence at the start of rest stands for, and returns its length.
func (c *cleaner) special(rest string, at int) int {
	switch {
	case rest[0] == 0x1b:
		return escape(rest)
	case strings.HasPrefix(rest, "\u00a0"):
		c.put(" ", at, len("\u00a0"))
		return len("\u00a0")
	case strings.HasPrefix(rest, "\u200b"), strings.HasPrefix(rest, "\ufeff"):
		return len("\u200b")
	case rest[0] == '[' && c.bare:
		if n := sgr(rest[1:]); n > 0 {
			return 1 + n
		}
	case rest[0] == '\\':
		for _, name := range []string{`\x1b`, `\u001b`, `\033`} {
			if after, ok := strings.CutPrefix(rest, name+"["); ok {
				if n := sgr(after); n > 0 {
					return len(name) + 1 + n
				}
			}
		}
	case rest[0] == '&' && c.entities:
		if end := strings.IndexByte(rest[:min(len(rest), 12)], ';'); end > 0 {
			if plain := html.UnescapeString(rest[:end+1]); plain != rest[:end+1] {
				c.put(plain, at, end+1)
				return end + 1
			}
		}
	}
	n := 1
	for n < len(rest) && rest[n]&0xc0 == 0x80 {
		n++ // the rest of a character
	}
	c.keep(rest[:n], at)
	return n
}

// sgr is the length of "31;1m" at the start of s, 0 if it is none.
func sgr(s string) int {
	n := 0
	for n < len(s) && n < 20 && (digit(s[n]) || s[n] == ';') {
		n++
	}
	if n == 0 || n >= len(s) || s[n] != 'm' {
		return 0
	}
	return n + 1
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
