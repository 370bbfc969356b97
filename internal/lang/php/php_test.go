package php

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestFacts(t *testing.T) { langtest.Run(t, Language()) }

func TestFaults(t *testing.T) { langtest.Faults(t, Language()) }

func TestCatalogue(t *testing.T) {
	for path, want := range map[string][2]string{"resources/lang/de/cart.php": {"cart", "de"}, "lang/pt_BR/shop/cart.php": {"shop/cart", "pt-BR"}} {
		if name, locale, ok := catalogue(path); !ok || name != want[0] || locale != want[1] {
			t.Errorf("%s: %q, %q, %v", path, name, locale, ok)
		}
	}
	if _, _, ok := catalogue("app/Cart.php"); ok {
		t.Error("source is taken for a catalogue")
	}
}
