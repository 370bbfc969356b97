package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/consensus"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/dcp"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
	"github.com/wherefore-dev/wherefore/examples/kvtransfer/room"
)

// examples is one message of every type that has fields.
func examples() []Message {
	return []Message{
		&Hello{Role: RoleDecode, Session: "decode-7", Rank: 5},
		&Info{Attempt: 77, Required: 2, Prefix: 512, Pages: []uint32{4, 5, 9}, State: [][]uint32{{1, 2}, nil, {7}}, Aux: 3, Checksum: true},
		&Info{Dummy: true, Required: 1, Aux: NoAux},
		&Status{Attempt: 8, State: room.Success, Sender: 6, Summed: true, Sum: 0xdeadbeef},
		&Status{State: room.Failed, Sender: 1, Reason: "room 5 timed out after 300.0s in Bootstrapping"},
		&Abort{Attempt: 3},
		&AbortAck{Attempt: 3, Sender: 4},
		&Ballot{consensus.Message{Round: 9, Decide: true, Ballot: consensus.Ballot{
			Ready: []room.ID{1, 1 << 63}, Failed: []room.ID{2}, Done: []room.ID{3, 4, 5}}}},
		&Registered{Sender: 2},
		&Refused{Reason: "layouts differ"},
		&Register{DCP: dcp.Place{Size: 1}, Pool: &layout.Pool{Family: layout.MLA, PageSize: 64, Parallel: layout.Parallel{TP: 1},
			KV: []layout.Region{{ID: 0, Name: "kv/latent/0", Kind: layout.KindLatent, ItemLen: 1024, Items: 8, Rows: 1, RowLen: 1024}}}},
	}
}

// parse reads a body by the type of its frame, as the two sides do between them.
func parse(t Type, body []byte) (Message, error) {
	switch t {
	case TypeHello:
		return wrap(ParseHello(body))
	case TypeInfo:
		return wrap(ParseInfo(body))
	case TypeStatus:
		return wrap(ParseStatus(body))
	case TypeAbort:
		return wrap(ParseAbort(body))
	case TypeAbortAck:
		return wrap(ParseAbortAck(body))
	case TypeConsensus:
		return wrap(ParseBallot(body))
	case TypeRegistered:
		return wrap(ParseRegistered(body))
	case TypeRefused:
		return wrap(ParseRefused(body))
	case TypeRegister:
		return wrap(ParseRegister(body))
	}
	return nil, nil
}

// wrap widens a parser's result.
func wrap[M Message](m M, err error) (Message, error) { return m, err }

func TestMessagesRoundTrip(t *testing.T) {
	for _, m := range examples() {
		got, err := parse(m.Type(), m.append(nil))
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%s: %+v came back as %+v, %v", m.Type(), m, got, err)
		}
	}
}

// Every message that loses its last byte, or gains one, is refused.
func TestTruncatedAndTrailing(t *testing.T) {
	for _, m := range examples() {
		if m.Type() == TypeRegister {
			continue // JSON has its own ends
		}
		b := m.append(nil)
		for n := range b {
			var short *TruncatedError
			if _, err := parse(m.Type(), b[:n]); !errors.As(err, &short) {
				t.Errorf("%s cut to %d of %d bytes: %v", m.Type(), n, len(b), err)
			}
		}
		var trailing *TrailingError
		if _, err := parse(m.Type(), append(b, 0)); !errors.As(err, &trailing) || trailing.Bytes != 1 {
			t.Errorf("%s with a byte more: %v", m.Type(), err)
		}
	}
}

func TestValuesThatCannotBe(t *testing.T) {
	for name, m := range map[string]Message{
		"role 0":               &Hello{},
		"status in between":    &Status{State: room.Transferring},
		"nobody required":      &Info{},
		"aux -2":               &Info{Required: 1, Aux: -2},
		"endless prefix":       &Info{Required: 1, Aux: NoAux, Prefix: 1<<64 - 1},
		"too many state lists": &Info{Required: 1, Aux: NoAux, State: make([][]uint32, maxComponents+1)},
	} {
		var value *ValueError
		if _, err := parse(m.Type(), m.append(nil)); !errors.As(err, &value) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var lay *LayoutError
	for _, bad := range []string{"{", "{}", `{"pool":{"page_size":64,"tp":1,"kv":[{"id":1}]}}`} {
		if _, err := ParseRegister([]byte(bad)); !errors.As(err, &lay) {
			t.Errorf("layout %s: %v", bad, err)
		}
	}
	long := (&Refused{Reason: strings.Repeat("x", 2*maxReason)}).append(nil)
	if m, err := ParseRefused(long); err != nil || len(m.Reason) != maxReason {
		t.Errorf("a long reason is to be cut, not refused: %v", err)
	}
}

// stream is a connection that reads from memory.
type stream struct {
	net.Conn
	in io.Reader
}

func (s *stream) Read(b []byte) (int, error)       { return s.in.Read(b) }
func (s *stream) SetReadDeadline(time.Time) error  { return nil }
func (s *stream) SetWriteDeadline(time.Time) error { return nil }
func (s *stream) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }

// FuzzFrames: whatever bytes a peer sends, reading them ends with an error or the end of the bytes, without a panic, and no
// buffer is larger than the limits say. What parses as a message prints as the same bytes again.
func FuzzFrames(f *testing.F) {
	for _, m := range examples() {
		body := m.append(nil)
		frame := append(Header{Length: uint32(len(body) + sumLen), Type: m.Type(), Room: 7}.append(nil), body...)
		f.Add(binary.LittleEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli))))
	}
	data := Header{Type: TypePages, Count: 2, Length: 2*entryLen + 5, Room: 8}.append(nil)
	data = Copy{Region: 1, Length: 3, Offset: 64}.append(data)
	data = Copy{Region: 2, Length: 2}.append(data)
	f.Add(append(data, 1, 2, 3, 4, 5))
	f.Add(append(append([]byte(nil), data...), 1, 2))
	f.Fuzz(func(t *testing.T, in []byte) {
		c := newConn(&stream{in: bytes.NewReader(in)}, 0)
		for {
			h, err := c.Next()
			if err != nil {
				return
			}
			if h.Type.Data() {
				if !readData(t, c, h, len(in)) {
					return
				}
				continue
			}
			body := c.space(int(h.Length))
			if len(body) > maxLarge {
				t.Fatalf("a body of %d bytes", len(body))
			}
			if c.fill(body) != nil {
				return
			}
			// The fuzzer will not guess sums, so a message is looked at whether its sum is right or not.
			if _, err := checkBody(&c.head, h, body); err != nil && len(body) < sumLen {
				return
			}
			body = body[:len(body)-sumLen]
			m, err := parse(h.Type, body)
			if err != nil || m == nil || h.Type == TypeRegister || h.Type == TypeConsensus {
				continue // JSON and sorted lists have several spellings
			}
			if again := m.append(nil); !bytes.Equal(again, body) {
				t.Fatalf("%s %x prints as %x", h.Type, body, again)
			}
		}
	})
}

// readData takes a data frame as a receiver does; false ends the stream.
func readData(t *testing.T, c *Conn, h Header, most int) bool {
	table, err := c.Table(h)
	if err != nil {
		return false
	}
	if len(table) > MaxCopies || h.Payload() > MaxData {
		t.Fatalf("%d copies, %d bytes", len(table), h.Payload())
	}
	if h.Payload() > int64(most) {
		return c.Skip(h.Payload()) == nil
	}
	into := make([][]byte, len(table))
	for i, cp := range table {
		into[i] = make([]byte, cp.Length)
	}
	return c.Into(into) == nil
}
