package krylov

import (
	"math"
	"testing"
)

type diagonalMatrix []float64

func (d diagonalMatrix) MulTo(dst, x []float64) {
	for i, v := range d {
		dst[i] = v * x[i]
	}
}

func TestLargest(t *testing.T) {
	many := make(diagonalMatrix, 1000)
	for i := range many {
		many[i] = float64(i + 1)
	}
	for _, c := range []struct {
		a    diagonalMatrix
		want float64
	}{{diagonalMatrix{}, 0}, {diagonalMatrix{0, 0}, 0}, {diagonalMatrix{3}, 3},
		{diagonalMatrix{1e-200, 2e-200}, 2e-200}, {diagonalMatrix{1e150, 1}, 1e150}, {many, 1000}} {
		got := Largest(c.a, len(c.a))
		if math.Abs(got-c.want) > 0.03*c.want || got > c.want*(1+1e-12) {
			t.Errorf("%g of a diagonal up to %g", got, c.want)
		}
	}
}

// TestLargestOfAMatrix: on as many steps as there are rows the estimate is the eigenvalue, here by
// many steps of the power method.
func TestLargestOfAMatrix(t *testing.T) {
	for n := 1; n <= 12; n++ {
		a := hilbert(n)
		x, y, want := fixedStart(n), make([]float64, n), 0.0
		for range 1000 {
			a.MulTo(y, x)
			want = norm(y)
			for j := range x {
				x[j] = y[j] / want
			}
		}
		if got := Largest(a, n); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%d rows: %v, want %v", n, got, want)
		}
	}
}

// hilbert is the n×n matrix of 1/(i + j + 1).
type hilbert int

func (n hilbert) MulTo(dst, x []float64) {
	for i := range dst {
		dst[i] = 0
		for j, v := range x {
			dst[i] += v / float64(i+j+1)
		}
	}
}
