package linalg

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestCholeskyInverse: A times its inverse is the identity, whatever stands below the diagonal.
func TestCholeskyInverse(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 1))
		for _, n := range []int{0, 1, 2, 3, 7, 47, 48, 49, 97, 200, 256, 257, 600} {
			a := definite(r, n, Upper)
			whole := a.clean().Mat
			if _, ok := Cholesky(Upper, a.Mat); !ok {
				t.Fatalf("%d: not positive definite", n)
			}
			CholeskyInverse(a.Mat)
			full := a.clean().Mat
			a.equals(t, fmt.Sprint(n), full.Data, 0) // and nothing below the diagonal
			Symmetrize(Upper, full)
			Symmetrize(Upper, whole)
			identity := full.Mul(whole)
			for i := range n {
				for j, v := range identity.Row(i) {
					want := 0.0
					if i == j {
						want = 1
					}
					if d := v - want; d > 1e-12 || d < -1e-12 {
						t.Fatalf("%s: entry %d, %d of A A⁻¹ is %v", fmt.Sprint(n), i, j, v)
					}
				}
			}
		}
	})
}
