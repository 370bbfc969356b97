package cli

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight colours lines of source; elsewhere than on a terminal they stay as they are. Control characters are shown.
func (p *printer) highlight(lines []string, language string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = clean(strings.ReplaceAll(l, "\t", "    "))
	}
	lexer := lexers.Get(language)
	if !p.color || lexer == nil {
		return out
	}
	tokens, err := lexer.Tokenise(nil, strings.Join(out, "\n")+"\n")
	if err != nil {
		return out
	}
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i >= len(out) {
			break
		}
		var b strings.Builder
		for _, t := range line {
			b.WriteString(p.in(tokenStyle(t.Type), strings.TrimSuffix(t.Value, "\n")))
		}
		out[i] = b.String()
	}
	return out
}

func tokenStyle(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return dim
	case t.InCategory(chroma.Keyword):
		return "35"
	case t.InSubCategory(chroma.LiteralString):
		return green
	case t.InSubCategory(chroma.LiteralNumber):
		return cyan
	}
	return ""
}
