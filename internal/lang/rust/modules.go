package rust

import (
	"path"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/lang/lower"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// crate splits a path into the folder of its crate, which holds src, and the module that the file is in it, with dots.
func crate(p string) (folder, module string) {
	p = "/" + strings.TrimSuffix(p, ".rs")
	at, skip := strings.LastIndex(p, "/src/"), len("/src/")
	for _, root := range []string{"/tests/", "/examples/", "/benches/"} {
		if i := strings.LastIndex(p, root); i > at {
			// Each file below these is a crate of its own.
			at, skip = i+len(root)-1, 1
		}
	}
	if at < 0 {
		at, skip = strings.LastIndexByte(p, '/'), 1
	}
	folder, module = strings.TrimPrefix(p[:at], "/"), p[at+skip:]
	for _, root := range []string{"lib", "main", "mod"} {
		if module == root {
			return folder, ""
		}
	}
	return folder, strings.ReplaceAll(strings.TrimSuffix(module, "/mod"), "/", ".")
}

// modules names what a file is: a module of its crate by the crate's folder, and by the folder's last name, which is mostly that of
// the crate.
func modules(p string, _ *raise.Facts) []string {
	folder, module := crate(p)
	name := strings.ReplaceAll(path.Base("/"+folder), "-", "_")
	return []string{folder + "|" + module, strings.Trim(name+"."+module, ".")}
}

// imported names the modules that a use may mean.
func imported(p string, imp raise.Import) []string {
	folder, own := crate(p)
	head, rest, _ := strings.Cut(imp.Module, ".")
	join := func(a, b string) string { return strings.Trim(a+"."+b, ".") }
	switch head {
	case "crate":
		return []string{folder + "|" + rest}
	case "self":
		return []string{folder + "|" + join(own, rest)}
	case "super":
		up := own[:max(strings.LastIndexByte(own, '.'), 0)]
		for strings.HasPrefix(rest, "super") {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, "super"), ".")
			up = up[:max(strings.LastIndexByte(up, '.'), 0)]
		}
		// In a module within the file, what is above is the file itself.
		return []string{folder + "|" + join(up, rest), folder + "|" + join(own, rest)}
	}
	return []string{folder + "|" + join(own, imp.Module), folder + "|" + imp.Module, imp.Module}
}

// uses keeps the names that a use declaration brings in; module is the path before them.
func uses(f *lower.File, n int, module string) {
	join := func(p string) string {
		return strings.Trim(module+"."+strings.ReplaceAll(strings.TrimPrefix(p, "::"), "::", "."), ".")
	}
	switch f.Kind(n) {
	case "use_list":
		for _, c := range f.Named(n) {
			uses(f, c, module)
		}
	case "scoped_use_list":
		uses(f, f.Field(n, "list"), join(f.Text(f.Field(n, "path"))))
	case "use_wildcard":
		if p := f.First(n); p >= 0 {
			module = join(f.Text(p))
		}
		use(f, "*", module, f.Line(n))
	case "use_as_clause":
		use(f, f.Text(f.Field(n, "alias")), join(f.Text(f.Field(n, "path"))), f.Line(n))
	case "self":
		use(f, last(module), module, f.Line(n))
	case "identifier", "scoped_identifier", "crate", "super":
		use(f, last(join(f.Text(n))), join(f.Text(n)), f.Line(n))
	}
}

// use keeps one imported name. Whether a name written small is a module or a function is not known: both are kept.
func use(f *lower.File, local, name string, line int) {
	if local == "*" {
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "*", Module: name, Line: line})
		return
	}
	module, symbol := "self", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		module, symbol = name[:i], name[i+1:]
	}
	f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: module, Symbol: symbol, Line: line})
	if symbol != "" && symbol[0] >= 'a' && symbol[0] <= 'z' {
		f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: local, Module: name, Line: line})
	}
}

// roots makes the paths that begin with crate or super resolve, which need no use.
func roots(f *lower.File) {
	f.Facts.Imports = append(f.Facts.Imports, raise.Import{Local: "crate", Module: "crate", Line: 1}, raise.Import{Local: parentModule, Module: "super", Line: 1})
}

// parentModule stands for super at the head of a path, which means the base of a type elsewhere.
const parentModule = "<super>"

func last(p string) string { return p[strings.LastIndexByte(p, '.')+1:] }
