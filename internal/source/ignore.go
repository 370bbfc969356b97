package source

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Ignore files of plain folders. In repositories git itself applies them; tests hold that both say the same.
//
// A line is a pattern; "#" begins a comment, "!" takes back what was left out, "\" takes the next character as it is. A pattern with a
// slash before its end stands for a path from the file's folder, another one for a name at any depth; with a slash at its end it stands
// for folders alone. The last pattern that fits decides, those of deeper folders being later. What is in a folder that is left out
// cannot be taken back.

// maxIgnoreBytes bounds what is read of an ignore file; longer ones are cut at the last whole line.
const maxIgnoreBytes = 1 << 20

// ignoreFile is the rules of one ignore file.
type ignoreFile struct {
	dir   string // that it stands in, with a slash at its end; "" for the root
	rules []ignoreRule
}

// ignoreRule is one pattern. Nearly all patterns are a name or an ending, which need no expression.
type ignoreRule struct {
	negated, folders bool           // folders: it stands for folders alone
	anchored         bool           // it stands for a path, not for a name at any depth
	literal          string         // the path or name, if it holds nothing special
	ending           string         // of a name, for *ending
	pattern          *regexp.Regexp // otherwise
}

// parseIgnore reads the text of an ignore file in a folder.
func parseIgnore(dir, text string) ignoreFile {
	out := ignoreFile{dir: dir}
	if len(text) > maxIgnoreBytes {
		text = text[:strings.LastIndexByte(text[:maxIgnoreBytes], '\n')+1]
	}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.Lines(text) {
		if r, ok := parseIgnoreRule(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")); ok {
			out.rules = append(out.rules, r)
		}
	}
	return out
}

// parseIgnoreRule reads a line; false if it holds no rule.
func parseIgnoreRule(line string) (r ignoreRule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line = trimBlanks(line)
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		r.negated, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		r.folders, line = true, rest
	}
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	switch ending, star := strings.CutPrefix(line, "*"); {
	case !strings.ContainsAny(line, `*?[\`):
		r.literal = line
	case star && !r.anchored && !strings.ContainsAny(ending, `*?[\`):
		r.ending = ending
	default:
		expr, valid := ignoreExpr(widen(line))
		if !valid {
			return r, false
		}
		var err error
		if r.pattern, err = regexp.Compile(expr); err != nil {
			return r, false
		}
	}
	return r, true
}

// trimBlanks removes the blanks at the end of a line that no backslash keeps.
func trimBlanks(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	slashes := 0
	for slashes < end && line[end-1-slashes] == '\\' {
		slashes++
	}
	if slashes%2 == 1 && end < len(line) {
		end++
	}
	return line[:end]
}

// ignoreExpr is the expression of a pattern; false if it can fit nothing, as one with a set that is not closed. Go's expressions take
// linear time whatever the pattern.
func ignoreExpr(pattern string) (string, bool) {
	var b strings.Builder
	b.WriteString("(?s)^")
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '*':
			i += writeStars(&b, pattern, i)
			continue
		case '?':
			b.WriteString("[^/]")
			i++
			continue
		case '[':
			n := writeSet(&b, pattern[i:])
			if n == 0 {
				return "", false
			}
			i += n
			continue
		case '\\':
			if i++; i == len(pattern) {
				return "", false
			}
		}
		_, n := utf8.DecodeRuneInString(pattern[i:])
		b.WriteString(regexp.QuoteMeta(pattern[i : i+n]))
		i += n
	}
	b.WriteByte('$')
	return b.String(), true
}

// writeStars writes the expression of the stars at i, and returns how many bytes of the pattern it took. Two that fill a component
// stand for any number of folders, others for any text within a name.
func writeStars(b *strings.Builder, pattern string, i int) int {
	rest := strings.TrimLeft(pattern[i:], "*")
	n := len(pattern) - i - len(rest)
	if n >= 2 && (i == 0 || pattern[i-1] == '/') {
		switch {
		case rest == "":
			b.WriteString(".+")
			return n
		case rest[0] == '/':
			b.WriteString("(?:.*/)?")
			return n + 1
		}
	}
	b.WriteString("[^/]*")
	return n
}

// writeSet writes the expression of the set that a text begins with, and returns its length; 0 if it is none. No set fits the slash,
// even if it names it.
func writeSet(b *strings.Builder, s string) int {
	i := 1
	var set strings.Builder
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		set.WriteString("^/")
		i++
	}
	for first := true; ; first = false {
		switch {
		case i >= len(s):
			return 0
		case s[i] == ']' && !first:
			if set.Len() == 0 {
				return 0
			}
			b.WriteString("[" + set.String() + "]")
			return i + 1
		case strings.HasPrefix(s[i:], "[:"):
			end := strings.Index(s[i:], ":]")
			if end < 0 {
				return 0
			}
			set.WriteString(class(s[i+2 : i+end]))
			i += end + 2
		default:
			n := writeRange(&set, s[i:])
			if n == 0 {
				return 0
			}
			i += n
		}
	}
}

// class is a named class of characters, those of them that hold the slash without it.
func class(name string) string {
	switch name {
	case "graph":
		return "!-.0-~"
	case "print":
		return " -.0-~"
	case "punct":
		return "!-.:-@\\[-`{-~"
	}
	return "[:" + name + ":]" // an unknown one fails to compile, and the rule is dropped
}

// writeRange writes one character of a set, or a range of them, and returns its length; 0 if the text ends in it.
func writeRange(set *strings.Builder, s string) int {
	from, n := setRune(s)
	if n == 0 {
		return 0
	}
	to := from
	if n+1 < len(s) && s[n] == '-' && s[n+1] != ']' {
		last, m := setRune(s[n+1:])
		if m == 0 {
			return 0
		}
		to, n = last, n+1+m
	}
	to = max(from, to) // a range the wrong way round holds its first character
	write := func(from, to rune) {
		if from <= to {
			fmt.Fprintf(set, `\x{%x}-\x{%x}`, from, to)
		}
	}
	if from <= '/' && '/' <= to {
		write(from, '/'-1)
		write('/'+1, to)
	} else {
		write(from, to)
	}
	return n
}

// setRune is the next character of a set and its length, 0 if there is none.
func setRune(s string) (rune, int) {
	slash := 0
	if strings.HasPrefix(s, `\`) {
		slash, s = 1, s[1:]
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return 0, 0
	}
	return r, slash + n
}

// ignored reports whether a path, or the folder at it, is left out.
func ignored(files []ignoreFile, name string, folder bool) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	for i := len(files) - 1; i >= 0; i-- {
		f := &files[i]
		rel := strings.TrimPrefix(name, f.dir)
		for j := len(f.rules) - 1; j >= 0; j-- {
			if r := &f.rules[j]; (folder || !r.folders) && r.fits(rel, base) {
				return !r.negated
			}
		}
	}
	return false
}

// fits reports whether the rule stands for a path below its folder, whose last part is base.
func (r *ignoreRule) fits(rel, base string) bool {
	if !r.anchored {
		rel = base
	}
	switch {
	case r.literal != "":
		return rel == r.literal
	case r.ending != "":
		return strings.HasSuffix(rel, r.ending)
	case r.pattern == nil:
		return true // a star alone
	}
	return r.pattern.MatchString(widen(rel))
}

// widen makes a character of each byte: git's patterns are made of bytes, so that "?" takes half of an é.
func widen(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			var b strings.Builder
			for i := range len(s) {
				b.WriteRune(rune(s[i]))
			}
			return b.String()
		}
	}
	return s
}
