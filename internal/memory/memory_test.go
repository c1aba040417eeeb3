package memory

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

func TestEntryOf(t *testing.T) {
	const text = "MemTotal:       1000 kB\nMemFree: 5 kB\nMemAvailable:    800 kB\nHugePages_Total:       0\n"
	for name, want := range map[string]float64{"MemTotal:": 1000 * 1024, "MemAvailable:": 800 * 1024} {
		if got, known := entryOf(strings.NewReader(text), name); got != want || !known {
			t.Errorf("%s is %v, %v, want %v", name, got, known, want)
		}
	}
	for _, name := range []string{"HugePages_Total:", "Swap:"} {
		if got, known := entryOf(strings.NewReader(text), name); known {
			t.Errorf("%s is %v, want unknown", name, got)
		}
	}
}

func TestFreeIsWithinItsLimits(t *testing.T) {
	if free := Free(); !(free > 0) {
		t.Errorf("%v bytes are free", free)
	}
	if Total() < 1<<20 || math.IsInf(Total(), 1) {
		t.Errorf("the machine has %v bytes", Total())
	}
	const limit = 1 << 30
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	if free := Free(); free > limit {
		t.Errorf("%v bytes are free under a limit of %d", free, limit)
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[float64]string{0: "0 B", 999: "999 B", 1000: "1 kB",
		2.5e9: "2.5 GB", 3e15: "3e+03 TB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%v bytes are written %q, want %q", bytes, got, want)
		}
	}
}
