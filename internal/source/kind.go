package source

import (
	"path"
	"regexp"
	"strings"

	"github.com/go-enry/go-enry/v2"
)

// languageTable finds the language of a file by its name.
type languageTable struct {
	endings, names map[string]string
}

func newLanguageTable(all []Language) *languageTable {
	t := &languageTable{map[string]string{}, map[string]string{}}
	for _, l := range all {
		for _, e := range l.Extensions {
			t.endings[e] = l.Name
		}
		for _, n := range l.Filenames {
			t.names[n] = l.Name
		}
	}
	return t
}

// language is the language of a path, "" if it is none that is read. The longest ending that a language claims decides.
func (t *languageTable) language(name string) string {
	base := path.Base(name)
	if l := t.names[base]; l != "" {
		return l
	}
	base = strings.ToLower(base)
	for i := range len(base) {
		if base[i] == '.' {
			if l := t.endings[base[i:]]; l != "" {
				return l
			}
		}
	}
	return ""
}

// The paths by which projects say what a file is for, beyond what go-enry knows.
var (
	testPath    = regexp.MustCompile(`(?i)(^|/)(tests?|testing|__tests__|__mocks__|spec|specs|testdata|test_data|fixtures?|e2e)/|(^|/)(test_[^/]*|conftest|[^/]*_test|[^/]*[._-](test|spec))\.[a-z]+$`)
	examplePath = regexp.MustCompile(`(?i)(^|/)(examples?|samples?|demos?|docs?|doc|tutorials?|benchmarks?)/`)
	vendorPath  = regexp.MustCompile(`(^|/)(node_modules|site-packages|vendor|vendored|_vendor|third_party|thirdparty|\.venv|venv|bower_components)/`)
	generated   = regexp.MustCompile(`(\.pb\.go|_pb2(_grpc)?\.py|\.pb\.gw\.go|_generated\.[a-z]+|\.gen\.[a-z]+|zz_generated[^/]*|_string\.go|\.d\.ts)$`)
	minified    = regexp.MustCompile(`[.-]min\.[mc]?js$|(^|/)(dist|bundle)/.*\.[mc]?js$`)
)

// kindOf says what a file is for, by its path alone: the kind belongs to the path, facts to the content.
func kindOf(name string) Kind {
	switch {
	case vendorPath.MatchString(name):
		return Vendored
	case minified.MatchString(name):
		return Minified
	case testPath.MatchString(name) || enry.IsTest(name):
		return Test
	case generated.MatchString(name):
		return Generated
	case examplePath.MatchString(name):
		return Example
	case enry.IsVendor(name):
		return Vendored
	}
	return Product
}
