package ecmascript

import (
	"path"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// endings are the file name endings that an import may leave out or spell for another one (TypeScript imports "./x.js" for x.ts).
func endings() []string {
	return []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx"}
}

// stem is a path without the ending of a script; declarations (.d.ts) keep their ".d", so that they never hide what they declare.
func stem(p string) string {
	if ext := path.Ext(p); slices.Contains(endings(), strings.ToLower(ext)) {
		return strings.TrimSuffix(p, ext)
	}
	return p
}

// Module names are spelled so that the ways to import a file do not mix:
//
//	a/b      the file a/b.js from the root
//	a/b/     the folder's index file
//	~/a/b    the file below a source folder (lib, src, app), as path aliases and runtimes' own modules name it
//	pkg:b    the entry of the package in the folder b, or with a path behind it a file of that package

// modules names the modules that the file at p is.
func modules(p string, _ *raise.Facts) []string {
	name := stem(p)
	out := []string{name}
	dir, base := path.Split(name)
	if base == "index" {
		out = append(out, dir)
	}
	parts := strings.Split(name, "/")
	for i, folder := range parts[:len(parts)-1] {
		if !sourceFolder(folder) {
			continue
		}
		below := strings.Join(parts[i+1:], "/")
		out = append(out, "~/"+below)
		if base == "index" {
			out = append(out, "~/"+strings.TrimSuffix(below, "index"))
		}
		if i > 0 {
			out = append(out, packaged(parts[i-1], below)...)
		}
		return out
	}
	for i := len(parts) - 2; i >= max(0, len(parts)-4); i-- {
		out = append(out, packaged(parts[i], strings.Join(parts[i+1:], "/"))...)
	}
	return out
}

// packaged names the file at a path inside the package in a folder.
func packaged(folder, below string) []string {
	if below == "index" || below == "main" || below == folder {
		return []string{"pkg:" + folder, "pkg:" + folder + "/" + below}
	}
	return []string{"pkg:" + folder + "/" + strings.TrimSuffix(below, "/index")}
}

// sourceFolder reports whether a folder usually holds a package's sources.
func sourceFolder(name string) bool {
	switch name {
	case "src", "lib", "app", "source", "sources":
		return true
	}
	return false
}

// imported names the modules that an import of the file at p may mean, best first.
func imported(p string, imp raise.Import) []string {
	m := strings.TrimPrefix(imp.Module, "node:")
	if m == "" {
		return nil
	}
	if i := strings.IndexByte(m, '?'); i > 0 {
		m = m[:i]
	}
	if strings.HasPrefix(m, "./") || strings.HasPrefix(m, "../") || m == "." || m == ".." {
		return fileOrIndex(path.Join(path.Dir(p), m), strings.HasSuffix(m, "/") || m == "." || m == "..")
	}
	var out []string
	if strings.HasPrefix(m, "/") {
		return fileOrIndex(strings.TrimPrefix(m, "/"), false)
	}
	for _, alias := range []string{"@/", "~/", "#/", "$/", "#"} {
		if below, ok := strings.CutPrefix(m, alias); ok {
			return append(belowSource(below), fileOrIndex(below, false)...)
		}
	}
	if first, below, ok := strings.Cut(m, "/"); ok && sourceFolder(first) {
		return append(fileOrIndex(m, false), belowSource(below)...)
	}
	if strings.HasPrefix(m, "@") {
		if _, name, ok := strings.Cut(m, "/"); ok {
			return packageNames(stem(name))
		}
		return nil
	}
	out = append(out, packageNames(stem(m))...)
	if strings.Contains(m, "/") {
		out = append(out, belowSource(m)...)
	}
	return out
}

// fileOrIndex names a file, or the index of the folder of that name.
func fileOrIndex(p string, folder bool) []string {
	if p == "." || p == "" {
		return []string{"/", "index"}
	}
	if folder {
		return []string{p + "/"}
	}
	out := []string{stem(p), p + "/"}
	if stem(p) != p {
		out = append(out, p)
	}
	return out
}

// belowSource names what stands at a path below a source folder.
func belowSource(p string) []string {
	return []string{"~/" + stem(p), "~/" + p + "/"}
}

// packageNames names a package's entry, or a file in it.
func packageNames(m string) []string {
	name, below, ok := strings.Cut(m, "/")
	if !ok {
		return []string{"pkg:" + name}
	}
	for _, folder := range []string{"src/", "lib/", "dist/", "build/"} {
		below = strings.TrimPrefix(below, folder)
	}
	return []string{"pkg:" + name + "/" + below}
}
