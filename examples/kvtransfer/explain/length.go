package explain

import (
	"fmt"
	"slices"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// change is when the rule and the state lists changed.
const change = "2026-06-30 (commit 56f22cd520cb, #28612)"

// explainLength explains the ValueError.
func explainLength(m message) Explanation {
	n := m.numbers
	f := Figures{n[0], n[1], n[2], n[3], n[4], n[5]}
	x := Explanation{Type: "ValueError", Message: m.text, Figures: &f}
	if x.Contradiction = f.complete(); x.Contradiction != "" {
		return x
	}
	x.Rules = f.rules()
	x.Accepted = f.accepted()
	x.Reading, x.Missing, x.Surplus = f.reading()
	if x.Missing > 0 {
		x.Causes = f.tooFew(x.Rules)
	} else {
		x.Causes = f.tooMany(x.Rules)
	}
	x.Causes = append(x.Causes, Cause{Possible,
		"Both sides do not describe the same model: another config, another number of NextN layers, another ratio list.", "",
		"Compare the layers, NextN layers and compression ratios in the config.json that both sides load, and their speculative-decoding settings."})
	slices.SortStableFunc(x.Causes, func(a, b Cause) int { return rank(a.Fit) - rank(b.Fit) })
	x.Check = fmt.Sprintf("kvplan slice --ratios R --stage START:END --type swa --src N --dst %d, with the model's ratio list and the stage and "+
		"list length of the prefill process, answers without running either side.", f.Length)
	return x
}

// rank orders fits.
func rank(f Fit) int {
	if f == Exact {
		return 0
	}
	return 1
}

// complete derives what a cut-off message leaves out and says what is wrong with the figures, if anything is.
func (f *Figures) complete() string {
	if f.C4 == Unknown && f.States != f.KVData { // only the new rule prints two different figures
		f.C4 = f.States / 2
	}
	if f.C4 != Unknown && f.C128 == Unknown {
		f.C128 = f.KVData - 2*f.C4
	}
	if f.C4 != Unknown {
		switch {
		case f.C128 < 0 || f.KVData != 2*f.C4+f.C128:
			return fmt.Sprintf("%d (kv_data) is not 2*c4 + c128 = 2*%d + %d", f.KVData, f.C4, f.C128)
		case f.States != 2*f.C4 && f.States != f.KVData:
			return fmt.Sprintf("swa_L + %d is neither 2*c4 = %d nor 2*c4 + c128 = %d", f.States, 2*f.C4, f.KVData)
		case f.Total != Unknown && f.C4+f.C128 > f.Total:
			return fmt.Sprintf("c4 + c128 = %d layers are more than the total of %d", f.C4+f.C128, f.Total)
		}
	}
	if w := f.Length - f.States; w >= 0 && (w == 0 || f.Total != Unknown && w <= f.Total) {
		return fmt.Sprintf("a length of %d is accepted: it leaves %d - %d = %d window entries, from 0 to the total of layers", f.Length, f.Length, f.States, w)
	}
	return ""
}

// rules are the rules that print such figures: they differ unless there are no layers of ratio 128.
func (f *Figures) rules() []slice.Rule {
	switch {
	case f.States != f.KVData:
		return []slice.Rule{slice.New}
	case f.C128 > 0:
		return []slice.Rule{slice.Old}
	}
	return []slice.Rule{slice.New, slice.Old}
}

// accepted are the lengths that the check lets pass. With the total cut off, the upper limit is the most that it can be.
func (f *Figures) accepted() []slice.Accepted {
	most := f.States + f.Total
	if f.Total == Unknown {
		most = max(f.States, f.Length-1)
	}
	return []slice.Accepted{
		{Reading: slice.AsKV, Min: f.KVData, Max: f.KVData},
		{Reading: slice.AsState, Min: f.States, Max: most},
	}
}

// reading does the arithmetic of the check.
func (f *Figures) reading() (text string, missing, surplus int) {
	w := f.Length - f.States
	if w < 0 {
		return fmt.Sprintf("Read as a state list, %d - %d leaves %d window entries: %s too few even for a list without a window.",
			f.Length, f.States, w, entries(-w)), -w, 0
	}
	if f.Total == Unknown {
		return fmt.Sprintf("Read as a state list, %d - %d leaves %d window entries, more than the model has layers (the text is cut off before their number).",
			f.Length, f.States, w), 0, 0
	}
	return fmt.Sprintf("Read as a state list, %d - %d leaves %d window entries for %d layers: %s too many.",
		f.Length, f.States, w, f.Total, entries(w-f.Total)), 0, w - f.Total
}

// few is how many NextN layers a model has at most, in practice.
const few = 3

// window says whether a number of window entries is an ordinary one: every layer of the ratio list, or all but a few NextN layers, which are
// layers without compression. In words it says which; not ordinary: "".
func (f *Figures) window(w int) string {
	if f.Total == Unknown {
		return ""
	}
	switch nextN := f.Total - w; {
	case nextN == 0:
		return fmt.Sprintf("swa_L = %d, every layer", w)
	case w > 0 && nextN > 0 && nextN <= min(few, f.Total-f.C4-f.C128):
		return fmt.Sprintf("swa_L = %d, every layer but %d NextN", w, f.Total-w)
	}
	return ""
}

// tooMany lists causes of a list that is too long.
func (f *Figures) tooMany(rules []slice.Rule) []Cause {
	var out []Cause
	if w := f.Length - f.KVData; slices.Contains(rules, slice.New) && f.C128 > 0 && w >= 0 && (f.Total == Unknown || w <= f.Total) {
		c := Cause{Possible, "Prefill runs SGLang from after " + change + " and decode one from before: its state list also holds the 128:1 states, which are a list of their own now.",
			fmt.Sprintf("swa_L + 2*c4 + c128 = %d + %d + %d = %d", w, 2*f.C4, f.C128, f.Length),
			"Run the same SGLang version on both sides: upgrade decode, or take prefill back. Restart both; no setting makes them agree."}
		if text := f.window(w); text != "" {
			c.Fit, c.Arithmetic = Exact, c.Arithmetic+" with "+text
		}
		out = append(out, c)
	}
	if f.Total == Unknown {
		return out
	}
	if f.Length == 2*f.Total {
		out = append(out, Cause{Exact, "Decode keeps keys and values of every layer: it does not run the compressed pool.",
			fmt.Sprintf("2*total = 2*%d = %d", f.Total, f.Length),
			"Compare the attention backend and the KV pool that both sides log at start; decode must load the model as DeepSeek V4."})
	}
	if s := f.Length - f.States - f.Total; s <= few {
		out = append(out, Cause{Possible, fmt.Sprintf("Decode's window pool has %d more buffers than prefill's ratio list has layers, such as NextN layers that only decode knows of.", s),
			fmt.Sprintf("%d + %d + %d = %d", f.States, f.Total, s, f.Length),
			"Give both sides the same speculative-decoding settings and a ratio list that has a 0 for every NextN layer; the draft's window belongs into a component of its own."})
	}
	return out
}

// tooFew lists causes of a list that is too short.
func (f *Figures) tooFew(rules []slice.Rule) []Cause {
	if f.Length == 0 {
		return []Cause{{Exact, "Decode registered nothing for this list.", "0 entries",
			"Look for the registration in decode's log: a pool that was not built, a component that decode does not have, or a registration that failed."}}
	}
	out := f.mixedFew(rules)
	if f.Length == f.C128 {
		out = append(out, Cause{Exact, "Decode's list of 128:1 states stands where prefill expects another component: components are paired by position, and both sides do not have the same ones.",
			fmt.Sprintf("c128 = %d", f.Length),
			"Use the same SGLang version, the same unified-KV mode and the same speculative-decoding settings on both sides."})
	}
	if text := f.window(f.Length); text != "" {
		out = append(out, Cause{Exact, "Decode's list has one entry per layer: window rings of unified mode in the place of the window list, or a pool without compression.",
			text, "Use the same unified-KV mode on both sides, and see that decode loads the model with its compression ratios."})
	}
	if f.Length <= few {
		out = append(out, Cause{Possible, "A component of the draft model, which has only its NextN layers' windows, was paired with the model's own.",
			fmt.Sprintf("%s, as of %d NextN layers", entries(f.Length), f.Length),
			"Run speculative decoding on both sides or on neither, with the same number of NextN layers, and the same SGLang version."})
	}
	if f.Length == 1 {
		out = append(out, Cause{Possible, "Decode registers its whole cache as one region (unified memory).", "1 entry",
			"Set --enable-unified-memory on both sides or on neither."})
	}
	return append(out, Cause{Possible, "Decode is cut into pipeline stages itself, and its list covers one stage.",
		fmt.Sprintf("%s of the %d that the whole KV list has", entries(f.Length), f.KVData),
		"Run decode with a pipeline-parallel size of 1, or of prefill's."})
}

// mixedFew is the cause of a new decode with an old prefill.
func (f *Figures) mixedFew(rules []slice.Rule) []Cause {
	w := f.Length - 2*f.C4
	if !slices.Contains(rules, slice.Old) || f.C128 <= 0 || w < 0 {
		return nil
	}
	c := Cause{Possible, "Prefill runs SGLang from before " + change + " and decode one from after: its state list no longer holds the 128:1 states.",
		fmt.Sprintf("swa_L + 2*c4 = %d + %d = %d", w, 2*f.C4, f.Length),
		"Run the same SGLang version on both sides: upgrade prefill, or take decode back. Restart both; no setting makes them agree."}
	if w == 0 {
		c.Fit, c.Arithmetic = Exact, c.Arithmetic+" with unified buffers, whose state list has no window"
	} else if text := f.window(w); text != "" {
		c.Fit, c.Arithmetic = Exact, c.Arithmetic+" with "+text
	}
	return []Cause{c}
}
