package pairrank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
)

// repeated makes sparse rows of words, each row twice, with labels from 0 to 19.
func repeated(r *rand.Rand, m, n, words int) *data.Set {
	x := &data.CSR{Cols: n, Ptr: []int{0}}
	var y []float64
	for i := range m {
		label := float64(r.IntN(20))
		columns := []int32{}
		for range words {
			word := int32(float64(n) * math.Pow(r.Float64(), 3)) // the first words are frequent
			if r.IntN(3) == 0 {
				word = int32(int(label)*n/20 + r.IntN(n/20))
			}
			columns = append(columns, word)
		}
		slices.Sort(columns)
		columns = slices.Compact(columns)
		for range 2 {
			for _, c := range columns {
				x.Col, x.Val = append(x.Col, c), append(x.Val, 1/math.Sqrt(float64(len(columns))))
			}
			x.Rows, x.Ptr, y = 2*i+2, append(x.Ptr, len(x.Col)), append(y, label)
		}
	}
	x.Rows = 2 * m
	return &data.Set{X: x, Y: y, Queries: data.NewQueries(make([]int32, 2*m), []string{"one"})}
}

// The error of repeated rows depends most on the last digits of the scores. It equals the error of the exact
// solution up to a fraction of its standard error, and the estimate reports its tolerance. The model has a
// residual of 1e-6.
func TestRepeatedRowsOfText(t *testing.T) {
	set := repeated(rand.New(rand.NewPCG(22, 6)), 500, 4000, 30)
	errors := func(tolerance float64) *Estimated {
		learner := LeastSquares{Solver: CG, Tolerance: tolerance}
		o := EstimateOptions{Options: Options{Learner: learner, Method: &cv.Method{Kind: cv.KFold, Folds: 5},
			Seed: 1}, Intervals: cv.IntervalsNone}
		e, err := Estimate(context.Background(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	const fraction, solution = 0.15, 1e-10
	got, want := errors(0).Choice.Kernels[0].Outputs[0], errors(solution).Choice.Kernels[0].Outputs[0]
	for l, p := range got.Points {
		q := want.Points[l]
		if off := math.Abs(p.Error-q.Error) / q.StdErr.Value; !(off <= fraction) {
			t.Errorf("λ = %g: error %.5f, of the solution %.5f ± %.5f", p.Candidate, p.Error, q.Error, q.StdErr.Value)
		}
		if !(p.ScoreError > 0 && p.ScoreError <= 0.0025 && p.Residual > 0 && p.Residual < 0.01) {
			t.Errorf("λ = %g: solved to %g, and a residual of %g", p.Candidate, p.ScoreError, p.Residual)
		}
		if !(q.ScoreError == 0 && q.Residual > 0 && q.Residual <= solution) {
			t.Errorf("λ = %g: with a tolerance solved to %g, residual %g", p.Candidate, q.ScoreError, q.Residual)
		}
	}
	result, err := learn(context.Background(), Problem{Set: set},
		EstimateOptions{Options: Options{Learner: LeastSquares{Solver: CG}}})
	if err != nil {
		t.Fatal(err)
	}
	if residual := result.Training.Residual; !(residual > 0 && residual <= 1e-6) {
		t.Errorf("the model has a residual of %g", residual)
	}
}
