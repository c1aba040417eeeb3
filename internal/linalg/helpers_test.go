package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// forKernels runs a test with every kernel that this machine has.
func forKernels(t *testing.T, test func(t *testing.T)) {
	before := Kernel()
	defer SetKernel(before)
	for _, name := range Kernels() {
		if err := SetKernel(name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, test)
	}
	for _, name := range kernelNames {
		if SetKernel(name) != nil {
			t.Run(name, func(t *testing.T) { t.Skip("this build or processor has no such kernel") })
		}
	}
}

// withBlocking runs a test with small blocks, so that small matrices have
// many of them and all their edges.
func withBlocking(mc, kc, nc int, test func()) {
	m, k, n := blockM, blockK, blockN
	blockM, blockK, blockN = mc, kc, nc
	defer func() { blockM, blockK, blockN = m, k, n }()
	test()
}

// forbidden fills the places that a routine must neither read nor write: a
// NaN, so that reading shows in the result, with a payload, so that writing
// shows too.
var forbidden = math.Float64frombits(0x7ff8dead0000beef)

// guarded is a matrix whose rows are followed by forbidden places, as is the
// unwanted triangle.
type guarded struct {
	Mat
	part   Uplo
	before []float64
}

func newGuarded(r *rand.Rand, rows, cols int, part Uplo) guarded {
	stride := max(1, cols+3*r.IntN(2))
	g := guarded{part: part}
	g.Mat = Mat{Rows: rows, Cols: cols, Stride: stride, Data: make([]float64, max(1, rows)*stride)}
	for i := range g.Data {
		g.Data[i] = forbidden
	}
	g.each(func(_, _ int, v *float64) { *v = r.NormFloat64() })
	return g.remember()
}

func (g guarded) remember() guarded {
	g.before = append([]float64(nil), g.Data...)
	return g
}

// each visits the wanted entries.
func (g guarded) each(visit func(i, j int, v *float64)) {
	for i := range g.Rows {
		for j := range g.Cols {
			if g.part == Upper && j < i || g.part == Lower && j > i {
				continue
			}
			visit(i, j, &g.Data[i*g.Stride+j])
		}
	}
}

// fill sets all wanted entries and remembers the state.
func (g guarded) fill(f func(i, j int) float64) guarded {
	g.each(func(i, j int, v *float64) { *v = f(i, j) })
	return g.remember()
}

// clean is a copy with zeros in the forbidden places, for the oracle.
func (g guarded) clean() guarded {
	c := g
	c.Data = make([]float64, len(g.Data))
	g.each(func(i, j int, v *float64) { c.Data[i*c.Stride+j] = *v })
	return c
}

// unchanged reports any write.
func (g guarded) unchanged(t *testing.T, name string) {
	t.Helper()
	for i := range g.Data {
		if math.Float64bits(g.Data[i]) != math.Float64bits(g.before[i]) {
			t.Errorf("%s: an input changed at offset %d", name, i)
			return
		}
	}
}

// equals checks the wanted entries against want and all others for writes.
func (g guarded) equals(t *testing.T, name string, want []float64, tol float64) {
	t.Helper()
	seen := make([]bool, len(g.Data))
	g.each(func(i, j int, v *float64) {
		o := i*g.Stride + j
		seen[o] = true
		if d := math.Abs(*v - want[o]); !(d <= tol) && !t.Failed() {
			t.Errorf("%s: (%d,%d) of %d×%d is %g, want %g, off by %g > %g",
				name, i, j, g.Rows, g.Cols, *v, want[o], d, tol)
		}
	})
	for o := range g.Data {
		if !seen[o] && math.Float64bits(g.Data[o]) != math.Float64bits(forbidden) {
			t.Errorf("%s: wrote outside, at offset %d of stride %d", name, o, g.Stride)
			return
		}
	}
}

// productTolerance is for two ways to add up k products of standard normal
// numbers. If all have one sign, as in squares, the partial sums grow like k
// and their rounding errors add up like √k.
func productTolerance(k int) float64 { return 16 * epsilon * math.Pow(float64(k+8), 1.5) }

func transOf(t Trans) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}

func uploOf(ul Uplo) blas.Uplo {
	if ul == Upper {
		return blas.Upper
	}
	return blas.Lower
}

func sideOf(s Side) blas.Side {
	if s == Left {
		return blas.Left
	}
	return blas.Right
}

var (
	bothTrans = []Trans{NoTrans, T}
	bothUplos = []Uplo{Upper, Lower}
	bothSides = []Side{Left, Right}
)
