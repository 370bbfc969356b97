package wire

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// maxRegions bounds the regions of a layout that a peer registers.
const maxRegions = 1 << 14

// Register is a decode rank's layout: what the prefill rank pairs its own with. The digest in it is compared first, so that two
// versions of the software find out before any page moves.
type Register struct{ Pool *layout.Pool }

// Type is TypeRegister.
func (*Register) Type() Type { return TypeRegister }

func (m *Register) append(b []byte) []byte {
	text, err := json.Marshal(m.Pool)
	if err != nil {
		return b // a Pool is plain data that always marshals; an empty body is refused by the peer as a layout
	}
	return append(b, text...)
}

// ParseRegister reads the body of a REGISTER frame and checks that its regions can be: ids in order, sizes that add up without
// overflow. The error is a *LayoutError, a *RegionError or a *ValueError.
func ParseRegister(body []byte) (*Register, error) {
	m := &Register{Pool: new(layout.Pool)}
	if err := json.Unmarshal(body, m.Pool); err != nil {
		return nil, &LayoutError{Cause: err}
	}
	regions := m.Pool.Regions()
	if len(regions) > maxRegions {
		return nil, &ValueError{Message: TypeRegister, Field: "regions", Value: int64(len(regions))}
	}
	if len(m.Pool.State) > maxComponents {
		return nil, &ValueError{Message: TypeRegister, Field: "state", Value: int64(len(m.Pool.State))}
	}
	for i, r := range regions {
		if r.ID != layout.RegionID(i) || r.ItemLen <= 0 || r.Items < 0 || r.Items > math.MaxInt64/r.ItemLen ||
			r.Rows < 0 || r.RowLen < 0 || (r.RowLen > 0 && r.Rows > r.ItemLen/r.RowLen) {
			return nil, &RegionError{Region: r.ID, ItemLen: r.ItemLen, Items: r.Items}
		}
	}
	return m, nil
}

// Registered tells a decode rank that its layout pairs.
type Registered struct{ Sender uint32 } // the prefill rank's number in its engine

// Type is TypeRegistered.
func (*Registered) Type() Type { return TypeRegistered }

func (m *Registered) append(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, m.Sender) }

// ParseRegistered reads the body of a REGISTERED frame.
func ParseRegistered(body []byte) (*Registered, error) {
	d := &decoder{of: TypeRegistered, rest: body}
	m := &Registered{Sender: d.u32("sender")}
	return m, d.end()
}

// Refused tells a decode rank that the two cannot be paired.
type Refused struct{ Reason string }

// Type is TypeRefused.
func (*Refused) Type() Type { return TypeRefused }

func (m *Refused) append(b []byte) []byte { return appendText(b, m.Reason, maxReason) }

// ParseRefused reads the body of a REFUSED frame.
func ParseRefused(body []byte) (*Refused, error) {
	d := &decoder{of: TypeRefused, rest: body}
	m := &Refused{Reason: d.text("reason", maxReason)}
	return m, d.end()
}
