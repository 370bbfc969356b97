package python

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestTraces(t *testing.T) { langtest.Traces(t, "testdata/traces/*.txtar", traces()) }

func FuzzTraces(f *testing.F) { langtest.FuzzTraces(f, "testdata/traces/*.txtar", traces()) }
