package web

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// token is a piece of code of one look.
type token struct{ Class, Text string }

// codeLine is a line of code.
type codeLine struct {
	Number int
	Tokens []token
	Raise  bool   // part of the raising statement
	First  bool   // its first line
	URL    string // of the line on the repository's host
}

// maxColumns bounds a line of an excerpt: minified files have lines of megabytes.
const maxColumns = 400

// highlight cuts lines of code into tokens. A language that is not known has one token a line.
func highlight(lines []string, language string) [][]token {
	plain := make([]string, len(lines))
	for i, l := range lines {
		l = visible.Text(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    "))
		if r := []rune(l); len(r) > maxColumns {
			l = string(r[:maxColumns]) + "…"
		}
		plain[i] = l
	}
	out := make([][]token, len(lines))
	for i, l := range plain {
		out[i] = []token{{"", l}}
	}
	lexer := lexers.Get(language)
	if lexer == nil || language == "" {
		return out
	}
	tokens, err := lexer.Tokenise(nil, strings.Join(plain, "\n")+"\n")
	if err != nil {
		return out
	}
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i >= len(out) {
			break
		}
		out[i] = joined(line)
	}
	return out
}

// joined gives each token its class, and joins neighbours of one class.
func joined(line []chroma.Token) []token {
	var out []token
	for _, t := range line {
		text := strings.TrimSuffix(t.Value, "\n")
		if text == "" {
			continue
		}
		class := class(t.Type)
		if n := len(out); n > 0 && out[n-1].Class == class {
			out[n-1].Text += text
			continue
		}
		out = append(out, token{class, text})
	}
	return out
}

// class is the look of a kind of token; few of them read best.
func class(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.KeywordConstant:
		return "n"
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord:
		return "k"
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameDecorator, t == chroma.NameException:
		return "f"
	}
	return ""
}

// excerptLines are the lines of an excerpt, the raise marked. line, if not nil, makes the address of a line on the host.
func excerptLines(e *api.Excerpt, language, path string, line func(string, int) string) []codeLine {
	if e == nil {
		return nil
	}
	out := make([]codeLine, len(e.Lines))
	for i, tokens := range highlight(e.Lines, language) {
		n := e.First + i
		out[i] = codeLine{Number: n, Tokens: tokens, Raise: n >= e.From && n <= e.To, First: n == e.From}
		if line != nil {
			out[i].URL = safeURL(line(path, n))
		}
	}
	return out
}

// snippetLines are the lines of code that is not an excerpt.
func snippetLines(c *api.Code) []codeLine {
	var out []codeLine
	for i, tokens := range highlight(strings.Split(strings.TrimRight(c.Text, "\n"), "\n"), c.Language) {
		out = append(out, codeLine{Number: i + 1, Tokens: tokens})
	}
	return out
}
