package locale

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) { langtest.FuzzExtract(f, Languages()) }

func TestMutated(t *testing.T) { langtest.Mutate(t, Languages()...) }
