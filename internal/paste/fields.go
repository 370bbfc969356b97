package paste

import (
	"strings"
	"unicode/utf8"
)

// field is a value with a name in a structured log line.
type field struct {
	key        string // with dots between the names of objects that hold each other
	start, end int    // of the value in the line, without its quotes
	escaped    bool   // the value holds escapes
}

// name is the last part of the key.
func (f *field) name() string { return strings.ToLower(f.key[strings.LastIndexByte(f.key, '.')+1:]) }

// Bounds on the fields of a line.
const (
	maxFields     = 200
	maxFieldDepth = 6
	maxKey        = 100
)

// fieldsOf lists the fields of a line that is, or ends with, an object ({"a": "b"}, {'a': 'b'}) or key=value pairs.
func fieldsOf(line string) []field {
	brace := strings.IndexByte(line[:min(len(line), 4096)], '{')
	if brace >= 0 && strings.HasSuffix(strings.TrimRight(line, " \t\r\n,"), "}") {
		s := &objectScan{text: line, at: brace}
		if s.object("", 0) && len(s.fields) > 0 {
			return s.fields
		}
	}
	return pairs(line)
}

// objectScan reads an object leniently: quotes of both kinds, values without quotes, a missing end.
type objectScan struct {
	text   string
	at     int
	fields []field
}

func (s *objectScan) blank() {
	for s.at < len(s.text) && (s.text[s.at] <= ' ' || s.text[s.at] == ',') {
		s.at++
	}
}

// object reads "{key: value, …}"; prefix is the name of what holds it.
func (s *objectScan) object(prefix string, depth int) bool {
	s.at++ // the brace
	for s.at < len(s.text) && len(s.fields) < maxFields {
		if s.blank(); s.at >= len(s.text) {
			break
		}
		if s.text[s.at] == '}' {
			s.at++
			return true
		}
		start, end, _, ok := s.quoted()
		if !ok || end-start > maxKey {
			return false
		}
		key := prefix + s.text[start:end]
		if s.blank(); s.at >= len(s.text) || s.text[s.at] != ':' {
			return false
		}
		s.at++
		if s.blank(); !s.value(key, depth) {
			return false
		}
	}
	return len(s.fields) > 0
}

// value reads the value of a key.
func (s *objectScan) value(key string, depth int) bool {
	if s.at >= len(s.text) {
		return true
	}
	switch c := s.text[s.at]; c {
	case '"', '\'':
		start, end, escaped, ok := s.quoted()
		s.fields = append(s.fields, field{key, start, end, escaped})
		return ok
	case '{':
		return depth < maxFieldDepth && s.object(key+".", depth+1)
	case '[':
		return depth < maxFieldDepth && s.array(key, depth+1)
	}
	start := s.at
	for s.at < len(s.text) && strings.IndexByte(",}] \t\n", s.text[s.at]) < 0 {
		s.at++
	}
	s.fields = append(s.fields, field{key, start, s.at, false})
	return s.at > start
}

func (s *objectScan) array(key string, depth int) bool {
	s.at++
	for s.at < len(s.text) && len(s.fields) < maxFields {
		if s.blank(); s.at >= len(s.text) {
			break
		}
		if s.text[s.at] == ']' {
			s.at++
			return true
		}
		if !s.value(key, depth) {
			return false
		}
	}
	return true
}

// quoted reads a quoted text; start and end are those of what is inside.
func (s *objectScan) quoted() (start, end int, escaped, ok bool) {
	if s.at >= len(s.text) || s.text[s.at] != '"' && s.text[s.at] != '\'' {
		return 0, 0, false, false
	}
	quote := s.text[s.at]
	start = s.at + 1
	for i := start; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			escaped = true
			i++
		case quote:
			s.at = i + 1
			return start, i, escaped, true
		}
	}
	s.at = len(s.text)
	return start, len(s.text), escaped, true // cut off
}

// pairs lists the key=value pairs of a line; text may stand before them, none between them.
func pairs(line string) []field {
	var out []field
	at := 0
	for at < len(line) && len(out) < maxFields {
		eq := strings.IndexByte(line[at:], '=')
		if eq < 0 {
			break
		}
		keyEnd := at + eq
		keyStart := keyEnd
		for keyStart > at && (wordByte(line[keyStart-1]) || strings.IndexByte(".-@/", line[keyStart-1]) >= 0) {
			keyStart--
		}
		if keyStart == keyEnd || keyEnd-keyStart > maxKey || keyStart > 0 && strings.IndexByte(" \t{[(,|", line[keyStart-1]) < 0 {
			at = keyEnd + 1
			continue
		}
		s := &objectScan{text: line, at: keyEnd + 1}
		f := field{key: line[keyStart:keyEnd], start: s.at, end: s.at}
		if s.at < len(line) && (line[s.at] == '"' || line[s.at] == '\'') {
			f.start, f.end, f.escaped, _ = s.quoted()
		} else {
			for s.at < len(line) && strings.IndexByte(" \t", line[s.at]) < 0 {
				s.at++
			}
			f.end = s.at
		}
		out = append(out, f)
		at = s.at
	}
	return out
}

// unescape appends the text that escapes in s stand for, which stands at from in the original.
func (b *builder) unescape(s string, from int) {
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i == len(s)-1 {
			b.keep(s, from)
			return
		}
		b.keep(s[:i], from)
		s, from = s[i:], from+i
		n, text := escapeAt(s)
		b.put(text, from, n)
		s, from = s[n:], from+n
	}
}

// escapeAt is the length of the escape at the start of s and what it stands for. What is no escape stands for itself.
func escapeAt(s string) (int, string) {
	switch s[1] {
	case 'n':
		return 2, "\n"
	case 't':
		return 2, "\t"
	case 'r':
		return 2, ""
	case '"', '\'', '\\', '/':
		return 2, s[1:2]
	case 'x':
		if r, ok := hex(s, 2, 2); ok {
			return 4, string(r)
		}
	case 'u':
		if r, ok := hex(s, 2, 4); ok {
			if r >= 0xd800 && r < 0xdc00 && len(s) > 11 && s[6] == '\\' && s[7] == 'u' {
				if low, ok := hex(s, 8, 4); ok && low >= 0xdc00 && low < 0xe000 {
					return 12, string((r-0xd800)<<10 + (low - 0xdc00) + 0x10000)
				}
			}
			if !utf8.ValidRune(r) {
				r = utf8.RuneError
			}
			return 6, string(r)
		}
	}
	return 1, s[:1]
}

func hex(s string, at, n int) (rune, bool) {
	if len(s) < at+n {
		return 0, false
	}
	r := rune(0)
	for _, c := range []byte(s[at : at+n]) {
		switch {
		case digit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// messageKeys are the names under which structured logs keep a message, likeliest first.
func messageKeys() []string {
	return []string{"error", "err", "exception", "message", "msg", "error.message", "err.message", "exception.message", "errormessage", "error_message", "reason",
		"cause", "detail", "details", "description", "log", "text", "textpayload", "event", "exc_info", "errorverbose", "stack", "stack_trace", "stacktrace", "trace", "traceback"}
}

// structured lists the readings of the fields of a line, those first that are likeliest to hold a message.
func (r *Reader) structured(line string, start int) []Reading {
	fields := fieldsOf(line)
	if len(fields) == 0 {
		return nil
	}
	level := ""
	for i := range fields {
		if n := fields[i].name(); n == "level" || n == "severity" || n == "lvl" || n == "levelname" {
			level = levelName(line[fields[i].start:fields[i].end])
		}
	}
	var out []Reading
	for _, name := range messageKeys() {
		for i := range fields {
			f := &fields[i]
			if key := strings.ToLower(f.key); key != name && f.name() != name {
				continue
			}
			out = append(out, r.field(line, f, fields, start, level)...)
		}
	}
	return out
}

// field lists the readings of one value.
func (r *Reader) field(line string, f *field, fields []field, start int, level string) []Reading {
	text := line[f.start:f.end]
	if f.escaped {
		var b builder
		b.unescape(text, f.start)
		text = b.b.String()
	}
	if weightless(text) {
		return nil
	}
	all := r.patterns.readings(text, 0, len(text))
	for i := range all {
		one := &all[i]
		if f.escaped {
			one.Start, one.End = start+f.start, start+f.end
		} else {
			one.Start, one.End = one.Start+start+f.start, one.End+start+f.start
		}
		if one.Level == "" {
			one.Level = level
		}
		if one.Type == "" {
			one.Type = typeBeside(line, f, fields)
		}
	}
	return all
}

// typeBeside is the type that stands in the same object as a message.
func typeBeside(line string, f *field, fields []field) string {
	object := f.key[:strings.LastIndexByte(f.key, '.')+1]
	for i := range fields {
		g := &fields[i]
		inside := g.key[:strings.LastIndexByte(g.key, '.')+1] == object || strings.HasPrefix(g.key, f.key+".")
		if !inside {
			continue
		}
		switch g.name() {
		case "type", "name", "class", "exception_type", "error_type", "errortype", "exc_type":
			if value := line[g.start:g.end]; typeLike(value) {
				return value
			}
		}
	}
	return ""
}

// weightless reports whether a text holds no word that a message could be known by.
func weightless(s string) bool {
	letters := 0
	for i := 0; i < len(s) && letters < 3; i++ {
		if letter(s[i]) || s[i] >= utf8.RuneSelf {
			letters++
		}
	}
	return letters < 3
}
