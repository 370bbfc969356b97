package layout

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest stands for a layout: SHA-256 of its canonical text. Two pools may exchange pages if and only if their digests are equal.
type Digest [sha256.Size]byte

// String prints the digest as 64 hex digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// IsZero tells whether the digest was never set.
func (d Digest) IsZero() bool { return d == Digest{} }

// MarshalText prints the digest as hex, for JSON.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads 64 hex digits.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("layout digest has %d characters, want %d", len(text), hex.EncodedLen(len(d)))
	}
	_, err := hex.Decode(d[:], text)
	return err
}
