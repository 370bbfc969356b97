package ruby

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) { langtest.FuzzExtract(f, []*lang.Language{Language()}) }

func TestMutated(t *testing.T) { langtest.Mutate(t, Language()) }
