package prefill

import (
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/wire"
)

// Bounds of what is kept about rooms that are not open.
const (
	maxEarly = 1 << 16 // INFOs for rooms that nobody has submitted
	maxPast  = 1 << 12 // rooms that have ended
)

// early is the INFOs that came before their requests: decode ranks are often faster than the router. The engine's mutex
// guards it.
type early struct {
	stay  time.Duration
	count int
	rooms map[room.ID][]earlyInfo
}

// earlyInfo is one of them.
type earlyInfo struct {
	s    *session
	info *wire.Info
	at   time.Time
}

func newEarly(stay time.Duration) *early {
	return &early{stay: stay, rooms: make(map[room.ID][]earlyInfo)}
}

// add keeps an INFO; false where too many are kept.
func (w *early) add(id room.ID, s *session, info *wire.Info) bool {
	if w.count >= maxEarly {
		return false
	}
	w.rooms[id] = append(w.rooms[id], earlyInfo{s, info, time.Now()})
	w.count++
	return true
}

// take hands out the INFOs of a room.
func (w *early) take(id room.ID) []earlyInfo {
	list := w.rooms[id]
	delete(w.rooms, id)
	w.count -= len(list)
	return list
}

// remove drops the INFOs for which gone is true.
func (w *early) remove(gone func(room.ID, earlyInfo) bool) {
	for id, list := range w.rooms {
		kept := list[:0]
		for _, i := range list {
			if !gone(id, i) {
				kept = append(kept, i)
			}
		}
		w.count -= len(list) - len(kept)
		clear(list[len(kept):])
		if w.rooms[id] = kept; len(kept) == 0 {
			delete(w.rooms, id)
		}
	}
}

// drop forgets the INFOs of a session.
func (w *early) drop(s *session) {
	w.remove(func(_ room.ID, i earlyInfo) bool { return i.s == s })
}

// expire forgets the INFOs whose request did not come in time. Their decode ranks have their own timeouts.
func (w *early) expire(now time.Time) {
	w.remove(func(_ room.ID, i earlyInfo) bool { return now.Sub(i.at) >= w.stay })
}

// past is the rooms that ended lately, so that a late INFO gets an answer and not silence. The engine's mutex guards it.
type past struct {
	rooms map[room.ID]ending
	order []room.ID // oldest first; may name rooms that are gone from the map
}

// ending is how a room ended, and when.
type ending struct {
	err   error // nil for a success
	abort error // why a room that was never submitted is not to be
	at    time.Time
}

// over is the answer to who asks for the room now.
func (e ending) over(id room.ID) error {
	how := "Success"
	if e.err != nil {
		how = e.err.Error()
	}
	return &OverError{Room: id, Ago: time.Since(e.at), How: how}
}

func newPast() *past { return &past{rooms: make(map[room.ID]ending)} }

// add notes how a room ended.
func (p *past) add(id room.ID, e ending) {
	if len(p.order) >= maxPast {
		delete(p.rooms, p.order[0])
		p.order = p.order[1:]
	}
	e.at = time.Now()
	p.rooms[id] = e
	p.order = append(p.order, id)
}

// get finds the ending of a room.
func (p *past) get(id room.ID) (ending, bool) {
	e, ok := p.rooms[id]
	return e, ok
}

// forget makes a room's id new again.
func (p *past) forget(id room.ID) { delete(p.rooms, id) }

// expire forgets endings that are older than d.
func (p *past) expire(now time.Time, d time.Duration) {
	for len(p.order) > 0 {
		e, ok := p.rooms[p.order[0]]
		if ok && now.Sub(e.at) < d {
			return
		}
		if ok {
			delete(p.rooms, p.order[0])
		}
		p.order = p.order[1:]
	}
}
