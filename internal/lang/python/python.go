// Package python reads Python source, of versions 2 and 3.
package python

import (
	"path"
	"sort"
	"strings"

	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
	"github.com/wherefore-dev/wherefore/internal/syntax"
)

// Language returns the language. It panics if the grammar does not fit the tree-sitter that it is built with, which tests find.
func Language() *lang.Language {
	g, err := syntax.NewGrammar(grammar.Language())
	if err != nil {
		panic(err)
	}
	return &lang.Language{
		Name:         "Python",
		Version:      12,
		Extensions:   []string{".py", ".pyw", ".pyi"},
		Interpreters: []string{"python", "python2", "python3"},
		NewExtractor: func() lang.Extractor { return newExtractor(g).extract },
		Spelling: expr.Spelling{And: " and ", Or: " or ", Not: "not ", Null: "None", True: "True", False: "False", Len: "len(%)",
			In: "% in %", NotIn: "% not in %", Is: "is", IsNot: "is not", Equal: "==", NotEqual: "!=", TypeTest: "isinstance(%, %)",
			Cond: "% if % else %", CondThenFirst: true, Coalesce: " or ", QuoteChar: '\''},
		Rules:        rules(),
		Modules:      modules,
		Imported:     imported,
		Constructors: []string{"__init__", "__new__"},
		Render:       render,
		Bases:        bases,
		Traces:       traces(),
		Environment:  lang.Environment{Calls: []string{"os.getenv", "os.environ.get", "getenv", "environ.get"}, Tables: []string{"os.environ", "environ"}},
		Faults:       faults(),
		CheckCode:    func(condition, call string) string { return "if " + condition + ":\n    " + call },
		HandlerCode: func(typ, call string) string {
			if typ == "" {
				return ""
			}
			return "try:\n    " + call + "\nexcept " + typ + " as e:\n    print(e)"
		},
		Parses: func(code string) bool {
			t, err := syntax.NewParser().Parse(g, []byte(code), syntax.Options{})
			return err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError)
		},
	}
}

// modules names the module that a file is: its dotted path, and every shorter tail of it, since the root of imports can be any
// folder.
func modules(p string, _ *raise.Facts) []string {
	p = strings.TrimSuffix(p, path.Ext(p))
	p = strings.TrimSuffix(p, "/__init__")
	return tails(strings.ReplaceAll(p, "/", "."))
}

func tails(name string) []string {
	var out []string
	for {
		out = append(out, name)
		_, rest, ok := strings.Cut(name, ".")
		if !ok {
			return out
		}
		name = rest
	}
}

// imported names the modules that an import may mean: a relative one counts from the file's package, "from m import n" can name
// the module m.n.
func imported(p string, imp raise.Import) []string {
	name := imp.Module
	if strings.HasPrefix(name, ".") {
		dots := len(name) - len(strings.TrimLeft(name, "."))
		folder := strings.Split(path.Dir(p), "/")
		if up := dots - 1; up > 0 {
			folder = folder[:max(0, len(folder)-up)]
		}
		name = strings.Trim(strings.Join(folder, ".")+"."+name[dots:], ".")
	}
	return []string{name}
}

// extractor reads one file at a time.
type extractor struct {
	grammar *syntax.Grammar
	parser  *syntax.Parser
	tree    *syntax.Tree
	src     string
	facts   *raise.Facts
	// raisers are the functions of the file that may raise or make what they are given, by name.
	raisers      map[string]bool
	errorClasses map[string]bool // classes of the file that are errors
	errorMethods []string        // methods of the file called "error", with their classes
	f            fields
	whole        bool          // skims nothing; for tests
	calm         syntax.Parser // of texts that the parser stumbles on
	compact      []byte        // what is parsed of a file, reused
	skimmed      *skimmer
	elided       map[int]*region // where the functions begin whose bodies were left out
	lines        []uint32        // offsets of the lines' starts
}

// fields are the grammar's fields that are used.
type fields struct {
	left, right, operator, operators, object, attribute, function, arguments, name, value, body, condition, consequence, alternative,
	cause, superclasses, parameters, definition, typ, expression, spec, conversion, subject, guard, moduleName, subscript, argument,
	alias, key syntax.Field
}

func newExtractor(g *syntax.Grammar) *extractor {
	x := &extractor{grammar: g, parser: syntax.NewParser()}
	x.f = fields{left: g.Field("left"), right: g.Field("right"), operator: g.Field("operator"), operators: g.Field("operators"),
		object: g.Field("object"), attribute: g.Field("attribute"), function: g.Field("function"), arguments: g.Field("arguments"),
		name: g.Field("name"), value: g.Field("value"), body: g.Field("body"), condition: g.Field("condition"),
		consequence: g.Field("consequence"), alternative: g.Field("alternative"), cause: g.Field("cause"),
		superclasses: g.Field("superclasses"), parameters: g.Field("parameters"), definition: g.Field("definition"),
		typ: g.Field("type"), expression: g.Field("expression"), spec: g.Field("format_specifier"),
		conversion: g.Field("type_conversion"), subject: g.Field("subject"), guard: g.Field("guard"),
		moduleName: g.Field("module_name"), subscript: g.Field("subscript"), argument: g.Field("argument"), alias: g.Field("alias"),
		key: g.Field("key")}
	return x
}

func (x *extractor) extract(src []byte, o lang.Options) *raise.Facts {
	x.src, x.facts = string(src), &raise.Facts{Language: "Python"}
	x.raisers, x.errorClasses, x.errorMethods = map[string]bool{}, map[string]bool{}, nil
	x.indexLines()
	t, err := x.parse(src, o)
	if err != nil {
		x.problem(1, err.Error())
	}
	if t == nil || len(t.Nodes) == 0 {
		return x.facts
	}
	x.tree = t
	if t.Is(0, syntax.HasError) {
		x.errors()
	}
	x.module()
	x.handlers(x.skimmed)
	return x.facts
}

// parse parses what can hold sites, and the whole file where it cannot be told.
func (x *extractor) parse(src []byte, o lang.Options) (*syntax.Tree, error) {
	options := syntax.Options{Timeout: o.Timeout, MaxNodes: o.MaxNodes}
	x.elided = nil
	if x.skimmed = skim(x.src); x.skimmed != nil {
		x.skimmed.settle()
	}
	if s := x.skim(); s != nil {
		var p parts
		if x.compact, p = s.join(x.compact[:0]); p != nil {
			t, err := x.parser.Parse(x.grammar, x.compact, options)
			if err == nil && len(t.Nodes) > 0 && !t.Is(0, syntax.HasError) {
				p.spread(t.Nodes)
				x.elided = s.bodies()
				return t, nil
			}
		}
	}
	t, err := x.parser.Parse(x.grammar, src, options)
	if err == nil && len(t.Nodes) > 0 && t.Is(0, syntax.HasError) {
		// The grammar loses count of blocks at some lines in brackets that stand further left than their statement.
		if calm := calmed(x.src); calm != nil {
			if other, err := x.calm.Parse(x.grammar, calm, options); err == nil && len(other.Nodes) > 0 && !other.Is(0, syntax.HasError) {
				return other, nil
			}
		}
	}
	return t, err
}

func (x *extractor) skim() *skimmer {
	if x.whole {
		return nil
	}
	return x.skimmed
}

func (x *extractor) indexLines() {
	x.lines = append(x.lines[:0], 0)
	for at := 0; ; {
		i := strings.IndexByte(x.src[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		x.lines = append(x.lines, uint32(at))
	}
}

// lineAt is the 1-based line of an offset.
func (x *extractor) lineAt(offset int) int {
	return sort.Search(len(x.lines), func(i int) bool { return int(x.lines[i]) > offset })
}

func (x *extractor) problem(line int, reason string) {
	x.facts.Problems = append(x.facts.Problems, raise.Problem{Line: line, Reason: reason})
}

// errors notes the first place that did not parse.
func (x *extractor) errors() {
	for i := range x.tree.Nodes {
		if x.tree.Nodes[i].Flags&(syntax.Error|syntax.Missing) != 0 {
			x.problem(x.line(i), "syntax error")
			return
		}
	}
}

func (x *extractor) text(i int) string {
	if i < 0 {
		return ""
	}
	n := &x.tree.Nodes[i]
	return x.src[n.Start:n.End]
}

func (x *extractor) name(i int) string {
	if i < 0 {
		return ""
	}
	return x.tree.Name(i)
}

func (x *extractor) line(i int) int { return x.lineAt(int(x.tree.Nodes[i].Start)) }

// endLine is the line of the last byte of a node.
func (x *extractor) endLine(i int) int {
	n := &x.tree.Nodes[i]
	return x.lineAt(max(int(n.Start), int(n.End)-1))
}

// child is the child in a field, or syntax.None; it takes None for a node.
func (x *extractor) child(i int, f syntax.Field) int {
	if i < 0 {
		return syntax.None
	}
	return x.tree.Child(i, f)
}

// named lists the named children of a node.
func (x *extractor) named(i int) []int {
	var out []int
	if i < 0 {
		return nil
	}
	for c := range x.tree.NamedChildren(i) {
		out = append(out, c)
	}
	return out
}
