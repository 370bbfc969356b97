package decode

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/bootstrap"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/plan"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/ranks"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// party is one prefill rank's part in a transfer. The transfer's mutex guards the fields below the line.
type party struct {
	s     *session
	dummy bool // it has no share, and may write nothing
	aux   bool // it writes the metadata

	settled  chan struct{} // closed when nothing more will come from it
	over     bool          // settled is closed
	aborting bool          // an abort is on its way to it
	status   *wire.Status  // its report of success
	copies   []wire.Copy   // what it wrote, where a checksum was asked for
}

// find looks up the prefill engine, works out which of its ranks have a share, and connects to them, those of later pipeline stages
// first: they are needed last, so a failure there should show first. It also returns how many decode ranks each of them
// will hear from.
func (t *Transfer) find() ([]*party, int, error) {
	server := t.req.Bootstrap
	info, err := t.e.directory.Info(t.ctx, server)
	if err != nil {
		return nil, 0, err
	}
	if err := t.e.fits(info); err != nil {
		return nil, 0, err
	}
	dp, err := t.dataParallel(info)
	if err != nil {
		return nil, 0, err
	}
	m, err := t.e.targets(info)
	if err != nil {
		return nil, 0, err
	}
	var parties []*party
	for _, target := range m.Targets {
		at, err := t.e.directory.Rank(t.ctx, server, bootstrap.RankKey{DP: dp, CP: target.CP, TP: target.TP, PP: target.PP})
		if err != nil {
			return nil, 0, err
		}
		key := sessionKey{addr: at.Addr(), lane: int(uint64(t.req.Room) % uint64(t.e.cfg.Connections))}
		s, err := t.e.connect(t.ctx, server, key)
		if err != nil {
			return nil, 0, err
		}
		parties = append(parties, &party{s: s, dummy: target.Dummy, settled: make(chan struct{})})
	}
	return parties, m.Infos, appoint(parties)
}

// appoint chooses who writes the metadata: the first rank of the last stage that writes at all.
func appoint(parties []*party) error {
	for _, p := range parties {
		if !p.dummy {
			p.aux = true
			return nil
		}
	}
	return ErrNoTarget
}

// fits refuses a prefill engine whose pages cannot be this rank's.
func (e *Engine) fits(info bootstrap.ServerInfo) error {
	switch {
	case info.PageSize != e.cfg.Model.PageSize:
		return &plan.PageSizeError{Src: info.PageSize, Dst: e.cfg.Model.PageSize}
	case info.KVCacheDtype != e.cfg.Dtype:
		return &DtypeError{Prefill: info.KVCacheDtype, Decode: e.cfg.Dtype}
	case e.cfg.DCP.Size > 1 && info.AttnCPSize > 1:
		return &CPError{CP: info.AttnCPSize}
	}
	return nil
}

// targets says which ranks of the engine to contact, the last stage's first.
func (e *Engine) targets(info bootstrap.ServerInfo) (ranks.Mapping, error) {
	m, err := ranks.Map(
		ranks.Decode{Sizes: e.cfg.Sizes, Rank: e.cfg.TPRank, PPRank: e.cfg.PPRank},
		ranks.Prefill{
			Sizes:  ranks.Sizes{TP: info.AttnTPSize, CP: info.AttnCPSize, PP: info.PPSize},
			Latent: e.cfg.Model.Family != layout.MHA,
			AllCP:  info.EnableDSACacheLayerSplit,
		})
	slices.SortStableFunc(m.Targets, func(a, b ranks.Target) int { return cmp.Compare(b.PP, a.PP) })
	return m, err
}

// dataParallel finds the prefill engine that has the room. Where only the engine itself can say so, it asks until the room has
// been announced or ends.
func (t *Transfer) dataParallel(info bootstrap.ServerInfo) (int, error) {
	if t.req.DPRank != nil {
		return *t.req.DPRank, nil
	}
	for {
		dp, err := t.e.directory.DPRank(t.ctx, t.req.Bootstrap, info, t.req.Room)
		if !errors.Is(err, bootstrap.ErrNoPrefillRank) {
			return dp, err
		}
		select {
		case <-time.After(t.e.cfg.Lookup):
		case <-t.ctx.Done():
			return 0, context.Cause(t.ctx)
		}
	}
}

// inform sends every party its INFO. From then on it may write.
func (t *Transfer) inform(parties []*party, required int) error {
	states, err := t.states()
	if err != nil {
		return err
	}
	t.enlist(parties)
	for _, p := range parties {
		m := &wire.Info{Attempt: t.attempt, Required: uint32(required), Dummy: p.dummy, Aux: wire.NoAux}
		if !p.dummy {
			m.Prefix, m.Pages, m.Checksum = uint64(t.prefix), unsigned(t.sent()), t.req.Checksum
			for _, items := range states {
				m.State = append(m.State, unsigned(items))
			}
			if p.aux {
				m.Aux = t.lease.Slot
			}
		}
		if err := p.s.conn.Send(m, t.req.Room); err != nil {
			t.unsent(p, err)
			return err
		}
	}
	return nil
}

// unsent deals with a party that was not told: where the message was at fault, it has nothing to settle; where the connection was,
// that is over.
func (t *Transfer) unsent(p *party, err error) {
	var large *wire.TooLargeError
	if !errors.As(err, &large) {
		p.s.close(err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settle(p)
}

// enlist makes the parties known to the sessions' readers.
func (t *Transfer) enlist(parties []*party) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range parties {
		t.parties[p.s] = p
		if !p.dummy {
			t.waiting++
		}
	}
}

// unsigned turns items into those of the wire.
func unsigned(items []int32) []uint32 {
	out := make([]uint32, len(items))
	for i, v := range items {
		out[i] = uint32(v)
	}
	return out
}
