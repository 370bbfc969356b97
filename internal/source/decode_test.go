package source

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, in, text, encoding, complaint string }{
		{"empty", "", "", "utf-8", ""},
		{"ASCII", "x = 1\n", "x = 1\n", "utf-8", ""},
		{"UTF-8", "é\n", "é\n", "utf-8", ""},
		{"with a mark", "\xef\xbb\xbfé\n", "é\n", "utf-8", ""},
		{"UTF-16, little end first", "\xff\xfex\x00\xe9\x00\n\x00", "xé\n", "utf-16le", ""},
		{"UTF-16, big end first", "\xfe\xff\x00x\x00\xe9\x00\n", "xé\n", "utf-16be", ""},
		{"UTF-16 beyond two bytes", "\xff\xfe\x3d\xd8\x00\xde", "😀", "utf-16le", ""},
		{"UTF-16 that ends in half a character", "\xff\xfex\x00y", "x\uFFFD", "utf-16le", "replaced"},
		{"UTF-16 with half a pair", "\xff\xfe\x3d\xd8x\x00", "\uFFFDx", "utf-16le", "replaced"},
		{"UTF-32", "\xff\xfe\x00\x00x\x00\x00\x00", "x", "utf-32le", ""},
		{"UTF-32, big end first", "\x00\x00\xfe\xff\x00\x00\x00\xe9", "é", "utf-32be", ""},
		{"invalid", "a\xe9b\n", "a\uFFFDb\n", "utf-8", "replaced"},
		{"several invalid", "\xff\xfa\x80a", "\uFFFDa", "utf-8", "replaced"},

		{"declared", "# -*- coding: latin-1 -*-\n# \xe9\n", "# -*- coding: latin-1 -*-\n# é\n", "latin-1", ""},
		{"declared in the second line", "#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n\xa4", "#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n€", "iso-8859-15", ""},
		{"declared in the third line", "#\n#\n# coding: latin-1\n\xe9", "#\n#\n# coding: latin-1\n\uFFFD", "utf-8", "replaced"},
		{"declared after code", "x = 1\n# coding: latin-1\n\xe9", "x = 1\n# coding: latin-1\n\uFFFD", "utf-8", "replaced"},
		{"declared with capitals and an underscore", "# coding=ISO_8859_1\n\xe9", "# coding=ISO_8859_1\né", "iso_8859_1", ""},
		{"declared with line ends", "# coding: latin-1-unix\n\xe9", "# coding: latin-1-unix\né", "latin-1-unix", ""},
		{"C1 controls of Latin-1", "# coding: latin-1\n\x80", "# coding: latin-1\n\u0080", "latin-1", ""},
		{"windows-1252", "# coding: cp1252\n\x80", "# coding: cp1252\n€", "cp1252", ""},
		{"KOI8", "# coding: koi8-r\n\xc1", "# coding: koi8-r\nа", "koi8-r", ""},
		{"EUC", "# coding: euc-jp\n\xa4\xa2", "# coding: euc-jp\nあ", "euc-jp", ""},
		{"Shift JIS", "# coding: shift_jis\n\x82\xa0", "# coding: shift_jis\nあ", "shift_jis", ""},
		{"GBK", "# coding: gbk\n\xc4\xe3", "# coding: gbk\n你", "gbk", ""},
		{"DOS", "# coding: cp437\n\x82", "# coding: cp437\né", "cp437", ""},
		{"invalid in what is declared", "# coding: euc-jp\n\xff", "# coding: euc-jp\n\uFFFD", "euc-jp", "replaced"},
		{"what a runtime obeys though it is valid UTF-8", "# coding: latin-1\né", "# coding: latin-1\nÃ©", "latin-1", ""},
		{"what only an editor obeys", "// -*- coding: latin-1 -*-\né", "// -*- coding: latin-1 -*-\né", "utf-8", ""},
		{"what only an editor obeys, where it helps", "// -*- coding: latin-1 -*-\n\xe9", "// -*- coding: latin-1 -*-\né", "latin-1", ""},
		{"a document", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\xe9", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\né", "iso-8859-1", ""},
		{"a page", "<meta charset='windows-1251'>\n\xc0", "<meta charset='windows-1251'>\nА", "windows-1251", ""},
		{"a string is no declaration", "s = 'coding: latin-1'\n\xe9", "s = 'coding: latin-1'\n\uFFFD", "utf-8", "replaced"},
		{"declared UTF-8", "# coding: utf-8\né", "# coding: utf-8\né", "utf-8", ""},
		{"declared UTF-8, and invalid", "# coding: utf8\n\xe9", "# coding: utf8\n\uFFFD", "utf-8", "replaced"},
		{"declared what single bytes cannot be", "# coding: utf-16\n\xe9", "# coding: utf-16\n\uFFFD", "utf-8", "utf-16"},
		{"unknown", "# coding: klingon\né", "# coding: klingon\né", "utf-8", "klingon"},
		{"unknown, but no matter", "# coding: klingon\ne", "# coding: klingon\ne", "utf-8", ""},
		{"unknown to an editor", "// encoding: see below\n\xe9", "// encoding: see below\n\uFFFD", "utf-8", "replaced"},
	} {
		text, encoding, err := Decode([]byte(c.in))
		if string(text) != c.text || encoding != c.encoding {
			t.Errorf("%s: %q in %s, want %q in %s", c.name, text, encoding, c.text, c.encoding)
		}
		switch {
		case c.complaint == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.complaint != "":
			wantError(t, err, nil, c.complaint)
		}
		if c.complaint == "replaced" && !errors.Is(err, errReplaced) {
			t.Errorf("%s: %v is not %v", c.name, err, errReplaced)
		}
	}
}

// TestDecodeKeepsWhatIsRight holds that a text that needs no change is not copied.
func TestDecodeKeepsWhatIsRight(t *testing.T) {
	data := []byte(strings.Repeat("é = 1\n", 1000))
	if n := testing.AllocsPerRun(10, func() { Decode(data) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"# coding: latin-1\n\xe9", "\xff\xfex\x00", "<?xml encoding='gbk'?>\n\xc4", "# coding: iso-2022-jp\n\x1b$B", "# coding: big5\n\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		text, name, err := Decode(data)
		if !bytes.Equal(before, data) {
			t.Fatal("the data is changed")
		}
		if !utf8.Valid(text) || name == "" {
			t.Fatalf("%q in %q: not valid", text, name)
		}
		if err == nil && name == "utf-8" && !bytes.Equal(text, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
			t.Fatalf("%q became %q without a word", data, text)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q is more than a line", err)
		}
	})
}

func TestNotSource(t *testing.T) {
	for in, want := range map[string]string{
		"x = 1": "", "": "", "\xff\xfex\x00": "", "a\x00b": ReasonBinary, "\x00\x00\xfe\xff\x00\x00\x00x": "",
		"version https://git-lfs.github.com/spec/v1\noid": ReasonLFS, strings.Repeat("x", 8000) + "\x00": "",
	} {
		got := ""
		if err := notSource([]byte(in)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.20q: %q, want %q", in, got, want)
		}
	}
}
