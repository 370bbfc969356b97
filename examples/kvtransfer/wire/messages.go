package wire

import (
	"encoding/binary"
	"math"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/consensus"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Bounds of what messages carry.
const (
	maxReason     = 4096 // bytes of a reason
	maxComponents = 256  // state lists of an INFO
)

// NoAux stands for the aux slot of a sender that shall send none.
const NoAux = -1

// Info tells a prefill rank where the pages of a room go: the decode side's answer to what to send.
type Info struct {
	// Attempt tells apart the requests of one decode rank that use the same room one after the other.
	Attempt uint32
	// Dummy asks for nothing: the rank has no share in the room, but its own room must end like the others'.
	Dummy bool
	// Required is how many decode ranks will send an INFO for the room to this prefill rank.
	Required uint32
	// Prefix is how many leading tokens decode has already. Pages go on from there.
	Prefix uint64
	// Pages are the destination pages of tokens from Prefix on, in the order of tokens.
	Pages []uint32
	// State holds the destination indices of each state list, by the decode side's order of lists.
	State [][]uint32
	// Aux is the slot of the aux list, or NoAux.
	Aux int32
	// Checksum asks for a sum over all bytes sent, with the status.
	Checksum bool
}

// Type is TypeInfo.
func (*Info) Type() Type { return TypeInfo }

func (m *Info) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, m.Attempt)
	b = appendBool(b, m.Dummy)
	b = binary.LittleEndian.AppendUint32(b, m.Required)
	b = binary.LittleEndian.AppendUint64(b, m.Prefix)
	b = appendU32s(b, m.Pages)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.State)))
	for _, list := range m.State {
		b = appendU32s(b, list)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(m.Aux))
	return appendBool(b, m.Checksum)
}

// ParseInfo reads the body of an INFO frame.
func ParseInfo(body []byte) (*Info, error) {
	d := &decoder{of: TypeInfo, rest: body}
	m := &Info{Attempt: d.u32("attempt"), Dummy: d.bool("dummy"), Required: d.u32("required"), Prefix: d.u64("prefix"),
		Pages: d.u32s("pages")}
	if n := d.count("state", 4); n > maxComponents {
		d.refuse("state", int64(n))
	} else if n > 0 {
		m.State = make([][]uint32, n)
		for i := range m.State {
			m.State[i] = d.u32s("state_indices")
		}
	}
	m.Aux = int32(d.u32("aux"))
	m.Checksum = d.bool("checksum")
	if m.Required == 0 {
		d.refuse("required", 0)
	}
	if m.Aux < NoAux {
		d.refuse("aux", int64(m.Aux))
	}
	if m.Prefix > 1<<40 {
		d.refuse("prefix", int64(min(m.Prefix, math.MaxInt64))) // no context is that long, and later sums must not overflow
	}
	return m, d.end()
}

// Status tells a decode rank how a room ended with one prefill rank.
type Status struct {
	Attempt uint32     // of the INFO that is answered
	State   room.State // Success or Failed
	Sender  uint32     // the prefill rank's number in its engine
	Summed  bool       // whether Sum is given
	Sum     uint32     // CRC-32C of all bytes sent for the room on this connection, in the order of the frames
	Reason  string     // why it failed
}

// Type is TypeStatus.
func (*Status) Type() Type { return TypeStatus }

func (m *Status) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, m.Attempt)
	b = append(b, byte(m.State))
	b = binary.LittleEndian.AppendUint32(b, m.Sender)
	b = appendBool(b, m.Summed)
	b = binary.LittleEndian.AppendUint32(b, m.Sum)
	return appendText(b, m.Reason, maxReason)
}

// ParseStatus reads the body of a STATUS frame.
func ParseStatus(body []byte) (*Status, error) {
	d := &decoder{of: TypeStatus, rest: body}
	m := &Status{Attempt: d.u32("attempt"), State: room.State(d.u8("state")), Sender: d.u32("sender"), Summed: d.bool("summed"),
		Sum: d.u32("sum"), Reason: d.text("reason", maxReason)}
	if !m.State.Terminal() {
		d.refuse("state", int64(m.State))
	}
	return m, d.end()
}

// Abort asks a prefill rank to write no more for the frame's room.
type Abort struct{ Attempt uint32 } // of the INFO that is taken back

// Type is TypeAbort.
func (*Abort) Type() Type { return TypeAbort }

func (m *Abort) append(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, m.Attempt) }

// ParseAbort reads the body of an ABORT frame.
func ParseAbort(body []byte) (*Abort, error) {
	d := &decoder{of: TypeAbort, rest: body}
	m := &Abort{Attempt: d.u32("attempt")}
	return m, d.end()
}

// AbortAck answers an abort: whatever was under way has been sent, and nothing for the room will follow on this connection.
type AbortAck struct {
	Attempt uint32 // of the abort, so that an answer which comes late counts for no later abort
	Sender  uint32
}

// Type is TypeAbortAck.
func (*AbortAck) Type() Type { return TypeAbortAck }

func (m *AbortAck) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, m.Attempt)
	return binary.LittleEndian.AppendUint32(b, m.Sender)
}

// ParseAbortAck reads the body of an ABORT_ACK frame.
func ParseAbortAck(body []byte) (*AbortAck, error) {
	d := &decoder{of: TypeAbortAck, rest: body}
	m := &AbortAck{Attempt: d.u32("attempt"), Sender: d.u32("sender")}
	return m, d.end()
}

// Ping asks for a Pong. Neither has fields.
type Ping struct{}

// Type is TypePing.
func (*Ping) Type() Type { return TypePing }

func (*Ping) append(b []byte) []byte { return b }

// Pong answers a Ping.
type Pong struct{}

// Type is TypePong.
func (*Pong) Type() Type { return TypePong }

func (*Pong) append(b []byte) []byte { return b }

// Ballot carries a message of the consensus between prefill ranks.
type Ballot struct{ consensus.Message }

// Type is TypeConsensus.
func (*Ballot) Type() Type { return TypeConsensus }

func (m *Ballot) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, m.Round)
	b = appendBool(b, m.Decide)
	for _, list := range [][]room.ID{m.Message.Ballot.Ready, m.Message.Ballot.Failed, m.Message.Ballot.Done} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
		for _, id := range list {
			b = binary.LittleEndian.AppendUint64(b, uint64(id))
		}
	}
	return b
}

// ParseBallot reads the body of a CONSENSUS frame.
func ParseBallot(body []byte) (*Ballot, error) {
	d := &decoder{of: TypeConsensus, rest: body}
	m := &Ballot{consensus.Message{Round: d.u64("round"), Decide: d.bool("decide")}}
	m.Message.Ballot = consensus.Ballot{Ready: d.rooms("ready"), Failed: d.rooms("failed"), Done: d.rooms("done")}.Sort()
	return m, d.end()
}

// rooms reads a list of rooms.
func (d *decoder) rooms(field string) []room.ID {
	n := d.count(field, 8)
	if n == 0 {
		return nil
	}
	list := make([]room.ID, n)
	for i := range list {
		list[i] = room.ID(d.u64(field))
	}
	return list
}

// u32s reads a list of numbers.
func (d *decoder) u32s(field string) []uint32 {
	n := d.count(field, 4)
	if n == 0 {
		return nil
	}
	list := make([]uint32, n)
	for i := range list {
		list[i] = d.u32(field)
	}
	return list
}

// appendU32s adds a length and the numbers of list.
func appendU32s(b []byte, list []uint32) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}
