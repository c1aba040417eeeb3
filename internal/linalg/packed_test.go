package linalg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Products with a packed operand have the bits of Gemm, in small and in whole blocks.
func TestPacked(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(48, 1))
		var p Packed
		check := func(m, n, k int) {
			for _, trans := range []Trans{NoTrans, T} {
				a, b := newGuarded(r, m, k, full), newGuarded(r, k, n, full)
				if trans {
					b = newGuarded(r, n, k, full)
				}
				got, want := newGuarded(r, m, n, full), NewMat(m, n)
				p.Pack(trans, b.Mat)
				p.MulTo(got.Mat, a.Mat)
				Gemm(NoTrans, trans, 1, a.Mat, b.Mat, 0, want)
				for i := range m {
					if !slices.Equal(got.Row(i), want.Row(i)) {
						t.Fatalf("%d×%d×%d: row %d is %v, want %v", m, n, k, i, got.Row(i), want.Row(i))
					}
				}
			}
		}
		withBlocking(16, 12, 48, func() {
			for range 100 {
				check(r.IntN(40), r.IntN(70), r.IntN(40))
			}
		})
		check(400, 230, 300)
		check(31, 100, 230)
	})
}
