package pencil

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
)

// TestInverseIsTheEigenproblem: by an inverse the pairs have the numbers and the bounds of rounding that eigenvectors
// give, for one output and several, also of other labels, with a constant, and at λ up to several times the largest
// eigenvalue.
func TestInverseIsTheEigenproblem(t *testing.T) {
	r := rand.New(rand.NewPCG(66, 2))
	compared := 0
	eachInstance(t, 66, 48, gen.Options{MaxRows: 30, MaxFeatures: 12, OneQuery: true}, func(in instance) {
		k := matrix(in.k, in.M)
		for _, factor := range []float64{1, 10, 100} {
			lambda := in.lambda * factor
			problem := in.problem(nil)
			if in.goal.Centred() {
				problem.Constant = make([]float64, in.M)
				for i := range problem.Constant {
					problem.Constant[i] = r.NormFloat64()
				}
			}
			inverse, err := InvertDual(k, problem, lambda)
			if _, list := goals.BlocksOf(in.l).ListWeight(); err != nil || !list {
				continue
			}
			whole := FactorDual(k, problem, nil)
			other := problem
			other.R = linalg.NewMat(in.M, in.r.Cols)
			for i := range in.M {
				copy(other.R.Row(i), in.r.Row((i+1)%in.M))
			}
			for _, two := range [][2]*Pencil{{inverse, whole},
				{inverse.Retarget(other, linalg.Mat{}, nil), whole.Retarget(other, linalg.Mat{}, nil)}} {
				got, want := two[0].newPairRows().at(lambda), two[1].newPairRows().at(lambda)
				compared++
				sameSolvers(t, got, want)
			}
		}
	})
	if compared < 20 {
		t.Errorf("%d problems were compared", compared)
	}
}

// sameSolvers compares all that the pairs use, relative to the largest of its kind. ‖DV_i‖, which takes the root of a
// difference, has half the digits of C_i/√c.
func sameSolvers(t *testing.T, got, want *pairSolver) {
	t.Helper()
	m := len(want.qii)
	near := func(what string, got, want []float64, floor float64) {
		t.Helper()
		if d := difference(got, want, floor); d > tolerance {
			t.Errorf("%s of %d rows: relative difference %.2g", what, m, d)
		}
	}
	for c, terms := range want.terms {
		near("f", got.f.Row(c), want.f.Row(c), 0)
		near("a", got.a.Row(c), want.a.Row(c), 0)
		near("sizes of a", got.asize.Row(c), want.asize.Row(c), 0)
		near("‖x‖", []float64{got.terms[c].x}, []float64{terms.x}, 0)
		near("E", []float64{got.terms[c].right}, []float64{terms.right}, 0)
		near("γ", []float64{got.terms[c].gamma}, []float64{terms.gamma}, 0)
	}
	near("Q_ii", got.qii, want.qii, 0)
	near("GL_ii", got.gii, want.gii, 0)
	near("g", got.columnConstant, want.columnConstant, 0)
	near("‖DW_i‖", got.dw, want.dw, 0)
	near("‖DV_i‖", got.dv, want.dv, 1e-7/tolerance*largestAbs(got.omega)/got.weight)
	var products [2]pairProducts
	for i := range m {
		rows := all(m)[i+1:]
		q, g := products[0].row(got, i, rows)
		wantQ, wantG := products[1].row(want, i, rows)
		if len(rows) == 0 {
			continue
		}
		if d := difference(q, wantQ, largestAbs(want.qii)); d > tolerance {
			t.Errorf("row %d of Q: relative difference %.2g", i, d)
		}
		if d := difference(g, wantG, largestAbs(want.gii)); d > tolerance {
			t.Errorf("row %d of GL: relative difference %.2g", i, d)
		}
		h := want.system(i, m-1, wantQ[len(rows)-1], wantG[len(rows)-1]).pairSystem
		x, norm := got.pairNorms(h, 0.3, -0.7)
		wantX, wantNorm := want.pairNorms(h, 0.3, -0.7)
		if math.Abs(x-wantX) > 1e-8*wantX || math.Abs(norm-wantNorm) > 1e-6*(wantNorm+largestAbs(want.dw)) {
			t.Errorf("norms of rows %d and %d: %g and %g, want %g and %g", i, m-1, x, norm, wantX, wantNorm)
		}
	}
}
