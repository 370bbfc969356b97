package c

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestFaults(t *testing.T) { langtest.Faults(t, CPP()) }
