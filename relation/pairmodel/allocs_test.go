//go:build !race

package pairmodel

import (
	"testing"

	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// The race detector drops what pools keep, at random.
func TestScorerAllocatesNothing(t *testing.T) {
	for _, kind := range pairwise.Kernels {
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.1},
			kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}} {
			for _, edges := range []int{0, 30, 3000} {
				p, row, col := served(kind, k, 20, 6, edges)
				s, err := NewScorer(p)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Score(row, col); err != nil {
					t.Fatal(err)
				}
				// a collection may empty the pools once
				if n := testing.AllocsPerRun(100, func() { _, _ = s.Score(row, col) }); n >= 1 {
					t.Errorf("%s, %s, %d edges: %v allocations a pair", kind, k, edges, n)
				}
			}
		}
	}
}
