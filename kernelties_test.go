package pairrank_test

import (
	"context"
	"testing"

	"pairrank"
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
