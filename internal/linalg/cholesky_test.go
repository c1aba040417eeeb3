package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	lapack "gonum.org/v1/gonum/lapack/gonum"
)

// definite is a positive definite matrix, condition number about 10; one triangle is stored.
func definite(r *rand.Rand, n int, ul Uplo) guarded {
	x := NewMat(n, n)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64() / math.Sqrt(float64(n))
	}
	full := x.MulT(x)
	return newGuarded(r, n, n, ul).fill(func(i, j int) float64 {
		if i == j {
			return full.Row(i)[j] + 0.5
		}
		return full.Row(i)[j]
	})
}

func TestCholesky(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 20, 46, 63, 64, 65, 129, 200, 400} {
			if testing.Short() && n > 200 {
				continue
			}
			for _, ul := range bothUplos {
				for _, scale := range []float64{1, 0x1p-1000, 0x1p+1000} {
					a := definite(r, n, ul)
					a = a.fill(func(i, j int) float64 { return scale * a.Data[i*a.Stride+j] })
					want := a.clean()
					pivot, ok := Cholesky(ul, a.Mat)
					if !ok || pivot != n {
						t.Fatalf("%d %c: pivot %d, %v", n, ul, pivot, ok)
					}
					if n > 0 {
						lapack.Implementation{}.Dpotrf(uploOf(ul), n, want.Data, want.Stride)
					}
					a.equals(t, fmt.Sprintf("%d %c", n, ul), want.Data, 20*epsilon*float64(n+8)*math.Sqrt(scale))
				}
			}
		}
	})
}

func TestCholeskySolve(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 1))
		for _, n := range []int{1, 2, 46, 130, 700} { // the last in several panels
			for _, ul := range bothUplos {
				for _, cols := range []int{0, 1, 5, 140} {
					if n > 500 && cols != 5 {
						continue
					}
					a, x := definite(r, n, ul), newGuarded(r, n, cols, full)
					b := x.clean() // b = A x
					Symm(Left, ul, 1, a.Mat, x.Mat, 0, b.Mat)
					Cholesky(ul, a.Mat)
					CholeskySolve(ul, a.Mat, b.Mat)
					closeTo(t, fmt.Sprintf("%d %c %d", n, ul, cols), b.Data, x.clean().Data, 1e3*epsilon*float64(n+8))
				}
			}
		}
	})
}

func TestCholeskyPivot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 5, 46, 64, 65, 200, 700} {
		for _, ul := range bothUplos {
			good := definite(r, n, ul)
			for _, bad := range []int{0, n / 2, n - 1} {
				for _, value := range []float64{0, -1, math.NaN()} {
					a := good
					a.Data = append([]float64(nil), good.Data...)
					a.each(func(i, j int, v *float64) {
						if (i == bad) != (j == bad) {
							*v = 0
						}
					})
					a.Data[bad*a.Stride+bad] = value
					if pivot, ok := Cholesky(ul, a.Mat); ok || pivot != bad {
						t.Errorf("%d %c: pivot %d, %v, want %d", n, ul, pivot, ok, bad)
					}
				}
			}
		}
	}
}
