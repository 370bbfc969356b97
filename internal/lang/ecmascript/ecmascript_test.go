package ecmascript

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestArchives(t *testing.T) { langtest.Run(t, Languages()...) }

func TestValid(t *testing.T) {
	if err := lang.Validate(Languages()); err != nil {
		t.Error(err)
	}
}
