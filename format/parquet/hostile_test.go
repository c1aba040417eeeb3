package parquet

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"
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
