package layout

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest stands for a layout: SHA-256 of its canonical text. Two pools may exchange pages if and only if their digests are equal.
type Digest [sha256.Size]byte

// String prints the digest as 64 hex digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// IsZero tells whether the digest was never set.
func (d Digest) IsZero() bool { return d == Digest{} }

// MarshalText prints the digest as hex, for JSON.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads 64 hex digits; the error is a *DigestError.
func (d *Digest) UnmarshalText(text []byte) error {
	var out Digest
	if len(text) == hex.EncodedLen(len(out)) {
		if _, err := hex.Decode(out[:], text); err == nil {
			*d = out
			return nil
		}
	}
	return &DigestError{string(text[:min(len(text), 2*hex.EncodedLen(len(out)))])}
}
