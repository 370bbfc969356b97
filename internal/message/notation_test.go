package message

import (
	"errors"
	"reflect"
	"testing"
)

func TestNotation(t *testing.T) {
	for _, s := range []string{
		"",
		"plain text",
		"age {} of {len(x)} is negative",
		"{a}{b}",
		"open {path|%q}: {err|%w}",
		"a {{literal}} brace and {map[string]int{}} in a hole",
		`{a \| b} or {x\}}`,
		"{mode||enum r,w,}",
		"{x||enum }",
		"{n|:>10.2f}{m|!r}",
		"{n|%d|float}",
		"{why||error}",
		"tab\tand\nline",
	} {
		tpl, err := Parse(s)
		if err != nil {
			t.Errorf("Parse(%q): %v", s, err)
			continue
		}
		if got := tpl.String(); got != s {
			t.Errorf("Parse(%q) prints %q", s, got)
		}
	}
}

func TestNotationRefuses(t *testing.T) {
	for _, s := range []string{"{", "}", "a } b", "{x", "{x||unheard}", "{{{", `{\`} {
		if tpl, err := Parse(s); !errors.Is(err, ErrNotation) {
			t.Errorf("Parse(%q) = %v, %v; want ErrNotation", s, tpl, err)
		}
	}
}

func mustParse(t testing.TB, s string) Template {
	t.Helper()
	tpl, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return tpl
}

func FuzzNotation(f *testing.F) {
	f.Add("age {} of {len(x)|%5d} is {{negative}}")
	f.Add(`{a\|b|%q}{x||enum a,b\,c}`)
	f.Fuzz(func(t *testing.T, s string) {
		tpl, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(tpl.String())
		if err != nil || !reflect.DeepEqual(tpl, again) {
			t.Fatalf("%q prints %q, which reads as %#v (%v)", s, tpl.String(), again, err)
		}
		got, err := Decode(tpl.Append(nil))
		if err != nil || !reflect.DeepEqual(tpl, got) && len(tpl.Pieces)+len(got.Pieces) > 0 {
			t.Fatalf("%q encodes to %#v (%v)", s, got, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(mustParse(f, "open {path|%q}: {err||enum a,b}").Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		tpl, err := Decode(data)
		if err == nil {
			_ = tpl.String()
		}
	})
}
