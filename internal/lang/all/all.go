// Package all lists the languages that wherefore reads. A language is its folder and its line here.
package all

import (
	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/c"
	"github.com/wherefore-dev/wherefore/internal/lang/csharp"
	"github.com/wherefore-dev/wherefore/internal/lang/ecmascript"
	"github.com/wherefore-dev/wherefore/internal/lang/golang"
	"github.com/wherefore-dev/wherefore/internal/lang/java"
	"github.com/wherefore-dev/wherefore/internal/lang/kotlin"
	"github.com/wherefore-dev/wherefore/internal/lang/locale"
	"github.com/wherefore-dev/wherefore/internal/lang/php"
	"github.com/wherefore-dev/wherefore/internal/lang/python"
	"github.com/wherefore-dev/wherefore/internal/lang/ruby"
	"github.com/wherefore-dev/wherefore/internal/lang/rust"
)

// Traces returns the trace forms of all languages.
func Traces() []lang.Trace {
	var out []lang.Trace
	for _, l := range Languages() {
		out = append(out, l.Traces...)
	}
	return out
}

// Languages returns the languages, by name, and behind them the forms of message catalogues.
func Languages() []*lang.Language {
	return append([]*lang.Language{
		c.C(),
		c.CPP(),
		csharp.Language(),
		golang.Language(),
		java.Language(),
		kotlin.Language(),
		php.Language(),
		ecmascript.JavaScript(),
		python.Language(),
		ruby.Language(),
		rust.Language(),
		ecmascript.TSX(),
		ecmascript.TypeScript(),
	}, locale.Languages()...)
}
