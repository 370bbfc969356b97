package web

import (
	"net/url"
	"sort"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// piece is a stretch of a message or a sentence. Hole is the expression of a value, Code says that it is a name of the code.
type piece struct {
	Text string
	Hole string
	Code bool
}

// templatePieces cuts the template of an error into literal text and holes.
func templatePieces(template string, holes []api.Hole) []piece {
	var out []piece
	rest := template
	for i := range holes {
		name := strings.Join(strings.Fields(holes[i].Expression), " ")
		at := strings.Index(rest, "{"+name+"}")
		if at < 0 {
			break
		}
		out = appendText(out, rest[:at])
		out = append(out, piece{Text: visible.Text(name), Hole: described(&holes[i])})
		rest = rest[at+len(name)+2:]
	}
	return appendText(out, rest)
}

// bracedPieces is templatePieces where the holes are not at hand: what stands in balanced braces is taken for one.
func bracedPieces(template string) []piece {
	var out []piece
	rest := template
	for {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			return appendText(out, rest)
		}
		depth, end := 0, -1
		for i := open; i < len(rest) && end < 0; i++ {
			switch rest[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 || end == open+1 {
			return appendText(out, rest)
		}
		out = appendText(out, rest[:open])
		out = append(out, piece{Text: visible.Text(rest[open+1 : end]), Hole: "a value"})
		rest = rest[end+1:]
	}
}

func appendText(out []piece, text string) []piece {
	if text == "" {
		return out
	}
	return append(out, piece{Text: visible.Lines(text)})
}

// described says of a hole what is known of its value.
func described(h *api.Hole) string {
	text := "a value"
	if h.Looks != "" {
		text = "looks like: " + h.Looks
	}
	if h.Format != "" {
		text += ", printed with " + h.Format
	}
	return text
}

// filledPieces is a message as it was printed, the values of the holes marked.
func filledPieces(message string, bindings []api.Binding) []piece {
	sorted := append([]api.Binding(nil), bindings...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Span[0] < sorted[j].Span[0] })
	var out []piece
	at := 0
	for _, b := range sorted {
		start, end := b.Span[0], b.Span[1]
		if start < at || end <= start || end > len(message) {
			continue // an empty value, or one inside another
		}
		out = appendText(out, message[at:start])
		out = append(out, piece{Text: visible.Lines(message[start:end]), Hole: visible.Text(b.Expression)})
		at = end
	}
	return appendText(out, message[at:])
}

// sentencePieces cuts a sentence at its backquotes: names of the code stand between them.
func sentencePieces(s string) []piece {
	s = visible.Lines(s)
	var out []piece
	for {
		before, rest, found := strings.Cut(s, "`")
		name, behind, closed := strings.Cut(rest, "`")
		if !found || !closed || name == "" {
			return append(out, piece{Text: s})
		}
		if before != "" {
			out = append(out, piece{Text: before})
		}
		out = append(out, piece{Text: name, Code: true})
		s = behind
	}
}

// safeURL is an address of the web, or "".
func safeURL(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// cutLeft shortens a path to n characters; its end says most.
func cutLeft(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}
