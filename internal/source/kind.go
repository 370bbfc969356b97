package source

import (
	"bytes"
	"path"
	"strings"
)

// Kind is what a file is for.
type Kind string

// The kinds. What is not product is indexed as what it is, and ranked last.
const (
	Product   Kind = "product"
	Test      Kind = "test"
	Example   Kind = "example"
	Generated Kind = "generated"
	Vendored  Kind = "vendored"
	Minified  Kind = "minified"
)

// The rules below are our own. go-enry has such rules too, and tests compare with it, but linking it costs every command the 40 to
// 60 ms and 16 MB in which it compiles its expressions at the start: as much as a whole find may take. And some of its rules are made
// for counting the languages of a repository, where a file too much does not matter: for it whatever lies in a folder called cache,
// dist or env is somebody else's code.

// kindOf says what a file is for, by its path alone: the kind belongs to the path, facts to the content.
func kindOf(name string) Kind {
	dir, base := path.Split(name)
	kind := fileKind(strings.ToLower(base), base)
	top, built := true, false
	for segment := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		segment = strings.ToLower(segment)
		kind = Stronger(kind, folderKind(segment))
		if top {
			kind = Stronger(kind, topKind(segment))
		}
		built = built || segment == "dist" || segment == "bundle" || segment == "bundles"
		top = false
	}
	if built && isScript(base) {
		kind = Stronger(kind, Generated)
	}
	return kind
}

// Stronger is the kind that counts of two: somebody else's test is somebody else's, the examples of a test are the test's. A kind that
// is not among those above counts for nothing.
func Stronger(a, b Kind) Kind {
	for _, k := range [...]Kind{Vendored, Minified, Test, Generated, Example} {
		if a == k || b == k {
			return k
		}
	}
	return Product
}

// folderKind is the kind of what is in a folder with this lower-case name, at any depth. A folder called testing holds tests in some
// projects and a library for testing in more: it is product, and the names of the files in it tell the tests.
func folderKind(name string) Kind {
	switch name {
	case "node_modules", "bower_components", "jspm_packages", "site-packages", "dist-packages", ".venv", "venv", "virtualenv", ".tox", ".nox",
		".yarn", "vendor", "vendors", "vendored", "_vendor", "_vendored", "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party",
		"3rd-party", "godeps", "extern", "externals":
		return Vendored
	case "test", "tests", "__tests__", "__mocks__", "__snapshots__", "__fixtures__", "testdata", "test_data", "testcases", "fixtures", "e2e",
		"unittests", "testsuite", "testsuites":
		return Test
	case "__generated__", "generated", "generated-sources":
		return Generated
	case "example", "examples", "_examples", "samples", "demo", "demos", "tutorial", "tutorials", "cookbook":
		return Example
	}
	for _, ending := range [...]string{"_test", "_tests", "-test", "-tests"} {
		if strings.HasSuffix(name, ending) {
			return Test
		}
	}
	return Product
}

// topKind is the kind of what is in a folder at the top with this lower-case name. Deeper, these are names of parts of a product, such
// as a package doc that reads documentation.
func topKind(name string) Kind {
	switch name {
	case "doc", "docs", "documentation", "sample", "bench", "benches", "benchmark", "benchmarks":
		return Example
	case "spec", "specs":
		return Test
	case "deps", "dependencies":
		return Vendored
	}
	return Product
}

// fileKind is the kind that a file's name tells, given in lower case and as it is.
func fileKind(name, exact string) Kind {
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch {
	case isScript(name) && (strings.HasSuffix(stem, ".min") || strings.HasSuffix(stem, "-min")):
		return Minified
	case isTestName(stem) || isCamelTest(strings.TrimSuffix(exact, path.Ext(exact))):
		return Test
	case strings.HasPrefix(name, "zz_generated"):
		return Generated
	case strings.HasSuffix(stem, ".stories"):
		return Example
	}
	for _, ending := range [...]string{".pb", ".pb.gw", "_pb", "_pb2", "_pb2_grpc", "_generated", ".generated", ".gen", ".g", ".designer"} {
		if strings.HasSuffix(stem, ending) {
			return Generated
		}
	}
	return Product
}

// isTestName reports whether a name without its ending, in lower case, is that of a test.
func isTestName(stem string) bool {
	switch stem {
	case "test", "tests", "conftest", "spec_helper", "test_helper", "rails_helper":
		return true
	}
	if strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "test-") {
		return true
	}
	at := strings.LastIndexAny(stem, "._-")
	switch stem[at+1:] {
	case "test", "tests", "spec", "specs", "e2e", "cy":
		return at > 0
	case "d": // name.test-d.ts and the like
		return strings.HasSuffix(stem, ".test-d")
	}
	return false
}

// isCamelTest reports whether a name ends in a word that says test: ParserTest, ParserTests, ParserSpec, but not Contest.
func isCamelTest(stem string) bool {
	for _, word := range [...]string{"Test", "Tests", "TestCase", "Spec", "Specs"} {
		if before, ok := strings.CutSuffix(stem, word); ok && before != "" {
			return true
		}
	}
	return false
}

// isScript reports whether a file is of the kind that is shipped packed and bundled.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".css":
		return true
	}
	return false
}

// What of a file tells that a program wrote it: its first lines, and lines that nobody writes.
const (
	headLines   = 40
	headBytes   = 8 << 10
	packedBytes = 2 << 10 // a shorter file is one long line at most
	packedLine  = 300     // bytes in the mean; hand-written code has 20 to 45, and files of tables up to 120
)

// ContentKind is the kind that the content of a file tells, and kind where it tells none or kind is a stronger one: Generated if one of
// its first lines says so in a comment, Minified if its lines are longer than people write. It depends on the text alone, so that
// what it says can be kept with the facts of the content; List does not read contents for it.
func ContentKind(kind Kind, text []byte) Kind {
	switch {
	case saysGenerated(text):
		return Stronger(kind, Generated)
	case len(text) > packedBytes && len(text)/(1+bytes.Count(text, []byte("\n"))) > packedLine:
		return Stronger(kind, Minified)
	}
	return kind
}

// saysGenerated reports whether a comment among the first lines says that a program wrote the text.
func saysGenerated(text []byte) bool {
	head := text[:min(len(text), headBytes)]
	if !bytes.Contains(bytes.ToLower(head), []byte("generated")) {
		return false
	}
	for range headLines {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		if lineSaysGenerated(strings.ToLower(string(line))) {
			return true
		}
		if !more {
			break
		}
		head = rest
	}
	return false
}

// lineSaysGenerated judges one line in lower case. Prose that mentions generated things is not enough: "raised for events generated
// by the user" is not about the file.
func lineSaysGenerated(line string) bool {
	text := strings.TrimLeft(line, " \t")
	said := strings.TrimLeft(text, "#/*-;%<!\"' \t")
	if said == text || !strings.Contains(said, "generated") {
		return false // not a comment, or of something else
	}
	for _, phrase := range [...]string{"do not edit", "don't edit", "do not modify", "@generated", "do not change"} {
		if strings.Contains(said, phrase) {
			return true
		}
	}
	for _, start := range [...]string{"generated by ", "generated from ", "auto-generated", "autogenerated", "auto generated ", "automatically generated ",
		"code generated ", "file generated "} {
		if strings.HasPrefix(said, start) {
			return true
		}
	}
	for _, subject := range [...]string{"this file", "this code", "this module", "this source"} {
		for _, verb := range [...]string{" is ", " was ", " has been "} {
			rest, ok := strings.CutPrefix(said, subject+verb)
			if !ok {
				continue
			}
			for _, how := range [...]string{"generated", "auto-generated", "autogenerated", "automatically generated", "automatically created"} {
				if strings.HasPrefix(rest, how) {
					return true
				}
			}
		}
	}
	return false
}
