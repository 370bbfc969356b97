package index

import (
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/source"
)

// Files tells package source which files are in the languages.
func Files(languages []*lang.Language) []source.Language {
	out := make([]source.Language, len(languages))
	for i, l := range languages {
		out[i] = source.Language{Name: l.Name, Extensions: l.Extensions, Filenames: l.Filenames, Interpreters: l.Interpreters, Paths: l.Paths}
	}
	return out
}
