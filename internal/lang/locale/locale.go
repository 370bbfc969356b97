// Package locale reads message catalogues: files that hold the texts of a program under keys, one file a locale.
//
// What it makes of a file are the values of its facts: a key, and the text as an expression. Places in a text that are named
// ("%{count}", "{{count}}", "{ $count }") become holes; positions ("%s", "{0}") stay as they are, since the call that looks the text
// up says how they are read.
package locale

import (
	"path"
	"regexp"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// version is that of all extractors here.
const version = 1

// Languages returns the forms of catalogues.
func Languages() []*lang.Language {
	return []*lang.Language{
		language("Fluent", readFluent, nil, ".ftl"),
		gettext(),
		language("JSON", readJSON, inLocaleFolder, ".json"),
		language("Java Properties", readProperties, nil, ".properties"),
		language(".NET Resources", readResx, nil, ".resx"),
		language("YAML", readYAML, inLocaleFolder, ".yml", ".yaml"),
	}
}

// language is a form of catalogue.
func language(name string, read func(f *raise.Facts, src []byte) error, paths func(string) bool, endings ...string) *lang.Language {
	return &lang.Language{
		Name: name, Version: version, Extensions: endings, Paths: paths,
		NewExtractor: func() lang.Extractor {
			return func(src []byte, _ lang.Options) *raise.Facts {
				f := &raise.Facts{Language: name}
				if err := read(f, src); err != nil {
					f.Values = nil
					f.Problems = append(f.Problems, raise.Problem{Line: 1, Reason: "not a well-formed " + name + " file"})
				}
				return f
			}
		},
		Modules:   func(string, *raise.Facts) []string { return nil },
		Imported:  func(string, raise.Import) []string { return nil },
		Catalogue: &lang.Catalogue{Of: Of, Only: true},
	}
}

func gettext() *lang.Language {
	l := language("Gettext Catalog", readGettext, nil, ".po")
	l.Catalogue.Source = true
	return l
}

// tag is a locale as file names hold it.
var tag = regexp.MustCompile(`^[a-z]{2,3}([-_]([A-Z][a-z]{3}|[A-Z]{2}|[a-z]{2}|[0-9]{3}))*$`)

// folders are those that hold catalogues by convention.
var folders = map[string]bool{"locale": true, "locales": true, "i18n": true, "l10n": true, "lang": true, "langs": true, "translation": true,
	"translations": true, "_locales": true, "messages": true, "nls": true}

// inLocaleFolder reports whether a file of a form that holds all kinds of things is a catalogue: a folder above it is one of
// catalogues, and its name or its folder's names a locale.
func inLocaleFolder(p string) bool {
	_, locale, _ := Of(p)
	if locale == "" {
		return false
	}
	for _, folder := range strings.Split(path.Dir(p), "/") {
		if folders[strings.ToLower(folder)] {
			return true
		}
	}
	return false
}

// Of is the name of the catalogue that the file at path is a part of, and its locale: "messages" and "de" for messages_de.properties,
// "Resources" and "" for Resources.resx, "app" and "de" for de/LC_MESSAGES/app.po, "" and "de" for de.json.
func Of(p string) (name, locale string, ok bool) {
	name = strings.TrimSuffix(path.Base(p), path.Ext(p))
	if tag.MatchString(name) {
		return "", canonical(name), true
	}
	for i := 0; i < len(name); i++ {
		if (name[i] == '.' || name[i] == '_' || name[i] == '-') && i > 0 && tag.MatchString(name[i+1:]) {
			return name[:i], canonical(name[i+1:]), true
		}
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if base := path.Base(dir); tag.MatchString(base) && !folders[base] && base != "src" && base != "lib" && base != "app" {
			return name, canonical(base), true
		} else if base != "LC_MESSAGES" && !folders[base] {
			break
		}
	}
	return name, "", true
}

// canonical spells a locale with hyphens.
func canonical(locale string) string { return strings.ReplaceAll(locale, "_", "-") }

// add files a text under its key.
func add(f *raise.Facts, key, text string, line int) {
	if key != "" && text != "" {
		f.Values = append(f.Values, raise.Value{Name: key, Value: Text(text), Line: line, Site: -1})
	}
}

var place = regexp.MustCompile(`%\{([A-Za-z_]\w*)\}|\{\{-?\s*([A-Za-z_][\w.]*)[^{}]*\}\}|\{\s*\$?([A-Za-z_]\w*)\s*\}`)

// Text is a text of a catalogue with holes where it names values.
func Text(s string) *expr.Expr {
	found := place.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return expr.Str(s)
	}
	var parts []*expr.Expr
	at := 0
	literal := func(end int) {
		if end > at {
			parts = append(parts, expr.Str(s[at:end]))
		}
	}
	for _, m := range found {
		literal(m[0])
		at = m[1]
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				parts = append(parts, expr.New(expr.Hole, "", expr.Ident(s[m[i]:m[i+1]])))
			}
		}
	}
	literal(len(s))
	return expr.New(expr.Interp, "", parts...)
}
