package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// Version is the version of the protocol. Peers of different versions do not talk: nothing of the body is older than its rules.
const Version = 1

// Bounds of a frame. MaxData is also the most that a sender puts into one; smaller frames let an abort through sooner.
const (
	headerLen = 16
	entryLen  = 16
	MaxCopies = 1024     // entries of a data frame; what one scattered read can take
	MaxData   = 16 << 20 // bytes of a data frame, with its table
	// MaxPayload is how many bytes of data fit into a frame with the largest table.
	MaxPayload = MaxData - MaxCopies*entryLen
	maxControl = 1 << 20  // bytes of most control frames
	maxLarge   = 16 << 20 // bytes of REGISTER and INFO, which carry lists
	maxSmall   = 64       // bytes of frames without text or lists
)

// Type says what a frame is.
type Type uint8

// The types of frames, with who sends them.
const (
	TypeHello      Type = iota + 1 // both: who I am
	TypeRegister                   // decode: my layout
	TypeRegistered                 // prefill: it pairs with mine
	TypeRefused                    // prefill: it does not, and why
	TypeInfo                       // decode: where a room's pages go
	TypePages                      // prefill: bytes of the KV lists
	TypeState                      // prefill: bytes of the state lists
	TypeAux                        // prefill: bytes of the aux list
	TypeStatus                     // prefill: how a room ended
	TypeAbort                      // decode: stop writing for a room
	TypeAbortAck                   // prefill: nothing more will come for it
	TypePing                       // both: are you there
	TypePong                       // both: I am
	TypeConsensus                  // prefill to prefill: a ballot
	typeEnd
)

// String names the type.
func (t Type) String() string {
	names := [typeEnd]string{"", "HELLO", "REGISTER", "REGISTERED", "REFUSED", "INFO", "PAGES", "STATE", "AUX", "STATUS",
		"ABORT", "ABORT_ACK", "PING", "PONG", "CONSENSUS"}
	if t > 0 && t < typeEnd {
		return names[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// Data tells whether frames of the type carry bytes for a pool.
func (t Type) Data() bool { return t == TypePages || t == TypeState || t == TypeAux }

// limit is the longest body of a type.
func (t Type) limit() uint32 {
	switch t {
	case TypePages, TypeState, TypeAux:
		return MaxData
	case TypeRegister, TypeInfo:
		return maxLarge
	case TypePing, TypePong, TypeAbort, TypeAbortAck, TypeRegistered:
		return maxSmall
	}
	return maxControl
}

// Header begins a frame.
type Header struct {
	Length uint32 // bytes of the body
	Type   Type
	Count  uint16  // entries of the table; data frames only
	Room   room.ID // 0 where the frame concerns none
}

// Payload is how many bytes of the body follow the table.
func (h Header) Payload() int64 { return int64(h.Length) - int64(h.Count)*entryLen }

// append adds the header's 16 bytes to b.
func (h Header) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, h.Length)
	b = append(b, byte(h.Type), 0)
	b = binary.LittleEndian.AppendUint16(b, h.Count)
	return binary.LittleEndian.AppendUint64(b, uint64(h.Room))
}

// parseHeader reads and checks a header. The error is a *TypeError, *LengthError or *CountError.
func parseHeader(b *[headerLen]byte) (Header, error) {
	h := Header{
		Length: binary.LittleEndian.Uint32(b[0:]), Type: Type(b[4]),
		Count: binary.LittleEndian.Uint16(b[6:]), Room: room.ID(binary.LittleEndian.Uint64(b[8:])),
	}
	switch {
	case h.Type == 0 || h.Type >= typeEnd || b[5] != 0:
		return h, &TypeError{Type: b[4], Flags: b[5]}
	case h.Length > h.Type.limit():
		return h, &LengthError{Type: h.Type, Length: h.Length, Max: h.Type.limit()}
	case h.Type.Data() != (h.Count > 0) || h.Count > MaxCopies || h.Payload() < int64(h.Count):
		return h, &CountError{Type: h.Type, Count: h.Count, Length: h.Length}
	}
	return h, nil
}

// Copy is where some bytes of a data frame go.
type Copy struct {
	Region layout.RegionID
	Length uint32 // bytes, at least 1
	Offset uint64 // bytes from the beginning of the region
}

// append adds the entry's 16 bytes to b.
func (c Copy) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(c.Region))
	b = binary.LittleEndian.AppendUint32(b, c.Length)
	return binary.LittleEndian.AppendUint64(b, c.Offset)
}

// parseTable reads the table of a data frame into copies and checks that it accounts for every byte of the payload, so that
// whoever places the copies has placed the frame. The error is a *TableError.
func parseTable(b []byte, h Header, copies []Copy) ([]Copy, error) {
	copies = copies[:0]
	var sum int64
	for ; len(b) >= entryLen; b = b[entryLen:] {
		c := Copy{
			Region: layout.RegionID(binary.LittleEndian.Uint32(b[0:])),
			Length: binary.LittleEndian.Uint32(b[4:]), Offset: binary.LittleEndian.Uint64(b[8:]),
		}
		if c.Length == 0 {
			return nil, &EmptyCopyError{Region: c.Region}
		}
		sum += int64(c.Length)
		copies = append(copies, c)
	}
	if sum != h.Payload() {
		return nil, &TableError{Sum: sum, Payload: h.Payload()}
	}
	return copies, nil
}
