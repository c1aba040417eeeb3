package pairrank_test

import (
	"context"
	"math"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/learn/ranksvm"
	"pairrank/kernel"
)

// TestRankSVMTies checks that rows which are equally near to all others tie, whatever they were trained with.
func TestRankSVMTies(t *testing.T) {
	const m = 17
	x, y := make([][]float64, m), make([]float64, m)
	for i := range x {
		x[i], y[i] = make([]float64, m), float64(i*i%5%2)
		x[i][i] = 1
	}
	set, err := pairrank.Rows(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, loss := range []ranksvm.Loss{ranksvm.Hinge, ranksvm.SquaredHinge} {
		for _, method := range []cv.Method{{Kind: cv.LeaveOneOut}, {Kind: cv.KFold, Folds: 4}} {
			e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set},
				pairrank.EstimateOptions{Options: pairrank.Options{Learner: pairrank.RankSVM{Loss: loss}, Method: &method,
					Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.5}}}, Intervals: cv.IntervalsNone})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range e.Choice.Chosen().Outputs[0].Points {
				if p.Error != 0.5 {
					t.Errorf("%v, %v: the error is %v at λ = %v", loss, method, p.Error, p.Candidate)
				}
			}
		}
	}
}

// The held-out scores of rows that are equally near to all others are equal by algebra, at every λ: by an inverse as by
// eigenvectors, with weights of rows as without.
func TestHeldOutTiesStay(t *testing.T) {
	y, weights := []float64{3, 1, 2, 5, 4, 6, 2.5, 0.5, 7}, []float64{1, 2, 4, 1, 1, 2, 4, 4, 1}
	x := make([][]float64, len(y))
	for i := range x {
		x[i] = make([]float64, len(y))
		x[i][i] = 1
	}
	set, err := pairrank.Rows(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	weighed := *set
	weighed.Weights = weights
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}, kernel.Gaussian{Gamma: 1e4}} {
		for _, set := range []*data.Set{set, &weighed} {
			for _, regression := range []bool{false, true} {
				for step := range 34 {
					exponent, method := -26+step/2*2, cv.Method{Kind: cv.LeavePairOut}
					if step%2 == 1 {
						method = cv.Method{Kind: cv.KFold, Folds: 3}
					}
					e, err := pairrank.Estimate(t.Context(), pairrank.Problem{Set: set}, pairrank.EstimateOptions{
						Options: pairrank.Options{Kernels: []kernel.Kernel{k}, Lambdas: []float64{math.Ldexp(1, exponent)},
							Learner: pairrank.LeastSquares{Regression: regression, Solver: pairrank.Dual},
							Method:  &method}, Intervals: cv.IntervalsNone})
					if err != nil {
						t.Fatal(err)
					}
					if e.Choice.Error != 0.5 {
						t.Errorf("%v, weights %v, regression %v, %v, λ = 2^%d: the error is %v, want 0.5", k, set.Weights,
							regression, method, exponent, e.Choice.Error)
					}
				}
			}
		}
	}
}
