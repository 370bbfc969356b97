// Package paste reads what people paste: it finds the errors in a report, wherever it was copied from.
//
// A report is seen through a [View], which takes away what the medium added (colours, quote marks, prefixes of log collectors, HTML
// entities), sorts the lines of mixed streams, and remembers where every byte came from. Texts with escapes inside of records are
// laid out below it. Trace forms, which the languages bring, run on the view and on variants of it (without the prefixes of a log,
// with straight quotes, with wrapped lines joined) and return spans; [Reader.Read] resolves their overlaps in one place. What no form
// claims is plain text, which has several [Reading]s: the matcher tries them in order. All spans that leave the package are those of
// the pasted text.
package paste

import (
	"sort"
	"strings"
)

// View is a text made of another that knows where its bytes stood there.
type View struct {
	Text string
	// starts[i] is where a run of bytes that stand together in both texts begins here, from[i] where in the other.
	starts, from []int
	// ends[i] is where in the other text ends what run i stands for, -1 if the run is the other text itself.
	ends  []int
	size  int   // of the other text
	under *View // the other text if it is a view too
}

// Origin returns the span of the pasted text that a span of the view came from.
func (v *View) Origin(start, end int) (int, int) {
	start, end = v.below(start, end)
	if v.under != nil {
		return v.under.Origin(start, end)
	}
	return start, end
}

// below is a span in the text that the view was made of.
func (v *View) below(start, end int) (int, int) {
	from, _ := v.at(start)
	if end <= start {
		return from, from
	}
	_, to := v.at(end - 1)
	return from, max(from, to)
}

// at is the place of one byte in the other text.
func (v *View) at(at int) (start, end int) {
	i := sort.SearchInts(v.starts, at+1) - 1
	if i < 0 {
		return 0, 0
	}
	if v.ends[i] >= 0 {
		return v.from[i], v.ends[i]
	}
	start = min(v.from[i]+at-v.starts[i], v.size)
	return start, min(start+1, v.size)
}

// builder makes a view.
type builder struct {
	b            strings.Builder
	starts, from []int
	ends         []int
	next         int // where in the other text the next byte is expected
}

// keep appends text that stands at from in the other text.
func (b *builder) keep(text string, from int) {
	if text == "" {
		return
	}
	if from != b.next || len(b.starts) == 0 {
		b.starts = append(b.starts, b.b.Len())
		b.from = append(b.from, from)
		b.ends = append(b.ends, -1)
	}
	b.b.WriteString(text)
	b.next = from + len(text)
}

// put appends text that stands for n bytes at from.
func (b *builder) put(text string, from, n int) {
	if text == "" {
		return
	}
	b.starts, b.from, b.ends = append(b.starts, b.b.Len()), append(b.from, from), append(b.ends, from+n)
	b.b.WriteString(text)
	b.next = -1
}

// view ends the work on a view over a text of a size, which is itself a view or nil.
func (b *builder) view(size int, under *View) View {
	return View{b.b.String(), b.starts, b.from, b.ends, size, under}
}
