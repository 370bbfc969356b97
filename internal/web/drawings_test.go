package web

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/internal/api"
)

func TestParseRange(t *testing.T) {
	for in, want := range map[string]string{
		"6 to 14": "[6 14]", "exactly 8": "[8 8]", "at least 1": "[1 ∞]", "at most -3": "[-∞ -3]", "above 0.5": "(0.5 ∞]", "below 2": "[-∞ 2)",
		"one of 1, 2, 4": "[1 1] [2 2] [4 4]", "at most 2 or at least 9": "[-∞ 2] [9 ∞]", "any": "?", "none": "?", "not 3": "?", "6 to 14, not 8": "?",
		"exactly 'a'": "?", "": "?", "at least 99999999999999999999999999999999999999999999": "?", "1 to": "?",
	} {
		all, ok := parseRange(in)
		var got []string
		for _, e := range all {
			low, high := "[-∞", "∞]"
			if e.low != nil {
				low = map[bool]string{false: "[", true: "("}[e.lowOpen] + fmt.Sprint(*e.low)
			}
			if e.high != nil {
				high = fmt.Sprint(*e.high) + map[bool]string{false: "]", true: ")"}[e.highOpen]
			}
			got = append(got, low+" "+high)
		}
		if !ok {
			got = []string{"?"}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q is read as %s, want %s", in, text, want)
		}
	}
}

// On a drawing, what is less stands further left, all of it inside, and labels of one row do not touch.
func TestNumberLines(t *testing.T) {
	for _, ranges := range [][]string{{"6 to 14", "exactly 8"}, {"1 to 65535"}, {"at least 0"}, {"0.25 to 0.5"}, {"-1000000 to -999999", "exactly 3"}, {"one of 1, 2, 3, 4, 1000"}, {"exactly 5"}} {
		for _, shown := range []string{"", "15 is one too many", "70000 is too high", "5 is accepted"} {
			var all []api.Solved
			for i, r := range ranges {
				s := api.Solved{Quantity: "n", Accepted: "n is " + r, Range: r, Shown: shown}
				if i > 0 {
					s.Leaves = "return"
				}
				all = append(all, s)
			}
			lines := numberLines(all)
			if len(lines) != 1 {
				t.Fatalf("%v: %d drawings", ranges, len(lines))
			}
			l := lines[0]
			if (l.Value != nil) != (shown != "") {
				t.Errorf("%v with %q: value %v", ranges, shown, l.Value)
			}
			for i, m := range l.Marks {
				if m.At < 0 || m.At > lineWidth || m.At != m.At {
					t.Errorf("%v: mark %s at %v", ranges, m.Label, m.At)
				}
				for _, o := range l.Marks[:i] {
					if o.Row == m.Row && math.Abs(o.At-m.At) < 12 {
						t.Errorf("%v: %s and %s touch", ranges, o.Label, m.Label)
					}
					a, _ := number(o.Label)
					b, _ := number(m.Label)
					if *a < *b != (o.At < m.At) {
						t.Errorf("%v: %s at %v and %s at %v", ranges, o.Label, o.At, m.Label, m.At)
					}
				}
			}
		}
	}
	if lines := numberLines([]api.Solved{{Quantity: "len(x)", Accepted: "2 * n <= len(x) <= m"}}); len(lines) != 1 || lines[0].Marks[1].Label != "m" {
		t.Errorf("ends that are names: %+v", lines)
	}
	if lines := numberLines([]api.Solved{{Quantity: "kind", Accepted: "kind is one of 'a', 'b'", Range: "one of 'a', 'b'"}}); len(lines) != 0 {
		t.Errorf("texts are drawn as numbers: %+v", lines)
	}
}

// The cells of a map fill it without overlaps, each as large as it has errors.
func TestTreemap(t *testing.T) {
	root := &api.Folder{}
	for i := range 30 {
		root.Folders = append(root.Folders, api.Folder{Path: fmt.Sprintf("f%d/", i), Errors: 1000 / (i + 1)})
	}
	m := drawTreemap(root, 960, 380, 2)
	total := 0
	for _, g := range m.Groups {
		total += g.Errors
	}
	area := 0.0
	for i, g := range m.Groups {
		area += g.W * g.H
		if want := 960 * 380 * float64(g.Errors) / float64(total); math.Abs(g.W*g.H-want) > 0.02*want+30 {
			t.Errorf("%s with %d errors has an area of %.0f, want %.0f", g.Path, g.Errors, g.W*g.H, want)
		}
		for _, o := range m.Groups[:i] {
			if g.X+0.3 < o.X+o.W && o.X+0.3 < g.X+g.W && g.Y+0.3 < o.Y+o.H && o.Y+0.3 < g.Y+g.H {
				t.Errorf("%s and %s overlap", g.Path, o.Path)
			}
		}
	}
	if math.Abs(area-960*380) > 960 {
		t.Errorf("the cells fill %.0f of %d", area, 960*380)
	}
	if drawTreemap(&api.Folder{Folders: []api.Folder{{Path: "a", Errors: 3}}}, 960, 380, 2) != nil {
		t.Error("one file is drawn as a map")
	}
}

// Calls that go in circles end, and the raise stands on the right.
func TestCallsInCircles(t *testing.T) {
	hop := func(name string) api.Hop { return api.Hop{Path: "a.py", Line: 1, Function: name} }
	page := &api.Page{Sites: []api.PageSite{{Site: api.Site{Path: "a.py", Function: "raise"}}}, Triggers: []api.Trigger{
		{Entry: "main", Name: "main", Hops: []api.Hop{hop("a"), hop("b"), hop("a"), hop("b"), hop("raise")}},
		{Entry: "exported", Name: "b", Hops: []api.Hop{hop("b"), hop("c"), hop("a"), hop("raise")}}}}
	g := drawCalls(page)
	for _, n := range g.Nodes {
		if n.Raise == (n.X+nodeWidth < g.Width-4) {
			t.Errorf("%s at %d of %d", n.Name, n.X, g.Width)
		}
		if n.X < 0 || n.Y < 0 || n.Y+nodeHeight > g.Height {
			t.Errorf("%s is outside", n.Name)
		}
	}
}

// An excerpt that begins within a text of several lines is not coloured as text.
func TestExcerptWithinText(t *testing.T) {
	lines := []string{`    the end of a docstring`, `    """`, `    if x:`, `        raise ValueError("no")`}
	out := highlightExcerpt(lines, "Python", 3)
	if quoted(out[3]) || !quoted(out[0]) {
		t.Errorf("%+v", out)
	}
}
