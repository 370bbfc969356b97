package visible

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ in, text, lines string }{
		{"plain, ä 日本 👩‍💻", "plain, ä 日本 👩‍💻", "plain, ä 日本 👩‍💻"},
		{"a\nb", "a\\nb", "a\nb"},
		{"a\tb", "a    b", "a    b"},
		{"\x1b[31mred", "\\x1b[31mred", "\\x1b[31mred"},
		{"a\x00\x7f\u0085", "a\\x00\\x7f\\x85", "a\\x00\\x7f\\x85"},
		{"if ok\u202e // gone\u2066", "if ok\\u202e // gone\\u2066", "if ok\\u202e // gone\\u2066"},
		{"pass\u200bword\ufeff", "pass\\u200bword\\ufeff", "pass\\u200bword\\ufeff"},
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Lines(c.in); got != c.lines {
			t.Errorf("Lines(%q) = %q, want %q", c.in, got, c.lines)
		}
	}
}
