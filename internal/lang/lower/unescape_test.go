package lower

import "testing"

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{`plain`: "plain", `a\nb\t`: "a\nb\t", `\x41\u0042\u{43}\U00000044`: "ABCD", `\101\0`: "A\x00", `\"\\\'\$`: `"\'$`,
		`\q \u12 \x`: `\q \u12 \x`, "a\\\nb": "ab", `end\`: `end\`, `\uuu0041`: "A", `\e[1m`: "\x1b[1m"} {
		if got := Unescape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestDedent(t *testing.T) {
	for in, want := range map[string]string{"one": "one", "\n    a\n      b\n    ": "a\n  b", "\n  a\n\n  b\n  ": "a\n\nb"} {
		if got := Dedent(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
