package message

import "testing"

// TestMatchLoosely matches texts that differ from what was printed. mark names what the match must report: c(ut), r(edacted),
// f(olded).
func TestMatchLoosely(t *testing.T) {
	const all = Cut | Folded | Redacted
	for _, c := range []struct {
		template, text string
		how            How
		mark, want     string
	}{
		{"open {p}: {err}", "open /x: gone", all, "", "/x|gone"},
		{"open {p} for {who}: {err}", "open /x for b", all | Short, "c", "/x|b"},
		{"open {p} for {who}: {err}", "open /x for bo…", all, "c", "/x|bo"},
		{"open {p} for reading", "open /x for re...", all, "c", "/x"},
		{"open {p} for reading", "open /x fo...", all, "c", "/x"},
		{"open {p} for reading", "open /home/us [truncated]", all, "c", "/home/us"},
		{"open {p} for reading", "open /x for reading", Cut, "", "/x"},
		{"open {p} for reading", "ope…", all, "c", ""},
		{"open {p}: {err}", "open /x: no such f…", all, "c", "/x|no such f"},
		{"loading {x}...", "loading a...", all, "", "a"},
		{"size {n|%d} of {m|%d} bytes", "size 15 of 1...", all, "c", "15|1"},
		{"size {n|%d} of {m|%d} bytes", "size abc of 1...", all, "", "no"},
		{"open {p} for {who}: {err}", "open /x for b", all, "", "no"},
		{"open {p} for reading", "close /x fo...", all, "", "no"},

		{"the value {v} is out of range", "the value 15 is\n    out of range", all, "f", "15"},
		{"the value {v} is out of range", "the value 15 is out of ra\nnge", all, "f", "15"},
		{"the value {v} is\n  out of range", "the value 15 is out of range", all, "f", "15"},
		{"the value {v} is out of range", "the value 15 is\nout of ran\nge", all, "f", "15"},
		{"the value {v} is out of range", "the va\nlue a\n b is\nout of range", all, "f", "a b"},
		{"the value {v} is out of range", "the value 15 isout of range", all, "", "no"},

		{"user {u} has no right to {p}", "user *** has no right to /x", all, "", "***|/x"},
		{"user {u} has no right to {p}", "user bob has no *** to /x", all, "r", "?bob|/x"},
		{"user {u} has no right to {p}", "user b***b has [REDACTED] to /x", all, "r", "?b***b|/x"},
		{"user {u} has no right to {p}", "user <redacted> to /x", all, "r", "?<redacted>|/x"},
		{"user {u|%d} has no right", "user bob has *** right", all, "", "no"},
		{"user {u} has no right", "nobody has *** right", all, "", "no"},
		{"token {t} is bad", "E: tok*** is bad. x", all | Inside, "r", "?"},
	} {
		m, ok := mustParse(t, c.template).MatchIn(c.text, c.how)
		got := shown(m, ok)
		mark := ""
		for _, f := range []struct {
			set  bool
			name string
		}{{m.Cut, "c"}, {m.Redacted, "r"}, {m.Folded, "f"}} {
			if f.set {
				mark += f.name
			}
		}
		if got != c.want || mark != c.mark {
			t.Errorf("%s on %q\n  got  %s (%s)\n  want %s (%s)", c.template, c.text, got, mark, c.want, c.mark)
		}
		for _, b := range m.Bindings {
			if !m.Folded && c.text[b.Start:b.End] != b.Value {
				t.Errorf("%s on %q: span of %q is %q", c.template, c.text, b.Value, c.text[b.Start:b.End])
			}
		}
	}
}
