package message

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/expr"
)

// TestVerbsAgreeWithTheRuntime checks format strings with constant values against what the runtime prints for them.
func TestVerbsAgreeWithTheRuntime(t *testing.T) {
	for _, f := range []string{"%d %s", "%s", "%d %s %v", "%!", "%", "%%", "%[2]s %[1]d", "%[3]d", "%[x]d", "%-5d|%5s|", "%x %X", "%q %q",
		"%#x %#q", "%+d % d", "%08d", "%.2s %s", "%v %v", "%z", "%[1]d %[1]d", "%t", "%c", "%U %s", "%6.2f", "%d%%", "%[", "%[2", "%.d"} {
		checkVerbs(t, f)
	}
}

func checkVerbs(t *testing.T, f string) {
	t.Helper()
	got := FromExpr(format(Verbs, f, num("17"), str("hi")), nil, nil)
	want := fmt.Sprintf(f, 17, "hi")
	if len(got) != 1 {
		t.Fatalf("%q has %d templates", f, len(got))
	}
	if got[0].HoleCount() == 0 {
		if text := got[0].Display(); text != want {
			t.Errorf("%q\n  got  %q\n  want %q", f, text, want)
		}
		return
	}
	if _, ok := got[0].Match(want); !ok {
		t.Errorf("%q: %s does not match %q", f, got[0], want)
	}
}

func FuzzVerbs(f *testing.F) {
	longNumber := regexp.MustCompile(`[0-9]{4}`)
	f.Add("%d %s")
	f.Add("%[2]*[1]d %!")
	f.Fuzz(func(t *testing.T, s string) {
		// %w is for errors alone, and what other values print under it says no more than that. Stars take computed widths, and
		// widths of millions end the format.
		if strings.ContainsAny(s, "w*\x00") || len(s) > 200 || longNumber.MatchString(s) {
			return
		}
		checkVerbs(t, s)
	})
}

func FuzzFormats(f *testing.F) {
	f.Add("%s %(a)d {} {a.b[1]!r:>{w}} ${x} $y %j")
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range []string{Verbs, Percent, Brace, Util, Dollar} {
			for _, e := range []*expr.Expr{format(d, s), format(d, s, id("x"), kw("a", id("y"))), format(d, s, spread(id("x")))} {
				for _, tpl := range FromExpr(e, nil, nil) {
					if again, err := Parse(tpl.String()); err != nil || again.String() != tpl.String() {
						t.Fatalf("%s %q: %s does not parse back: %v", d, s, tpl, err)
					}
				}
			}
		}
	})
}
