package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/wherefore-dev/wherefore/examples/kvtransfer/layout"
)

// sockets returns the two ends of a loopback connection.
func sockets(t *testing.T) (net.Conn, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	type dialled struct {
		c   net.Conn
		err error
	}
	got := make(chan dialled, 1)
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		got <- dialled{c, err}
	}()
	a, err := l.Accept()
	d := <-got
	if err != nil || d.err != nil {
		t.Fatal(err, d.err)
	}
	t.Cleanup(func() { a.Close(); d.c.Close() })
	return a, d.c
}

// plain hides that a connection is a socket, as a wrapper for faults does.
type plain struct{ net.Conn }

// pair returns two connections after their handshake.
func pair(t *testing.T, wrap func(net.Conn) net.Conn, frame time.Duration) (prefill, decode *Conn) {
	t.Helper()
	a, b := sockets(t)
	type shaken struct {
		c   *Conn
		err error
	}
	got := make(chan shaken, 1)
	go func() {
		c, hello, err := Handshake(wrap(b), Hello{Role: RoleDecode, Session: "d-1", Rank: 3}, frame)
		if err == nil && (hello.Role != RolePrefill || hello.Session != "p-1") {
			err = errors.New("the hello got lost")
		}
		got <- shaken{c, err}
	}()
	prefill, hello, err := Handshake(wrap(a), Hello{Role: RolePrefill, Session: "p-1"}, frame)
	s := <-got
	if err != nil || s.err != nil {
		t.Fatal(err, s.err)
	}
	if hello.Role != RoleDecode || hello.Session != "d-1" || hello.Rank != 3 {
		t.Fatalf("hello %+v", hello)
	}
	return prefill, s.c
}

// Frames of random copies arrive byte for byte in the buffers that the table names, with and without scattered reads.
func TestDataFrames(t *testing.T) {
	for name, wrap := range map[string]func(net.Conn) net.Conn{
		"socket":  func(c net.Conn) net.Conn { return c },
		"wrapped": func(c net.Conn) net.Conn { return plain{c} },
	} {
		t.Run(name, func(t *testing.T) {
			prefill, decode := pair(t, wrap, 0)
			rng := rand.New(rand.NewPCG(1, 2))
			src := make([]byte, 4<<20)
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			type frame struct {
				copies []Copy
				parts  [][]byte
			}
			var frames []frame
			for range 40 {
				var f frame
				room := MaxData/4 - entryLen*MaxCopies
				for range 1 + rng.IntN(MaxCopies) {
					n := 1 + rng.IntN(min(room, 1<<rng.IntN(19)))
					off := rng.IntN(len(src) - n)
					f.copies = append(f.copies, Copy{Region: layout.RegionID(len(f.copies)), Length: uint32(n), Offset: uint64(off)})
					f.parts = append(f.parts, src[off:off+n])
					if room -= n; room <= 1 {
						break
					}
				}
				frames = append(frames, f)
			}
			sent := make(chan error, 1)
			go func() {
				for _, f := range frames {
					if err := prefill.SendData(TypePages, 42, f.copies, f.parts); err != nil {
						sent <- err
						return
					}
				}
				sent <- prefill.Send(&Pong{}, 0)
			}()
			var bytesIn int64
			for i, f := range frames {
				h, err := decode.Next()
				if err != nil || h.Type != TypePages || h.Room != 42 {
					t.Fatalf("frame %d: %+v, %v", i, h, err)
				}
				table, err := decode.Table(h)
				if err != nil || len(table) != len(f.copies) {
					t.Fatalf("frame %d: %d copies, %v", i, len(table), err)
				}
				bytesIn += h.Payload()
				if i%5 == 4 {
					if err := decode.Skip(h.Payload()); err != nil {
						t.Fatal(err)
					}
					continue
				}
				into := make([][]byte, len(table))
				for j, c := range table {
					into[j] = make([]byte, c.Length)
				}
				keep := append([][]byte(nil), into...)
				if err := decode.Into(into); err != nil {
					t.Fatalf("frame %d: %v", i, err)
				}
				for j, b := range keep {
					if !bytes.Equal(b, f.parts[j]) || table[j] != f.copies[j] {
						t.Fatalf("frame %d: copy %d differs", i, j)
					}
				}
			}
			if h, err := decode.Next(); err != nil || h.Type != TypePong {
				t.Fatalf("after the data: %+v, %v", h, err)
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
			if decode.Read() < bytesIn {
				t.Errorf("%d bytes counted of at least %d", decode.Read(), bytesIn)
			}
		})
	}
}

func TestPeerThatIsNoPeer(t *testing.T) {
	later := append([]byte("kvtr"), 2, 0, 0, 0)
	for name, c := range map[string]struct {
		says []byte
		want func(error) bool
	}{
		"a browser":       {[]byte("GET / HTTP/1.1\r\n\r\n"), func(err error) bool { return errors.As(err, new(*PrefaceError)) }},
		"short":           {[]byte("GE"), func(err error) bool { return errors.As(err, new(*PrefaceError)) }},
		"silence":         {nil, func(err error) bool { return errors.As(err, new(*LostError)) }},
		"a later version": {later, func(err error) bool { var v *VersionError; return errors.As(err, &v) && v.Theirs == 2 && v.Ours == 1 }},
		"no hello": {append(append([]byte("kvtr"), 1, 0, 0, 0), Header{Type: TypePing}.append(nil)...),
			func(err error) bool { return errors.As(err, new(*UnexpectedError)) }},
	} {
		a, b := sockets(t)
		go func() {
			_, _ = b.Write(c.says)
			_ = b.(*net.TCPConn).CloseWrite()
		}()
		_, _, err := Handshake(a, Hello{Role: RolePrefill}, 0)
		if !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := a.Write([]byte{0}); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the connection is still open", name)
		}
	}
}

// A peer that says nothing, or stops in the middle of a frame, is noticed within the time of a frame.
func TestStalls(t *testing.T) {
	const frame = 50 * time.Millisecond
	var stall *StallError
	a, _ := sockets(t)
	if _, _, err := Handshake(a, Hello{Role: RolePrefill}, frame); !errors.As(err, &stall) || stall.Doing != receiving {
		t.Errorf("silent from the start: %v", err)
	}
	prefill, decode := pair(t, func(c net.Conn) net.Conn { return c }, frame)
	h := Header{Type: TypePages, Count: 1, Length: entryLen + 100}
	part := Copy{Length: 100}.append(h.append(nil))
	if _, err := prefill.conn.Write(append(part, 1, 2, 3)); err != nil {
		t.Fatal(err)
	}
	got, err := decode.Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode.Table(got); err != nil {
		t.Fatal(err)
	}
	if err := decode.Into([][]byte{make([]byte, 100)}); !errors.As(err, &stall) || stall.Doing != receiving || !stall.Timeout() {
		t.Errorf("in mid-frame: %v", err)
	}
	// Nobody reads on the other side now, so the socket's buffers fill up.
	big := [][]byte{make([]byte, MaxData-entryLen)}
	for err = nil; err == nil; {
		err = prefill.SendData(TypePages, 1, []Copy{{Length: MaxData - entryLen}}, big)
	}
	if !errors.As(err, &stall) || stall.Doing != sending {
		t.Errorf("slow reader: %v", err)
	}
}

func TestEndOfConnection(t *testing.T) {
	prefill, decode := pair(t, func(c net.Conn) net.Conn { return c }, 0)
	prefill.Close()
	if _, err := decode.Next(); !errors.Is(err, ErrClosed) {
		t.Errorf("between frames: %v", err)
	}
	prefill, decode = pair(t, func(c net.Conn) net.Conn { return c }, 0)
	_, _ = prefill.conn.Write(Header{Type: TypePing}.append(nil)[:7])
	prefill.Close()
	var lost *LostError
	if _, err := decode.Next(); !errors.As(err, &lost) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("within a header: %v", err)
	}
	if err := prefill.Send(&Ping{}, 0); !errors.As(err, &lost) || lost.Doing != sending {
		t.Errorf("sending on a closed connection: %v", err)
	}
}

func TestBadHeaders(t *testing.T) {
	frame := func(length uint32, typ, flags byte, count uint16) *[headerLen]byte {
		var b [headerLen]byte
		binary.LittleEndian.PutUint32(b[:], length)
		b[4], b[5] = typ, flags
		binary.LittleEndian.PutUint16(b[6:], count)
		return &b
	}
	for name, c := range map[string]struct {
		head *[headerLen]byte
		into any // a pointer to the error's type
	}{
		"type 0":                 {frame(0, 0, 0, 0), new(*TypeError)},
		"type past the end":      {frame(0, byte(typeEnd), 0, 0), new(*TypeError)},
		"flags":                  {frame(0, byte(TypePing), 1, 0), new(*TypeError)},
		"oversized ping":         {frame(maxSmall+1, byte(TypePing), 0, 0), new(*LengthError)},
		"oversized data":         {frame(MaxData+1, byte(TypePages), 0, 1), new(*LengthError)},
		"oversized info":         {frame(maxLarge+1, byte(TypeInfo), 0, 0), new(*LengthError)},
		"largest length":         {frame(1<<32-1, byte(TypeStatus), 0, 0), new(*LengthError)},
		"data without a table":   {frame(100, byte(TypeAux), 0, 0), new(*CountError)},
		"control with a table":   {frame(32, byte(TypeInfo), 0, 1), new(*CountError)},
		"table beyond the frame": {frame(entryLen, byte(TypePages), 0, 2), new(*CountError)},
		"table without bytes":    {frame(entryLen, byte(TypePages), 0, 1), new(*CountError)},
		"too many copies":        {frame(MaxData, byte(TypePages), 0, MaxCopies+1), new(*CountError)},
	} {
		if _, err := parseHeader(c.head); err == nil || !errors.As(err, c.into) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadTables(t *testing.T) {
	h := Header{Type: TypePages, Count: 2, Length: 2*entryLen + 30}
	two := func(a, b uint32) []byte { return Copy{Length: b}.append(Copy{Length: a}.append(nil)) }
	if got, err := parseTable(two(10, 20), h, nil); err != nil || len(got) != 2 {
		t.Errorf("good table: %v", err)
	}
	var sum *TableError
	for _, bad := range [][]byte{two(10, 19), two(10, 21), two(1<<32-1, 1<<32-1)} {
		if _, err := parseTable(bad, h, nil); !errors.As(err, &sum) {
			t.Errorf("sum: %v", err)
		}
	}
	var empty *EmptyCopyError
	if _, err := parseTable(two(30, 0), h, nil); !errors.As(err, &empty) {
		t.Errorf("empty copy: %v", err)
	}
}

// A control frame of which any bit changed on the way is refused, unless it is not even a frame any more.
func TestControlFramesAreSummed(t *testing.T) {
	frame := Header{Length: 8 + sumLen, Type: TypeAbortAck, Room: 77}.append(nil)
	frame = (&AbortAck{Attempt: 5, Sender: 6}).append(frame)
	frame = binary.LittleEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
	read := func(b []byte) error {
		c := newConn(&stream{in: bytes.NewReader(b)}, 0)
		h, err := c.Next()
		if err != nil {
			return err
		}
		_, err = c.Body(h)
		return err
	}
	if err := read(frame); err != nil {
		t.Fatal(err)
	}
	for i := range len(frame) * 8 {
		bad := append([]byte(nil), frame...)
		bad[i/8] ^= 1 << (i % 8)
		if read(bad) == nil {
			t.Errorf("bit %d makes no difference", i)
		}
	}
	var sum *FrameSumError
	frame[headerLen] ^= 1
	if err := read(frame); !errors.As(err, &sum) || sum.Type != TypeAbortAck {
		t.Errorf("%v", err)
	}
}

// A message that is too large is refused here and does not spoil the connection.
func TestTooLargeMessage(t *testing.T) {
	prefill, decode := pair(t, func(c net.Conn) net.Conn { return c }, 0)
	var large *TooLargeError
	if err := decode.Send(&Info{Required: 1, Pages: make([]uint32, maxLarge/4)}, 9); !errors.As(err, &large) {
		t.Errorf("%v", err)
	}
	go func() { _ = decode.Send(&Info{Required: 1, Pages: []uint32{7}}, 9) }()
	h, err := prefill.Next()
	if err != nil || h.Type != TypeInfo || h.Room != 9 {
		t.Fatalf("%+v, %v", h, err)
	}
	body, err := prefill.Body(h)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := ParseInfo(body); err != nil || len(m.Pages) != 1 || m.Pages[0] != 7 {
		t.Errorf("%+v, %v", m, err)
	}
}
