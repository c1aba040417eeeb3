package checksum_test

import (
	"crypto/sha256"
	"slices"
	"testing"

	"pairrank/internal/checksum"
)

// The checksum is the SHA-256 of the content, and it detects every cut and every flipped bit.
func TestHolds(t *testing.T) {
	before, content := []byte("before"), []byte("content")
	whole := checksum.Append(append(slices.Clone(before), content...), len(before))
	sum := sha256.Sum256(content)
	if want := slices.Concat(before, content, sum[:]); !slices.Equal(whole, want) {
		t.Fatalf("%q, want %q", whole, want)
	}
	b := whole[len(before):]
	if !checksum.Holds(b) || !checksum.Holds(checksum.Append(nil, 0)) {
		t.Error("a checksum does not hold")
	}
	for n := range b {
		if checksum.Holds(b[:n]) {
			t.Errorf("holds with %d of %d bytes", n, len(b))
		}
	}
	for bit := range 8 * len(b) {
		altered := slices.Clone(b)
		altered[bit/8] ^= 1 << (bit % 8)
		if checksum.Holds(altered) {
			t.Errorf("holds with bit %d flipped", bit)
		}
	}
}
