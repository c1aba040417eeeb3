package parquet

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// allocated is how many bytes work allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What a header of a small file claims decides no allocation: any byte of it may be another one, and any four may be a
// large number.
func TestHostileHeaders(t *testing.T) {
	const most = 200 << 20 // bytes; some times a million values of a few columns
	files := append(seeds(t), mustRead(t, written(t, randomSet(300, 4, true))))
	r := rand.New(rand.NewPCG(3, 4))
	mutations := 2000
	if testing.Short() {
		mutations = 300
	}
	worst := uint64(0)
	for n := range mutations {
		b := append([]byte(nil), files[n%len(files)]...)
		at := r.IntN(len(b) - 5)
		if n%3 == 0 {
			at = len(b) - 5 - r.IntN(min(len(b)-5, 1500))
		}
		claim := []byte{0xfe, 0xff, 0xff, 0xff, 0x0f} // the largest number of 32 bits, with sign
		copy(b[at:], claim[r.IntN(2):])
		if n%50 == 0 {
			binary.LittleEndian.PutUint32(b[len(b)-8:], r.Uint32())
		}
		if got := allocated(func() { readAll(t, b) }); got > most {
			t.Errorf("file %d with a claim at %d of %d: %d MB", n%len(files), at, len(b), got>>20)
		} else {
			worst = max(worst, got)
		}
	}
	t.Logf("at most %d MB", worst>>20)
}

// A file of 16 bytes whose footer claims 4 GB is refused as data.
func TestHostileFooter(t *testing.T) {
	for _, claim := range []uint32{5, 1 << 31, 1<<32 - 1} {
		b := binary.LittleEndian.AppendUint32([]byte("PAR1\x00\x00\x00\x00"), claim)
		b = append(b, "PAR1"...)
		if got := allocated(func() { readAll(t, b) }); got > 1<<20 {
			t.Errorf("%d bytes claimed: %d allocated", claim, got)
		}
	}
	if err := checkFooter(bytes.NewReader([]byte("PAR1")), 4); err != nil {
		t.Error(err)
	}
}

// What the data of a page claims to unpack to, a decoder allocates: it is at most what the header of the page says.
func TestHostilePackedPages(t *testing.T) {
	for _, c := range []struct {
		name  string
		codec format.CompressionCodec
		body  string
		fine  bool
	}{
		{"zstd", format.Zstd, "\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello", true},
		{"zstd, a window of 512 MB, which is not allocated", format.Zstd, "\x28\xb5\x2f\xfd\x00\x98\x29\x00\x00hello", true},
		{"zstd, a content of 512 MB", format.Zstd, "\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x20\x29\x00\x00hello", false},
		{"zstd, in a second frame", format.Zstd,
			"\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x20\x29\x00\x00hello", false},
		{"zstd, a content of 2⁶³", format.Zstd,
			"\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x29\x00\x00hello", false},
		{"zstd, blocks of a byte 100,000 times", format.Zstd,
			"\x28\xb5\x2f\xfd\x00\x58" + strings.Repeat("\x02\x35\x0cx", 99) + "\x03\x35\x0cx", false},
		{"no zstd", format.Zstd, "hello", true}, // the decoder refuses it
		{"snappy", format.Snappy, "\x05\x10hello", true},
		{"snappy, 4 GB", format.Snappy, "\xff\xff\xff\xff\x0f\x10hello", false},
	} {
		p := &part{from: bytes.NewReader([]byte(c.body))}
		for version := range 3 { // 0 is a dictionary
			page := &pageClaims{version: version, packed: int64(len(c.body)), unpacked: int64(len("hello"))}
			got := allocated(func() {
				if err := p.checkPacked(c.codec, page, 0); (err == nil) != c.fine {
					t.Errorf("%s, version %d: %v", c.name, version, err)
				}
			})
			if got > 1<<16 {
				t.Errorf("%s: %d bytes allocated", c.name, got)
			}
		}
		if c.fine {
			continue
		}
		page := &pageClaims{version: 2, plain: true, packed: int64(len(c.body)), unpacked: int64(len(c.body))}
		if err := p.checkPacked(c.codec, page, 0); err != nil {
			t.Errorf("%s, not compressed: %v", c.name, err)
		}
	}
}
