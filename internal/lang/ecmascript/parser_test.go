package ecmascript

import "github.com/wherefore-dev/wherefore/internal/syntax"

func newParser() *syntax.Parser { return syntax.NewParser() }
