package memory

import (
	"encoding/binary"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// TagRegion is the name of the region whose items begin with the number of the room that their slot belongs to. 0 means that
// nobody has written the slot.
const TagRegion = "aux/" + layout.AuxRoom

// tag returns the bytes of a slot's tag; nil where the pool has none.
func (m *Memory) tag(p *layout.Pool, slot int32) []byte {
	for _, r := range p.Aux {
		if r.Name == TagRegion && r.ItemLen >= 8 && slot >= 0 && int64(slot) < r.Items {
			return m.Region(r.ID)[int64(slot)*r.ItemLen:][:8]
		}
	}
	return nil
}

// Tag reads the tag of a slot; false where the pool has none.
func (m *Memory) Tag(p *layout.Pool, slot int32) (uint64, bool) {
	b := m.tag(p, slot)
	if b == nil {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b), true
}

// SetTag writes the tag of a slot, where the pool has one.
func (m *Memory) SetTag(p *layout.Pool, slot int32, v uint64) {
	if b := m.tag(p, slot); b != nil {
		binary.LittleEndian.PutUint64(b, v)
	}
}
