package paste

import "strings"

// collector is the length of what a collector of logs puts before lines that have a form of their own: the job, step and time of a
// downloaded Actions log, the time and stream of a container runtime, the service of compose, the host and unit of a journal, the
// pod of kubectl and stern.
func collector(line string) int {
	n, _ := collected(line)
	return n
}

// collected is collector with the name of the stream that the line belongs to: lines of several streams may be mixed.
func collected(line string) (n int, stream string) {
	for _, read := range []func(string) (int, string){actions, runtimeLine, compose, journal, pod} {
		if n, stream := read(line); n > 0 {
			return n, stream
		}
	}
	return 0, ""
}

// isoZ is the length of "2024-01-02T03:04:05.678Z " or the same with an offset, at the start of s.
func isoZ(s string) int {
	n := fits(s, "dddd-dd-ddTdd:dd:dd")
	if n < 0 {
		return 0
	}
	end := fraction(s, n)
	z := zone(s, end)
	if z == end || z >= len(s) || s[z] != ' ' {
		return 0
	}
	return z + 1
}

// command is the length of "##[error]" and "::error file=a::", with which a step talks to the runner.
func command(line string) int {
	if strings.HasPrefix(line, "##[") {
		return strings.IndexByte(line[:min(len(line), 20)], ']') + 1
	}
	if strings.HasPrefix(line, "::error") || strings.HasPrefix(line, "::warning") {
		if end := strings.Index(line[2:min(len(line), 400)], "::"); end > 0 {
			return end + 4
		}
	}
	return 0
}

// actions reads "job\tstep\t2024-01-02T03:04:05.6789012Z " and commands.
func actions(line string) (int, string) {
	if n := command(line); n > 0 {
		return n, ""
	}
	head := line[:min(len(line), 200)]
	first := strings.IndexByte(head, '\t')
	if first < 1 {
		return 0, ""
	}
	second := strings.IndexByte(head[first+1:], '\t')
	if second < 1 {
		return 0, ""
	}
	at := first + second + 2
	if n := isoZ(strings.TrimPrefix(line[at:], "\ufeff")); n > 0 {
		return len(line) - len(strings.TrimPrefix(line[at:], "\ufeff")) + n, line[:at]
	}
	return 0, ""
}

// runtimeLine reads "2024-01-02T03:04:05.678Z stderr F ", and such a time alone if nothing that is a log's follows.
func runtimeLine(line string) (int, string) {
	n := isoZ(line)
	if n == 0 {
		return 0, ""
	}
	for _, stream := range []string{"stdout F ", "stderr F ", "stdout P ", "stderr P "} {
		if strings.HasPrefix(line[n:], stream) {
			return n + len(stream), stream[:6]
		}
	}
	return n, ""
}

// compose reads "web_1  | ", "api-1 | ".
func compose(line string) (int, string) {
	end := 0
	for end < len(line) && end < 64 && (wordByte(line[end]) || line[end] == '-' || line[end] == '.') {
		end++
	}
	if end == 0 || end >= len(line) || line[end] != ' ' || numeric(line) == end {
		return 0, ""
	}
	rest := strings.TrimLeft(line[end:], " ")
	if rest == "|" {
		return len(line), line[:end]
	}
	if strings.HasPrefix(rest, "| ") {
		return len(line) - len(rest) + 2, line[:end]
	}
	return 0, ""
}

// journal reads "Jan  2 03:04:05 host unit[12]: " and the same with an ISO time.
func journal(line string) (int, string) {
	at := fits(line, "www Dd dd:dd:dd ")
	if at < 0 {
		if at = isoZ(line); at == 0 {
			return 0, ""
		}
	}
	host := strings.IndexByte(line[at:min(len(line), at+100)], ' ')
	if host < 1 {
		return 0, ""
	}
	unit := at + host + 1
	end := strings.Index(line[unit:min(len(line), unit+100)], ": ")
	if end < 1 || strings.ContainsAny(line[unit:unit+end], " \"'(){}") {
		return 0, ""
	}
	return unit + end + 2, line[at : unit+end]
}

// pod reads "[pod/api-7d9f/api] ".
func pod(line string) (int, string) {
	if !strings.HasPrefix(line, "[pod/") {
		return 0, ""
	}
	end := strings.IndexByte(line[:min(len(line), 200)], ']')
	if end < 0 {
		return 0, ""
	}
	n := end + 1
	if n < len(line) && line[n] == ' ' {
		n++
	}
	return n, line[:end]
}
