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
		if math.Abs(got-c.want) > 0.06*c.want || got > c.want*(1+1e-12) {
			t.Errorf("%g of a diagonal up to %g", got, c.want)
		}
	}
}
