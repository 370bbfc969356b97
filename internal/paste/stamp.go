package paste

import "strings"

// layouts are the dates and times that log lines begin with: d is a digit, D a digit or a blank, w a letter, a blank any white
// space. Those that begin alike stand with the longest first.
func layouts() []string {
	return []string{
		"dddd-dd-ddTdd:dd:dd", "dddd-dd-dd dd:dd:dd", "dddd-dd-dd, dd:dd:dd", "dddd-dd-dd dd:dd", "dddd-dd-dd", "dddddddd dd:dd:dd", "ddddddddTdddddd",
		"dddd/dd/dd dd:dd:dd", "dddd/dd/dd", "dd/www/dddd:dd:dd:dd", "dd/www/dddd dd:dd:dd", "dd-www-dddd dd:dd:dd", "dd www dddd dd:dd:dd",
		"dd/dd/dddd, dd:dd:dd", "dd/dd/dddd dd:dd:dd", "d/d/dddd d:dd:dd", "d/d/dddd dd:dd:dd", "dd/dd/dd dd:dd:dd", "dd.dd.dddd dd:dd:dd", "dd-dd dd:dd:dd",
		"www www Dd dd:dd:dd.dddddd dddd", "www www Dd dd:dd:dd dddd", "www, dd www dddd dd:dd:dd", "www Dd, dddd d:dd:dd", "www Dd, dddd dd:dd:dd", "www Dd dddd dd:dd:dd", "www Dd dd:dd:dd",
		"dd:dd:dd", "d:ddPM", "d:ddAM", "dd:ddPM", "dd:ddAM", "ddddddddddddd", "dddddddddd",
	}
}

// fits is the length of the text at the start of s that a layout describes, or -1.
func fits(s, layout string) int {
	if len(s) < len(layout) {
		return -1
	}
	for i := range len(layout) {
		c, ok := s[i], false
		switch layout[i] {
		case 'd':
			ok = digit(c)
		case 'D':
			ok = digit(c) || c == ' '
		case 'w':
			ok = letter(c)
		case ' ':
			ok = c == ' ' || c == '\t'
		default:
			ok = c == layout[i]
		}
		if !ok {
			return -1
		}
	}
	return len(layout)
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// stamp finds the date or time at the start of s, with the brackets around it. n is the length of all that belongs to it, up to
// the text that follows; start and end are the date itself. n is 0 if there is none.
func (p *patterns) stamp(s string) (n, start, end int) {
	at := 0
	if s != "" && (s[0] == '[' || s[0] == '(' || s[0] == '<') {
		at++
	}
	if at >= len(s) || !digit(s[at]) && !letter(s[at]) {
		return kernelTime(s)
	}
	for _, layout := range p.layouts {
		length := fits(s[at:], layout)
		if length < 0 {
			continue
		}
		end := at + length
		if end < len(s) && (digit(s[end]) || letter(s[end]) && s[end] != 'Z') {
			continue
		}
		end = zone(s, fraction(s, end))
		n := end
		if n < len(s) && (s[n] == ']' || s[n] == ')' || s[n] == '>') {
			n++
		}
		rest := strings.TrimLeft(s[n:], " \t|:,-")
		if len(rest) == len(s)-n && rest != "" && rest[0] != '[' {
			continue // something else begins with digits
		}
		return len(s) - len(rest), at, end
	}
	return 0, 0, 0
}

// fraction skips a fraction of a second.
func fraction(s string, at int) int {
	if at+1 < len(s) && (s[at] == '.' || s[at] == ',' || s[at] == ':') && digit(s[at+1]) {
		at++
		for at < len(s) && digit(s[at]) {
			at++
		}
	}
	return at
}

// zone skips a time zone or the half of the day.
func zone(s string, at int) int {
	rest := s[at:]
	for _, name := range []string{"Z", " UTC", " GMT", " AM", " PM"} {
		if strings.HasPrefix(rest, name) && (len(rest) == len(name) || !letter(rest[len(name)])) {
			return at + len(name)
		}
	}
	for _, layout := range []string{" +dd:dd", " -dd:dd", " +dddd", " -dddd", "+dd:dd", "-dd:dd", "+dddd", "-dddd"} {
		if n := fits(rest, layout); n > 0 && (n == len(rest) || !digit(rest[n])) {
			return at + n
		}
	}
	return at
}

// kernelTime reads "[   12.345678] ".
func kernelTime(s string) (n, start, end int) {
	if !strings.HasPrefix(s, "[ ") {
		return 0, 0, 0
	}
	start = len(s) - len(strings.TrimLeft(s[1:], " "))
	end = start
	for end < len(s) && (digit(s[end]) || s[end] == '.') {
		end++
	}
	if end == start || !strings.HasPrefix(s[end:], "] ") {
		return 0, 0, 0
	}
	return end + 2, start, end
}

// Stamp is the date or time that a log line carries, as it is written; "" if it has none.
func Stamp(line string) string {
	p := newPatterns()
	for range 4 {
		if n, start, end := p.stamp(line); n > 0 {
			return line[start:end]
		}
		if n, _, _ := glog(line); n > 0 {
			return line[1 : 1+fraction(line[1:], len("dddd dd:dd:dd"))]
		}
		n, _, _ := p.prefix(line)
		if n == 0 {
			break
		}
		line = line[n:]
	}
	for _, f := range fieldsOf(line) {
		switch f.name() {
		case "time", "ts", "timestamp", "@timestamp", "asctime", "t":
			return line[f.start:f.end]
		}
	}
	return ""
}
