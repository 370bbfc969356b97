package locale

import (
	"errors"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/expr"
	"github.com/wherefore-dev/wherefore/internal/raise"
)

// value is a text whose places are positions, which stay as they are.
func value(key, text string) raise.Value {
	return raise.Value{Name: key, Value: expr.Str(text), Site: -1}
}

// readGettext reads the entries of a .po file: msgid and its plural to msgstr, joined over lines. What is fuzzy or obsolete is no
// translation.
func readGettext(f *raise.Facts, src []byte) error {
	var ids, texts []string
	var field *string
	fuzzy, line := false, 0
	entry := func() {
		for i, text := range texts {
			// The first form is the singular's, the others the plural's.
			if id := ids[min(i, len(ids)-1)]; id != "" && text != "" && !fuzzy {
				v := value(id, text)
				v.Line = line
				f.Values = append(f.Values, v)
			}
		}
		ids, texts, field, fuzzy = nil, nil, nil, false
	}
	n := 0
	for raw := range strings.Lines(string(src)) {
		n++
		s := strings.TrimSpace(raw)
		switch {
		case strings.HasPrefix(s, "#,"):
			if len(texts) > 0 {
				entry()
			}
			fuzzy = strings.Contains(s, "fuzzy")
			continue
		case s == "" || strings.HasPrefix(s, "#"):
			if len(texts) > 0 {
				entry()
			}
			continue
		}
		keyword, rest, _ := strings.Cut(s, " ")
		switch {
		case strings.HasPrefix(s, `"`):
			rest = s
		case keyword == "msgctxt":
			field = new(string)
		case keyword == "msgid":
			if len(texts) > 0 {
				entry()
			}
			ids, line = append(ids[:0:0], ""), n
			field = &ids[0]
		case keyword == "msgid_plural" && len(ids) == 1:
			ids = append(ids, "")
			field = &ids[1]
		case strings.HasPrefix(keyword, "msgstr") && len(ids) > 0:
			texts = append(texts, "")
			field = &texts[len(texts)-1]
		default:
			return errors.New("unknown keyword " + keyword)
		}
		text, err := strconv.Unquote(strings.TrimSpace(rest))
		if err != nil || field == nil {
			return errors.New("a text is not quoted")
		}
		*field += text
	}
	if len(texts) > 0 {
		entry()
	}
	return nil
}

// readFluent reads messages and their attributes: "id = text", continued by lines that are indented. A selection of variants is no
// single text and is left out.
func readFluent(f *raise.Facts, src []byte) error {
	id, key, text, line := "", "", "", 0
	flush := func() {
		if text = strings.TrimSpace(text); !strings.Contains(text, "->") {
			add(f, key, text, line)
		}
		key, text = "", ""
	}
	n := 0
	for raw := range strings.Lines(string(src)) {
		n++
		s := strings.TrimRight(raw, "\r\n")
		trimmed := strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(s, "#"):
		case trimmed == "":
		case s[0] == ' ' && strings.HasPrefix(trimmed, ".") && strings.Contains(trimmed, "="):
			flush()
			name, rest, _ := strings.Cut(trimmed[1:], "=")
			key, text, line = id+"."+strings.TrimSpace(name), rest, n
		case s[0] == ' ' || s[0] == '}':
			text += "\n" + trimmed
		default:
			flush()
			name, rest, ok := strings.Cut(s, "=")
			if name = strings.TrimSpace(name); !ok || strings.ContainsAny(name, " \t") {
				return errors.New("no message")
			}
			id, key, text, line = name, name, rest, n
		}
	}
	flush()
	return nil
}
