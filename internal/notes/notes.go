// Package notes reads what people wrote about errors, in Markdown files of a repository's .wherefore/notes folder or of a folder
// beside the catalog, and puts it into pages.
//
// A note begins with front matter that says which errors it is about, and has a section for each part of the page that it writes:
//
//	---
//	template: "no room for {pages} pages, {room} are free"
//	type: PoolError        # optional: the type, the path and the versions must fit too
//	path: pool/**
//	versions: [v1.2, v1.3]
//	extend: true           # adds to what the source says; without it the sections replace that
//	---
//	## What it means
//	## When it happens
//	## Solutions
//	## Check
//	## Handler
//
// Instead of a template a note can name ids (id: 0f4657d11e4039c8, or a list); with a type and a path alone it is about all errors of
// that type below the path.
package notes

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"

	"github.com/wherefore-dev/wherefore/internal/api"
)

// Folder is where a repository keeps its notes, Suffix how their names end.
const (
	Folder = ".wherefore/notes"
	Suffix = ".md"
)

// maxNote bounds the size of a note, in bytes.
const maxNote = 64 << 10

// Note is one note.
type Note struct {
	Path string // of its file
	front
	Summary                        string
	Meaning, Situations, Solutions []api.Sentence
	Check, Handler                 *api.Code
}

// front is the front matter.
type front struct {
	ID       list   `yaml:"id"`
	Template string `yaml:"template"`
	Type     string `yaml:"type"`
	PathIs   string `yaml:"path"`
	Versions list   `yaml:"versions"`
	Extend   bool   `yaml:"extend"`
}

// list is one value or several.
type list []string

// UnmarshalYAML reads one value or a list of them.
func (l *list) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = list{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

// Parse reads a note. It says what is wrong with it and where.
func Parse(file string, source []byte) (*Note, error) {
	if len(source) > maxNote {
		return nil, fmt.Errorf("%s: a note of %d bytes is more than the %d that are read", file, len(source), maxNote)
	}
	head, body, line, err := split(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	n := &Note{Path: file}
	decoder := yaml.NewDecoder(bytes.NewReader(head))
	decoder.KnownFields(true)
	if err := decoder.Decode(&n.front); err != nil {
		return nil, fmt.Errorf("%s: front matter: %w", file, err)
	}
	if len(n.ID) == 0 && n.Template == "" && (n.Type == "" || n.PathIs == "") {
		return nil, fmt.Errorf("%s: the front matter names neither an id nor a template, nor a type with a path", file)
	}
	r := &reader{note: n, source: body, line: line}
	if err := r.read(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return n, nil
}

// split takes the front matter off a note; line is the first line of what follows it.
func split(source []byte) (head, body []byte, line int, err error) {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(source, []byte("---\n"))
	if !ok {
		return nil, nil, 0, errors.New("a note begins with front matter between lines of ---")
	}
	head, body, ok = bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return nil, nil, 0, errors.New("the front matter has no end: a line of ---")
	}
	return head, body, bytes.Count(head, []byte("\n")) + 4, nil
}

// reader reads the sections of one note.
type reader struct {
	note    *Note
	source  []byte
	line    int // of the first line of source, 1-based
	section string
}

// sections are the parts that a note can write, as pages call them.
func sections() []string {
	return []string{"Summary", "What it means", "When it happens", "Solutions", "Check", "Handler"}
}

func (r *reader) read() error {
	doc := goldmark.DefaultParser().Parse(text.NewReader(r.source))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level == 1 {
				continue // a title for who reads the file itself
			}
			title := strings.TrimSpace(string(r.raw(n)))
			if !slices.Contains(sections(), title) {
				return fmt.Errorf("line %d: no section of a page is called %q; there are: %s", r.at(n), title, strings.Join(sections(), ", "))
			}
			r.section = title
			continue
		}
		if r.section == "" {
			if n.Kind() != ast.KindHTMLBlock {
				return fmt.Errorf("line %d: text before the first section", r.at(n))
			}
			continue
		}
		if err := r.block(n); err != nil {
			return err
		}
	}
	n := r.note
	if n.Summary == "" && n.Meaning == nil && n.Situations == nil && n.Solutions == nil && n.Check == nil && n.Handler == nil {
		return errors.New("the note says nothing")
	}
	return nil
}

// block puts a paragraph, a list or a piece of code into the section.
func (r *reader) block(n ast.Node) error {
	code, isCode := n.(*ast.FencedCodeBlock)
	switch r.section {
	case "Check", "Handler":
		if !isCode {
			return fmt.Errorf("line %d: the section %q holds code between fences and nothing else", r.at(n), r.section)
		}
		c := &api.Code{Language: string(code.Language(r.source)), Text: strings.TrimRight(string(r.lines(n)), "\n"), Origin: api.Reviewed}
		if r.section == "Check" {
			r.note.Check = c
		} else {
			r.note.Handler = c
		}
		return nil
	}
	switch n.Kind() {
	case ast.KindParagraph:
		r.say(n)
	case ast.KindList:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			r.say(item)
		}
	default:
		return fmt.Errorf("line %d: a note has paragraphs, lists and code; this is neither", r.at(n))
	}
	return nil
}

// say adds a sentence to the section.
func (r *reader) say(n ast.Node) {
	words := strings.Join(strings.Fields(string(r.raw(n))), " ")
	if words == "" {
		return
	}
	s := api.Sentence{Text: words, Origin: api.Reviewed, Evidence: []api.Evidence{{Kind: "note", Path: r.note.Path, Line: r.at(n)}}}
	switch r.section {
	case "Summary":
		r.note.Summary = strings.TrimSpace(r.note.Summary + " " + words)
	case "What it means":
		r.note.Meaning = append(r.note.Meaning, s)
	case "When it happens":
		r.note.Situations = append(r.note.Situations, s)
	case "Solutions":
		r.note.Solutions = append(r.note.Solutions, s)
	}
}

// raw is the text of a block as it is written, links and emphasis included.
func (r *reader) raw(n ast.Node) []byte {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return r.lines(n)
	}
	var out []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			out = append(append(out, r.raw(c)...), ' ')
		}
	}
	return out
}

func (r *reader) lines(n ast.Node) []byte {
	var out []byte
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		out = append(out, s.Value(r.source)...)
	}
	return out
}

// at is the line of the file that a block begins on.
func (r *reader) at(n ast.Node) int {
	for c := n; c != nil; c = c.FirstChild() {
		if c.Type() == ast.TypeBlock && c.Lines().Len() > 0 {
			return r.line + bytes.Count(r.source[:c.Lines().At(0).Start], []byte("\n"))
		}
	}
	return r.line
}

// About reports whether the note is about an error.
func (n *Note) About(p *api.Page) bool {
	if len(n.ID) > 0 && !slices.Contains(n.ID, p.ID) {
		return false
	}
	if n.Template != "" && n.Template != p.Template {
		return false
	}
	if n.Type != "" && n.Type != p.Type && !strings.HasSuffix(p.Type, "."+n.Type) {
		return false
	}
	if n.PathIs != "" && !slices.ContainsFunc(p.Sites, func(s api.PageSite) bool { return under(n.PathIs, s.Path) }) {
		return false
	}
	return len(n.Versions) == 0 || slices.ContainsFunc(n.Versions, func(v string) bool { return slices.Contains(p.Revisions, v) })
}

// under reports whether a path fits a pattern: that of path.Match, where a "/**" at the end stands for everything below.
func under(pattern, file string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/**"); ok {
		for d := path.Dir(file); d != "." && d != "/"; d = path.Dir(d) {
			if fits, err := path.Match(dir, d); err == nil && fits {
				return true
			}
		}
		return false
	}
	fits, err := path.Match(pattern, file)
	return err == nil && fits
}

// Apply puts what the notes about a page's error say into it.
func Apply(p *api.Page, all []*Note) {
	for _, n := range all {
		if !n.About(p) {
			continue
		}
		p.Provenance.Origin = api.Reviewed
		if n.Summary != "" {
			p.Summary = n.Summary
		}
		p.Meaning = n.over(p.Meaning, n.Meaning)
		p.Situations = n.over(p.Situations, n.Situations)
		p.Solutions = n.over(p.Solutions, n.Solutions)
		if n.Check != nil {
			p.Check = n.Check
		}
		if n.Handler != nil {
			p.Handler = n.Handler
		}
	}
}

// over replaces or extends what a page says.
func (n *Note) over(old, written []api.Sentence) []api.Sentence {
	switch {
	case len(written) == 0:
		return old
	case n.Extend:
		return append(slices.Clone(written), old...)
	}
	return written
}
