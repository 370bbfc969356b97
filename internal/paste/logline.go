package paste

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// patterns is what log lines begin with.
type patterns struct{ layouts []string }

func newPatterns() *patterns { return &patterns{layouts: layouts()} }

// maxLine bounds what of a line is looked at for prefixes.
const maxLine = 16 << 10

// maxPrefixes bounds the parts that are taken for prefixes of one line.
const maxPrefixes = 8

// Reading is one way to read a piece of plain text as an error.
type Reading struct {
	Type, Code, Message string
	Start, End          int // of the message in the text that was read
	Level               string
	Frames              []raise.Frame
	// Stripped is how many bytes of the line were taken for a prefix.
	Stripped int
}

// readings lists the ways to read the text at view[start:end], likeliest first: as it is, then with what looks like a log's
// prefix taken away step by step, each also with a leading type split off, and last without the fields behind the message.
func (p *patterns) readings(view string, start, end int) []Reading {
	var out []Reading
	at, level := start, ""
	var frames []raise.Frame
	out = reading(out, view, start, start, end, "", nil)
	for range maxPrefixes {
		n, l, f := p.prefix(view[at:min(end, at+maxLine)])
		if n == 0 {
			break
		}
		if at += n; strings.TrimSpace(view[at:end]) == "" {
			return nil // a prefix without a text
		}
		if l != "" {
			level = l
		}
		frames = append(frames, f...)
		out = reading(out, view, start, at, end, level, frames)
	}
	if !strings.Contains(view[start:end], "\n") {
		for _, cut := range tails(view[at:end]) {
			out = reading(out, view, start, at, at+cut, level, frames)
		}
	}
	for _, inner := range marked(view[at:end]) {
		out = reading(out, view, start, at+inner[0], at+inner[1], level, frames)
	}
	return out
}

// reading appends the text at view[at:end] as a message, first with a leading type split off.
func reading(out []Reading, view string, start, at, end int, level string, frames []raise.Frame) []Reading {
	if end-at > MaxMessage {
		end = at + len(whole(view[at:at+MaxMessage]))
	}
	text := view[at:end]
	lead := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	text = strings.TrimSpace(text)
	if text == "" {
		return out
	}
	r := Reading{Message: text, Start: at + lead, End: at + lead + len(text), Level: level, Frames: frames, Stripped: at - start}
	if t, ok := typed(text); ok && t.message < len(text) {
		split := r
		split.Type, split.Code, split.Message = t.name, t.code, text[t.message:]
		split.Start += t.message
		out = append(out, split)
	}
	out = append(out, r)
	if body, ok := strings.CutSuffix(text, ":"); ok && body != "" { // what it announces stands below it
		r.Message, r.End = body, r.End-1
		out = append(out, r)
	}
	return out
}

// prefix is the length of what a log line begins with, with the level or place that it names.
func (p *patterns) prefix(line string) (n int, level string, frames []raise.Frame) {
	if n, level, frame := glog(line); n > 0 {
		return n, level, []raise.Frame{frame}
	}
	if n, level := lettered(line); n > 0 {
		return n, level, nil
	}
	if n := collector(line); n > 0 {
		return n, "", nil
	}
	if n, _, _ := p.stamp(line); n > 0 {
		return n, "", nil
	}
	if n, level := levelAt(line); n > 0 {
		return n, level, nil
	}
	if n, frame := placeAt(line); n > 0 {
		return n, "", []raise.Frame{frame}
	}
	n = loggerAt(line)
	if n > 2 && strings.IndexByte("[({", line[0]) >= 0 {
		if at := strings.IndexAny(line, "])}"); at > 0 {
			if m, frame := placeAt(line[1:at] + ":"); m == at {
				return n, "", []raise.Frame{frame}
			}
		}
	}
	return n, "", nil
}

// lettered reads "E, [2026-01-02T03:04:05.678901 #12] ERROR -- name: ".
func lettered(line string) (int, string) {
	if len(line) < 30 || line[1] != ',' || !strings.HasPrefix(line[2:], " [") || levelLetter(line[0]) == "" {
		return 0, ""
	}
	end := strings.Index(line[:min(len(line), 80)], "] ")
	if end < 0 {
		return 0, ""
	}
	mark := strings.Index(line[end:min(len(line), end+100)], " -- ")
	if mark < 0 {
		return 0, ""
	}
	at := end + mark + 4
	colon := strings.Index(line[at:min(len(line), at+100)], ": ")
	if colon < 0 {
		return 0, ""
	}
	return at + colon + 2, levelLetter(line[0])
}

// glog reads "E0102 03:04:05.678901   12 dir/file.cc:34] ".
func glog(line string) (int, string, raise.Frame) {
	if len(line) < 20 || !strings.ContainsRune("EFWI", rune(line[0])) || fits(line[1:], "dddd dd:dd:dd.") < 0 {
		return 0, "", raise.Frame{}
	}
	end := strings.Index(line[:min(len(line), 200)], "] ")
	if end < 0 {
		return 0, "", raise.Frame{}
	}
	head := line[:end]
	place := head[strings.LastIndexByte(head, ' ')+1:]
	path, number, ok := strings.Cut(place, ":")
	if !ok || numeric(number) != len(number) {
		return 0, "", raise.Frame{}
	}
	levels := map[byte]string{'E': "error", 'F': "fatal", 'W': "warning", 'I': "info"}
	return end + 2, levels[line[0]], raise.Frame{Path: path, Line: atoi(number)}
}

// levelAt reads a level with what may stand around it: "ERROR:", "[error]", "<err> ", "ERRO[0012] ", "| ERROR | ".
func levelAt(line string) (int, string) {
	at := 0
	for at < len(line) && at < 3 && strings.IndexByte("[(<| ", line[at]) >= 0 {
		at++
	}
	end := at
	for end < len(line) && end-at < 12 && letter(line[end]) {
		end++
	}
	word := line[at:end]
	if strings.EqualFold(word, "fatal") && len(line) > end+6 && strings.EqualFold(line[end:end+6], " error") {
		end += 6
	}
	level := levelName(word)
	if level == "" && !(len(word) == 1 && at > 0 && line[at-1] == '[' && strings.HasPrefix(line[end:], "]")) {
		return 0, ""
	}
	if level == "" {
		if level = levelLetter(word[0]); level == "" {
			return 0, ""
		}
	}
	if end < len(line) && line[end] == '[' && numeric(line[end+1:]) > 0 { // logrus: seconds since the start
		if close := strings.IndexByte(line[end:], ']'); close > 0 && close == numeric(line[end+1:])+1 {
			end += close
		}
	}
	if end < len(line) && line[end] == '/' { // the worker: "ERROR/Worker-3] "
		if close := strings.IndexByte(line[end:min(len(line), end+80)], ']'); close > 0 && !strings.Contains(line[end:end+close], " ") {
			end += close
		}
	}
	for end < len(line) && at < end && strings.IndexByte("])>", line[end]) >= 0 {
		end++
	}
	rest := strings.TrimLeft(line[end:], ": \t|-")
	if rest == line[end:] && rest != "" {
		return 0, ""
	}
	return len(line) - len(rest), level
}

// levelName is the usual name of a level, "" if the word is none.
func levelName(s string) string {
	switch strings.ToLower(s) {
	case "error", "err", "erro", "severe", "eror":
		return "error"
	case "fatal", "fata", "critical", "crit", "alert", "emerg", "panic", "pani":
		return "fatal"
	case "warning", "warn", "wrn":
		return "warning"
	case "notice", "info", "inf", "debug", "debu", "dbg", "trace", "verbose", "log":
		return "info"
	}
	return ""
}

func levelLetter(c byte) string {
	switch c {
	case 'E':
		return "error"
	case 'F', 'C':
		return "fatal"
	case 'W':
		return "warning"
	case 'I', 'D', 'V', 'N', 'T':
		return "info"
	}
	return ""
}

// placeAt reads "dir/file.ext:12: " and "dir/file.ext:12:5: ".
func placeAt(line string) (int, raise.Frame) {
	end := 0
	for end < len(line) && end < 300 && (wordByte(line[end]) || strings.IndexByte("./\\-@+", line[end]) >= 0) {
		end++
	}
	path := line[:end]
	dot := strings.LastIndexByte(path, '.')
	if end == len(line) || line[end] != ':' || dot < 1 || len(path)-dot > 6 || dot == len(path)-1 || !letter(path[dot+1]) {
		return 0, raise.Frame{}
	}
	digits := numeric(line[end+1:])
	if digits == 0 {
		return 0, raise.Frame{}
	}
	f := raise.Frame{Path: path, Line: atoi(line[end+1 : end+1+digits])}
	end += 1 + digits
	if end < len(line) && line[end] == ':' {
		if more := numeric(line[end+1:]); more > 0 {
			end += 1 + more
		}
	}
	rest := strings.TrimPrefix(line[end:], ":")
	after := strings.TrimLeft(rest, " \t|-")
	if after == rest && rest != "" {
		return 0, raise.Frame{}
	}
	return len(line) - len(after), f
}

// loggerAt reads what names a logger, a thread or a process before a message: "[main] ", "(pool-1)", "app.db: ", "root:", "1234 --- ",
// "worker[12]: ", "{task.py:12} ".
func loggerAt(line string) int {
	if line == "" {
		return 0
	}
	if i := strings.IndexByte("[({<", line[0]); i >= 0 {
		end := strings.IndexByte(line[:min(len(line), 82)], "])}>"[i])
		if end < 2 || i > 0 && strings.ContainsAny(line[1:end], " \"'") {
			return 0
		}
		rest := strings.TrimLeft(line[end+1:], ": \t|-")
		if rest == line[end+1:] && (rest == "" || rest[0] != '[') {
			return 0
		}
		return len(line) - len(rest)
	}
	end := 0
	for end < len(line) && end < 100 && (wordByte(line[end]) || strings.IndexByte("./$-@", line[end]) >= 0 || strings.HasPrefix(line[end:], "::")) {
		if line[end] == ':' {
			end++
		}
		end++
	}
	name := line[:end]
	if end == 0 || end >= len(line) {
		return 0
	}
	if numeric(name) == len(name) { // a process: "1234 --- [main] "
		if rest, ok := strings.CutPrefix(line[end:], " --- "); ok {
			return len(line) - len(rest)
		}
		if more := numeric(strings.TrimPrefix(line[end:], "#")); more > 0 && strings.HasPrefix(line[end+1+more:], ": ") { // "12#12: *7 "
			rest := line[end+more+3:]
			if request, ok := strings.CutPrefix(rest, "*"); ok {
				if text, ok := strings.CutPrefix(request[numeric(request):], " "); ok {
					rest = text
				}
			}
			return len(line) - len(rest)
		}
		return 0
	}
	if line[end] == '[' {
		if close := numeric(line[end+1:]); close > 0 && strings.HasPrefix(line[end+1+close:], "]: ") {
			return end + close + 4
		}
		return 0
	}
	rest := strings.TrimLeft(line[end:], " \t")
	qualified := strings.ContainsAny(name, "./$") || strings.Contains(name, "::")
	switch {
	case strings.HasPrefix(rest, ": "), strings.HasPrefix(rest, "| "), strings.HasPrefix(rest, "- "):
		if qualified || name[0] >= 'a' && name[0] <= 'z' && rest[0] != ':' {
			return len(line) - len(strings.TrimLeft(rest[1:], " "))
		}
	case strings.HasPrefix(rest, ":") && rest == line[end:] && len(rest) > 1 && !strings.ContainsAny(rest[1:2], ":/\\") && numeric(rest[1:]) == 0:
		return end + 1 // "ERROR:root:message"
	case qualified && len(rest) < len(line)-end && !strings.Contains(name, "//"):
		return len(line) - len(rest)
	}
	return 0
}

func wordByte(c byte) bool { return letter(c) || digit(c) || c == '_' }

// numeric counts the digits at the start of s.
func numeric(s string) int {
	n := 0
	for n < len(s) && n < 18 && digit(s[n]) {
		n++
	}
	return n
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		if n > 1<<28 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// maxTails bounds the ends of a message that are tried.
const maxTails = 4

// tails lists where a message may end before the fields that stand behind it: "text  key=value", "text\t{"key": …}", "text {key: …}".
func tails(text string) []int {
	var out []int
	if fields := pairs(text); len(fields) > 0 {
		f := &fields[0]
		at := f.start - len(f.key) - 1
		if f.start > 0 && f.start <= len(text) && (text[f.start-1] == '"' || text[f.start-1] == '\'') {
			at--
		}
		if at > 0 {
			out = append(out, at)
		}
	}
	for _, mark := range []string{"\t{", " {\"", " {'", " at com.", "\t"} {
		if i := strings.Index(text, mark); i > 0 && len(out) < maxTails {
			out = append(out, i)
		}
	}
	return out
}

// marked lists the parts of a line that are marked as quotations: `code`, **bold**, and the text in quotes if it is all of the line.
func marked(text string) [][2]int {
	var out [][2]int
	trimmed := strings.TrimSpace(text)
	lead := strings.Index(text, trimmed)
	for _, quote := range []string{"**", "\"", "'", "“", "‘", "*", "_"} {
		if inner, ok := strings.CutPrefix(trimmed, quote); ok && len(trimmed) > 8 {
			close := quote
			switch quote {
			case "“":
				close = "”"
			case "‘":
				close = "’"
			}
			if body, ok := strings.CutSuffix(strings.TrimRight(inner, ".,"), close); ok && body != "" {
				at := lead + len(quote)
				out = append(out, [2]int{at, at + len(body)})
				break
			}
		}
	}
	// What a remote call failed with: "rpc error: code = NotFound desc = text", `details = "text"`.
	if i := strings.Index(text, " desc = "); i >= 0 {
		out = append(out, [2]int{i + len(" desc = "), len(text)})
	}
	if i := strings.Index(text, `details = "`); i >= 0 {
		start := i + len(`details = "`)
		if j := strings.LastIndexByte(text, '"'); j > start {
			out = append(out, [2]int{start, j})
		}
	}
	for at := 0; len(out) < maxTails; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			break
		}
		start := at + i + 1
		j := strings.IndexByte(text[start:], '`')
		if j < 0 {
			break
		}
		if j > 10 {
			out = append(out, [2]int{start, start + j})
		}
		at = start + j + 1
	}
	return out
}
