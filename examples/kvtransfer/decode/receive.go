package decode

import (
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// maxCopies bounds what is kept of a transfer for its checksum: 64 MB.
const maxCopies = 1 << 22

// data takes a data frame: its bytes go straight to their places in the pool, or nowhere. What is wrong with the frame's places fails
// its room; an error is about the connection.
func (s *session) data(h wire.Header) error {
	table, err := s.conn.Table(h)
	if err != nil {
		return err
	}
	t := s.e.find(h.Room)
	if t == nil {
		return s.skip(h)
	}
	s.places = s.places[:0]
	wanted, err := t.place(s, h.Type, table)
	if err != nil {
		s.e.rooms.Fail(h.Room, err)
	}
	if !wanted {
		return s.skip(h)
	}
	if err := s.conn.Into(s.places); err != nil {
		return err
	}
	s.e.received.Add(h.Payload())
	if t.req.Checksum {
		t.note(s, table)
	}
	return nil
}

// skip reads over the bytes of a frame that nobody wants.
func (s *session) skip(h wire.Header) error {
	s.e.skipped.Add(h.Payload())
	return s.conn.Skip(h.Payload())
}

// place finds the places of a frame's copies, into s.places. False where the frame is not wanted: the room has failed, or this
// rank has nothing to say in it any more. An error is a *DummyError, *ListError or *GrantError, or that of memory.Slice.
func (t *Transfer) place(s *session, typ wire.Type, table []wire.Copy) (bool, error) {
	t.mu.Lock()
	p := t.parties[s]
	wanted := p != nil && !p.over && t.ctx.Err() == nil
	t.mu.Unlock()
	if !wanted {
		return false, nil
	}
	if p.dummy {
		return false, &DummyError{Room: t.req.Room, Peer: s.key.addr}
	}
	for _, c := range table {
		if int(c.Region) >= len(t.e.listing) {
			return false, t.outside(c)
		}
		at := t.e.listing[c.Region]
		if t.e.frameOf(at.list) != typ {
			return false, &ListError{Room: t.req.Room, Frame: typ, Region: c.Region}
		}
		if !t.grant.allows(at, c.Offset, uint64(c.Length)) {
			return false, t.outside(c)
		}
		b, err := t.e.mem.Slice(c.Region, int64(c.Offset), int64(c.Length))
		if err != nil {
			return false, err
		}
		s.places = append(s.places, b)
	}
	return true, nil
}

// outside is the error of a copy that is not granted.
func (t *Transfer) outside(c wire.Copy) error {
	return &GrantError{Room: t.req.Room, Region: c.Region, Offset: c.Offset, Length: uint64(c.Length)}
}

// frameOf is the type of frame that a list's bytes come in.
func (e *Engine) frameOf(list int) wire.Type {
	switch {
	case list == 0:
		return wire.TypePages
	case list <= len(e.pool.State):
		return wire.TypeState
	}
	return wire.TypeAux
}

// note keeps what a party wrote, for the checksum.
func (t *Transfer) note(s *session, table []wire.Copy) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.parties[s]
	if len(p.copies)+len(table) > maxCopies {
		t.e.rooms.Fail(t.req.Room, &CopiesError{Room: t.req.Room, Max: maxCopies})
		return
	}
	p.copies = append(p.copies, table...)
}

// report takes a party's status.
func (t *Transfer) report(s *session, m *wire.Status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.parties[s]
	if p == nil || p.over || m.Attempt != t.attempt {
		return // about an earlier request of the room, or said twice
	}
	t.settle(p)
	if m.State == room.Failed {
		t.e.rooms.Fail(t.req.Room, &PrefillError{Peer: s.key.addr, Reason: m.Reason})
		return
	}
	if p.dummy {
		return
	}
	p.status = m
	if t.waiting--; t.waiting == 0 {
		close(t.replied)
	}
}

// settle notes that nothing more will come from a party. The caller holds the mutex.
func (t *Transfer) settle(p *party) {
	if !p.over {
		p.over = true
		close(p.settled)
	}
}

// commit checks what all parties have reported as complete. Nothing of the room is written any more.
func (t *Transfer) commit() error {
	t.mu.Lock()
	parties := t.parties
	t.mu.Unlock()
	if t.req.Checksum {
		for _, p := range parties {
			if err := t.verify(p); err != nil {
				return err
			}
		}
	}
	found, ok := t.e.mem.Tag(t.e.pool, t.lease.Slot)
	switch {
	case !ok || found == uint64(t.req.Room):
		return nil
	case found == 0:
		return ErrNoMetadata
	}
	return &MetadataError{Room: t.req.Room, Found: room.ID(found)}
}

// verify reads back what a party wrote and holds it to the sum that the party gave.
func (t *Transfer) verify(p *party) error {
	if p.dummy {
		return nil
	}
	if !p.status.Summed {
		return &NoChecksumError{Room: t.req.Room, Peer: p.s.key.addr}
	}
	var sum wire.Sum
	for _, c := range p.copies {
		b, err := t.e.mem.Slice(c.Region, int64(c.Offset), int64(c.Length))
		if err != nil {
			return err
		}
		sum.Add(c, b)
	}
	if uint32(sum) != p.status.Sum {
		return &ChecksumError{Room: t.req.Room, Peer: p.s.key.addr, Want: p.status.Sum, Got: uint32(sum)}
	}
	return nil
}
