package explain

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// Bounds on documentation.
const (
	documentsWithin = 2 * time.Second
	maxMentions     = 3
	maxQuoted       = 240 // characters of a line that are quoted
	minMention      = 14  // letters and digits of a message's text, or characters of a name, that say what is meant
	minNamed        = 7
)

// document is a file of documentation, by lines.
type document struct {
	path  string
	lines []string
}

// documentation reads the repository's documentation at the page's revision once; none where it cannot be read in time.
func (p *page) documentation() []document {
	p.documents.Do(func() {
		if p.sources.Documents == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), documentsWithin)
		defer cancel()
		texts, err := p.sources.Documents(ctx, p.repo, p.rev)
		if err != nil {
			return
		}
		for _, path := range slices.Sorted(maps.Keys(texts)) {
			p.docs = append(p.docs, document{path, strings.Split(string(texts[path]), "\n")})
		}
	})
	return p.docs
}

// mentions are what the repository's documentation says of the message, of its type or of what its condition is about, quoted.
func (p *page) mentions(r *raising) []api.Sentence {
	docs := p.documentation()
	if len(docs) == 0 {
		return nil
	}
	var all []api.Sentence
	find := func(what string, holds func(line string) bool) {
		for i := range docs {
			for n, line := range docs[i].lines {
				if len(all) >= maxMentions || !holds(line) {
					continue
				}
				if line, n = docs[i].telling(n); line == "" {
					continue
				}
				line = cut(strings.Trim(strings.TrimSpace(line), "#*->| "), maxQuoted)
				e := api.Evidence{Kind: "document", Path: docs[i].path, Line: n + 1, EndLine: n + 1, Text: line, URL: p.url(docs[i].path, n+1)}
				all = append(all, api.Sentence{Text: fmt.Sprintf("%s mentions %s: %s", docs[i].path, what, quoted(line)), Origin: api.FromSource, Evidence: []api.Evidence{e}})
				return // the first place of the first file
			}
		}
	}
	if text := p.literal(r); message.Literal(text).Weight() >= minMention {
		find("the message", func(line string) bool { return strings.Contains(line, text) })
	}
	names := []string{r.found.variant.Type, p.declared(r)}
	for _, name := range names {
		if len(name) >= minNamed && distinct(name) && p.defines(r, name) {
			find(quote(name), func(line string) bool { return word(line, name) >= 0 })
		}
	}
	for _, q := range quantities(r.core, r.site) {
		if len(all) > 0 {
			break // of a quantity more is said elsewhere, of other things
		}
		if name := q[strings.LastIndexByte(q, '.')+1:]; len(name) >= minNamed && distinct(name) {
			find(quote(name), func(line string) bool {
				i := word(line, name)
				return i > 0 && (line[i-1] == '`' || line[i-1] == '.') // as code
			})
		}
	}
	return all
}

// telling is what a line says to a reader, and its index: of a heading what follows it, and nothing of a line that only leads elsewhere.
func (d *document) telling(n int) (string, int) {
	line := strings.TrimSpace(d.lines[n])
	if strings.HasPrefix(line, "#") || n+1 < len(d.lines) && underlined(d.lines[n+1]) {
		for n++; n < len(d.lines); n++ {
			line = strings.TrimSpace(d.lines[n])
			if line != "" && !underlined(line) && !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "..") {
				break
			}
		}
	}
	if n == len(d.lines) || strings.Contains(line, "](#") || len(strings.Fields(line)) < 4 || strings.HasPrefix(line, "#") {
		return "", n
	}
	return line, n
}

// underlined reports whether a line makes a heading of the one before it.
func underlined(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && strings.Trim(line, line[:1]) == "" && strings.Contains("=-~^\"'`", line[:1])
}

// defines reports whether the repository itself defines a type or declares an error of that name.
func (p *page) defines(r *raising, name string) bool {
	at, ok := p.index[r.found.unit.File.Path]
	if !ok {
		return false
	}
	p.state.mu.Lock()
	defer p.state.mu.Unlock()
	return p.graph.Defines(at, name)
}

// distinct reports whether a name is none of the words that people write: it has an underscore or a capital within.
func distinct(name string) bool {
	return strings.Contains(name, "_") || strings.IndexFunc(name[1:], func(c rune) bool { return c >= 'A' && c <= 'Z' }) >= 0
}

// word is where a name stands on its own in a line, -1 if it does not.
func word(line, name string) int {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return -1
		}
		i += at
		end := i + len(name)
		if (i == 0 || !wordByte(line[i-1])) && (end == len(line) || !wordByte(line[end])) {
			return i
		}
		at = end
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// cut shortens a text to a number of characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
