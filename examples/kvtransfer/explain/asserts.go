package explain

import (
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/slice"
)

// explainWindow explains the assertion that only the old rule has.
func explainWindow(m message) Explanation {
	end, window := m.numbers[0], m.numbers[1]
	x := Explanation{Type: "AssertionError", Message: m.text, Rules: []slice.Rule{slice.Old}, Surplus: max(0, end-window)}
	if end <= window {
		x.Contradiction = fmt.Sprintf("a stage that ends at %d is accepted: the list has %d window entries", end, window)
		return x
	}
	x.Reading = fmt.Sprintf("The stage ends at layer %d, but decode's state list has %d window entries: %d of the stage's layers have none.", end, window, end-window)
	fit := Possible
	if end-window <= few {
		fit = Exact
	}
	x.Causes = []Cause{
		{fit, "The ratio list has slots for NextN layers, the stage counts them, and the window pool does not build them.",
			fmt.Sprintf("%d - %d = %d NextN layers", end, window, end-window),
			"Upgrade both sides to SGLang from after " + change + ", which clips the stage to the window instead; or leave the NextN layers out of the last stage."},
		{Possible, "Decode runs SGLang from after " + change + ": its list has no 128:1 states, so the window looks shorter by their number.", "",
			"Run the same SGLang version on both sides."},
	}
	return x
}

// explainEnd explains the assertion that the stage has no end.
func explainEnd(m message) Explanation {
	return Explanation{
		Type: "AssertionError", Message: m.text, Rules: []slice.Rule{slice.New, slice.Old},
		Reading: "Prefill's and decode's lists differ in length, so decode's has to be cut to prefill's stage, and prefill did not say where its stage ends.",
		Causes: []Cause{
			{Possible, "Prefill fills KVArgs by a path that predates pipeline stages with compressed MLA: an own backend, a plug-in, a version mix within prefill.", "",
				"Set kv_args.prefill_end_layer beside prefill_start_layer, from the end layer of the model's stage."},
			{Possible, "Prefill holds the whole model, and the lists should have had one length: decode has more buffers, or fewer.", "",
				"Compare versions and speculative-decoding settings of both sides: with equal lengths this code is not reached."},
		},
	}
}
