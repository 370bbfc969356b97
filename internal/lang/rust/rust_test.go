package rust

import (
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestRust(t *testing.T) { langtest.Run(t, Language()) }

func TestFaults(t *testing.T) { langtest.Faults(t, Language()) }

func FuzzExtract(f *testing.F) {
	chain := "fn f() { x" + strings.Repeat(".clone()", 50) + "; }"
	langtest.FuzzExtract(f, []*lang.Language{Language()}, "fn f() { panic!(", "fn f() { x.ok_or(Err(Error", `error!(a = ?b, "x {}", c`, "impl Display for E { fn fmt(&self, f: &mut F) { match self {", chain)
}
