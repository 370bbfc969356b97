package link

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/message"
)

// maxLocales bounds the translations of one message.
const maxLocales = 128

// Translation is the text of a variant in another locale.
type Translation struct {
	Variant  int // index in the site's Variants
	Locale   string
	Template message.Template
}

// entry is a text of a message catalogue.
type entry struct {
	file   int
	locale string
	text   *expr.Expr
	source bool // its key is the text of the source
}

// indexCatalogues files the texts of message catalogues under their keys, and under the name of the catalogue and the key.
func (l *linker) indexCatalogues() {
	l.texts = map[string][]entry{}
	for i := range l.files {
		f := l.files[i].Facts
		g := l.languages[f.Language]
		if g == nil || g.Catalogue == nil {
			continue
		}
		name, locale, ok := g.Catalogue.Of(l.files[i].Path)
		if !ok {
			continue
		}
		for j := range f.Values {
			v := &f.Values[j]
			e := entry{i, locale, v.Value, g.Catalogue.Source}
			l.texts[v.Name] = append(l.texts[v.Name], e)
			if name != "" && !g.Catalogue.Source {
				l.texts[name+"."+v.Name] = append(l.texts[name+"."+v.Name], e)
			}
		}
	}
}

// entries are the texts under a key by locale, of each locale those nearest to the file.
func (l *linker) entries(file int, key string) map[string][]entry {
	all := l.texts[key]
	if len(all) == 0 {
		return nil
	}
	out := map[string][]entry{}
	for _, e := range all {
		near := sharedFolders(l.files[e.file].Path, l.files[file].Path)
		old := out[e.locale]
		switch {
		case len(old) == 0 || near > sharedFolders(l.files[old[0].file].Path, l.files[file].Path):
			out[e.locale] = []entry{e}
		case near == sharedFolders(l.files[old[0].file].Path, l.files[file].Path) &&
			!slices.ContainsFunc(old, func(o entry) bool { return expr.Equal(o.text, e.text) }):
			out[e.locale] = append(old, e)
		}
	}
	return out
}

// has reports whether an expression holds an operation.
func has(e *expr.Expr, op expr.Op) bool {
	found := false
	e.Walk(func(x *expr.Expr) bool {
		found = found || x.Op == op
		return !found
	})
	return found
}

// key is the key under which a lookup finds its text, or a member whose name is a key ("Resources.NotFound"); "" for anything else.
func (l *linker) key(file int, owner string, e *expr.Expr) string {
	switch {
	case e.Is(expr.String):
		// A text of the source under which catalogues hold translations.
		if all := l.texts[e.Text]; len(all) > 0 && all[0].source {
			return e.Text
		}
	case e.Is(expr.Lookup):
		key := e.Arg(0)
		if key.Is(expr.Name) || key.Is(expr.Attr) {
			key = l.text(file, owner, key)
		}
		if key.Is(expr.String) {
			return key.Text
		}
	case e.Is(expr.Attr):
		path := l.path(e)
		if i := strings.LastIndexByte(path, '.'); i > 0 {
			name := path[strings.LastIndexByte(path[:i], '.')+1:]
			if len(l.texts[name]) == 0 {
				return ""
			}
			if _, known := l.resolve(file, owner, path, 0); !known {
				return name
			}
		}
	}
	return ""
}

// looked is a message with the texts that lookups find in the default locale, and with those of each other locale that has any.
func (l *linker) looked(file int, owner string, text *expr.Expr) (*expr.Expr, map[string]*expr.Expr) {
	locales := map[string]bool{}
	if len(l.texts) == 0 && !has(text, expr.Lookup) {
		return text, nil
	}
	text.Walk(func(e *expr.Expr) bool {
		for locale := range l.entries(file, l.key(file, owner, e)) {
			locales[locale] = true
		}
		return true
	})
	others := map[string]*expr.Expr{}
	def := l.translated(file, owner, text, "")
	for _, locale := range slices.Sorted(maps.Keys(locales))[:min(len(locales), maxLocales)] {
		if t := l.translated(file, owner, text, locale); locale != "" && !expr.Equal(t, def) {
			others[locale] = t
		}
	}
	return def, others
}

// translated is a message with the texts that its lookups find in a locale.
func (l *linker) translated(file int, owner string, text *expr.Expr, locale string) *expr.Expr {
	return text.Map(func(e *expr.Expr) *expr.Expr {
		key := l.key(file, owner, e)
		if key == "" {
			return e
		}
		found := chosen(l.entries(file, key), key, locale)
		if found == nil || expr.Equal(found, e) {
			return e
		}
		switch {
		case !e.Is(expr.Lookup):
			return found
		case e.Text == "":
			return named(found, e.Args[1:])
		}
		return &expr.Expr{Op: expr.Format, Text: e.Text, Args: append([]*expr.Expr{found}, e.Args[1:]...), Src: e.Src}
	})
}

// named puts the values that a lookup is given by name into the text.
func named(text *expr.Expr, values []*expr.Expr) *expr.Expr {
	given := map[string]*expr.Expr{}
	for _, v := range values {
		if v.Is(expr.Map) {
			values = append(values[:len(values):len(values)], v.Args...)
		}
	}
	for _, v := range values {
		if v.Is(expr.Keyword) {
			given[v.Text] = v.Arg(0)
		}
	}
	return text.Map(func(e *expr.Expr) *expr.Expr {
		if v := given[e.Text]; e.Is(expr.Name) && v != nil {
			return v
		}
		return e
	})
}

// chosen is the text for a locale among those under a key; where it has none, the default one. nil: the key is no text, and
// there is none.
func chosen(all map[string][]entry, key, locale string) *expr.Expr {
	if texts := all[locale]; len(texts) > 0 && (locale != "" || !texts[0].source) {
		return alternativeTexts(texts)
	}
	keyed := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(all[a][0].locale), len(all[b][0].locale)), strings.Compare(a, b))
	})
	keyed = slices.DeleteFunc(keyed, func(locale string) bool { return all[locale][0].source })
	for _, locale := range keyed {
		if locale == "" || locale == "en" || strings.HasPrefix(locale, "en-") {
			return alternativeTexts(all[locale])
		}
	}
	switch {
	case len(keyed) > 0:
		return alternativeTexts(all[keyed[0]])
	case len(all) > 0 || prose(key):
		return expr.Str(key)
	}
	return nil
}

func alternativeTexts(all []entry) *expr.Expr {
	texts := make([]*expr.Expr, len(all))
	for i, e := range all {
		texts[i] = e.text
	}
	return alternatives(texts)
}

// prose reports whether a key is a text for people: it holds a blank.
func prose(key string) bool { return strings.Contains(strings.TrimSpace(key), " ") }
