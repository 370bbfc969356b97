package paste

import (
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// The parts that log lines begin with. Each pattern is anchored, and lines are cut to maxLine before.
type patterns struct {
	collector, stamp, level, logger, klog, place, typed, bracketed *regexp.Regexp
}

// maxLine bounds what of a line is looked at for prefixes.
const maxLine = 16 << 10

func newPatterns() *patterns {
	return &patterns{
		collector: prefixes(),
		stamp: regexp.MustCompile(`^\[?(?:\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|\d\d:\d\d:\d\d(?:[.,]\d+)?|` +
			`[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d|\d\d/[A-Z][a-z]{2}/\d{4}[: ]\d\d:\d\d:\d\d(?: [+-]\d{4})?|\d{10}(?:\.\d+)?)\]?[\s|:,-]*`),
		level: regexp.MustCompile(`^[\[(<|]?\s*(?i:(panic|fatal error|fatal|critical|crit|alert|emerg|error|err|severe|warning|warn|notice|info|debug|trace|verbose))` +
			`\s*[\])>|]?(?:[:\s|-]+|$)`),
		logger:    regexp.MustCompile(`^(?:\[[^\]\s]{1,80}\]|\([^)\s]{1,80}\)|[a-z_][\w$-]*(?:[./][\w$-]+)+(?::\d+)?|[\w$]+:\d+)\s*(?:[:|-]\s+|\s)`),
		klog:      regexp.MustCompile(`^([EFWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ([\w./-]+):(\d+)\] `),
		place:     regexp.MustCompile(`^(?:\.{0,2}/)?([\w./\\-]+\.[A-Za-z]{1,5}):(\d+)(?::\d+)?:?\s+`),
		typed:     regexp.MustCompile(`^(?:Uncaught (?:\(in promise\) )?|Unhandled (?:exception|rejection)[.:]? ?|Exception in thread "[^"]*" |Caused by: |panic: )?((?:[\p{L}_$][\p{L}\d_$]*(?:\.|::|\\))*[\p{L}_$][\p{L}\d_$]*)(?: \[([A-Z][A-Z0-9_]+)\]| \(([A-Z][A-Z0-9_]+)\))?:(?:\s+|$)`),
		bracketed: regexp.MustCompile(`^\[[^\]]{1,80}\]\s*`),
	}
}

// Reading is one way to read a piece of plain text as an error.
type Reading struct {
	Type, Code, Message string
	Start, End          int // of the message in the view
	Level               string
	Frames              []raise.Frame
	// Stripped is how many bytes of the line were taken for a prefix.
	Stripped int
}

// readings lists the ways to read the text at view[start:end], likeliest first: as it is, then with what looks like a log's
// prefix taken away step by step, each also with a leading type split off.
func (p *patterns) readings(view string, start, end int) []Reading {
	var out []Reading
	add := func(at int, level string, frames []raise.Frame) {
		text := view[at:end]
		lead := len(text) - len(strings.TrimLeft(text, " \t"))
		text = strings.TrimSpace(text)
		if text == "" {
			return
		}
		r := Reading{Message: text, Start: at + lead, End: at + lead + len(text), Level: level, Frames: frames, Stripped: at - start}
		if m := p.typed.FindStringSubmatchIndex(text[:min(len(text), 400)]); m != nil && typeLike(text[m[2]:m[3]]) {
			split := r
			split.Type, split.Message = text[m[2]:m[3]], text[m[1]:]
			split.Start += m[1]
			for _, g := range []int{4, 6} {
				if m[g] >= 0 {
					split.Code = text[m[g]:m[g+1]]
				}
			}
			out = append(out, split)
		}
		out = append(out, r)
	}
	add(start, "", nil)
	at, level := start, ""
	var frames []raise.Frame
	for range 8 {
		n, l, f := p.prefix(view[at:min(end, at+maxLine)])
		if n == 0 {
			break
		}
		at += n
		if l != "" {
			level = l
		}
		frames = append(frames, f...)
		add(at, level, frames)
	}
	return out
}

// prefix is the length of what a log line begins with, with the level or place that it names.
func (p *patterns) prefix(line string) (n int, level string, frames []raise.Frame) {
	if m := p.klog.FindStringSubmatch(line); m != nil {
		levels := map[string]string{"E": "error", "F": "fatal", "W": "warning", "I": "info"}
		return len(m[0]), levels[m[1]], []raise.Frame{{Path: m[2], Line: number(m[3])}}
	}
	if m := p.collector.FindString(line); m != "" {
		return len(m), "", nil
	}
	if m := p.stamp.FindString(line); m != "" {
		return len(m), "", nil
	}
	if m := p.level.FindStringSubmatch(line); m != nil {
		return len(m[0]), levelName(m[1]), nil
	}
	if m := p.place.FindStringSubmatch(line); m != nil {
		return len(m[0]), "", []raise.Frame{{Path: m[1], Line: number(m[2])}}
	}
	if m := p.logger.FindString(line); m != "" {
		return len(m), "", nil
	}
	return len(p.bracketed.FindString(line)), "", nil
}

func levelName(s string) string {
	switch s = strings.ToLower(s); s {
	case "err", "severe":
		return "error"
	case "critical", "crit", "alert", "emerg":
		return "fatal"
	case "warn":
		return "warning"
	}
	return s
}

func number(s string) int {
	n := 0
	for _, c := range s {
		if n > 1<<28 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// typeLike reports whether a word before a colon is a type of an error rather than the start of a sentence.
func typeLike(s string) bool {
	last := s[strings.LastIndexAny(s, ".:\\")+1:]
	for _, ending := range []string{"Error", "Exception", "Warning", "Fault", "Failure", "Interrupt", "Exit", "Panic", "Timeout", "NotFound", "DoesNotExist", "Violation"} {
		if strings.HasSuffix(last, ending) {
			return true
		}
	}
	// A qualified name with a capital: requests.exceptions.HTTPFound, My::Thing.
	return last != s && last != "" && last[0] >= 'A' && last[0] <= 'Z'
}
