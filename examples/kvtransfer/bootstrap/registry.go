package bootstrap

import (
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of what a registration may claim and of what a server keeps.
const (
	maxSize     = 4096              // ranks along one axis
	maxRanks    = 1 << 16           // ranks of an engine
	maxPageSize = 1 << 20           // tokens
	maxRooms    = 1 << 18           // rooms with a noted rank; rooms in one query
	roomsLast   = 120 * time.Second // after which a noted rank is dropped; SGLang's cleanup interval
)

// registry is the server's knowledge. It is safe for concurrent use.
type registry struct {
	now func() time.Time

	mu    sync.Mutex
	shape *ServerInfo // what the first registration said; nil before
	ranks map[RankKey]RankInfo
	rooms map[room.ID]noted
	swept time.Time // when rooms was last cleaned
}

// noted is a room's data-parallel rank and when it was told.
type noted struct {
	rank int
	at   time.Time
}

// register files a rank. A second registration of the same rank replaces its address and counts no further.
func (g *registry) register(r *Registration) error {
	if err := r.check(); err != nil {
		return err
	}
	shape := r.shape()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shape != nil && *g.shape != shape {
		return &ShapeError{Have: *g.shape, Got: shape}
	}
	g.shape = &shape
	g.ranks[r.key()] = RankInfo{RankIP: dialable(r.RankIP), RankPort: r.RankPort}
	return nil
}

// check holds a registration against its bounds.
func (r *Registration) check() error {
	if r.SystemDPSize == 0 {
		r.SystemDPSize = 1 // one engine: the fields may be left out
	}
	axes := []struct {
		name       string
		size, rank int
	}{
		{"attn_tp", r.AttnTPSize, r.AttnTPRank}, {"attn_cp", r.AttnCPSize, r.AttnCPRank},
		{"attn_dp", r.AttnDPSize, r.AttnDPRank}, {"pp", r.PPSize, r.PPRank},
		{"system_dp", r.SystemDPSize, r.SystemDPRank},
	}
	for _, a := range axes {
		if a.size < 1 || a.size > maxSize {
			return &FieldError{Field: a.name + "_size", Value: a.size, Least: 1, Max: maxSize}
		}
		if a.rank < 0 || a.rank >= a.size {
			return &FieldError{Field: a.name + "_rank", Value: a.rank, Least: 0, Max: a.size - 1}
		}
	}
	if n := r.shape().Ranks(); n > maxRanks {
		return &FieldError{Field: "rank_count", Value: n, Least: 1, Max: maxRanks}
	}
	if r.PageSize < 1 || r.PageSize > maxPageSize {
		return &FieldError{Field: "page_size", Value: r.PageSize, Least: 1, Max: maxPageSize}
	}
	if r.RankPort < 1 || r.RankPort > 65535 {
		return &FieldError{Field: "rank_port", Value: r.RankPort, Least: 1, Max: 65535}
	}
	if r.RankIP == "" || len(r.RankIP) > 255 || strings.ContainsAny(r.RankIP, " /@\r\n\x00") {
		return &HostError{Host: r.RankIP}
	}
	return nil
}

// dialable replaces an address that means "any interface" by loopback: nobody can dial any.
func dialable(host string) string {
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil || !ip.IsUnspecified():
		return host
	case ip.Is4():
		return "127.0.0.1"
	}
	return "::1"
}

// info returns the shape of the engine once all of its ranks are there. The error is a *NotRegisteredError.
func (g *registry) info() (ServerInfo, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shape == nil || len(g.ranks) < g.shape.Ranks() {
		return ServerInfo{}, &NotRegisteredError{Workers: len(g.ranks)}
	}
	return *g.shape, nil
}

// rank returns one rank's address. The error is a *NotRegisteredError or a *RankNotFoundError.
func (g *registry) rank(k RankKey) (RankInfo, error) {
	if _, err := g.info(); err != nil {
		return RankInfo{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if info, ok := g.ranks[k]; ok {
		return info, nil
	}
	return RankInfo{}, &RankNotFoundError{Key: k}
}

// note files the data-parallel rank of a room.
func (g *registry) note(n RoomRank) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n.DPRank < 0 || n.DPRank >= maxSize {
		return &FieldError{Field: "dp_rank", Value: n.DPRank, Least: 0, Max: maxSize - 1}
	}
	g.sweep()
	if len(g.rooms) >= maxRooms {
		return &TooManyRoomsError{Count: len(g.rooms) + 1, Max: maxRooms}
	}
	g.rooms[n.BootstrapRoom] = noted{rank: n.DPRank, at: g.now()}
	return nil
}

// query returns the ranks of those rooms that have one, under the rooms' decimal names.
func (g *registry) query(rooms []room.ID) (map[string]int, error) {
	if len(rooms) > maxRooms {
		return nil, &TooManyRoomsError{Count: len(rooms), Max: maxRooms}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	found := make(map[string]int)
	for _, id := range rooms {
		if n, ok := g.rooms[id]; ok && g.now().Sub(n.at) < roomsLast {
			found[strconv.FormatUint(uint64(id), 10)] = n.rank
		}
	}
	return found, nil
}

// sweep drops rooms past their time, at most once in that time unless the table is full. The caller holds the mutex.
func (g *registry) sweep() {
	now := g.now()
	if now.Sub(g.swept) < roomsLast && len(g.rooms) < maxRooms {
		return
	}
	g.swept = now
	for id, n := range g.rooms {
		if now.Sub(n.at) >= roomsLast {
			delete(g.rooms, id)
		}
	}
}
