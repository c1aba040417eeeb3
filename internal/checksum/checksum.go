// Package checksum ends binary files with the SHA-256 of their content, so that truncated or
// altered files are recognised.
package checksum

import (
	"bytes"
	"crypto/sha256"
)

// Size is the number of bytes that a checksum takes.
const Size = sha256.Size

// Append appends to b the SHA-256 of its bytes from start on, in O(len(b)).
func Append(b []byte, start int) []byte {
	sum := sha256.Sum256(b[start:])
	return append(b, sum[:]...)
}

// Holds reports whether b ends with the SHA-256 of the bytes before it, in O(len(b)).
func Holds(b []byte) bool {
	at := len(b) - Size
	if at < 0 {
		return false
	}
	sum := sha256.Sum256(b[:at])
	return bytes.Equal(sum[:], b[at:])
}
