package memory

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

// within runs the test within so many bytes besides those in use.
func within(t *testing.T, bytes float64) {
	old := debug.SetMemoryLimit(int64(readHeap().taken + bytes))
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
}

func TestAsk(t *testing.T) {
	within(t, cushion+32<<20)
	var lack *Lack
	if err := Ask(24<<20, "it"); err != nil {
		t.Errorf("24 MB of 32: %v", err)
	}
	err := Ask(40<<20, "it")
	const begins, ends = "it would take about 41.9 MB of memory, and ", " MB are free"
	if !errors.As(err, &lack) || !strings.HasPrefix(err.Error(), begins) || !strings.HasSuffix(err.Error(), ends) {
		t.Errorf("40 MB of 32: %v", err)
	}
	if err := Ask(1<<20, "it"); err != nil {
		t.Errorf("1 MB: %v", err)
	}
}

// Garbage is collected before anything is refused.
func TestAskCollectsGarbage(t *testing.T) {
	within(t, cushion+32<<20)
	for range 8 {
		if err := Ask(20<<20, "it"); err != nil {
			t.Fatal(err)
		}
		kept = make([]byte, 20<<20)
		kept = nil
	}
}

var kept []byte

func TestGrow(t *testing.T) {
	within(t, cushion+16<<20)
	var s []float64
	grew := 0
	for k := range 100_000 {
		before := cap(s)
		var err error
		if s, err = Grow(s, 1, k); err != nil {
			t.Fatal(err)
		}
		if cap(s) != before {
			grew++
		}
		s = append(s, float64(k))
	}
	if grew > 20 {
		t.Errorf("100000 items were copied %d times", grew)
	}
	for k, x := range s {
		if x != float64(k) {
			t.Fatalf("item %d is %v", k, x)
		}
	}
	var lack *Lack
	same, err := Grow(s, 4<<20, 77)
	const begins = "more than the 77 rows read so far would take about "
	if !errors.As(err, &lack) || !strings.HasPrefix(err.Error(), begins) || len(same) != len(s) {
		t.Errorf("%d items, %v", len(same), err)
	}
}

// A reader that keeps twice the bytes it read is stopped in time.
func TestMeter(t *testing.T) {
	within(t, cushion+32<<20)
	var m Meter
	var pieces [][]byte
	for read := 0; ; read += 1000 {
		err := m.Read(read, read/10)
		var lack *Lack
		switch {
		case err == nil && len(pieces) > 3200:
			t.Fatal("32 MB are kept, and larger memory is not refused")
		case err != nil && (!errors.As(err, &lack) || len(pieces) < 500):
			t.Fatalf("with %d kB: %v", 10*len(pieces), err)
		case err != nil:
			return
		}
		pieces = append(pieces, make([]byte, 10_000))
	}
}

// Garbage does not count as data of a reader.
func TestMeterOfGarbage(t *testing.T) {
	within(t, cushion+32<<20)
	var m Meter
	for read := 0; read < 20<<20; read += 1000 {
		if err := m.Read(read, 1); err != nil {
			t.Fatal(err)
		}
		kept = make([]byte, 10_000)
	}
}
