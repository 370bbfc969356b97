package control

import (
	"context"
	"net/http"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/fault"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/prefill"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// prefillRank is a prefill engine as the routes see it.
type prefillRank struct{ engine *prefill.Engine }

// Prefill returns the control server of a prefill rank. The injector must be the one that wraps the engine's connections.
func Prefill(e *prefill.Engine, inject *fault.Injector) http.Handler {
	return newMux(prefillRank{e}, inject)
}

func (p prefillRank) submit(q *http.Request) error {
	var req prefill.Request
	if err := body(q, &req); err != nil {
		return err
	}
	return p.engine.Submit(req)
}

func (p prefillRank) state(id room.ID) (Outcome, error) {
	s, ok := p.engine.State(id)
	if !ok {
		return Outcome{}, &room.UnknownError{Room: id}
	}
	o := Outcome{Room: id, State: s}
	if s == room.Failed {
		if err := p.engine.Wait(context.Background(), id); err != nil { // at once: it has ended
			o.Error = err.Error()
		}
	}
	return o, nil
}

func (p prefillRank) outcome(ctx context.Context, id room.ID) Outcome {
	_ = p.engine.Wait(ctx, id) // the state says how it ended, or that it has not
	o, err := p.state(id)
	if err != nil {
		return Outcome{Room: id, State: room.Failed, Error: err.Error()}
	}
	return o
}

func (p prefillRank) abort(id room.ID) bool { return p.engine.Abort(id) }
func (p prefillRank) stats() any            { return p.engine.Stats() }
