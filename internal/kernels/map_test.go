package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// TestMap checks that inner products of mapped rows are kernel values, and that
// a function of weights is that of its coefficients: for a full basis, and for
// one with equal rows, whose matrix is singular.
func TestMap(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for _, repeat := range []bool{false, true} {
		x := data.NewDense(12, 3, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		if repeat {
			copy(x.Row(5), x.Row(2))
		}
		k := kernel.Gaussian{Gamma: 0.5}
		all := kernel.Matrix(k, x, x)
		m := NewMap(kernel.Matrix(k, x, x))
		if (m.Warning != "") != repeat {
			t.Errorf("equal rows %v: warning %q", repeat, m.Warning)
		}
		features := m.Rows(kernel.Matrix(k, x, x))
		w := make([]float64, features.Cols)
		for j := range w {
			w[j] = r.NormFloat64()
		}
		coef := make([]float64, m.Lift.Rows)
		m.Lift.MulVecTo(coef, w)
		for i := range 12 {
			f, g := 0.0, 0.0
			for j, v := range features.Row(i) {
				f += v * w[j]
			}
			for b, c := range coef {
				g += c * all.Row(i)[b]
			}
			if math.Abs(f-g) > 1e-7 {
				t.Errorf("score %v by weights, %v by coefficients", f, g)
			}
			for j := range 12 {
				s := 0.0
				for c, v := range features.Row(i) {
					s += v * features.Row(j)[c]
				}
				if math.Abs(s-all.Row(i)[j]) > 1e-10 {
					t.Errorf("equal rows %v: inner product %v of rows %d and %d, kernel %v",
						repeat, s, i, j, all.Row(i)[j])
				}
			}
		}
	}
}

// TestMapRowsInPieces: a row has the same bits among many rows, which are solved in pieces, as among
// a few.
func TestMapRowsInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	basis, x := data.NewDense(70, 3, nil), data.NewDense(700, 3, nil)
	for _, of := range [][]float64{basis.Data, x.Data} {
		for i := range of {
			of[i] = r.NormFloat64()
		}
	}
	k := kernel.Gaussian{Gamma: 2}
	m := NewMap(kernel.Matrix(k, basis, basis))
	if m.factor.Data == nil {
		t.Fatal("the basis is singular")
	}
	all := m.Rows(kernel.Matrix(k, x, basis))
	for lo := 0; lo < x.Rows; lo += 50 {
		some := m.Rows(kernel.Matrix(k, data.NewDense(50, 3, x.Data[3*lo:3*(lo+50)]), basis))
		if !slices.Equal(some.Data, all.Data[lo*all.Cols:(lo+50)*all.Cols]) {
			t.Errorf("rows %d to %d differ in pieces", lo, lo+50)
		}
	}
}
