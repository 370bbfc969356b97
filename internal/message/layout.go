package message

import "strings"

// layout is one attempt to lay a template along a text. Hole i ends where separator i begins: the literal behind it, which is
// empty where another hole follows. The literal before the first hole is the head. The literal behind the last hole is a separator
// only if text may follow the message, otherwise it is the tail.
type layout struct {
	pieces []Piece
	text   string
	how    How
	head   string
	tail   string
	holes  int
	seps   int
	open   bool // the last hole's value goes on where the text was cut: its kind does not bind
	// start is where the head begins, begin where the first hole does, end where the last hole does if no separator ends it.
	start, begin, end int
	piece             [maxHoles]int16 // index in pieces of each hole
	low, high, at     [maxHoles]int32 // of each separator: its first and last possible place, and the one taken
	total             cost            // of the holes' values
	ambiguous         bool
}

// init reads the pieces. It fails for templates that cannot be matched: too many holes.
func (l *layout) init(pieces []Piece, text string, how How) bool {
	l.pieces, l.text, l.how = pieces, text, how
	for i := range pieces {
		if pieces[i].Hole == nil {
			continue
		}
		if l.holes == maxHoles {
			return false
		}
		l.piece[l.holes] = int16(i)
		l.holes++
	}
	if pieces[0].Hole == nil {
		l.head = pieces[0].Text
	}
	if last := &pieces[len(pieces)-1]; last.Hole == nil && l.holes > 0 {
		l.tail = last.Text
	}
	if len(pieces) == l.holes {
		l.how &^= Inside // without literal text nothing says where in a longer text the message stands
	}
	l.seps = max(l.holes-1, 0)
	if l.how&OpenEnd != 0 && l.tail != "" {
		l.seps, l.tail = l.holes, ""
	}
	return true
}

// hole returns the hole with number i.
func (l *layout) hole(i int) *Hole { return l.pieces[l.piece[i]].Hole }

// sep returns the text of separator i.
func (l *layout) sep(i int) string {
	next := int(l.piece[i]) + 1
	if next < len(l.pieces) {
		return l.pieces[next].Text
	}
	return ""
}

// maxStarts bounds the places at which a message is looked for in a longer text.
const maxStarts = 16

// place finds where everything goes, or reports that nothing fits.
func (l *layout) place() bool {
	if l.how&OpenStart == 0 {
		if !strings.HasPrefix(l.text, l.head) {
			return false
		}
		l.begin = len(l.head)
		ok, _ := l.fill()
		return ok
	}
	from := 0
	for range maxStarts {
		at := strings.Index(l.text[from:], l.head)
		if at < 0 {
			return false
		}
		l.start = from + at
		l.begin = l.start + len(l.head)
		if l.head == "" || wordEdge(l.text, l.start, l.head[0]) {
			ok, again := l.fill()
			if ok && l.head != "" && l.holes > 0 {
				l.later()
			}
			if ok || !again {
				return ok
			}
		}
		from = l.start + 1
		if l.head == "" || from > len(l.text) {
			return false
		}
	}
	return false
}

// later moves the message to a further place of its head inside the first value, if that fits as well: the shorter message is the
// likelier one.
func (l *layout) later() {
	for range maxStarts {
		end := l.end
		if l.seps > 0 {
			end = int(l.at[0])
		}
		at := strings.LastIndex(l.text[l.begin:max(l.begin, end)], l.head)
		if at < 0 || !wordEdge(l.text, l.begin+at, l.head[0]) {
			return
		}
		moved := *l
		moved.start, moved.begin = l.begin+at, l.begin+at+len(l.head)
		if ok, _ := moved.fill(); !ok || moved.total > l.total {
			return
		}
		*l = moved
		l.ambiguous = true
	}
}

// wordEdge reports whether a literal that begins or ends with c does not cut a word of the text at i.
func wordEdge(text string, i int, c byte) bool {
	return !wordByte(c) || i == 0 || i >= len(text) || !(wordByte(text[i-1]) && wordByte(text[i]))
}

// fill places everything behind the head. again says that another place of the head may do better.
func (l *layout) fill() (ok, again bool) {
	if l.holes == 0 {
		l.end = l.begin
		if l.how&OpenEnd == 0 {
			return l.begin == len(l.text), true
		}
		return l.begin == 0 || l.edge(l.begin), true
	}
	l.end = len(l.text)
	if l.seps < l.holes && l.how&OpenEnd == 0 {
		if !strings.HasSuffix(l.text[l.begin:], l.tail) {
			return false, true
		}
		l.end -= len(l.tail)
	}
	if !l.leftmost() {
		return false, false
	}
	if l.how&OpenEnd != 0 {
		l.endOfLine()
	}
	if l.rightmost() {
		return l.check(), true
	}
	return l.choose(), true
}

// leftmost gives every separator its first possible place; if there is none for one, nothing fits here or further right.
func (l *layout) leftmost() bool {
	pos := l.begin
	for i := range l.seps {
		s := l.sep(i)
		at := 0
		if s != "" {
			if at = l.find(i, pos); at < 0 {
				return false
			}
		}
		l.low[i] = int32(pos + at)
		pos += at + len(s)
	}
	return pos <= l.end
}

// find looks for separator i from pos on and returns how far behind pos it stands, or -1. The last one of an open message must not
// end inside a word.
func (l *layout) find(i, pos int) int {
	s := l.sep(i)
	for from := pos; ; {
		at := strings.Index(l.text[from:l.end], s)
		if at < 0 {
			return -1
		}
		if i < l.holes-1 || l.edge(from+at+len(s)) {
			return from + at - pos
		}
		from += at + 1
	}
}

// edge reports whether the message may end at i.
func (l *layout) edge(i int) bool { return wordEdge(l.text, i, l.text[i-1]) }

// endOfLine ends an open message with the line in which its last literal stands.
func (l *layout) endOfLine() {
	pos := l.begin
	if l.seps > 0 {
		pos = int(l.low[l.seps-1]) + len(l.sep(l.seps-1))
	}
	if nl := strings.IndexByte(l.text[pos:], '\n'); nl >= 0 {
		l.end = pos + nl
	}
}

// rightmost gives every separator its last possible place and reports whether these are the first ones too.
func (l *layout) rightmost() bool {
	same := true
	end := l.end
	for i := l.seps - 1; i >= 0; i-- {
		s := l.sep(i)
		low := int(l.low[i])
		high := end
		if s != "" {
			high = low + strings.LastIndex(l.text[low:end], s)
		}
		l.high[i] = int32(high)
		l.at[i] = l.low[i]
		same = same && high == low
		end = high
	}
	return same
}

// check judges the holes where there is nothing to choose.
func (l *layout) check() bool {
	pos := l.begin
	l.total = fits
	for i := range l.holes {
		end := l.end
		if i < l.seps {
			end = int(l.at[i])
		}
		c := l.fit(i, pos, end)
		if c == never {
			return false
		}
		l.total += c
		if i < l.seps {
			pos = end + len(l.sep(i))
		}
	}
	return true
}

// fit judges the text from begin to end as the value of hole i.
func (l *layout) fit(i, begin, end int) cost {
	h := l.hole(i)
	if i == 0 && l.how&OpenStart != 0 && l.head == "" {
		begin = leading(h, l.text, end)
	}
	if i == l.holes-1 && i >= l.seps {
		if l.open {
			return fits
		}
		if l.how&OpenEnd != 0 {
			end = trailing(h, l.text, begin, end)
		}
	}
	if begin < 0 || end < begin {
		return never
	}
	var before, after byte
	if begin > 0 {
		before = l.text[begin-1]
	}
	if end < len(l.text) {
		after = l.text[end]
	}
	return h.fit(l.text[begin:end], before, after)
}

// match reports what was found.
func (l *layout) match() Match {
	m := Match{Start: l.start, End: l.end + len(l.tail), Ambiguous: l.ambiguous}
	if l.seps == l.holes && l.holes > 0 {
		m.End = int(l.at[l.seps-1]) + len(l.sep(l.seps-1))
	}
	if l.holes == 0 {
		return m
	}
	m.Bindings = make([]Binding, l.holes)
	pos := l.begin
	for i := range l.holes {
		begin, end, h := pos, l.end, l.hole(i)
		if i < l.seps {
			end = int(l.at[i])
			pos = end + len(l.sep(i))
		}
		if i == 0 && l.how&OpenStart != 0 && l.head == "" {
			begin = leading(h, l.text, end)
			m.Start = begin
			m.Ambiguous = m.Ambiguous || !h.bounded()
		}
		if i >= l.seps && l.how&OpenEnd != 0 {
			end = trailing(h, l.text, begin, end)
			m.End = end
			m.Ambiguous = m.Ambiguous || !h.bounded()
		}
		if h.Width > 0 {
			begin, end = trimmed(l.text, begin, end)
		}
		m.Bindings[i] = Binding{Hole: i, Value: l.text[begin:end], Start: begin, End: end}
	}
	return m
}

// trimmed takes the padding off a value.
func trimmed(text string, begin, end int) (int, int) {
	for begin < end && text[begin] == ' ' {
		begin++
	}
	for begin < end && text[end-1] == ' ' {
		end--
	}
	return begin, end
}
