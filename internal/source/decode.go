package source

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// errReplaced says that a text holds what no character could be made of.
var errReplaced = errors.New("bytes that are not of its encoding were replaced")

// Decode turns the bytes of a source file into UTF-8 without a byte order mark, and names the encoding that it found: by a byte order
// mark, by what a comment in the first two lines declares, and as UTF-8 otherwise. Bytes that are no characters become U+FFFD, and the
// error then says so; the text is valid UTF-8 all the same. Offsets that are made from the text are offsets into the text. The text is
// the data itself where nothing had to be changed.
func Decode(data []byte) (text []byte, name string, err error) {
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return asUTF8(rest)
	}
	if name := wide(data); name != "" {
		return convert(data, name, wideEncoding(name))
	}
	declared, binding := declaration(data)
	// Languages that have such declarations at all begin them with "#", and their runtimes obey: a text that is valid UTF-8 by chance is
	// printed as what it was declared. Elsewhere the declaration is for an editor, and what is valid UTF-8 is UTF-8.
	if declared == "" || !binding && utf8.Valid(data) || isASCII(data) {
		return asUTF8(data)
	}
	e, utf := byLabel(declared)
	if e != nil {
		return convert(data, declared, e)
	}
	text, name, err = asUTF8(data)
	if !utf && binding {
		unknown := fmt.Errorf("the encoding %s that it declares is not known", declared)
		if err == nil {
			err = unknown
		} else {
			err = fmt.Errorf("%w, and %w", unknown, err)
		}
	}
	return text, name, err
}

// asUTF8 takes data for UTF-8, and replaces what is not.
func asUTF8(data []byte) ([]byte, string, error) {
	if utf8.Valid(data) {
		return data, "utf-8", nil
	}
	return bytes.ToValidUTF8(data, []byte("\uFFFD")), "utf-8", errReplaced
}

// convert turns data of an encoding into UTF-8.
func convert(data []byte, name string, e encoding.Encoding) ([]byte, string, error) {
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return bytes.ToValidUTF8(data, []byte("\uFFFD")), name, fmt.Errorf("%s: %w", errReplaced, err)
	}
	// A text in which somebody wrote U+FFFD counts as replaced, too; what is in doubt is named.
	if bytes.ContainsRune(text, utf8.RuneError) {
		err = errReplaced
	}
	return text, name, err
}

func isASCII(data []byte) bool {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// wideEncoding is the encoding that wide names.
func wideEncoding(name string) encoding.Encoding {
	switch name {
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
}

// declarationForm is "coding: name" and "coding=name", as PEP 263 and editors have it, and with quotes and "charset" as documents do.
var declarationForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:coding|charset)[:=][ \t]*["']?([-\w.:]+)`)
})

// declaredWithin is how many bytes of a line are searched for a declaration.
const declaredWithin = 400

// declaration is the encoding that a comment or a tag in one of the first two lines declares. The second counts if the first holds
// nothing but a comment. It is binding if the comment begins with "#".
func declaration(data []byte) (name string, binding bool) {
	for range 2 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		line = bytes.TrimLeft(line, " \t\f")
		if len(line) == 0 || bytes.Equal(line, []byte("\r")) {
			continue
		}
		if !bytes.ContainsAny(line[:1], "#/*<;%-\"@") {
			return "", false
		}
		if !bytes.ContainsAny(line, ":=") {
			continue
		}
		if m := declarationForm().FindSubmatch(line[:min(len(line), declaredWithin)]); m != nil {
			return strings.ToLower(string(m[1])), line[0] == '#'
		}
	}
	return "", false
}

// byLabel finds the encoding of a name, as runtimes, editors and documents spell it; utf says that it is UTF-8 or a part of it. What a
// file of single bytes cannot be in is none.
func byLabel(name string) (e encoding.Encoding, utf bool) {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for _, ending := range [...]string{"-unix", "-dos", "-mac"} { // of line ends, as Emacs writes them
		name = strings.TrimSuffix(name, ending)
	}
	switch name {
	case "utf-8", "utf8", "u8", "utf-8-sig", "utf-8-emacs", "ascii", "us-ascii", "646", "prefer-utf-8", "undecided":
		return nil, true
	case "latin-1", "latin1", "l1", "iso-8859-1", "iso8859-1", "iso-latin-1", "8859", "cp819":
		// Documents mean windows-1252 by it; runtimes do not.
		return charmap.ISO8859_1, false
	case "cp437", "ibm437":
		return charmap.CodePage437, false
	case "cp850", "ibm850":
		return charmap.CodePage850, false
	case "cp852", "ibm852":
		return charmap.CodePage852, false
	case "mac-roman", "macroman":
		return charmap.Macintosh, false
	}
	if strings.HasPrefix(name, "utf-") || strings.HasPrefix(name, "utf7") || strings.HasPrefix(name, "ucs") || name == "replacement" {
		return nil, false
	}
	for _, label := range [...]string{name, strings.ReplaceAll(name, "-", "_"), strings.Replace(name, "cp125", "windows-125", 1),
		strings.Replace(name, "iso8859", "iso-8859", 1), strings.Replace(name, "latin-", "latin", 1)} {
		if e, err := htmlindex.Get(label); err == nil {
			return e, false
		}
	}
	return nil, false
}
