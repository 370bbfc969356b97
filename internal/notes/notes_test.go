package notes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wherefore-dev/wherefore/internal/api"
)

const sound = `---
template: "no room for {pages} pages"
type: PoolError
path: pool/**
versions: [v1, v2]
---
# A title for who reads the file

## Summary
The pool is full.

## What it means
The pool asked for pages
that ` + "`take`" + ` could not find.

## Solutions
1. Raise ` + "`--pages`" + `.
2. Give back what
   is not used.

## Check
` + "```go\nif free < want {\n\treturn\n}\n```\n"

func page() *api.Page {
	return &api.Page{ID: "00000000000000aa", Type: "PoolError", Template: "no room for {pages} pages", Revisions: []string{"v2"},
		Sites:   []api.PageSite{{Site: api.Site{Path: "pool/sub/take.go"}}},
		Meaning: []api.Sentence{{Text: "from the source", Origin: api.FromSource}}}
}

func TestApply(t *testing.T) {
	n, err := Parse(".wherefore/notes/pool.md", []byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	p := page()
	Apply(p, []*Note{n})
	want := page()
	note := func(text string, line int) api.Sentence {
		return api.Sentence{Text: text, Origin: api.Reviewed, Evidence: []api.Evidence{{Kind: "note", Path: ".wherefore/notes/pool.md", Line: line}}}
	}
	want.Provenance.Origin = api.Reviewed
	want.Summary = "The pool is full."
	want.Meaning = []api.Sentence{note("The pool asked for pages that `take` could not find.", 13)}
	want.Solutions = []api.Sentence{note("Raise `--pages`.", 17), note("Give back what is not used.", 18)}
	want.Check = &api.Code{Language: "go", Text: "if free < want {\n\treturn\n}", Origin: api.Reviewed}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	n.Extend = true
	p = page()
	if Apply(p, []*Note{n}); len(p.Meaning) != 2 || p.Meaning[1].Origin != api.FromSource {
		t.Errorf("extended: %+v", p.Meaning)
	}
}

// A note is about an error only if all that its front matter says fits.
func TestAbout(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*api.Page)
		about  bool
	}{
		"all fits":         {func(*api.Page) {}, true},
		"another template": {func(p *api.Page) { p.Template = "no room" }, false},
		"another type":     {func(p *api.Page) { p.Type = "OtherError" }, false},
		"a qualified type": {func(p *api.Page) { p.Type = "pool.PoolError" }, true},
		"another path":     {func(p *api.Page) { p.Sites[0].Path = "spool/take.go" }, false},
		"another version":  {func(p *api.Page) { p.Revisions = []string{"v3"} }, false},
	} {
		n, err := Parse("n.md", []byte(sound))
		if err != nil {
			t.Fatal(err)
		}
		p := page()
		c.change(p)
		if n.About(p) != c.about {
			t.Errorf("%s: about is %v", what, !c.about)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"## Solutions\nnone":                                 "begins with front matter",
		"---\nid: a\n## Solutions":                           "has no end",
		"---\ntype: X\n---\n## Solutions\nx":                 "neither an id nor a template, nor a type",
		"---\nid: a\ncolour: red\n---\n## Solutions\nx":      "colour",
		"---\nid: a\n---\n\n## Causes\nx":                    "line 5: no section of a page is called \"Causes\"",
		"---\nid: a\n---\nfirst\n":                           "line 4: text before the first section",
		"---\nid: a\n---\n## Check\nprose\n":                 "line 5: the section \"Check\" holds code",
		"---\nid: a\n---\n## Solutions\n> quoted\n":          "this is neither",
		"---\nid: a\n---\n":                                  "says nothing",
		"---\nid: [a\n---\n## Solutions\nx":                  "front matter",
		"---\nid: a\n---\n" + strings.Repeat("long ", 20000): "is more than",
	} {
		if _, err := Parse("n.md", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func TestLint(t *testing.T) {
	parse := func(path, text string) *Note {
		n, err := Parse(path, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	known := []api.Error{{ID: "aa", Template: "one"}, {ID: "bb", Template: "two"}}
	got := Lint([]*Note{
		parse("one.md", "---\ntemplate: one\n---\n## Solutions\nx"),
		parse("again.md", "---\nid: aa\n---\n## Solutions\nx"),
		parse("dead.md", "---\ntemplate: three\ntype: T\n---\n## Solutions\nx"),
		parse("ids.md", "---\nid: [bb, cc]\n---\n## Check\n```go\nif {\n```"),
	}, known, func(_, code string) bool { return !strings.Contains(code, "if {") })
	want := []Finding{
		{"again.md", "writes the page of aa, which one.md writes too"},
		{"dead.md", `no error prints "three" with the type T`},
		{"ids.md", "no error has the id cc"},
		{"ids.md", "code is not well-formed: if {"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := Parse("n.md", text); err == nil {
			Apply(page(), []*Note{n})
			Lint([]*Note{n}, []api.Error{{ID: "aa"}}, nil)
		}
	})
}
