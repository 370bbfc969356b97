package link_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/all"
	"github.com/wherefore-dev/wherefore/internal/link"
)

// linked extracts and links files: path, source, path, source.
func linked(t *testing.T, repo string, files ...string) *link.Revision {
	t.Helper()
	languages := all.Languages()
	var in []link.File
	for pair := range slices.Chunk(files, 2) {
		at := slices.IndexFunc(languages, func(l *lang.Language) bool {
			return slices.ContainsFunc(l.Extensions, func(e string) bool { return strings.HasSuffix(pair[0], e) })
		})
		if at < 0 {
			t.Fatalf("%s is in no language", pair[0])
		}
		facts := languages[at].NewExtractor()([]byte(pair[1]), lang.Options{})
		facts.Language = languages[at].Name
		in = append(in, link.File{Path: pair[0], Facts: facts})
	}
	return link.Link(repo, languages, in)
}

// ids maps each type with its template to the ids that sites with it have; "!" and the reason stand for a text that is not known.
func ids(r *link.Revision) map[string][]string {
	out := map[string][]string{}
	for _, sites := range r.Sites {
		for _, s := range sites {
			for _, v := range s.Variants {
				key := v.Type + ": " + strings.ReplaceAll(v.Template.Key(), "\x00", "{}")
				if v.Unknown != "" {
					key += "!" + v.Unknown
				}
				out[key] = append(out[key], v.ID)
			}
		}
	}
	return out
}

// one is the id of the only error of a revision.
func one(t *testing.T, r *link.Revision) string {
	t.Helper()
	all := ids(r)
	for _, found := range all {
		if len(all) == 1 && len(slices.Compact(slices.Sorted(slices.Values(found)))) == 1 {
			return found[0]
		}
	}
	t.Fatalf("not one error: %v", all)
	return ""
}

// The same error as it may look some releases later. An id survives what is not its own: lines, names of variables and functions, the
// path, and how the language puts the text together.
func TestIDStays(t *testing.T) {
	for name, c := range map[string]struct {
		path, source string
		same, other  map[string][2]string // by what was done: path and source
	}{
		"Python": {"a/b.py", "def get(key, size):\n    if size > 8:\n        raise ValueError(f\"{key} has {size} bytes\")\n", map[string][2]string{
			"lines moved":       {"a/b.py", "import os\n\n\nX = 1\n\n\ndef get(key, size):\n    # It has grown.\n\n    if size > 8:\n        raise ValueError(\n            f\"{key} has {size} bytes\"\n        )\n"},
			"variables renamed": {"a/b.py", "def get(k, n):\n    limit = 8\n    if n > limit:\n        raise ValueError(f\"{k} has {n} bytes\")\n"},
			"file moved":        {"c/d/e.py", "def get(key, size):\n    if size > 8:\n        raise ValueError(f\"{key} has {size} bytes\")\n"},
			"function renamed":  {"a/b.py", "class Store:\n    def fetch(self, key, size):\n        if size > 8:\n            raise ValueError(f\"{key} has {size} bytes\")\n"},
			"another notation":  {"a/b.py", "def get(key, size):\n    if size > 8:\n        raise ValueError(\"%s has %d bytes\" % (key, size))\n"},
			"through a name":    {"a/b.py", "TEXT = \"{} has {} bytes\"\n\ndef get(key, size):\n    if size > 8:\n        text = TEXT.format(key, size)\n        raise ValueError(text)\n"},
		}, map[string][2]string{
			"reworded":     {"a/b.py", "def get(key, size):\n    if size > 8:\n        raise ValueError(f\"{key} has {size} bytes too many\")\n"},
			"another type": {"a/b.py", "def get(key, size):\n    if size > 8:\n        raise LookupError(f\"{key} has {size} bytes\")\n"},
		}},
		"Go": {"a/b.go", "package b\n\nimport \"fmt\"\n\nfunc get(n int) error {\n\treturn fmt.Errorf(\"entry has %d bytes\", n)\n}\n", map[string][2]string{
			"lines moved":       {"a/b.go", "// Package b does.\npackage b\n\nimport (\n\t\"fmt\"\n)\n\nfunc get(n int) error {\n\n\treturn fmt.Errorf(\"entry has %d bytes\",\n\t\tn)\n}\n"},
			"variables renamed": {"a/b.go", "package b\n\nimport \"fmt\"\n\nfunc get(size int) error {\n\terr := fmt.Errorf(\"entry has %d bytes\", size)\n\treturn err\n}\n"},
			"file moved":        {"c/d.go", "package c\n\nimport \"fmt\"\n\nfunc get(n int) error {\n\treturn fmt.Errorf(\"entry has %d bytes\", n)\n}\n"},
			"another format":    {"a/b.go", "package b\n\nimport \"fmt\"\n\nfunc get(n int) error {\n\treturn fmt.Errorf(\"entry has %v bytes\", n)\n}\n"},
		}, map[string][2]string{
			"reworded": {"a/b.go", "package b\n\nimport \"fmt\"\n\nfunc get(n int) error {\n\treturn fmt.Errorf(\"entry holds %d bytes\", n)\n}\n"},
		}},
		"TypeScript": {"a/b.ts", "export function get(n: number) {\n  throw new RangeError(`entry has ${n} bytes`);\n}\n", map[string][2]string{
			"lines moved":       {"a/b.ts", "const x = 1;\n\nexport function get(n: number) {\n  throw new RangeError(\n    `entry has ${n} bytes`,\n  );\n}\n"},
			"variables renamed": {"a/b.ts", "export function get(size: number) {\n  throw new RangeError(`entry has ${size} bytes`);\n}\n"},
			"file moved":        {"c/d.ts", "export function get(n: number) {\n  throw new RangeError(`entry has ${n} bytes`);\n}\n"},
			"another notation":  {"a/b.ts", "export const get = (n: number) => {\n  throw new RangeError('entry has ' + n + ' bytes');\n};\n"},
		}, map[string][2]string{
			"another type": {"a/b.ts", "export function get(n: number) {\n  throw new TypeError(`entry has ${n} bytes`);\n}\n"},
		}},
	} {
		want := one(t, linked(t, "r", c.path, c.source))
		for what, f := range c.same {
			if got := one(t, linked(t, "r", f[0], f[1])); got != want {
				t.Errorf("%s, %s: another id", name, what)
			}
		}
		for what, f := range c.other {
			if got := one(t, linked(t, "r", f[0], f[1])); got == want {
				t.Errorf("%s, %s: the same id", name, what)
			}
		}
		if one(t, linked(t, "another", c.path, c.source)) == want {
			t.Errorf("%s: the same id in another repository", name)
		}
	}
}

// An error without literal text is named by its function, wherever that stands.
func TestIDWithoutText(t *testing.T) {
	want := one(t, linked(t, "r", "a.py", "class C:\n    def put(self, x):\n        raise ValueError(x)\n"))
	moved := one(t, linked(t, "r", "b/c.py", "import os\n\nclass C:\n    def put(self, value):\n        raise ValueError(value)\n"))
	renamed := one(t, linked(t, "r", "a.py", "class C:\n    def get(self, x):\n        raise ValueError(x)\n"))
	if moved != want || renamed == want {
		t.Errorf("%s, moved %s, renamed %s", want, moved, renamed)
	}
}

// Sites that share type and template are one error, in one file and in several; those of different types or texts are not.
func TestSitesShareAnError(t *testing.T) {
	r := linked(t, "r", "a.py", "def f(x):\n    if x:\n        raise ValueError(f\"bad {x}\")\n    raise ValueError(\"bad %s\" % x)\n",
		"b.py", "def g(y):\n    raise ValueError(\"bad \" + str(y))\n", "c.py", "def h(y):\n    raise LookupError(f\"bad {y}\")\n    raise ValueError(f\"bad {y}!\")\n")
	got := ids(r)
	want := map[string]int{"ValueError: bad {}": 3, "LookupError: bad {}": 1, "ValueError: bad {}!": 1}
	distinct := map[string]bool{}
	for key, found := range got {
		if want[key] != len(found) || len(slices.Compact(slices.Sorted(slices.Values(found)))) != 1 {
			t.Errorf("%s: %v, want %d sites of one error", key, found, want[key])
		}
		distinct[found[0]] = true
	}
	if len(distinct) != len(want) {
		t.Errorf("%d errors: %v", len(distinct), slices.Sorted(maps.Keys(got)))
	}
}

// What can mean two things is not guessed. A method that one class alone defines is taken to be meant; when a second class has one of that
// name, the text that is handed to it belongs to neither.
func TestAmbiguity(t *testing.T) {
	const (
		caller = "export function run(job) {\n  job.fail('the job has no worker');\n}\n"
		first  = "export class Job {\n  fail(text) {\n    throw new RangeError(text);\n  }\n}\n"
		second = "export class Task {\n  fail(text) {\n    throw new TypeError(text);\n  }\n}\n"
	)
	got := ids(linked(t, "r", "a.js", caller, "b.js", first))
	if len(got["RangeError: the job has no worker"]) != 1 {
		t.Errorf("one definition: %v", got)
	}
	r := linked(t, "r", "a.js", caller, "b.js", first, "c.js", second)
	got = ids(r)
	for key := range got {
		if strings.Contains(key, "the job has no worker") {
			t.Errorf("two definitions: %s", key)
		}
	}
	for _, typ := range []string{"RangeError", "TypeError"} {
		if len(got[typ+": {}!"+link.UnknownParameter]) != 1 {
			t.Errorf("two definitions: no %s that says that its text is not known: %v", typ, got)
		}
	}
	if len(r.Dropped) == 0 {
		t.Error("two definitions: the call is not counted")
	}
}
