package ruby

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestFacts(t *testing.T) { langtest.Run(t, Language()) }

func TestFaults(t *testing.T) { langtest.Faults(t, Language()) }
