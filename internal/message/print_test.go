package message

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	for _, c := range []struct{ template, values, want string }{
		{"age {} is {x|%q}", "3|a b", `age 3 is "a b"`},
		{"{n|%5d}|{s|%-6s}|{x|%.2f}", "42|abc|1.5", "   42|abc   |1.50"},
		{"{v|!r} {w|!r} {u|!r}", "it's|12|[1, 2]", `'it\'s' 12 [1, 2]`},
		{"{x|%x} {y|:#x}", "255|16", "ff 0x10"},
		{"{a} {b|%d} {c|%t} {d||enum x,y}", "", "value0 18 true y"},
	} {
		var values []string
		if c.values != "" {
			values = strings.Split(c.values, "|")
		}
		if got := mustParse(t, c.template).Print(values...); got != c.want {
			t.Errorf("%s prints %q, want %q", c.template, got, c.want)
		}
	}
}

// FuzzPrintMatch checks that a template matches what it prints, and binds what was printed unless it says that it is ambiguous.
func FuzzPrintMatch(f *testing.F) {
	f.Add("open {p|%q}: {err}", "a b", "gone", "x")
	f.Add("{a}{n|%d} of {b|!r}{c||enum x,y}", "k", "15", "it's")
	f.Add("'{a}' and '{b}' or {c|%8.3f}", "it's", "'", "2")
	f.Fuzz(func(t *testing.T, template, a, b, c string) {
		tpl, err := Parse(template)
		if err != nil || tpl.HoleCount() > maxHoles {
			return
		}
		var want []string
		given := []string{a, b, c}
		for i, h := range tpl.Holes() {
			value := h.Print(h.Sample(i))
			if i < len(given) && (h.Kind == Any || h.fit(h.Print(given[i]), 0, 0) != never) {
				value = h.Print(given[i])
			}
			if h.fit(value, 0, 0) == never {
				return // an enum without values prints nothing
			}
			want = append(want, value)
		}
		text := printed(tpl, want)
		m, ok := tpl.Match(text)
		if !ok {
			t.Fatalf("%s does not match %q", tpl, text)
		}
		if m.Start != 0 || m.End != len(text) || len(m.Bindings) != len(want) {
			t.Fatalf("%s on %q: span %d to %d", tpl, text, m.Start, m.End)
		}
		at := 0
		var all strings.Builder
		for _, p := range tpl.Pieces {
			if p.Hole == nil {
				all.WriteString(p.Text)
				continue
			}
			v := m.Bindings[at]
			if v.Value != text[v.Start:v.End] {
				t.Fatalf("%s on %q: %q is not at %d to %d", tpl, text, v.Value, v.Start, v.End)
			}
			at++
		}
		if m.Ambiguous || cheaper(m, want, tpl, text) {
			return
		}
		for i, v := range m.Bindings {
			w := want[i]
			if tpl.Holes()[i].Width > 0 {
				w = strings.Trim(w, " ")
			}
			if v.Value != w {
				t.Fatalf("%s on %q binds %q to hole %d, want %q", tpl, text, v.Value, i, w)
			}
		}
	})
}

func printed(tpl Template, values []string) string {
	var b strings.Builder
	n := 0
	for _, p := range tpl.Pieces {
		if p.Hole == nil {
			b.WriteString(p.Text)
			continue
		}
		b.WriteString(values[n])
		n++
	}
	return b.String()
}

// cheaper reports whether the values found fit better where they stand than those that were printed: then the reader is right to
// prefer them.
func cheaper(m Match, want []string, tpl Template, text string) bool {
	var found, printed cost
	at, n := 0, 0
	for _, p := range tpl.Pieces {
		if p.Hole == nil {
			at += len(p.Text)
			continue
		}
		found += costAt(p.Hole, text, m.Bindings[n].Start, m.Bindings[n].End)
		printed += costAt(p.Hole, text, at, at+len(want[n]))
		at += len(want[n])
		n++
	}
	return printed > fits || found < printed
}

func costAt(h *Hole, text string, begin, end int) cost {
	var before, after byte
	if begin > 0 {
		before = text[begin-1]
	}
	if end < len(text) {
		after = text[end]
	}
	return max(h.fit(text[begin:end], before, after), 0)
}

// FuzzMatch checks that no text makes any way of matching panic, and that spans lie inside the text.
func FuzzMatch(f *testing.F) {
	f.Add("open {p|%q}: {err}", "x open \"a\": b…", uint8(255))
	f.Add("{n|%d}{u} of\n {b|!r}", "15ms [REDACTED] 'a", uint8(7))
	f.Fuzz(func(t *testing.T, template, text string, how uint8) {
		tpl, err := Parse(template)
		if err != nil {
			return
		}
		if len(tpl.Pieces) > 0 {
			if m, ok, sure := tpl.simple(text); sure {
				if other, okOther := tpl.laid(text, 0); ok != okOther || ok && !reflect.DeepEqual(m, other) {
					t.Fatalf("%s on %q: %v %v by the short path, %v %v by the long one", tpl, text, m, ok, other, okOther)
				}
			}
		}
		m, ok := tpl.MatchIn(text, How(how))
		if !ok {
			return
		}
		if m.Start < 0 || m.End < m.Start || m.End > len(text) {
			t.Fatalf("%s on %q: span %d to %d of %d", tpl, text, m.Start, m.End, len(text))
		}
		for _, b := range m.Bindings {
			if b.Start < 0 || b.End < b.Start || b.End > len(text) {
				t.Fatalf("%s on %q: hole %d from %d to %d", tpl, text, b.Hole, b.Start, b.End)
			}
			if !m.Folded && b.Value != text[b.Start:b.End] {
				t.Fatalf("%s on %q: %q is not at %d to %d", tpl, text, b.Value, b.Start, b.End)
			}
		}
	})
}

// TestMatchIsLinear gives matching what makes searches slow; it ends because the work is bounded.
func TestMatchIsLinear(t *testing.T) {
	const size = 10 << 20
	for _, c := range []struct{ template, unit string }{
		{"{a}: {b}: {c}: {d}", ": "},
		{"{a} {b} {c} {d|%d}", "1 "},
		{"{a}({b}){c}'{d}'{e}", "('"},
		{"{a}{b}{c}{d}", "x1"},
		{"x{a|!r}x{b|%q}x{c}", "x\"'"},
		{"{a}aaaab{b}", "a"},
	} {
		text := strings.Repeat(c.unit, size/len(c.unit))
		tpl := mustParse(t, c.template)
		for _, how := range []How{0, Inside, Cut | Short | Folded | Redacted, Inside | Cut | Folded | Redacted} {
			tpl.MatchIn(text, how)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct{ name, template, text string }{
		{"one", "age {x} is negative", "age -3 is negative"},
		{"typed", "unexpected length {n|%d}; expected {m|%d}", "unexpected length 15; expected 8"},
		{"chain", "open {p|%q}: {err|%w}", `open "/etc/passwd": permission denied`},
		{"ambiguous", "open {p}: {err}", "open /etc/passwd: permission: denied"},
		{"prefix differs", "open {p}: {err}", "close /etc/passwd: permission denied"},
		{"middle differs", "the {a} of {b} is {c}", "the length of the list was 3 and not 4"},
		{"kind differs", "the {a} of {b} is {c|%d}", "the length of list is three"},
	} {
		tpl := mustParse(b, c.template)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tpl.Match(c.text)
			}
		})
	}
	// The same as "chain" by a compiled regular expression, for a ratio in one run.
	b.Run("regexp", func(b *testing.B) {
		re := regexp.MustCompile(`^open ("(?:[^"\\]|\\.)*"): (.*)$`)
		b.ReportAllocs()
		for b.Loop() {
			re.FindStringSubmatchIndex(`open "/etc/passwd": permission denied`)
		}
	})
}
