// Package wire is the protocol between ranks: framed messages over one TCP connection.
//
// Both sides begin with a preface of 8 bytes, "kvtr" and the protocol version (u16) and zero (u16), then a HELLO frame. All numbers are
// little-endian. A frame is a header of 16 bytes and a body:
//
//	u32 length of the body   u8 type   u8 zero   u16 count of copies   u64 room
//
// Control frames have no copies; their bodies are the messages of this package, with a CRC-32C (u32) of header and message behind
// them, because a wrong page number would send good bytes to a wrong place. Data frames (PAGES, STATE, AUX) carry bytes for
// the receiver's pool. Their body is a table of count entries, then the bytes of all entries one after the other:
//
//	u32 region id   u32 length   u64 offset in the region
//
// Regions are named by id, never by address: where they lie is the receiver's business, and so is whether the room may
// write there. The table comes first so that the receiver can place all bytes of a frame with one scattered read from the
// socket into its pool; they are never held anywhere in between. The sender gathers them from its pool in the same way.
//
// Every length is bounded before anything is allocated for it. A frame that has begun must end within a bounded time, in
// both directions. A frame that breaks the rules ends the connection: after it nobody knows where the next one begins.
package wire
