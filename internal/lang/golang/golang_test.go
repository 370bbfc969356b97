package golang

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestArchives(t *testing.T) { langtest.Run(t, Language()) }

func TestValid(t *testing.T) {
	if err := lang.Validate([]*lang.Language{Language()}); err != nil {
		t.Error(err)
	}
}
