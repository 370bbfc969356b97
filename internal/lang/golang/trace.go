package golang

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// traces are the forms in which the runtime and go test print errors.
func traces() []lang.Trace {
	return []lang.Trace{{Name: "go panic", Find: findPanics}}
}

var (
	panicLine = regexp.MustCompile(`(?m)^[ \t]*(?:panic|fatal error): (.*)$`)
	frameFunc = regexp.MustCompile(`^[ \t]*((?:[\w./~\-]+/)?[\w.\-]+\.[\w.()*\[\]…,{} ]+)\(.*\)$`)
	createdBy = regexp.MustCompile(`^[ \t]*created by `)
	frameFile = regexp.MustCompile(`^[ \t]+(.+\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?$`)
)

// findPanics reads panics with their goroutine: the first goroutine's frames that are not the runtime's.
func findPanics(text string) []raise.Observation {
	var out []raise.Observation
	at := 0
	for at < len(text) {
		m := panicLine.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		start := at + m[0]
		msgEnd := at + m[3]
		end, frames, found := goroutine(text, at+m[1])
		message := text[at+m[2] : msgEnd]
		if !found {
			at = at + m[1]
			continue
		}
		// A message of several lines goes on until the goroutine's head.
		if g := strings.Index(text[start:end], "\ngoroutine "); g > 0 {
			message = strings.TrimRight(text[at+m[2]:start+g], "\n\t ")
		}
		out = append(out, raise.Observation{Type: "panic", Message: cleanPanic(message), Span: raise.Span{Start: start, End: end}, Frames: frames, Of: -1, Form: "go panic", Language: "Go"})
		at = end
	}
	return out
}

// cleanPanic removes what the runtime prints around a panic's value.
func cleanPanic(s string) string {
	for _, suffix := range []string{" [recovered, repanicked]", " [recovered]"} {
		s = strings.TrimSuffix(s, suffix)
	}
	if i := strings.Index(s, "\n\tpanic: "); i > 0 {
		s = s[i+9:]
	}
	if i := strings.Index(s, "\n[signal "); i > 0 {
		s = s[:i]
	}
	// The runtime prints values of other types as T{"text"} or main.E("text").
	if i := strings.Index(s, `("`); i > 0 && strings.HasSuffix(s, `")`) && !strings.Contains(s[:i], " ") {
		s = s[i+2 : len(s)-2]
	}
	return s
}

// goroutine reads the frames that follow a panic's line within the next lines.
func goroutine(text string, at int) (end int, frames []raise.Frame, found bool) {
	end = at
	function := ""
	for range 400 {
		if at >= len(text) {
			break
		}
		next := strings.IndexByte(text[at+1:], '\n')
		line, after := text[at:], len(text)
		if next >= 0 {
			line, after = text[at:at+1+next], at+1+next
		}
		line = strings.Trim(line, "\r\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "goroutine ") && strings.HasSuffix(line, ":"):
			if found && len(frames) > 0 {
				return end, frames, true
			}
			found = true
		case found && createdBy.MatchString(line):
			function = ""
		case found && frameFile.MatchString(line):
			m := frameFile.FindStringSubmatch(line)
			if function != "" && !strings.HasPrefix(function, "runtime.") && !strings.HasPrefix(function, "panic") {
				frames = append(frames, raise.Frame{Path: m[1], Line: atoi(m[2]), Function: function})
			}
			function = ""
			end = after
		case found && frameFunc.MatchString(line):
			function = frameFunc.FindStringSubmatch(line)[1]
			end = after
		case found && strings.TrimSpace(line) == "" && len(frames) > 0:
			return end, frames, true
		}
		at = after
	}
	return end, frames, found && len(frames) > 0
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		if n < 1<<28 {
			n = n*10 + int(c-'0')
		}
	}
	return n
}
