package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind is one of the messages that are understood.
type kind int

const (
	lengthMessage kind = iota
	windowMessage
	endMessage
)

// message is one message with its numbers, in the order of its groups; Unknown where the text ends before.
type message struct {
	kind    kind
	text    string
	numbers []int
}

// Limits on texts.
const (
	maxText     = 4 << 20 // bytes that are looked at
	maxMessages = 100
)

// find finds every different message of a text in the order of first mention. Terminals and log viewers wrap lines anywhere, colour them and
// draw frames around tracebacks, so blanks, colours and frames are taken out of the text before, and the patterns have none.
func find(text string) []message {
	squeezed := squeeze(text[:min(len(text), maxText)])
	type hit struct {
		at int
		message
	}
	var hits []hit
	for kind, re := range patterns() {
		for _, m := range re.FindAllStringSubmatchIndex(squeezed, maxMessages) {
			h := hit{at: m[0], message: message{kind: kind}}
			for g := 2; g < len(m); g += 2 {
				h.numbers = append(h.numbers, number(squeezed, m[g], m[g+1]))
			}
			h.text = h.message.print()
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return a.at - b.at })
	var out []message
	for _, h := range hits {
		if len(out) < maxMessages && !slices.ContainsFunc(out, func(m message) bool { return m.text == h.text }) {
			out = append(out, h.message)
		}
	}
	return out
}

// patterns are the messages without blanks. Only the first may be cut off, behind its second half; numbers have at most nine digits,
// more than any list.
func patterns() map[kind]*regexp.Regexp {
	return map[kind]*regexp.Regexp{
		lengthMessage: regexp.MustCompile(`Unexpectedcompressed-MLAdst_kv_ptrslength(\d{1,9});expectedeither(\d{1,9})\(kv_data\)orswa_L\+(\d{1,9})\(state_data\)` +
			`(?:givencompression_ratios\(c4=(\d{1,9}),(?:c128=(\d{1,9}),(?:total=(\d{1,9})\))?)?)?`),
		windowMessage: regexp.MustCompile(`prefill_end_layer\((\d{1,9})\)exceedsdstSWApoolbuffercount\((\d{1,9})\)`),
		endMessage:    regexp.MustCompile(`KVArgs\.prefill_end_layermustbesetwhenusingcompressed-MLAPDwithPP`),
	}
}

// number reads a group; a group that is not there is Unknown. A number is only read with what follows it, so it is whole.
func number(s string, from, to int) int {
	if from < 0 {
		return Unknown
	}
	n, err := strconv.Atoi(s[from:to])
	if err != nil {
		return Unknown
	}
	return n
}

// squeeze takes out blanks, also those written as escapes in JSON logs, colours, and the frames of tracebacks.
func squeeze(text string) string {
	colour := regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")
	text = colour.ReplaceAllString(text, "")
	text = strings.NewReplacer(`\n`, "", `\r`, "", `\t`, "", `\u001b`, "").Replace(text)
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0xA0 || r == '|' || r == '│' || r == '┃' {
			return -1
		}
		return r
	}, text)
}

// print prints the message as SGLang does, as far as its numbers are known. The texts are those of the errors of package slice, which are not
// made here: nothing has failed.
func (m message) print() string {
	n := m.numbers
	switch m.kind {
	case lengthMessage:
		s := fmt.Sprintf("Unexpected compressed-MLA dst_kv_ptrs length %d; expected either %d (kv_data) or swa_L + %d (state_data)", n[0], n[1], n[2])
		if slices.Contains(n, Unknown) {
			return s + " …"
		}
		return s + fmt.Sprintf(" given compression_ratios (c4=%d, c128=%d, total=%d).", n[3], n[4], n[5])
	case windowMessage:
		return fmt.Sprintf("prefill_end_layer (%d) exceeds dst SWA pool buffer count (%d); compression_ratios may include layers "+
			"(e.g. nextn) that the SWA pool does not cover.", n[0], n[1])
	}
	return "KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP"
}
