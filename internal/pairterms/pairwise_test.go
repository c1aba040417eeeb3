package pairterms_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/naive"
	. "pairrank/internal/pairterms"
	. "pairrank/relation/pairwise"
)

// TestTermsAreTheKernel adds up the terms of every kernel, for random node kernels, and compares them with its
// formula.
func TestTermsAreTheKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 4
	var k [2][n][n]float64
	node := func(of End) func(a, b int) float64 { return func(a, b int) float64 { return k[of][a][b] } }
	for range 200 {
		for a := range n {
			for b := range n {
				k[Row][a][b], k[Col][a][b] = r.NormFloat64(), r.NormFloat64()
			}
		}
		out, in := [2]int{r.IntN(n), r.IntN(n)}, [2]int{r.IntN(n), r.IntN(n)}
		for _, kernel := range Kernels {
			if kernel.OneDomain() {
				k[Col] = k[Row]
			}
			factor := func(l Link) float64 {
				v := k[l.Of][out[l.Of]][in[l.To]]
				switch l.As {
				case One:
					return 1
				case Square:
					return v * v
				case Same:
					if out[l.Of] == in[l.To] {
						return 1
					}
					return 0
				}
				return v
			}
			sum := 0.0
			for _, term := range TermsOf(kernel) {
				sum += term.Weight * factor(term.A) * factor(term.B)
			}
			want := naive.PairKernel(string(kernel), node(Row), node(Col), out[Row], out[Col], in[Row], in[Col])
			if !(math.Abs(sum-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%s adds up to %v, want %v", kernel, sum, want)
			}
			if !kernel.Known() {
				t.Errorf("%s is not known", kernel)
			}
		}
	}
	defer func() {
		if Kernel("tensor").Known() || recover() == nil {
			t.Error("an unknown kernel has terms")
		}
	}()
	TermsOf(Kernel("tensor"))
}
