package linesearch

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestDotIsTheSum compares Dot with the plain sum, on one and on several threads, for
// lengths about those of a piece.
func TestDotIsTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, m := range []int{0, 1, pieceRows, pieceRows + 1, 3*pieceRows + 5} {
		x, y := make([]float64, m), make([]float64, m)
		want, size := 0.0, 0.0
		for i := range x {
			x[i], y[i] = r.NormFloat64(), r.NormFloat64()
			want, size = want+x[i]*y[i], size+math.Abs(x[i]*y[i])
		}
		old := runtime.GOMAXPROCS(1)
		one := Dot(x, y)
		runtime.GOMAXPROCS(3)
		three := Dot(x, y)
		runtime.GOMAXPROCS(old)
		if one != three {
			t.Errorf("m=%d: %v on one thread, %v on three", m, one, three)
		}
		if math.Abs(one-want) > 1e-13*size { // the sums differ in their order
			t.Errorf("m=%d: %v, want %v", m, one, want)
		}
	}
}
