//go:build !race

package kernel_test

import (
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// The race detector empties pools at random, so that this cannot hold with it.
func TestPreparedAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	support := random(r, 50, 46, 0.4, 0)
	x, dst := random(r, 1, 46, 1, 0).Row(0), make([]float64, 50)
	for _, k := range every {
		for _, rows := range []data.Matrix{support, sparse(support)} {
			p := kernel.Prepare(k, rows)
			p.RowTo(dst, x)
			if got := testing.AllocsPerRun(200, func() { p.RowTo(dst, x); p.RowTo(dst, x[:40]) }); got != 0 {
				t.Errorf("%s of %T: %v allocations", k, rows, got)
			}
		}
	}
}

func TestFourierRowAllocatesNothing(t *testing.T) {
	f := kernel.NewFourierMap(kernel.Fourier{Gamma: 1, Features: 1000, Seed: 1})
	x, dst := random(rand.New(rand.NewPCG(4, 5)), 1, 46, 1, 0).Row(0), make([]float64, 1000)
	f.RowTo(dst, x)
	if got := testing.AllocsPerRun(200, func() { f.RowTo(dst, x); f.RowTo(dst, x[:40]) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
