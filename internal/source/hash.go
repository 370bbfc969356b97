package source

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"strconv"
)

// BlobHash is the id that git gives to a content.
func BlobHash(data []byte) Hash {
	h := sha1.New()
	head := append(strconv.AppendInt([]byte("blob "), int64(len(data)), 10), 0)
	h.Write(head)
	h.Write(data)
	var out Hash
	h.Sum(out[:0])
	return out
}

func tooLarge(size int64) error { return &skipError{ReasonTooLarge, fmt.Sprintf("%d bytes", size)} }

// sniffed is how much of a file is searched for NUL bytes; git takes the same.
const sniffed = 8000

// notSource says why a content is no source text; nil if it is one.
func notSource(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")):
		return &skipError{ReasonLFS, ""}
	case wide(data) != "":
		return nil // full of NUL bytes
	case bytes.IndexByte(data[:min(len(data), sniffed)], 0) >= 0:
		return &skipError{ReasonBinary, ""}
	}
	return nil
}
