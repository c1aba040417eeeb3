package main

import (
	"math/rand/v2"
	"testing"
)

// rounds are times of runs of which the fastest takes that long, on a machine with other work: some runs are much
// longer.
func rounds(r *rand.Rand, n int, least float64) []float64 {
	all := make([]float64, n)
	for k := range all {
		if all[k] = least * (1 + 0.02*r.Float64()); r.IntN(3) == 0 {
			all[k] *= 1 + r.Float64()
		}
	}
	return all
}

// A loss of a tenth is found in most comparisons of seven rounds, and equal builds are nearly never called different.
func TestVerdict(t *testing.T) {
	const threshold, comparisons = 0.05, 2000
	for _, c := range []struct {
		ratio       float64
		word        string
		least, most int
	}{{1, "slower", 0, 20}, {1, "faster", 0, 20}, {1.1, "slower", 1400, comparisons},
		{1 / 1.1, "faster", 1400, comparisons}, {1.4, "slower", 1900, comparisons}} {
		r := rand.New(rand.NewPCG(1, 7))
		count := 0
		for range comparisons {
			if newVerdict(rounds(r, 7, 1), rounds(r, 7, c.ratio)).of(threshold) == c.word {
				count++
			}
		}
		if count < c.least || count > c.most {
			t.Errorf("%g times as long is called %s in %d of %d comparisons, want %d to %d", c.ratio, c.word, count,
				comparisons, c.least, c.most)
		}
	}
}

// A slow-down and a peak are noted with the name of their row.
func TestJudge(t *testing.T) {
	m := measurement{settings: settings{threshold: 0.05}, trees: []tree{{name: "before"}, {name: "after"}},
		counts: []int{1, 2}}
	cell := m.judge("row", func(v variant) (took, peak []float64) {
		switch {
		case v.name == "after" && v.threads == 1:
			return []float64{1.2, 1.3, 1.2}, []float64{200e6, 200e6, 200e6}
		case v.threads == 1:
			return []float64{1, 1, 1}, []float64{100e6, 300e6, 100e6}
		}
		return []float64{1, 2, 1}, []float64{1e6, 1e6, 1e6}
	})
	if want := "slower (1.200, 1.200), memory 2.00; same (1.000, 1.000)"; cell != want {
		t.Errorf("%q, want %q", cell, want)
	}
	if err := m.gate(); len(m.worse) != 2 || err == nil {
		t.Errorf("%v, %v", m.worse, err)
	}
}
