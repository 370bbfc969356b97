package source

import (
	"path"
	"regexp"
	"strings"
)

// ignoreFile is the rules of one .gitignore, which apply below its folder.
type ignoreFile struct {
	dir   string
	rules []ignoreRule
}

type ignoreRule struct {
	pattern    *regexp.Regexp
	negated    bool
	foldersToo bool // false: folders alone
}

// parseIgnore reads the text of an ignore file in a folder.
func parseIgnore(dir, text string) ignoreFile {
	out := ignoreFile{dir: dir}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		r := ignoreRule{foldersToo: true}
		if line[0] == '!' {
			r.negated, line = true, line[1:]
		}
		line = strings.TrimPrefix(line, `\`)
		if strings.HasSuffix(line, "/") {
			r.foldersToo, line = false, strings.TrimRight(line, "/")
		}
		expr, err := regexp.Compile(ignoreExpr(line))
		if err != nil || line == "" {
			continue
		}
		r.pattern = expr
		out.rules = append(out.rules, r)
	}
	return out
}

// ignoreExpr is the regular expression of a pattern of an ignore file, for a path relative to the file's folder.
func ignoreExpr(pattern string) string {
	var b strings.Builder
	b.WriteByte('^')
	if !strings.Contains(pattern, "/") {
		b.WriteString("(?:.*/)?")
	}
	pattern = strings.TrimPrefix(pattern, "/")
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "/**") && i+3 == len(pattern):
			b.WriteString("/.*")
			i += 2
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(pattern[i+1:], ']')
			if end < 0 {
				b.WriteString(`\[`)
				continue
			}
			set := pattern[i+1 : i+1+end]
			if strings.HasPrefix(set, "!") {
				set = "^" + set[1:]
			}
			b.WriteString("[" + set + "]")
			i += end + 1
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteByte('$')
	return b.String()
}

// ignored reports whether the last rule that fits a path leaves it out. Rules of deeper folders come later.
func ignored(files []ignoreFile, name string, folder bool) bool {
	out := false
	for _, f := range files {
		rel := name
		if f.dir != "." {
			rel = strings.TrimPrefix(name, f.dir+"/")
		}
		for _, r := range f.rules {
			if (folder || r.foldersToo) && r.pattern.MatchString(path.Clean(rel)) {
				out = !r.negated
			}
		}
	}
	return out
}
