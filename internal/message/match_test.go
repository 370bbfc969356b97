package message

import (
	"strings"
	"testing"
)

// TestMatch lays templates along whole texts. The wanted values stand behind a bar each; "no" is no match, and a leading "?" says
// that the values are ambiguous.
func TestMatch(t *testing.T) {
	for _, c := range []struct{ template, text, want string }{
		{"", "", ""},
		{"plain", "plain", ""},
		{"plain", "Plain", "no"},
		{"plain", "plains", "no"},
		{"age {} is negative", "age -3 is negative", "-3"},
		{"age {} is negative", "age  is negative", ""},
		{"{}", "anything at all", "anything at all"},
		{"unexpected length {len(dst)}; expected {n}", "unexpected length 15; expected 8", "15|8"},

		// Kinds constrain.
		{"got {n|%d} items", "got 3 items", "3"},
		{"got {n|%d} items", "got -3 items", "-3"},
		{"got {n|%d} items", "got three items", "no"},
		{"got {n|%d} items", "got [1 2] items", "[1 2]"},
		{"got {n|%d} items", "got %!d(string=x) items", "%!d(string=x)"},
		{"open {p|%q}: {err|%w}", `open "a: b": no such file`, `"a: b"|no such file`},
		{"open {p|%q}: {err|%w}", `open a: no such file`, "no"},
		{"at {x|%x}", "at 0xdeadBEEF", "0xdeadBEEF"},
		{"at {x|%x}", "at home", "no"},
		{"took {t|:.2f}s", "took 1.50s", "1.50"},
		{"took {t|:.2f}s", "took nans", "nan"},
		{"mode {m||enum r,w}!", "mode r!", "r"},
		{"mode {m||enum r,w}!", "mode x!", "no"},
		{"{ok|%t}", "true", "true"},
		{"{ok|%t}", "maybe", "no"},
		{"{c|%c}", "é", "é"},
		{"{c|%c}", "ab", "no"},
		{"total {n|:,} bytes", "total 1,234,567 bytes", "1,234,567"},
		{"{n|%5d}|{s|%-6s}|", "   42|abc   |", "42|abc"},

		// Typed holes pick the alignment.
		{"{a}: {n|%d} of {m|%d}", "x: y: 3 of 4", "x: y|3|4"},
		{"{a} of {n|%d}", "3 of 4 of 5", "3 of 4|5"},
		{"{a}{n|%d}", "abc12", "abc|12"},
		{"{n|%d}{unit}", "15ms", "15|ms"},
		{"{n|%d}{unit||enum ms,s} passed", "15s passed", "15|s"},
		{"{n} item{s||enum ,s} left", "1 item left", "1|"},
		{"{n} item{s||enum ,s} left", "3 items left", "3|s"},

		// Brackets and quotes stay together.
		{"{a}, {b}", "f(x, y), z", "f(x, y)|z"},
		{"{a}, {b}", "[1, 2], [3, 4]", "[1, 2]|[3, 4]"},
		{"{a}: {b}", `"x: y": z`, `"x: y"|z`},
		{"'{a}' and '{b}'", "'x' and 'y'", "x|y"},
		{"'{a}' is not '{b}'", "'it's' is not 'x'", "it's|x"},
		{"cannot convert {v|!r} to {t}", "cannot convert 'a to b' to int", "'a to b'|int"},
		{"{why} in {s|!r}", "bad digit in '::1' in '::1.2.3'", "bad digit in '::1'|'::1.2.3'"},
		{"cannot convert {v|!r} to {t}", "cannot convert {'a': 1} to int", "{'a': 1}|int"},

		// Otherwise the shortest from the left.
		{"open {}: {}", "open a: b: c", "?a|b: c"},
		{"open {}: {}", "open a: b", "a|b"},
		{"'{module}.{name}' is gone", "'a.b.c' is gone", "?a.b|c"},
		{"no {dir}/{file}: {why}", "no /a/b/c: d: e", "?/a/b|c|d: e"},
		{"{}-{}-{}", "a-b-c-d", "?a|b|c-d"},
		{"{a}{b}", "x", "?|x"},

		// Redactions stand for any value.
		{"user {n|%d} denied", "user *** denied", "***"},
		{"user {n|%d} denied", "user [REDACTED] denied", "[REDACTED]"},
		{"user {n|%d} denied", "user <redacted> denied", "<redacted>"},

		// Text with its own line breaks stays exact.
		{"first\n  second {}", "first\n  second x", "x"},
		{"first\n  second {}", "first second x", "no"},
	} {
		if got := shown(mustParse(t, c.template).Match(c.text)); got != c.want {
			t.Errorf("%s on %q\n  got  %s\n  want %s", c.template, c.text, got, c.want)
		}
	}
}

func shown(m Match, ok bool) string {
	if !ok {
		return "no"
	}
	var values []string
	for _, b := range m.Bindings {
		values = append(values, b.Value)
	}
	s := strings.Join(values, "|")
	if m.Ambiguous {
		s = "?" + s
	}
	return s
}

// TestMatchInside looks for messages in longer texts; want is the message's span and the values.
func TestMatchInside(t *testing.T) {
	for _, c := range []struct {
		template, text string
		how            How
		span, want     string
	}{
		{"disk {d} is full", "12:00 ERROR disk sda1 is full (retry)", Inside, "disk sda1 is full", "sda1"},
		{"disk {d} is full", "12:00 ERROR disk sda1 is fuller", Inside, "", "no"},
		{"disk {d} is full", "a disk is full, disk b is full", Inside, "disk b is full", "?b"},
		{"open {p}: {err}", "E open /x: gone\nnext line", Inside, "open /x: gone", "?/x|gone"},
		{"retry in {n|%d}", "will retry in 15, later", Inside, "retry in 15", "15"},
		{"retry in {n|%d}", "will retry in a minute", Inside, "", "no"},
		{"{n|%d} tries left", "user=bob 3 tries left", Inside, "3 tries left", "3"},
		{"{n|%d} tries left", "user=bob tries=(3 tries left)", Inside, "3 tries left", "3"},
		{"{name|!r} is not defined", "NameError: 'a b' is not defined", OpenStart, "'a b' is not defined", "?'a b'"},
		{"error {x}", "terror 5", Inside, "", "no"},
		{"bad value", "a bad value was given", Inside, "bad value", ""},
		{"bad value", "a bad value was given", OpenStart, "", "no"},
		{"a bad {x}", "a bad value was given", OpenEnd, "a bad value was given", "?value was given"},
	} {
		m, ok := mustParse(t, c.template).MatchIn(c.text, c.how)
		if got := shown(m, ok); got != c.want || ok && c.text[m.Start:m.End] != c.span {
			t.Errorf("%s in %q\n  got  %s at %q\n  want %s at %q", c.template, c.text, got, c.text[m.Start:m.End], c.want, c.span)
		}
	}
}
