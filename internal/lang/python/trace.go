package python

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

func traces() []lang.Trace {
	return []lang.Trace{{Name: "python traceback", Find: findTracebacks}}
}

var (
	tracebackHead = regexp.MustCompile(`^([ \t|+\-]*)(?:Exception Group )?Traceback \(most recent call last\):`)
	frameLine     = regexp.MustCompile(`^[ \t|]*File "([^"]+)", line (\d+)(?:, in (.+))?$`)
	errorLine     = regexp.MustCompile(`^[ \t|]*((?:[\p{L}_][\p{L}\d_]*\.)*[\p{L}_][\p{L}\d_]*(?:\.<locals>\.[\p{L}\d_]+)*)(?::(?: (.*))?)?$`)
	causeLine     = regexp.MustCompile(`^[ \t|]*(During handling of the above exception, another exception occurred:|The above exception was the direct cause of the following exception:)`)
	caretLine     = regexp.MustCompile(`^[ \t|]*[\^~]+[ \t^~]*$`)
)

// findTracebacks reads the interpreter's tracebacks. A chain's last error is the report's outermost, and comes first.
func findTracebacks(text string) []raise.Observation {
	var out []raise.Observation
	var chain []raise.Observation
	link := ""
	flush := func() {
		first := len(out)
		for i := len(chain) - 1; i >= 0; i-- {
			o := chain[i]
			o.Of = -1
			if len(out) > first {
				o.Of, o.Link = len(out)-1, chain[i+1].Link
			} else {
				o.Link = ""
			}
			out = append(out, o)
		}
		chain, link = nil, ""
	}
	at := 0
	for at < len(text) {
		end, next := lineEnd(text, at)
		line := text[at:end]
		switch {
		case causeLine.MatchString(line):
			link = "cause"
			if strings.Contains(line, "During handling") {
				link = "context"
			}
		case tracebackHead.MatchString(line):
			o, after := traceback(text, at, next)
			if o == nil {
				break
			}
			if len(chain) > 0 && link == "" {
				flush()
			}
			o.Link = link
			chain, link = append(chain, *o), ""
			next = after
		}
		at = next
	}
	flush()
	return out
}

func lineEnd(text string, at int) (end, next int) {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i, at + i + 1
	}
	return len(text), len(text)
}

// traceback reads one traceback: frames, each with the lines of source that follow it, then the error.
func traceback(text string, start, at int) (*raise.Observation, int) {
	o := &raise.Observation{Span: raise.Span{Start: start}, Of: -1, Form: "python traceback", Language: "Python"}
	indent := leading(text[start:])
	var frames []raise.Frame
	for at < len(text) {
		end, next := lineEnd(text, at)
		line := text[at:end]
		body := strings.TrimLeft(line, " \t|")
		switch {
		case frameLine.MatchString(line):
			m := frameLine.FindStringSubmatch(line)
			frames = append(frames, raise.Frame{Path: m[1], Line: atoi(m[2]), Function: m[3]})
		case caretLine.MatchString(line), strings.HasPrefix(body, "[Previous line repeated"), body == "":
			if body == "" && len(frames) > 0 && o.Type == "" && !more(text, next) {
				return nil, next
			}
		case leading(line) > indent && len(frames) > 0:
			if frames[len(frames)-1].Source == "" {
				frames[len(frames)-1].Source = strings.TrimSpace(body)
			}
		case errorLine.MatchString(line):
			m := errorLine.FindStringSubmatchIndex(line)
			o.Type = line[m[2]:m[3]]
			msgStart := end
			if m[4] >= 0 {
				msgStart = at + m[4]
			}
			stop := messageEnd(text, next, indent)
			o.Message = strings.TrimRight(text[msgStart:max(msgStart, stop)], "\n \t")
			o.Span.End = max(end, stop)
			for i := len(frames) - 1; i >= 0; i-- {
				o.Frames = append(o.Frames, frames[i])
			}
			return o, max(next, stop)
		default:
			return nil, next
		}
		at = next
	}
	return nil, at
}

// more reports whether a traceback goes on behind a blank line.
func more(text string, at int) bool {
	end, _ := lineEnd(text, at)
	return at < len(text) && frameLine.MatchString(text[at:end])
}

// messageEnd is where the message of an error that began above ends: at a blank line followed by something else, at the next
// traceback, at a link of the chain, or at a line that is a log's or a test's.
func messageEnd(text string, at, indent int) int {
	stop := at
	for lines := 0; at < len(text) && lines < 200; lines++ {
		end, next := lineEnd(text, at)
		line := text[at:end]
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || tracebackHead.MatchString(line) || causeLine.MatchString(line) || leading(line) < indent || boundary(trimmed) {
			break
		}
		stop, at = next, next
	}
	return stop
}

// boundary reports whether a line belongs to the tool that printed the traceback rather than to the message.
func boundary(line string) bool {
	for _, p := range []string{"====", "----", "____", "FAILED ", "ERROR ", "INFO ", "WARNING ", "DEBUG ", "Ran ", "[20", "20", "$ ", ">>> ", "make: ", "npm "} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " \t|")) }

func atoi(s string) int {
	n := 0
	for _, c := range s {
		if n < 1<<28 {
			n = n*10 + int(c-'0')
		}
	}
	return n
}
