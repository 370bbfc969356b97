package c

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang"
	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func FuzzExtract(f *testing.F) {
	langtest.FuzzExtract(f, []*lang.Language{C(), CPP()}, "#define A(x) do { throw x; } while (0)\nvoid f() { A(E(\"some text\")); }", "R\"(", "\"\\x", "#define E(...) #__VA_ARGS__\nE(", "int f(a) char *a; { die(\"no way\"); }")
}

func TestMutated(t *testing.T) { langtest.Mutate(t, C(), CPP()) }
