package lower

import (
	"slices"
	"strings"
)

// maxComment bounds the lines of a comment that are kept.
const maxComment = 12

// above are the lines of the comments directly above a node, without their marks. Annotations between them and the node are passed
// where doc is set.
func (f *File) above(n int, doc bool) []string {
	start := int(f.Nodes[n].Start)
	lineStart := strings.LastIndexByte(f.Src[:start], '\n') + 1
	var out []string
	inBlock := false
	for lineStart > 0 && len(out) < 200 {
		end := lineStart - 1
		lineStart = strings.LastIndexByte(f.Src[:end], '\n') + 1
		line := strings.TrimSpace(f.Src[lineStart:end])
		switch {
		case inBlock:
			inBlock = !strings.HasPrefix(line, "/*")
			out = append(out, unmarked(line))
		case strings.HasSuffix(line, "*/") && (strings.HasPrefix(line, "/*") || !strings.Contains(line, "/*")):
			inBlock = !strings.HasPrefix(line, "/*")
			out = append(out, unmarked(line))
		case strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "#[") && !directive(line):
			out = append(out, unmarked(line))
		case doc && (strings.HasPrefix(line, "@") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "#[") ||
			strings.HasPrefix(line, "template")) && len(out) == 0:
		default:
			lineStart = 0
		}
	}
	slices.Reverse(out)
	return out
}

// directive reports whether a line beginning with "#" belongs to a preprocessor.
func directive(line string) bool {
	word := strings.TrimLeft(line[1:], " \t")
	for _, d := range []string{"if", "el", "endif", "define", "undef", "include", "pragma", "error", "warning", "line", "region", "endregion", "nullable"} {
		if strings.HasPrefix(word, d) && !strings.HasPrefix(line, "# ") {
			return true
		}
	}
	return false
}

// unmarked is a comment's line without the marks of the comment.
func unmarked(line string) string {
	line = strings.TrimSuffix(strings.TrimSpace(line), "*/")
	for _, mark := range []string{"/**", "/*", "///", "//!", "//", "*", "#"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			line = rest
			break
		}
	}
	return strings.TrimSpace(line)
}

// comment is the text of the comments above a statement, above the branch that it is the first statement of, and beside it.
func (b *Body) comment(n int) string {
	var out []string
	if g := b.guardOf(n); g >= 0 && b.Line(g) < b.Line(n) {
		out = append(out, b.above(g, false)...)
	}
	out = append(out, b.above(n, false)...)
	end := int(b.Nodes[n].End)
	rest := b.Src[end:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimLeft(rest, " \t;),}")
	if strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "# ") {
		out = append(out, unmarked(rest))
	}
	if len(out) > maxComment {
		out = out[len(out)-maxComment:]
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// guardOf is the statement around a branch that begins with n, or -1: the block's parent, or the parent where there is no block.
func (b *Body) guardOf(n int) int {
	p := b.Parent(n)
	for range 3 {
		if p < 0 {
			return -1
		}
		switch kind := b.Name(p); {
		case strings.HasPrefix(kind, "if") && strings.Contains(kind, "if"):
			return p
		case strings.Contains(kind, "block") || strings.Contains(kind, "body") || kind == "compound_statement" || kind == "then" || kind == "statements":
			if b.First(p) != n {
				return -1
			}
			n = p
		default:
			return -1
		}
		p = b.Parent(n)
	}
	return -1
}
