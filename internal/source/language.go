package source

import (
	"bytes"
	"hash/crc32"
	"path"
	"slices"
	"strings"
)

// languageTable finds the language of a file: by its name, or by the first line of a script without an ending. An ending belongs to
// one language, so that no content needs to be read to tell a file's language; languages are validated for that where they are listed.
type languageTable struct {
	endings, names, interpreters map[string]string
	paths                        map[string]func(string) bool // by language: those that take in some of their files only
	longest                      int                          // of the endings, in bytes
}

func newLanguageTable(all []Language) *languageTable {
	t := &languageTable{endings: map[string]string{}, names: map[string]string{}, interpreters: map[string]string{},
		paths: map[string]func(string) bool{}}
	for _, l := range all {
		for _, e := range l.Extensions {
			t.endings[e] = l.Name
			t.longest = max(t.longest, len(e))
		}
		for _, n := range l.Filenames {
			t.names[n] = l.Name
		}
		if l.Paths != nil {
			t.paths[l.Name] = l.Paths
		}
		for _, i := range l.Interpreters {
			t.interpreters[i] = l.Name
		}
	}
	return t
}

// recipe is a number that changes with what first lines tell of a file.
func (t *languageTable) recipe() uint32 {
	var lines []string
	for program, language := range t.interpreters {
		lines = append(lines, program+"\x00"+language+"\x00")
	}
	slices.Sort(lines)
	return crc32.ChecksumIEEE([]byte(strings.Join(lines, "")))
}

// byName is the language of a path by its name, "" if the name tells none.
func (t *languageTable) byName(name string) string {
	l := t.named(path.Base(name))
	if admits := t.paths[l]; admits != nil && !admits(name) {
		return ""
	}
	return l
}

// named is the language of a file name. The longest ending that a language claims decides.
func (t *languageTable) named(base string) string {
	if l := t.names[base]; l != "" {
		return l
	}
	// An ending is ASCII; a name is lowered only where it can matter.
	base = base[max(0, len(base)-t.longest):]
	base = strings.ToLower(base)
	for i := range len(base) {
		if base[i] == '.' {
			if l := t.endings[base[i:]]; l != "" {
				return l
			}
		}
	}
	return ""
}

// maxScript is the size in bytes up to which an executable file without an ending is looked into: people write no longer scripts.
const maxScript = 1 << 20

// maybeScript reports whether the first line of a file could tell its language: it has no ending and may be executed. Without the
// second condition each LICENSE and each object of test data would be opened.
func (t *languageTable) maybeScript(name string, executable bool, size int64) bool {
	return executable && size <= maxScript && len(t.interpreters) > 0 && !strings.Contains(path.Base(name), ".")
}

// shebangBytes is how much of a script is read to find its interpreter; the kernels that know #! read 256 bytes.
const shebangBytes = 256

// byShebang is the language of a script by the interpreter that its first line names, "" if it names none that is known.
func (t *languageTable) byShebang(head []byte) string {
	head = bytes.TrimPrefix(head[:min(len(head), shebangBytes)], []byte("\xef\xbb\xbf"))
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	words := strings.Fields(string(line))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = afterEnv(words[1:])
	}
	if len(words) == 0 {
		return ""
	}
	program := path.Base(words[0])
	if l := t.interpreters[program]; l != "" {
		return l
	}
	return t.interpreters[strings.TrimRight(program, "0123456789.-")]
}

// afterEnv drops the options and assignments that env takes before the program.
func afterEnv(words []string) []string {
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	return words
}
