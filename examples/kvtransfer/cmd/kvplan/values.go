package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// Limits on what a command line may ask for.
const (
	maxLayers  = 4096
	maxEntries = 1 << 20
	maxPages   = 1 << 20
)

// readNumber reads a number from 0 to most.
func readNumber(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, &WantError{fmt.Sprintf("a number from 0 to %d", most)}
	}
	return n, nil
}

// readRatios reads a ratio list: "0,4,128,4".
func readRatios(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var out []int
	for _, part := range strings.Split(text, ",") {
		r, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || len(out) == maxLayers {
			return nil, &WantError{fmt.Sprintf("up to %d ratios separated by commas", maxLayers)}
		}
		out = append(out, r)
	}
	return out, layout.CheckRatios(out)
}

// readStage reads "START:END"; with "START:" the end is not set.
func readStage(text string) (layout.Stage, error) {
	start, end, ok := strings.Cut(text, ":")
	st := layout.Stage{End: layout.Unset}
	var err error
	if st.Start, err = readNumber(start, maxLayers); err != nil || !ok {
		return st, &WantError{"START:END, or START: if the end is not set"}
	}
	if end == "" {
		return st, nil
	}
	if st.End, err = readNumber(end, maxLayers); err != nil || st.End < st.Start {
		return st, &WantError{"START:END with END from START on"}
	}
	return st, nil
}

// readPages reads page numbers and ranges of them, both ends included: "3,4,9-20".
func readPages(text string) ([]int32, error) {
	out := []int32{}
	if text == "" {
		return out, nil
	}
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, err1 := strconv.ParseInt(from, 10, 31)
		b, err2 := strconv.ParseInt(to, 10, 31)
		if err1 != nil || err2 != nil || a > b || len(out)+int(b-a) >= maxPages {
			return nil, &WantError{fmt.Sprintf("up to %d pages like 3,4,9-20", maxPages)}
		}
		for p := a; p <= b; p++ {
			out = append(out, int32(p))
		}
	}
	return out, nil
}

// readRule and readMode read the two switches.
func readRule(text string) (slice.Rule, error) {
	if r := slice.Rule(text); r == slice.Old || r == slice.New {
		return r, nil
	}
	return "", &WantError{"old or new"}
}

func readMode(text string) (slice.Mode, error) {
	if m := slice.Mode(text); m == slice.Strict || m == slice.Compatible {
		return m, nil
	}
	return "", &WantError{"strict or compatible"}
}

// joinInts prints numbers with blanks between.
func joinInts(list []int) string {
	var b []byte
	for i, n := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}

// lengths prints accepted lengths for a person.
func lengths(list []slice.Accepted) string {
	var parts []string
	for _, a := range list {
		s := strconv.Itoa(a.Min)
		switch {
		case a.Max == slice.NoLimit:
			s += " or more"
		case a.Max != a.Min:
			s += fmt.Sprintf(" to %d", a.Max)
		}
		if a.Step > 1 {
			s += fmt.Sprintf(", a multiple of %d", a.Step)
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", s, a.Reading))
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, "; ")
}
