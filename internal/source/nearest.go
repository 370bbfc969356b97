package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// shownNames is how many names a complaint about an unknown revision suggests.
const shownNames = 4

// unknownRevision names what is nearest to a revision that there is not.
func unknownRevision(repository, rev string, all refNames) error {
	if len(all.tags)+len(all.branches) == 0 {
		return fmt.Errorf("%w %s; %s has no tags", ErrUnknownRevision, rev, repository)
	}
	near := nearest(rev, append(slices.Clone(all.tags), all.branches...))
	what := "tags"
	if slices.ContainsFunc(near, func(n string) bool { return !slices.Contains(all.tags, n) }) {
		what = "tags and branches"
	}
	return fmt.Errorf("%w %s; nearest %s: %s", ErrUnknownRevision, rev, what, strings.Join(near, ", "))
}

// nearest lists the few names that are most like one: first by the letters around the numbers, then by the numbers from the left, so
// that v9.8 and v9.10 come before v8.9 for v9.9; among equals the lower version first.
func nearest(name string, all []string) []string {
	type candidate struct {
		name    string
		letters int
		numbers []int64 // of the candidate
		apart   []int64 // from the numbers wanted
		edits   int
	}
	letters, numbers := splitNumbers(name)
	list := make([]candidate, 0, len(all))
	for _, n := range all {
		c := candidate{name: n}
		l, own := splitNumbers(n)
		c.letters, c.numbers, c.edits = distance(letters, l), own, distance(name, n)
		for i := range max(len(numbers), len(own)) {
			c.apart = append(c.apart, abs(at(numbers, i)-at(own, i)))
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.letters, b.letters), slices.Compare(a.apart, b.apart), cmp.Compare(a.edits, b.edits),
			slices.Compare(a.numbers, b.numbers), strings.Compare(a.name, b.name))
	})
	out := make([]string, 0, shownNames)
	for _, c := range list[:min(shownNames, len(list))] {
		out = append(out, c.name)
	}
	return out
}

func at(numbers []int64, i int) int64 {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

func abs(n int64) int64 { return max(n, -n) }

// splitNumbers splits a name into its letters, without the dots between numbers, and its numbers.
func splitNumbers(name string) (letters string, numbers []int64) {
	var b strings.Builder
	for i := 0; i < len(name); {
		n := 0
		for i+n < len(name) && name[i+n] >= '0' && name[i+n] <= '9' {
			n++
		}
		if n == 0 {
			if name[i] != '.' {
				b.WriteByte(name[i])
			}
			i++
			continue
		}
		v, err := strconv.ParseInt(name[i:i+n], 10, 32)
		if err != nil {
			v = 1 << 31 // larger than any that fits
		}
		numbers = append(numbers, v)
		i += n
	}
	return b.String(), numbers
}

// maxDistance bounds the lengths that are compared letter by letter.
const maxDistance = 100

// distance is the edit distance between two names.
func distance(a, b string) int {
	if len(a) > maxDistance || len(b) > maxDistance {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0]++
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
