package ecmascript

import (
	"sort"
	"strings"
)

// commentText is the text of a comment without its marks, line breaks kept.
func commentText(s string) string {
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		return strings.TrimSpace(rest)
	}
	if rest, ok := strings.CutPrefix(s, "<!--"); ok {
		return strings.TrimSpace(strings.TrimSuffix(rest, "-->"))
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "/*"), "*/")
	lines := strings.Split(strings.TrimPrefix(s, "*"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "*"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// toolComment reports whether a comment speaks to tools and not to readers.
func toolComment(s string) bool {
	for _, mark := range []string{"eslint", "prettier-", "istanbul ", "c8 ", "v8 ignore", "@ts-", "tslint:", "jshint", "global ", "@__PURE__",
		"#__PURE__", "webpack", "@vite-", "biome-", "<reference", "/ <reference", "@type ", "#region", "#endregion", "@flow", "sourceMappingURL"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// above is the index behind the last comment that ends at or before an offset.
func (f *file) above(offset int) int {
	return sort.Search(len(f.comments), func(i int) bool { return f.tree.end(f.comments[i]) > offset })
}

// doc is the first paragraph of the documentation comment directly above a node, without tags.
func (f *file) doc(n int) string {
	i := f.above(f.tree.start(n)) - 1
	if i < 0 {
		return ""
	}
	c := f.comments[i]
	text := f.tree.text(c)
	if !strings.HasPrefix(text, "/**") || strings.TrimSpace(f.src[f.tree.end(c):f.tree.start(n)]) != "" || len(text) > 20000 {
		return ""
	}
	return paragraph(commentText(text))
}

// paragraph is the first paragraph of a text, before any tag, as one line.
func paragraph(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" && len(lines) > 0 || strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "@description ") {
			break
		}
		if line = strings.TrimPrefix(line, "@description "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// fileDoc is the first paragraph of the comment that the file begins with, if it documents the file: it has a tag that says so,
// or a blank line behind it.
func (f *file) fileDoc() string {
	if len(f.comments) == 0 {
		return ""
	}
	c := f.comments[0]
	text := f.tree.text(c)
	before := strings.TrimSpace(f.src[:f.tree.start(c)])
	if !strings.HasPrefix(text, "/*") || len(text) > 20000 || before != "" && !strings.HasPrefix(before, "#!") && before != "'use strict';" && before != `"use strict";` {
		return ""
	}
	body := commentText(text)
	for _, tag := range []string{"@fileoverview", "@fileOverview", "@file", "@module", "@license"} {
		if i := strings.Index(body, tag); i >= 0 {
			return paragraph(strings.TrimSpace(body[:i] + " " + strings.TrimPrefix(body[i:], tag)))
		}
	}
	if strings.HasPrefix(strings.TrimLeft(f.src[f.tree.end(c):], " \t\r"), "\n\n") || strings.HasPrefix(f.src[f.tree.end(c):], "\n\r\n") {
		return paragraph(body)
	}
	return ""
}

// beside collects the comments on a line, and those on the lines directly above it.
func (f *file) beside(line int, seen map[int]bool, out []string) []string {
	if line < 1 || line > len(f.lines) {
		return out
	}
	end := len(f.src)
	if line < len(f.lines) {
		end = int(f.lines[line])
	}
	i := f.above(end) - 1
	var found []string
	want := line
	for ; i >= 0; i-- {
		c := f.comments[i]
		from, to := f.line(c), f.endLine(c)
		alone := strings.TrimSpace(f.src[f.lines[from-1]:f.tree.start(c)]) == ""
		if to != want && to != want-1 || to < line && !alone {
			break
		}
		if text := commentText(f.tree.text(c)); !seen[c] && text != "" && !toolComment(text) && len(text) < 4000 {
			found = append(found, text)
		}
		seen[c] = true
		want = from
	}
	for j := len(found) - 1; j >= 0; j-- {
		out = append(out, found[j])
	}
	return out
}
