package golang

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// comment is a group of comments and the lines on which it stands.
type comment struct {
	line, end int
	alone     bool // nothing stands before it on its line
	text      string
}

// maxComment bounds, in bytes, what is kept of the comments of one site.
const maxComment = 1000

// remarks lists the comments of a file that speak to readers, in order.
func (x *extractor) remarks(f *ast.File) []comment {
	var out []comment
	for _, g := range f.Comments {
		// Text leaves out directives (//go:build, //nolint).
		text := strings.TrimSpace(g.Text())
		if text == "" || toolRemark(text) {
			continue
		}
		line := x.line(g.Pos())
		before := x.places.src[x.places.lines[line-1]:x.offset(g.Pos())]
		out = append(out, comment{line, x.line(g.End()), strings.TrimSpace(before) == "", text})
	}
	return out
}

// toolRemark reports whether a comment speaks to tools.
func toolRemark(text string) bool {
	for _, mark := range []string{"nolint", "lint:", "#nosec", "TODO", "FIXME", "XXX", "want ", "ERROR ", "+build"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// comments gives sites the comments above and beside the raise and its guard.
func (x *extractor) comments(f *ast.File) {
	if len(x.facts.Sites) == 0 || len(f.Comments) == 0 {
		return
	}
	all := x.remarks(f)
	for i := range x.facts.Sites {
		s := &x.facts.Sites[i]
		if s.Kind == raise.KindTest || s.Potential {
			continue
		}
		var texts []string
		for _, p := range s.Condition {
			if (p.Role == raise.RoleGuard || p.Role == raise.RoleCase || p.Role == raise.RoleDefault) && p.Line < s.Line {
				texts = about(texts, all, p.Line, p.Line)
			}
		}
		texts = about(texts, all, s.Line, s.EndLine)
		if text := strings.Join(texts, "\n"); len(text) <= maxComment {
			s.Comment = text
		}
	}
}

// about adds the comments that end on the line above some lines, or stand on one of them.
func about(texts []string, all []comment, line, end int) []string {
	i, _ := slices.BinarySearchFunc(all, line-1, func(c comment, line int) int { return c.end - line })
	for ; i < len(all) && all[i].line <= end; i++ {
		if (all[i].end >= line || all[i].alone) && !slices.Contains(texts, all[i].text) {
			texts = append(texts, all[i].text)
		}
	}
	return texts
}
