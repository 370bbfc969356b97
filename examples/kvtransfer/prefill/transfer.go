package prefill

import (
	"context"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/lease"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/pages"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/plan"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// transfer computes the request chunk by chunk and queues each chunk for the decode ranks; behind the last one its states, its metadata
// and the status.
func (r *request) transfer() error {
	r.mu.Lock()
	peers := r.peers
	r.mu.Unlock()
	if r.works(peers) {
		var err error
		if r.lease, err = r.e.alloc.Take(r.ctx, lease.NeedsOf(&r.e.cfg.Model, r.tokens)); err != nil {
			return err
		}
		for from := 0; from < r.tokens; from += r.e.cfg.ChunkTokens {
			to := min(from+r.e.cfg.ChunkTokens, r.tokens)
			if err := r.chunk(peers, from, to); err != nil {
				return err
			}
		}
	}
	for _, p := range peers {
		r.queue(p, func() error { return r.succeed(p) })
	}
	return nil
}

// works tells whether anybody wants bytes of this rank.
func (r *request) works(peers []*peer) bool {
	for _, p := range peers {
		if !p.info.Dummy {
			return true
		}
	}
	return false
}

// chunk computes tokens from..to-1 and queues what has become ready.
func (r *request) chunk(peers []*peer, from, to int) error {
	last := to == r.tokens
	if err := r.compute(Chunk{Room: r.id, Lease: r.lease, From: from, To: to, Last: last, Tokens: r.tokens}); err != nil {
		return err
	}
	for _, p := range peers {
		if p.info.Dummy {
			continue
		}
		if err := r.queuePages(p, to, last); err != nil {
			return err
		}
		if !last {
			continue
		}
		if err := r.queueStates(p); err != nil {
			return err
		}
		if err := r.queueAux(p); err != nil {
			return err
		}
	}
	return nil
}

// compute runs the model on a chunk when a worker is free.
func (r *request) compute(c Chunk) error {
	select {
	case r.e.workers <- struct{}{}:
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
	defer func() { <-r.e.workers }()
	if err := r.ctx.Err(); err != nil {
		return context.Cause(r.ctx)
	}
	if err := r.e.cfg.Compute(r.ctx, c); err != nil {
		return &ComputeError{From: c.From, To: c.To, Cause: err}
	}
	return nil
}

// queuePages queues the pages of tokens up to ready that are not queued yet.
func (r *request) queuePages(p *peer, ready int, last bool) error {
	if ready <= p.sent && !last {
		return nil // decode has these tokens
	}
	page := r.e.cfg.Model.PageSize
	rg, upTo := pages.Chunk(p.prefix, p.sent, ready, page, last)
	p.sent = upTo
	if rg = rg.Within(p.share); rg.Len() == 0 {
		return nil
	}
	had := p.prefix / page
	c := plan.Chunk{
		Src: r.lease.Pages[had+rg.From : had+rg.To], Dst: signed(p.info.Pages),
		Prefix: p.prefix, Offset: rg.From, Tokens: min(upTo, p.prefix+rg.To*page) - p.prefix - rg.From*page,
	}
	if p.s.dcp.Size <= 1 {
		c.Dst = c.Dst[rg.From:rg.To]
	}
	pl, err := p.s.pairing.Chunk(c)
	if err != nil {
		return err
	}
	r.queue(p, func() error { return r.write(p, wire.TypePages, pl) })
	return nil
}

// queueStates queues the state lists. Of several context-parallel ranks the first sends them.
func (r *request) queueStates(p *peer) error {
	if r.e.cfg.CPRank > 0 {
		return nil
	}
	for i, c := range r.e.pool.State {
		items, err := r.lease.Indices(&r.e.cfg.Model, c.Type, r.tokens)
		if err != nil {
			return err
		}
		pl, err := p.s.pairing.State(i, items, signed(p.info.State[i]))
		if err != nil {
			return err
		}
		if pl.Len() > 0 {
			r.queue(p, func() error { return r.write(p, wire.TypeState, pl) })
		}
	}
	return nil
}

// queueAux queues the metadata, where the decode rank wants it from this rank. The tag in it says whose it is.
func (r *request) queueAux(p *peer) error {
	if p.info.Aux == wire.NoAux {
		return nil
	}
	r.e.mem.SetTag(r.e.pool, r.lease.Slot, uint64(r.id))
	pl, err := p.s.pairing.Slot(r.lease.Slot, p.info.Aux)
	if err != nil {
		return err
	}
	r.queue(p, func() error { return r.write(p, wire.TypeAux, pl) })
	return nil
}

// signed turns items as they come over the wire into those of plans. One beyond the range becomes negative, which no region has.
func signed(items []uint32) []int32 {
	out := make([]int32, len(items))
	for i, v := range items {
		out[i] = int32(v)
	}
	return out
}

// queue adds a job for the room to a peer's session. It is skipped where the room has failed by the time its turn comes. An
// error of the job ends the session.
func (r *request) queue(p *peer, do func() error) {
	r.jobs.Add(1)
	p.s.queue.push(job{
		run: func() error {
			defer r.jobs.Done()
			if r.ctx.Err() != nil {
				return nil
			}
			return do()
		},
		drop: func(err error) {
			r.e.rooms.Fail(r.id, err)
			r.jobs.Done()
		},
	}, false)
}

// write sends the copies of a plan, frame by frame, until they are through or the room has failed.
func (r *request) write(p *peer, t wire.Type, pl *plan.Plan) error {
	f := framer{limit: r.e.cfg.FrameBytes, send: func(copies []wire.Copy, src [][]byte, size int) error {
		if p.info.Checksum {
			for i, c := range copies {
				p.sum.Add(c, src[i])
			}
		}
		if err := p.s.conn.SendData(t, r.id, copies, src); err != nil {
			return err
		}
		r.e.sent.Add(int64(size))
		return nil
	}}
	for c := range pl.All() {
		if r.ctx.Err() != nil {
			return nil
		}
		b, err := r.e.mem.Slice(c.SrcRegion, c.SrcOffset, c.Length)
		if err != nil {
			r.e.rooms.Fail(r.id, err) // the connection is as good as before
			return nil
		}
		if err := f.add(c.DstRegion, c.DstOffset, b); err != nil {
			return err
		}
	}
	return f.flush()
}

// succeed tells a decode rank that it has everything.
func (r *request) succeed(p *peer) error {
	return p.s.conn.Send(&wire.Status{
		Attempt: p.info.Attempt, State: room.Success, Sender: uint32(r.e.cfg.sender()), Summed: p.info.Checksum, Sum: uint32(p.sum),
	}, r.id)
}
