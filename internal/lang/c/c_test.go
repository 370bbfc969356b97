package c

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestFacts(t *testing.T) { langtest.Run(t, C(), CPP()) }
