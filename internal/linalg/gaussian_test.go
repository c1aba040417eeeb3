package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// distanceTolerance bounds the error of a squared distance that is computed
// from inner products of centred vectors, whose squared norms are at most ss.
func distanceTolerance(n int, ss float64) float64 { return 8 * epsilon * float64(n+8) * ss }

func gaussianWant(x, y []float64, gamma float64) float64 {
	ss := 0.0
	for j, v := range x {
		ss += (v - y[j]) * (v - y[j])
	}
	return math.Exp(-gamma * ss)
}

func TestGaussianKernel(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(8, 5))
		for _, s := range [][2]int{{0, 3}, {1, 3}, {2, 1}, {3, 0}, {31, 5}, {33, 7}, {100, 46}, {260, 30}} {
			m, n := s[0], s[1]
			x := newGuarded(r, m, n, full)
			if m > 30 { // two equal rows, and a shift that norms alone would not survive
				copy(x.Row(17), x.Row(3))
				shift := x.Mat
				x = x.fill(func(i, j int) float64 { return shift.Row(i)[j] + 1e6 })
			}
			const gamma = 0.05
			k := newGuarded(r, m, m, full)
			GaussianKernel(k.Mat, x.Mat, gamma)
			want := make([]float64, len(k.Data))
			for i := range m {
				for j := range m {
					want[i*k.Stride+j] = gaussianWant(x.Row(i), x.Row(j), gamma)
				}
			}
			k.equals(t, fmt.Sprint(s), want, distanceTolerance(n, 10*float64(n+1)))
			x.unchanged(t, fmt.Sprint(s))
			for i := range m {
				for j := range i {
					if k.Row(i)[j] != k.Row(j)[i] {
						t.Fatalf("%v: not symmetric", s)
					}
				}
				if k.Row(i)[i] != 1 {
					t.Fatalf("%v: the diagonal is %g", s, k.Row(i)[i])
				}
			}
			if m > 30 && k.Row(17)[3] != 1 {
				t.Errorf("%v: equal rows have %v", s, k.Row(17)[3])
			}
		}
	})
}

func TestGaussianCross(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 5))
		for _, s := range [][3]int{{0, 3, 2}, {3, 0, 2}, {1, 1, 1}, {3, 4, 0}, {33, 20, 7}, {130, 300, 46}} {
			x, y := newGuarded(r, s[0], s[2], full), newGuarded(r, s[1], s[2], full)
			const gamma = 0.05
			k := newGuarded(r, s[0], s[1], full)
			GaussianCross(k.Mat, x.Mat, y.Mat, gamma)
			want := make([]float64, len(k.Data))
			k.each(func(i, j int, _ *float64) { want[i*k.Stride+j] = gaussianWant(x.Row(i), y.Row(j), gamma) })
			k.equals(t, fmt.Sprint(s), want, distanceTolerance(s[2], 10*float64(s[2]+1)))
			x.unchanged(t, fmt.Sprint(s))
			y.unchanged(t, fmt.Sprint(s))
		}
	})
}

// TestGaussianCrossAgrees: a row's values are the same alone, among others,
// and in the symmetric matrix.
func TestGaussianCrossAgrees(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		for _, n := range []int{7, 46, 300, 2 * splitTerms} {
			x := randomMat(3, 90, n)
			k, cross, one := NewMat(90, 90), NewMat(90, 90), NewMat(1, 90)
			GaussianKernel(k, x, 0.02)
			GaussianCross(cross, x, x, 0.02)
			GaussianCross(one, x.Slice(50, 51, 0, n), x, 0.02)
			for i, v := range k.Data {
				if cross.Data[i] != v {
					t.Fatalf("n=%d: %v in the cross matrix, %v in the symmetric one", n, cross.Data[i], v)
				}
			}
			for j, v := range one.Data {
				if v != k.Row(50)[j] {
					t.Fatalf("n=%d: a row alone differs", n)
				}
			}
		}
	})
}
