package paste

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// typedText is a text that begins with the type of an error.
type typedText struct {
	name, code string
	message    int // where the message begins
}

// maxType bounds the length of a type.
const maxType = 200

// leads are what runtimes print before a type.
func leads() []string {
	return []string{"Uncaught (in promise) ", "Uncaught ", "Unhandled exception. ", "Unhandled exception: ", "Unhandled rejection ",
		"Caused by: ", "panic: ", "PHP Fatal error:  ", "[Error: "}
}

// typed splits "pkg.SomeError: text", "SomeError [CODE]: text" and "Exception in thread "main" java.lang.X: text".
func typed(text string) (typedText, bool) {
	at := 0
	for _, lead := range leads() {
		if strings.HasPrefix(text[at:], lead) {
			at += len(lead)
		}
	}
	if strings.HasPrefix(text, `Exception in thread "`) {
		if i := strings.Index(text[:min(len(text), 200)], `" `); i > 0 {
			at = i + 2
		}
	}
	end := at
	for end < len(text) && end-at < maxType {
		r, size := utf8.DecodeRuneInString(text[end:])
		sep := r == '.' || r == '\\' || r == ':' && strings.HasPrefix(text[end:], "::")
		if !sep && r != '_' && r != '$' && !unicode.IsLetter(r) && !(unicode.IsDigit(r) && end > at) {
			break
		}
		if r == ':' {
			size = 2
		}
		end += size
	}
	t := typedText{name: text[at:end]}
	rest := text[end:]
	if len(rest) > 3 && rest[0] == ' ' && (rest[1] == '[' || rest[1] == '(') {
		close := strings.IndexAny(rest[:min(len(rest), 80)], "])")
		if close > 2 && codeLike(rest[2:close]) {
			t.code, rest = rest[2:close], rest[close+1:]
		}
	}
	if rest == "" || rest[0] != ':' || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\n' || !typeLike(t.name) {
		return t, false
	}
	t.message = len(text) - len(strings.TrimLeft(rest[1:], " \n"))
	return t, true
}

// codeLike reports whether a word is a code such as ERR_X or E11000.
func codeLike(s string) bool {
	for i := range len(s) {
		if !(s[i] >= 'A' && s[i] <= 'Z') && s[i] != '_' && !(digit(s[i]) && i > 0) {
			return false
		}
	}
	return s != ""
}

// typeLike reports whether a word before a colon is a type of an error rather than the start of a sentence.
func typeLike(s string) bool {
	last := s[strings.LastIndexAny(s, ".:\\")+1:]
	for _, ending := range []string{"Error", "Exception", "Warning", "Fault", "Failure", "Interrupt", "Exit", "Panic", "Timeout", "NotFound", "DoesNotExist", "Violation"} {
		if strings.HasSuffix(last, ending) {
			return true
		}
	}
	// A qualified name with a capital: requests.exceptions.HTTPFound, My::Thing.
	return last != s && last != "" && last[0] >= 'A' && last[0] <= 'Z'
}
