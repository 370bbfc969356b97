package explain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// raise is the error of a list of n entries for a ratio list, by a rule.
func raise(t testing.TB, ratios []int, n int, rule slice.Rule) string {
	t.Helper()
	q := slice.Query{Family: layout.Compressed, Type: layout.SWA, Ratios: ratios, Stage: layout.Stage{End: len(ratios)}, Src: n + 1, Dst: n, Rule: rule}
	_, err := q.Destination()
	if err == nil {
		t.Fatalf("%v: %d entries are accepted", ratios, n)
	}
	return err.Error()
}

// The models of the tables.
var (
	r1 = []int{0, 4, 128, 4}
	r2 = []int{0, 0, 4, 128, 4, 128, 4, 0}
	r3 = []int{128, 4, 128, 4, 128, 4}
)

// one explains a text that has one message.
func one(t *testing.T, text string) Explanation {
	t.Helper()
	list := Text(text)
	if len(list) != 1 {
		t.Fatalf("%d explanations of %q", len(list), text)
	}
	return list[0]
}

// causes prints causes by the first words that tell them apart.
func causes(x Explanation) string {
	var out []string
	for _, c := range x.Causes {
		words := strings.Fields(c.What)
		out = append(out, string(c.Fit)+" "+strings.Join(words[:4], " "))
	}
	return strings.Join(out, "; ")
}

// TestLength holds the explanations of lengths to their causes, best fit first.
func TestLength(t *testing.T) {
	const other = "possible Both sides do not"
	for _, c := range []struct {
		ratios           []int
		length           int
		rule             slice.Rule
		missing, surplus int
		want             string
	}{
		{r2, 16, slice.New, 0, 2, "exact Prefill runs SGLang from; exact Decode keeps keys and; possible Decode's window pool has; " + other},
		{r2, 15, slice.New, 0, 1, "exact Prefill runs SGLang from; possible Decode's window pool has; " + other},
		{r1, 9, slice.New, 0, 1, "exact Prefill runs SGLang from; possible Decode's window pool has; " + other},
		{r3, 13, slice.New, 0, 1, "possible Prefill runs SGLang from; possible Decode's window pool has; " + other},
		{r3, 18, slice.New, 0, 6, other},
		{r2, 17, slice.New, 0, 3, "possible Decode's window pool has; " + other},
		{r2, 18, slice.New, 0, 4, other},
		{[]int{4, 4, 4, 4}, 13, slice.New, 0, 1, "possible Decode's window pool has; " + other},
		{[]int{0, 0, 4, 128}, 1, slice.Old, 2, 0, "exact Decode's list of 128:1; possible A component of the; possible Decode registers its whole; possible Decode is cut into; " + other},
		{[]int{0, 0, 4, 128}, 2, slice.Old, 1, 0, "exact Prefill runs SGLang from; exact Decode's list has one; possible A component of the; possible Decode is cut into; " + other},
		{r2, 0, slice.New, 6, 0, "exact Decode registered nothing for; " + other},
		{r2, 2, slice.New, 4, 0, "exact Decode's list of 128:1; possible A component of the; possible Decode is cut into; " + other},
		{r2, 3, slice.New, 3, 0, "possible A component of the; possible Decode is cut into; " + other},
		{r2, 1, slice.New, 5, 0, "possible A component of the; possible Decode registers its whole; possible Decode is cut into; " + other},
		{[]int{4, 4, 4, 0}, 4, slice.New, 2, 0, "exact Decode's list has one; possible Decode is cut into; " + other},
		{[]int{4, 4, 4, 0}, 3, slice.New, 3, 0, "exact Decode's list has one; possible A component of the; possible Decode is cut into; " + other},
		{r2, 6, slice.Old, 2, 0, "exact Prefill runs SGLang from; exact Decode's list has one; possible Decode is cut into; " + other},
		{r2, 7, slice.Old, 1, 0, "exact Decode's list has one; possible Prefill runs SGLang from; possible Decode is cut into; " + other},
		{r2, 17, slice.Old, 0, 1, "possible Decode's window pool has; " + other},
	} {
		x := one(t, raise(t, c.ratios, c.length, c.rule))
		if got := causes(x); got != c.want || x.Missing != c.missing || x.Surplus != c.surplus || x.Contradiction != "" {
			t.Errorf("%v %d: missing %d, surplus %d, %q\n got %s\nwant %s", c.ratios, c.length, x.Missing, x.Surplus, x.Contradiction, got, c.want)
		}
		if !slices.Contains(x.Rules, c.rule) {
			t.Errorf("%v %d: rules %v", c.ratios, c.length, x.Rules)
		}
		for _, a := range x.Accepted {
			if c.length >= a.Min && c.length <= a.Max {
				t.Errorf("%v %d: accepted by %+v", c.ratios, c.length, a)
			}
		}
	}
}

// TestArithmetic holds one explanation to its words: what a person reads.
func TestArithmetic(t *testing.T) {
	x := one(t, raise(t, r2, 16, slice.New))
	c := x.Causes[0]
	for got, want := range map[string]string{
		x.Reading:                 "Read as a state list, 16 - 6 leaves 10 window entries for 8 layers: 2 entries too many.",
		c.Arithmetic:              "swa_L + 2*c4 + c128 = 8 + 6 + 2 = 16 with swa_L = 8, every layer",
		fmt.Sprint(x.Accepted):    "[{kv_data 8 8 0} {state_data 6 14 0}]",
		fmt.Sprint(*x.Figures):    "{16 8 6 3 2 8}",
		x.Type + ": " + x.Message: "ValueError: " + raise(t, r2, 16, slice.New),
	} {
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	if !strings.Contains(x.Check, "--dst 16") || !strings.Contains(c.Do, "same SGLang version") {
		t.Errorf("%s\n%s", x.Check, c.Do)
	}
}

// TestMixedVersions mixes versions of random models and holds the first cause to be just that, with an exact fit.
func TestMixedVersions(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 30))
	mixed := 0
	for range 5000 {
		ratios := make([]int, 2+rng.IntN(60))
		for l := range ratios {
			ratios[l] = []int{0, 4, 128}[rng.IntN(3)]
		}
		nextN := rng.IntN(2)
		clear(ratios[len(ratios)-nextN:])
		n := slice.Count(ratios)
		old := len(ratios) - nextN + n.States(slice.Old)
		q := slice.Query{Family: layout.Compressed, Type: layout.SWA, Ratios: ratios, Stage: layout.Stage{End: 1}, Src: 0, Dst: old}
		_, err := q.Destination()
		if err == nil {
			continue // the silent case: the window is taken to be longer
		}
		mixed++
		if c := one(t, err.Error()).Causes[0]; c.Fit != Exact || !strings.Contains(c.What, "decode one from before") {
			t.Fatalf("%v, %d entries: %+v", ratios, old, c)
		}
	}
	if mixed < 4000 {
		t.Errorf("%d mixed pairs only", mixed)
	}
}

// TestFind finds messages in what people paste.
func TestFind(t *testing.T) {
	msg := raise(t, r2, 16, slice.New)
	const end = "KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP"
	wrapped := ""
	for i, r := range msg {
		if wrapped += string(r); i%37 == 36 {
			wrapped += "\n"
		}
	}
	for name, text := range map[string]string{
		"bare":      msg,
		"traceback": "Traceback (most recent call last):\n  File \"conn.py\", line 1032, in _mla_slice_ptrs_for_pp\n    raise ValueError(\nValueError: " + msg + "\n",
		"log":       "[2026-08-22 10:11:12 PP1] Transfer thread failed because of " + msg + ". Prefill instance with bootstrap_port=8998 is dead.",
		"wrapped":   wrapped,
		"coloured":  "\x1b[31m" + strings.ReplaceAll(msg, "length", "\x1b[1mlength\x1b[0m") + "\x1b[0m",
		"framed":    "│ " + strings.ReplaceAll(wrapped, "\n", " │\n│ ") + " │",
		"json":      `{"level":"error","msg":"ValueError: ` + strings.ReplaceAll(wrapped, "\n", `\n`) + `"}`,
		"twice":     msg + "\n" + msg,
	} {
		if x := one(t, text); x.Message != msg {
			t.Errorf("%s: %s", name, x.Message)
		}
	}
	if got := Text("a\n" + end + "\nb\n" + msg); len(got) != 2 || got[0].Message != end || got[1].Message != msg {
		t.Errorf("two messages: %+v", got)
	}
	for _, text := range []string{"", "ValueError: unexpected length 3", strings.Replace(msg, "16", "many", 1), "Unexpected compressed-MLA dst_kv_ptrs length 16; expected either"} {
		if got := Text(text); got != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestCut explains messages whose end is cut off, and does not take a cut number for a whole one.
func TestCut(t *testing.T) {
	msg := raise(t, r2, 16, slice.New)
	for cut, want := range map[string]Figures{
		" given":  {16, 8, 6, 3, 2, Unknown},
		"3, c128": {16, 8, 6, 3, 2, Unknown},
		" c128=":  {16, 8, 6, 3, 2, Unknown},
		", total": {16, 8, 6, 3, 2, Unknown},
		"8).":     {16, 8, 6, 3, 2, Unknown},
	} {
		text, _, _ := strings.Cut(msg, cut)
		x := one(t, text+"…")
		if most := x.Accepted[1].Max; most != 15 || x.Surplus != 0 || x.Missing != 0 {
			t.Errorf("%q: at most %d accepted, surplus %d", text, most, x.Surplus)
		}
		if *x.Figures != want || x.Contradiction != "" || len(x.Causes) == 0 || !strings.HasSuffix(x.Message, " …") {
			t.Errorf("%q: %+v", text, x)
		}
	}
	x := one(t, strings.TrimSuffix(raise(t, r2, 17, slice.Old), "c4=3, c128=2, total=8)."))
	if x.Figures.C4 != Unknown || len(x.Rules) != 2 || x.Contradiction != "" {
		t.Errorf("%+v", x)
	}
}

// TestContradiction refuses figures that the check cannot print.
func TestContradiction(t *testing.T) {
	const format = "Unexpected compressed-MLA dst_kv_ptrs length %d; expected either %d (kv_data) or swa_L + %d (state_data) given compression_ratios (c4=%d, c128=%d, total=%d)."
	for _, c := range []struct {
		n    [6]any
		want string
	}{
		{[6]any{16, 9, 6, 3, 2, 8}, "9 (kv_data) is not 2*c4 + c128 = 2*3 + 2"},
		{[6]any{16, 8, 7, 3, 2, 8}, "swa_L + 7 is neither 2*c4 = 6 nor 2*c4 + c128 = 8"},
		{[6]any{16, 8, 6, 3, 2, 4}, "c4 + c128 = 5 layers are more than the total of 4"},
		{[6]any{14, 8, 6, 3, 2, 8}, "a length of 14 is accepted: it leaves 14 - 6 = 8 window entries, from 0 to the total of layers"},
	} {
		if x := one(t, fmt.Sprintf(format, c.n[:]...)); x.Contradiction != c.want || x.Causes != nil {
			t.Errorf("%s, want %s", x.Contradiction, c.want)
		}
	}
	if x := one(t, "prefill_end_layer (7) exceeds dst SWA pool buffer count (8)"); x.Contradiction == "" || x.Causes != nil {
		t.Errorf("%+v", x)
	}
}

// TestAssertions explains the two assertions.
func TestAssertions(t *testing.T) {
	x := one(t, "AssertionError: prefill_end_layer (8) exceeds dst SWA pool buffer count (7); compression_ratios may include layers")
	if x.Surplus != 1 || x.Causes[0].Fit != Exact || x.Causes[0].Arithmetic != "8 - 7 = 1 NextN layers" {
		t.Errorf("%+v", x)
	}
	if x = one(t, "prefill_end_layer (10) exceeds dst SWA pool buffer count (7)"); x.Causes[0].Fit != Exact {
		t.Errorf("%+v", x)
	}
	x = one(t, "AssertionError: prefill_end_layer (80) exceeds dst SWA pool buffer count (7); compression_ratios may include layers")
	if x.Causes[0].Fit != Possible {
		t.Errorf("%+v", x)
	}
	x = one(t, "AssertionError: KVArgs.prefill_end_layer must be set when using compressed-MLA PD with PP")
	if x.Type != "AssertionError" || len(x.Causes) != 2 {
		t.Errorf("%+v", x)
	}
}

// FuzzText reads anything without a panic; an explanation either contradicts or has causes.
func FuzzText(f *testing.F) {
	f.Add(raise(f, r2, 16, slice.New))
	f.Add(raise(f, r2, 17, slice.Old))
	f.Add("prefill_end_layer (8) exceeds dst SWA pool buffer count (7)")
	f.Fuzz(func(t *testing.T, text string) {
		for _, x := range Text(text) {
			if (x.Contradiction == "") == (len(x.Causes) == 0) || x.Message == "" || x.Missing > 0 && x.Surplus > 0 {
				t.Fatalf("%+v", x)
			}
		}
	})
}

// TestPrintsAsRaised holds the texts that are printed to those of the errors, which they must not drift from.
func TestPrintsAsRaised(t *testing.T) {
	state := slice.Query{Family: layout.Compressed, Type: layout.SWA, Ratios: r2, Stage: layout.Stage{Start: 4, End: 8}, Src: 8, Dst: 99}
	window, end := state, state
	window.Dst, window.Rule = 15, slice.Old
	end.Dst, end.Stage.End = 13, layout.Unset
	for name, q := range map[string]slice.Query{"length": state, "window": window, "end": end} {
		_, err := q.Destination()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if x := one(t, "x: "+err.Error()); x.Message != err.Error() {
			t.Errorf("%s: %q is printed as %q", name, err, x.Message)
		}
	}
}
