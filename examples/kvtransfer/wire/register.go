package wire

import (
	"encoding/binary"
	"encoding/json"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// Register is a decode rank's layout: what the prefill rank pairs its own with. The digest in it is compared first, so that two
// versions of the software find out before any page moves.
type Register struct {
	Pool *layout.Pool `json:"pool"`
	DCP  dcp.Place    `json:"dcp"` // the rank's place among context-parallel decode ranks
}

// Type is TypeRegister.
func (*Register) Type() Type { return TypeRegister }

func (m *Register) append(b []byte) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		return b // a layout is plain data that always marshals; an empty body is refused by the peer as a layout
	}
	return append(b, text...)
}

// ParseRegister reads the body of a REGISTER frame and checks that its layout can be. The error is a *LayoutError.
func ParseRegister(body []byte) (*Register, error) {
	m := &Register{}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, &LayoutError{Cause: err}
	}
	if m.Pool == nil {
		return nil, &LayoutError{Cause: ErrNoLayout}
	}
	if err := m.Pool.Check(); err != nil {
		return nil, &LayoutError{Cause: err}
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
