package ecmascript

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// defaultName is the name under which importers know what a module exports as a whole.
const defaultName = "default"

func (f *file) addImport(local, module, symbol string, n int) {
	f.facts.Imports = append(f.facts.Imports, raise.Import{Local: local, Module: module, Symbol: symbol, Line: f.line(n)})
}

// importStatement reads import … from "m".
func (f *file) importStatement(n int) {
	t := &f.tree
	if require := t.child(n, kImportRequire); require >= 0 {
		// import x = require("m")
		if source := t.child(require, kString); source >= 0 {
			f.wholeModule(t.text(t.first(require)), f.stringText(source), n)
		}
		return
	}
	source := t.child(n, kString)
	if source < 0 {
		return
	}
	module := f.stringText(source)
	clause := t.child(n, kImportClause)
	if clause < 0 {
		f.addImport("", module, "", n)
		return
	}
	for c := t.first(clause); c >= 0; c = t.next(c, clause) {
		switch t.kind(c) {
		case kIdentifier:
			f.addImport(t.text(c), module, defaultName, n)
		case kNamespaceImport:
			f.addImport(t.text(t.first(c)), module, "", n)
		case kNamedImports:
			f.specifiers(c, module)
		}
	}
}

// specifiers reads { a, b as c }.
func (f *file) specifiers(list int, module string) {
	t := &f.tree
	for c := t.first(list); c >= 0; c = t.next(c, list) {
		if k := t.kind(c); k != kImportSpecifier && k != kExportSpecifier {
			continue
		}
		name, alias := t.first(c), t.last(c)
		if name >= 0 {
			f.addImport(f.specifier(alias), module, f.specifier(name), c)
		}
	}
}

// specifier is a name in a list of imports or exports, which may be a string.
func (f *file) specifier(n int) string {
	if f.tree.kind(n) == kString {
		return f.stringText(n)
	}
	return f.tree.text(n)
}

// wholeModule keeps a name for what a module exports as a whole: an object of its names, or one value.
func (f *file) wholeModule(local, module string, n int) {
	f.addImport(local, module, "", n)
	f.addImport(local, module, defaultName, n)
}

// importAlias reads import a = b.c.
func (f *file) importAlias(n int) {
	if name, target := f.tree.first(n), f.tree.last(n); name >= 0 && target != name {
		f.alias(f.tree.text(name), target)
	}
}

// exportStatement reads the names that a module exports without declaring them there.
func (f *file) exportStatement(n int) {
	t := &f.tree
	clause, source := t.child(n, kExportClause), t.child(n, kString)
	switch {
	case source >= 0 && clause >= 0:
		f.specifiers(clause, f.stringText(source))
	case source >= 0:
		if ns := t.child(n, kNamespaceExport); ns >= 0 {
			name := defaultName // the word is no node of its own
			if t.first(ns) >= 0 {
				name = f.specifier(t.first(ns))
			}
			f.addImport(name, f.stringText(source), "", n)
		} else {
			f.addImport("*", f.stringText(source), "*", n)
		}
	case clause >= 0:
		for c := t.first(clause); c >= 0; c = t.next(c, clause) {
			name, alias := t.first(c), t.last(c)
			if t.kind(c) != kExportSpecifier || name < 0 {
				continue
			}
			f.exports[t.text(name)] = true
			if alias != name {
				f.alias(f.specifier(alias), name)
			}
		}
	default:
		f.exportDefault(n)
	}
}

// exportDefault keeps what the module exports as a whole where it has a name of its own.
func (f *file) exportDefault(n int) {
	t := &f.tree
	value := t.last(n)
	if value < 0 {
		return
	}
	if head := f.src[t.start(n):t.start(value)]; !strings.Contains(head, "default") && !strings.HasSuffix(strings.TrimSpace(head), "=") {
		return
	}
	switch k := t.kind(value); {
	case k == kIdentifier, k == kMember:
		f.alias(defaultName, value)
	case k.isClass(), k == kFunctionDeclaration, k == kGeneratorDeclaration:
		if name := t.child(value, kIdentifier, kTypeIdentifier); name >= 0 {
			f.alias(defaultName, name)
		}
	case k == kObject:
		f.exportObject(value)
	}
}

// exportObject keeps the entries of an object that the module exports: { a, b: c, d: "text" }.
func (f *file) exportObject(n int) {
	t := &f.tree
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		switch t.kind(c) {
		case kShorthand:
			f.exports[t.text(c)] = true
		case kPair:
			name, ok := f.key(t.first(c))
			if !ok {
				continue
			}
			if value := t.last(c); t.kind(value) == kIdentifier || t.kind(value) == kMember {
				if path := f.path(value); path != name {
					f.alias(name, value)
				}
				f.exports[t.text(value)] = true
			} else if !f.declaration(value, name) {
				f.constant(name, value)
			}
		case kSpread:
			// ...require("./errors"): everything of another module.
			if module := f.required(t.first(c)); module != "" {
				f.addImport("*", module, "*", c)
			}
		}
	}
}

// alias keeps another name for something: a value that is only a name.
func (f *file) alias(name string, target int) {
	path := f.path(target)
	if path == "" || path == name {
		return
	}
	v := raise.Value{Name: name, Value: pathExpr(exportless(path)), Line: f.line(target), Site: -1}
	if last := len(f.facts.Values) - 1; last >= 0 && f.facts.Values[last].Name == name && expr.Equal(f.facts.Values[last].Value, v.Value) {
		return // exports = module.exports = x
	}
	f.facts.Values = append(f.facts.Values, v)
}

// pathExpr is the expression that a dotted path names.
func pathExpr(path string) *expr.Expr {
	head, rest, _ := strings.Cut(path, ".")
	e := expr.Ident(head)
	for rest != "" {
		head, rest, _ = strings.Cut(rest, ".")
		e = expr.New(expr.Attr, head, e)
	}
	return e
}

// required is the module that an expression loads: require("m"), await import("m").
func (f *file) required(n int) string {
	t := &f.tree
	for n >= 0 && (t.kind(n) == kAwait || t.kind(n) == kParenthesized || t.kind(n) == kAs || t.kind(n) == kNonNull) {
		n = t.first(n)
	}
	if n < 0 || t.kind(n) != kCall {
		return ""
	}
	callee, args := f.callParts(n)
	if name := t.text(callee); name != "require" && name != "import" && name != "__require" && name != "requireInternal" {
		return ""
	}
	if source := t.first(args); source >= 0 && isText(t.kind(source)) {
		return f.stringText(source)
	}
	return ""
}

// loaded reads an initialiser that loads a module, or a member of one: the module and the member's path.
func (f *file) loaded(n int) (module, symbol string) {
	t := &f.tree
	for range 10 {
		if module = f.required(n); module != "" {
			return module, symbol
		}
		switch {
		case n >= 0 && t.kind(n) == kMember:
			symbol = strings.Trim(t.text(t.last(n))+"."+symbol, ".")
			n = t.first(n)
		case n >= 0 && t.kind(n) == kIdentifier:
			return f.imports(t.text(n), symbol)
		default:
			return "", ""
		}
	}
	return "", ""
}

// imports says what a member of an imported name is.
func (f *file) imports(local, symbol string) (module, path string) {
	for i := range f.facts.Imports {
		imp := &f.facts.Imports[i]
		if imp.Local != local || imp.Symbol == defaultName && symbol != "" && i > 0 && f.facts.Imports[i-1].Local == local {
			continue
		}
		return imp.Module, strings.Trim(imp.Symbol+"."+symbol, ".")
	}
	return "", ""
}

// importPattern reads the names that a pattern takes out of a module: { a, b: c, d: { e } }.
func (f *file) importPattern(n int, module, symbol string) {
	t := &f.tree
	for c := t.first(n); c >= 0; c = t.next(c, n) {
		switch t.kind(c) {
		case kShorthandPattern:
			f.addImport(t.text(c), module, strings.Trim(symbol+"."+t.text(c), "."), c)
		case kObjectAssignmentPattern:
			if name := t.first(c); name >= 0 {
				f.addImport(t.text(name), module, strings.Trim(symbol+"."+t.text(name), "."), c)
			}
		case kRest:
			// ...rest is the module without the names before it.
			if name := t.first(c); name >= 0 && t.kind(name) == kIdentifier {
				f.addImport(t.text(name), module, symbol, c)
			}
		case kPairPattern:
			key, ok := f.key(t.first(c))
			if !ok {
				continue
			}
			path := strings.Trim(symbol+"."+key, ".")
			switch value := t.last(c); t.kind(value) {
			case kIdentifier:
				f.addImport(t.text(value), module, path, c)
			case kObjectPattern:
				f.importPattern(value, module, path)
			}
		}
	}
}
