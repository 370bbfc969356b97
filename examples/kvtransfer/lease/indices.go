package lease

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
)

// NeedsOf is what a request of that many tokens needs of a pool of the model. The model must be complete.
func NeedsOf(m *layout.Model, tokens int) Needs {
	n := Needs{Pages: pages.Count(tokens, m.PageSize), Slots: 1}
	if HasWindow(m) {
		n.WindowPages = pages.Window(tokens, m.Window, m.WindowPage).Len()
	}
	return n
}

// HasWindow tells whether the model keeps window pages: a compressed one for its window or its compress states, another one where
// some layers see the window only.
func HasWindow(m *layout.Model) bool {
	return m.Family == layout.Compressed || len(m.WindowLayers) > 0
}

// Indices is the items of a state list that a request of that many tokens holds. Both sides list them in the same order, so that
// what stands at one position of both lists belongs together. Errors are a *TypeError and *pages.RingError.
func (l *Lease) Indices(m *layout.Model, t layout.StateType, tokens int) ([]int32, error) {
	switch t {
	case layout.SWA:
		return l.Window, nil
	case layout.SWARing:
		return pages.RingRows(int(l.Slot), m.RingStride, tokens, m.Window), nil
	case layout.C128State:
		return pages.C128State(int(l.Slot), tokens, m.C128Ring(), m.OnlineC128)
	case layout.DSA:
		return l.Pages, nil
	case layout.Mamba:
		return []int32{l.Slot}, nil
	}
	return nil, &TypeError{Type: string(t)}
}
