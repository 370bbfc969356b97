package web

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/wherefore-dev/wherefore/internal/api"
	"github.com/wherefore-dev/wherefore/internal/visible"
)

// numberLine is the drawing of what is accepted of one quantity. Its places are in units of the drawing.
type numberLine struct {
	Quantity string
	Words    string // the same in words, for who does not see it
	Spans    []lineSpan
	Marks    []lineMark // ends of the ranges and single accepted values
	Ticks    []float64
	Value    *lineMark // what the report had
	Height   int
}

// lineSpan is an accepted range.
type lineSpan struct {
	From, To float64
	NoLow    bool // it goes on to the left
	NoHigh   bool
	Other    bool // taken by an earlier branch
}

// lineMark is a labelled place on the line.
type lineMark struct {
	At    float64
	Label string
	Row   int // of the label, below the line
	Open  bool
	Other bool
	Bad   bool // of a value: it is not accepted
}

// The measures of the drawing.
const (
	lineWidth  = 640.0
	lineMargin = 40.0
)

// ends are a range in numbers; nil is no end.
type ends struct {
	low, high         *float64
	lowOpen, highOpen bool
	lowText, highText string
	other             bool
}

// numberLines draws the solved parts of a condition, a line for each quantity. Parts that are not of numbers have none.
func numberLines(all []api.Solved) []numberLine {
	var quantities []string
	for i := range all {
		if !slices.Contains(quantities, all[i].Quantity) {
			quantities = append(quantities, all[i].Quantity)
		}
	}
	var out []numberLine
	for _, q := range quantities {
		var ranges []ends
		var words []string
		var value *float64
		bad, numbers := false, false
		for i := range all {
			s := &all[i]
			if s.Quantity != q {
				continue
			}
			got, ok := parseRange(s.Range)
			if !ok {
				continue
			}
			numbers = true
			for k := range got {
				got[k].other = s.Leaves != ""
			}
			ranges = append(ranges, got...)
			words = append(words, s.Accepted+" ("+s.Range+")")
			if v, text, ok := shownValue(s.Shown); ok {
				value = &v
				bad = bad || !strings.HasSuffix(text, "is accepted")
				words = append(words, text)
			}
		}
		if !numbers {
			if l, ok := symbolicLine(q, all); ok {
				out = append(out, l)
			}
			continue
		}
		if l, ok := drawLine(ranges, value, bad); ok {
			l.Quantity, l.Words = visible.Text(q), visible.Text(q+": accepted "+strings.Join(words, "; "))
			out = append(out, l)
		}
	}
	return out
}

// parseRange reads the range of a solved part as the wire form writes it: "6 to 14", "at least 1", "exactly 8", alternatives joined by
// "or". ok is false for a range that leaves single values out, and for what is no number.
func parseRange(s string) (out []ends, ok bool) {
	if s == "" {
		return nil, false
	}
	for _, alternative := range strings.Split(s, " or ") {
		if list, found := strings.CutPrefix(alternative, "one of "); found {
			for _, v := range strings.Split(list, ", ") {
				n, ok := number(v)
				if !ok {
					return nil, false
				}
				out = append(out, ends{low: n, high: n, lowText: v, highText: v})
			}
			continue
		}
		var e ends
		if !e.read(alternative) {
			return nil, false
		}
		out = append(out, e)
	}
	return out, true
}

// read reads the ends of one range.
func (e *ends) read(s string) bool {
	for _, part := range strings.Split(s, ", ") {
		low, high, ranged := strings.Cut(part, " to ")
		ok := true
		switch {
		case ranged:
			e.low, ok = number(low)
			e.lowText = low
			if ok {
				e.high, ok = number(high)
				e.highText = high
			}
		case strings.HasPrefix(part, "exactly "):
			e.lowText = part[len("exactly "):]
			e.highText = e.lowText
			e.low, ok = number(e.lowText)
			e.high = e.low
		case strings.HasPrefix(part, "at least "), strings.HasPrefix(part, "above "):
			e.lowOpen = part[1] == 'b'
			e.lowText = part[strings.LastIndexByte(part, ' ')+1:]
			e.low, ok = number(e.lowText)
		case strings.HasPrefix(part, "at most "), strings.HasPrefix(part, "below "):
			e.highOpen = part[0] == 'b'
			e.highText = part[strings.LastIndexByte(part, ' ')+1:]
			e.high, ok = number(e.highText)
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return true
}

// number reads a number, as far as a drawing needs it.
func number(s string) (*float64, bool) {
	r, ok := new(big.Rat).SetString(s)
	if !ok || len(s) > 40 {
		return nil, false
	}
	f, _ := r.Float64()
	return &f, !math.IsInf(f, 0)
}

// shownValue reads the value at the beginning of "15 is one too many".
func shownValue(s string) (value float64, text string, ok bool) {
	first, _, found := strings.Cut(s, " ")
	n, ok := number(first)
	if !found || !ok {
		return 0, "", false
	}
	return *n, s, true
}

// drawLine lays the ranges and the value out.
func drawLine(ranges []ends, value *float64, bad bool) (numberLine, bool) {
	var points []float64
	for _, e := range ranges {
		if e.low != nil {
			points = append(points, *e.low)
		}
		if e.high != nil && (e.low == nil || *e.high != *e.low) {
			points = append(points, *e.high)
		}
	}
	if value != nil {
		points = append(points, *value)
	}
	if len(points) == 0 {
		return numberLine{}, false
	}
	slices.Sort(points)
	points = slices.Compact(points)
	place := scale(points)
	l := numberLine{}
	if first, last := points[0], points[len(points)-1]; last-first <= 24 && whole(points) {
		for n := first - 1; n <= last+1; n++ {
			l.Ticks = append(l.Ticks, round(place(n)))
		}
	}
	for _, e := range ranges {
		l.add(&e, place)
	}
	slices.SortStableFunc(l.Marks, func(a, b lineMark) int {
		return int(math.Copysign(1, a.At-b.At)) * boolean(a.At != b.At)
	})
	l.Marks = slices.CompactFunc(l.Marks, func(a, b lineMark) bool { return a.At == b.At && a.Label == b.Label })
	rows := l.settle()
	if value != nil {
		l.Value = &lineMark{At: round(place(*value)), Label: text(*value), Bad: bad}
	}
	l.Height = 62 + 18*rows
	return l, true
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (l *numberLine) add(e *ends, place func(float64) float64) {
	from, to := lineMargin/2, lineWidth-lineMargin/2
	if e.low != nil {
		from = round(place(*e.low))
		l.Marks = append(l.Marks, lineMark{At: from, Label: visible.Text(e.lowText), Open: e.lowOpen, Other: e.other})
	}
	if e.high != nil {
		to = round(place(*e.high))
		if e.low == nil || *e.low != *e.high {
			l.Marks = append(l.Marks, lineMark{At: to, Label: visible.Text(e.highText), Open: e.highOpen, Other: e.other})
		}
	}
	if from < to {
		l.Spans = append(l.Spans, lineSpan{From: from, To: to, NoLow: e.low == nil, NoHigh: e.high == nil, Other: e.other})
	}
}

// settle puts labels that would touch on rows of their own, and returns how many rows there are.
func (l *numberLine) settle() int {
	var ends []float64 // of the last label of each row
	for i := range l.Marks {
		half := float64(4*len([]rune(l.Marks[i].Label)) + 6)
		row := 0
		for row < len(ends) && l.Marks[i].At-half < ends[row] {
			row++
		}
		if row == len(ends) {
			ends = append(ends, 0)
		}
		ends[row] = l.Marks[i].At + half
		l.Marks[i].Row = row
	}
	return len(ends)
}

// scale places numbers on the line. Where they lie close together it is linear; otherwise a gap of the numbers is drawn as long as its
// logarithm, so that 8 and 9 stay apart beside a million.
func scale(points []float64) func(float64) float64 {
	first, last := points[0], points[len(points)-1]
	inner := lineWidth - 2*lineMargin
	switch {
	case first == last:
		return func(x float64) float64 { return lineWidth/2 + math.Max(-1, math.Min(1, x-first))*60 }
	case last-first <= 24:
		step := inner / (last - first + 2)
		return func(x float64) float64 { return lineMargin + (x-first+1)*step }
	}
	sums := make([]float64, len(points))
	for i := 1; i < len(points); i++ {
		sums[i] = sums[i-1] + 1 + math.Log2(1+points[i]-points[i-1])
	}
	total := sums[len(sums)-1]
	return func(x float64) float64 {
		i, _ := slices.BinarySearch(points, x)
		return lineMargin + 30 + (inner-60)*sums[min(i, len(sums)-1)]/total
	}
}

func whole(all []float64) bool {
	return !slices.ContainsFunc(all, func(f float64) bool { return f != math.Trunc(f) })
}

func round(f float64) float64 { return math.Round(f*10) / 10 }

func text(f float64) string {
	r, _ := new(big.Rat).SetString(new(big.Float).SetFloat64(f).Text('f', -1))
	if r != nil && r.IsInt() {
		return r.Num().String()
	}
	return new(big.Float).SetFloat64(f).Text('g', 6)
}

// between recognises "low <= quantity <= high" in the code's words.
var between = regexp.MustCompile(`^(.{1,60}?) (<=?) (.{1,60}?) (<=?) (.{1,60})$`)

// symbolicLine draws a range whose ends are not known as numbers, with the code's own words at its ends.
func symbolicLine(quantity string, all []api.Solved) (numberLine, bool) {
	for i := range all {
		s := &all[i]
		m := between.FindStringSubmatch(s.Accepted)
		if s.Quantity != quantity || s.Leaves != "" || s.Range != "" || m == nil || m[3] != quantity {
			continue
		}
		low, high := lineWidth*0.25, lineWidth*0.75
		l := numberLine{Quantity: visible.Text(quantity), Words: visible.Text("accepted " + s.Accepted), Spans: []lineSpan{{From: low, To: high}},
			Marks: []lineMark{{At: low, Label: visible.Text(m[1]), Open: m[2] == "<"}, {At: high, Label: visible.Text(m[5]), Open: m[4] == "<"}}}
		l.Height = 62 + 18*l.settle()
		return l, true
	}
	return numberLine{}, false
}
