package explain

import (
	"path"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/link"
	"github.com/wherefore-dev/wherefore/internal/message"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// expectations are the tests that may expect a text of a template, by the words that they name.
func (p *page) expectations(t *message.Template) []expectation {
	var words []string
	for _, piece := range t.Pieces {
		if piece.Hole == nil {
			words = append(words, raise.Words(piece.Text)...)
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	var out []expectation
	for i := range p.heads {
		if !p.heads[i].Expects {
			continue
		}
		found := 0
		for _, w := range words {
			if p.heads[i].May(raise.OfExpected, w) {
				found += len(w)
			}
		}
		if found < minExpected {
			continue
		}
		if f := p.outline(i); f != nil {
			for j := range f.Expectations {
				out = append(out, expectationOf(i, f, j))
			}
		}
	}
	return out
}

// expectation is a test that expects an error.
type expectation struct {
	file      int
	line      int
	name      string // of the test
	typ, text string // text is literal text that the message must hold
	form      string
	calls     []string // last names of what the expecting block calls
}

// expectationOf reads an expectation of an outline.
func expectationOf(file int, f *raise.Facts, n int) expectation {
	x := &f.Expectations[n]
	out := expectation{file: file, line: x.Line, typ: strings.Clone(link.LastName(x.Type)), form: strings.Clone(x.Form)}
	if x.Negated {
		out.form = "negated"
	}
	if x.Function >= 0 && x.Function < len(f.Functions) {
		out.name = link.FunctionName(f, x.Function)
	}
	if x.Message.Is(expr.String) {
		out.text = strings.Clone(x.Message.Text)
		if x.Form == "regexp" {
			out.text = literalOf(x.Message.Text)
		}
	}
	for _, c := range x.Calls {
		out.calls = append(out.calls, strings.Clone(link.LastName(c)))
	}
	return out
}

// literalOf is the longest run of literal text in a regular expression.
func literalOf(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	best, run := "", ""
	var walk func(*syntax.Regexp)
	end := func() {
		if len(run) > len(best) {
			best = run
		}
		run = ""
	}
	walk = func(r *syntax.Regexp) {
		switch r.Op {
		case syntax.OpLiteral:
			if r.Flags&syntax.FoldCase != 0 {
				end()
				return
			}
			run += string(r.Rune)
		case syntax.OpConcat:
			for _, s := range r.Sub {
				walk(s)
			}
		case syntax.OpCapture:
			walk(r.Sub[0])
		case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpEmptyMatch:
		default:
			end()
		}
	}
	walk(re)
	end()
	return best
}

// minExpected is how many letters and digits an expected text needs to say which error it is about.
const minExpected = 10

// maxTests bounds the tests that a page shows.
const maxTests = 5

// tests are the tests that provoke the error: those that expect a text of its template and, if they say one, its type, where they call
// the function that raises or the text is most of what the template says. Types and names alone prove too little.
func (p *page) tests(r *raising) []api.Test {
	var all []api.Test
	typ := link.LastName(r.found.variant.Type)
	t := &r.found.variant.Template
	rivals := p.rivals(r)
	for _, e := range p.expectations(t) {
		x := &e
		if x.form == "negated" || x.text == "" || x.typ != "" && typ != "" && x.typ != typ || !expects(t, x) {
			continue
		}
		if slices.ContainsFunc(rivals, func(o rival) bool {
			return expects(o.template, x) && (o.function == r.found.site.Function || !calls(x, r.function()))
		}) {
			continue // the text is that of another error as well
		}
		if p.constructed(x, typ) || !calls(x, r.function()) && !p.concerns(x, r) {
			continue
		}
		if calls(x, r.function()) || 2*message.Literal(x.text).Weight() >= t.Weight() {
			all = append(all, api.Test{Path: p.files[x.file].Path, Line: x.line, Name: x.name, Expects: x.text})
		}
	}
	all = all[:min(len(all), maxTests)]
	for i := range all {
		if i < 2 {
			all[i].Excerpt = p.around(all[i].Path, p.sourceOf(all[i].Path), all[i].Line, all[i].Line)
		}
		all[i].URL = p.url(all[i].Path, all[i].Line)
	}
	return all
}

// concerns reports whether a test that expects a text is about this error, and not about one of another library or the runtime that
// reads like it: the type is the repository's own, the test runs something on the way to the raise, or it is called like its file.
func (p *page) concerns(x *expectation, r *raising) bool {
	if p.defines(r, r.found.variant.Type) {
		return true
	}
	for _, s := range p.way {
		fn := &p.functions(s.file)[s.function]
		if calls(x, fn) {
			return true
		}
	}
	test, file := p.files[x.file].Path, r.found.unit.File.Path
	if path.Dir(test) == path.Dir(file) && path.Dir(file) != "." {
		return true
	}
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	return len(base) > 2 && strings.Contains(strings.ToLower(path.Base(test)), strings.ToLower(strings.TrimLeft(base, "_")))
}

// constructed reports whether a test makes an error of the type by itself, shortly before it looks at the text: that provokes nothing.
func (p *page) constructed(x *expectation, typ string) bool {
	if typ == "" || typ[0] < 'A' || typ[0] > 'Z' {
		return false
	}
	lines := p.sourceOf(p.files[x.file].Path)
	for i := max(0, x.line-8); i < min(len(lines), x.line+1); i++ {
		if strings.Contains(lines[i], typ+"(") {
			return true
		}
	}
	return false
}

// rival is another error of the file, which a test may mean as well.
type rival struct {
	template *message.Template
	function string
}

// rivals are the other errors of the file that are of the same type.
func (p *page) rivals(r *raising) []rival {
	sites, err := link.DecodeUnit(r.found.unit.Sites)
	if err != nil {
		return nil
	}
	var out []rival
	for i := range sites {
		for j := range sites[i].Variants {
			if v := &sites[i].Variants[j]; v.ID != p.entry.ID && link.LastName(v.Type) == link.LastName(r.found.variant.Type) {
				out = append(out, rival{&v.Template, sites[i].Function})
			}
		}
	}
	return out
}

// expects reports whether the text that a test expects is one that the template prints.
func expects(t *message.Template, x *expectation) bool {
	if message.Literal(x.text).Weight() < minExpected {
		return false
	}
	if m, ok := t.MatchIn(x.text, 0); ok && m.Weight >= minExpected {
		return true
	}
	if x.form == "equal" {
		return false
	}
	for _, piece := range t.Pieces {
		if piece.Hole == nil && strings.Contains(piece.Text, x.text) {
			return true
		}
	}
	// The expected text may go over values: its ends must fit the template's pieces.
	m, ok := t.MatchIn(x.text, message.Inside)
	return ok && m.Weight >= minExpected
}

// calls reports whether the expecting block calls the function, or constructs its type.
func calls(x *expectation, fn *raise.Function) bool {
	if fn == nil {
		return false
	}
	for _, c := range x.calls {
		if c == fn.Name || fn.Owner != "" && c == link.LastName(fn.Owner) {
			return true
		}
	}
	return false
}
