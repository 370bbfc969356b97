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
	Note   string // "raised here", on its first line
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
	tokenise(out, lexer, "", plain)
	return out
}

// tokenise cuts lines into tokens as if before stood before the first.
func tokenise(out [][]token, lexer chroma.Lexer, before string, plain []string) {
	tokens, err := lexer.Tokenise(nil, before+"\n"+strings.Join(plain, "\n")+"\n")
	if err != nil {
		return
	}
	for i, line := range chroma.SplitTokensIntoLines(tokens.Tokens()) {
		if i >= 1 && i <= len(out) {
			out[i-1] = joined(line)
		}
	}
}

// openers begin texts and comments of several lines. An excerpt may begin within one, and what looks like its beginning is then its end.
func openers() []string { return []string{`"""`, "'''", "/*", "`"} }

// highlightExcerpt is highlight for lines of which one is known to be a statement: it can be neither text nor comment as a whole.
func highlightExcerpt(lines []string, language string, statement int) [][]token {
	out := highlight(lines, language)
	if statement < 0 || statement >= len(out) || !quoted(out[statement]) {
		return out
	}
	plain := make([]string, len(out))
	for i := range out {
		for _, t := range out[i] {
			plain[i] += t.Text
		}
	}
	for _, opener := range openers() {
		again := make([][]token, len(out))
		if tokenise(again, lexers.Get(language), opener, plain); !quoted(again[statement]) {
			return again
		}
	}
	return out
}

// quoted reports whether a line is nothing but text or comment.
func quoted(line []token) bool {
	for _, t := range line {
		if t.Class != "s" && t.Class != "c" && strings.TrimSpace(t.Text) != "" {
			return false
		}
	}
	return len(line) > 0
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
		return "m"
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
	for i, tokens := range highlightExcerpt(e.Lines, language, e.From-e.First) {
		n := e.First + i
		out[i] = codeLine{Number: n, Tokens: tokens, Raise: n >= e.From && n <= e.To}
		if n == e.From {
			out[i].Note = "raised here"
		}
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
