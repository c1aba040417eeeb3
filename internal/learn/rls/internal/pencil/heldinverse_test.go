package pencil

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
)

// TestInverseHoldsOut: by an inverse whole queries, folds of a list and single rows have the predictions and the bounds
// of rounding that eigenvectors give, with a constant and for other labels. λ goes up to several times the largest
// eigenvalue.
func TestInverseHoldsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 2))
	compared := 0
	eachInstance(t, 67, 60, gen.Options{MaxRows: 24, MaxFeatures: 12}, func(in instance) {
		of := make([]int32, in.M)
		for i := range of {
			of[i] = int32(r.IntN(3))
		}
		k, problem := matrix(in.k, in.M), in.problem(nil)
		if in.goal.Centred() {
			problem.Constant = make([]float64, in.M)
			for i := range problem.Constant {
				problem.Constant[i] = r.NormFloat64()
			}
		}
		for _, groups := range []*data.Partition{in.l.Components(), data.NewPartition(of, 3), data.Singletons(in.M)} {
			if in.goal.CanHoldOut(groups) != nil {
				continue
			}
			for _, factor := range []float64{1, 10, 100} {
				inverse, err := InvertDual(k, problem, in.lambda*factor)
				if err != nil {
					continue
				}
				compared++
				whole := FactorDual(k, problem, nil)
				sameHoldOut(t, inverse, whole, groups, in.lambda*factor, in.scale())
				other := problem
				other.R = linalg.NewMat(in.M, in.r.Cols)
				in.l.MulTo(other.R.Data, in.r.Data, in.r.Cols)
				moved := [2]*Pencil{inverse.Retarget(other, linalg.Mat{}, nil), whole.Retarget(other, linalg.Mat{}, nil)}
				sameHoldOut(t, moved[0], moved[1], groups,
					in.lambda*factor, in.scale())
			}
		}
	})
	if compared < 100 {
		t.Errorf("%d problems were compared", compared)
	}
}

// sameHoldOut compares the predictions of two pencils relative to scale or the largest of all, and their bounds: those
// of the inverse have a term more.
func sameHoldOut(t *testing.T, got, want *Pencil, groups *data.Partition, lambda, scale float64) {
	t.Helper()
	m, v := got.L.Dim(), got.Outputs()
	var f, bounds [2]linalg.Mat
	for n, p := range []*Pencil{got, want} {
		f[n], bounds[n] = linalg.NewMat(m, v), linalg.NewMat(m, v)
		var mu sync.Mutex
		err := p.HoldOut(context.Background(), HoldOut{Groups: groups, Lambdas: []float64{lambda},
			Emit: func(g, _ int, held linalg.Mat, r *Rounding) {
				mu.Lock()
				defer mu.Unlock()
				for a, i := range groups.Part(g) {
					for c := range v {
						f[n].Row(int(i))[c], bounds[n].Row(int(i))[c] = held.Row(a)[c], r.At(a, c)
						if r.At(a, c) > r.Most() {
							t.Errorf("a bound is %g, above the most, %g", r.At(a, c), r.Most())
						}
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d := difference(f[0].Data, f[1].Data, max(scale, largestOf(f[1]))); d > tolerance {
		t.Errorf("%d rows, λ = %g: predictions have a relative difference of %.2g", m, lambda, d)
	}
	const near = 1e-4 // bounds have a term for rounding, and norms of differences
	inverse := inverseUnit * (1 + got.sizes.system/lambda) * largestOf(f[0])
	for i, b := range bounds[1].Data {
		by := bounds[0].Data[i]
		if d := near * (b + largestOf(bounds[1])*near); by < b-d || by > b+d+(1+near)*inverse {
			t.Errorf("%d rows, λ = %g: a bound is %g, want %g", m, lambda, bounds[0].Data[i], b)
		}
	}
}
