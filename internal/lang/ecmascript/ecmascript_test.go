package ecmascript

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestArchives(t *testing.T) { langtest.Run(t, languages()...) }

func TestValid(t *testing.T) {
	if err := lang.Validate(languages()); err != nil {
		t.Error(err)
	}
}

func languages() []*lang.Language { return []*lang.Language{JavaScript(), TSX(), TypeScript()} }
