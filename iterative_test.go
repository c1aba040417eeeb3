package pairrank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/model"
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
// solution up to a fraction of its standard error, and the estimate reports its tolerance.
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
}

// TestModelsStopByTheirScores: without a tolerance the differences of the scores of compared rows are within 1/400 of
// those of the solution, in the root mean square, for each output of a model; with one it is the residual that ends the
// training. One Krylov space and a preconditioner follow the same rule.
func TestModelsStopByTheirScores(t *testing.T) {
	const most, tolerance = 1.0 / 400, 1e-6
	for name, p := range textProblems(rand.New(rand.NewPCG(47, 5))) {
		for k := range 6 {
			lambda, regression := []float64{1e-3, 1, 300}[k%3], k < 3
			trained := func(l LeastSquares) *Result {
				l.Regression = regression
				r, err := Train(context.Background(), p, Options{Learner: l, Lambdas: []float64{lambda}})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			quick, slow := trained(LeastSquares{Solver: CG}), trained(LeastSquares{Solver: CG, Tolerance: tolerance})
			if told := quick.Training; !(told.Converged && told.ScoreError > 0 && told.ScoreError <= most) {
				t.Errorf("%s, λ = %g: stopped at a score error of %g", name, lambda, told.ScoreError)
			}
			if told := slow.Training; !(told.ScoreError == 0 && told.Residual <= tolerance) {
				t.Errorf("%s, λ = %g: with a tolerance, a score error of %g, a residual of %g", name, lambda,
					told.ScoreError, told.Residual)
			}
			exact := trained(LeastSquares{Solver: Dual})
			for o := range quick.Model.Outputs() {
				if off := apart(t, p.Set, quick.Model.Output(o), exact.Model.Output(o), regression); !(off <= most) {
					t.Errorf("%s, λ = %g, regression %v: output %d is off by %.2g", name, lambda, regression, o, off)
				}
			}
		}
	}
}

// apart is the root mean square of what the differences of two scores are apart, over that of the differences by the
// first model; with regression of the scores in place of differences.
func apart(t *testing.T, set *data.Set, by, from *model.Model, regression bool) float64 {
	f, err := by.Score(set)
	g, also := from.Score(set)
	if err != nil || also != nil {
		t.Fatal(err, also)
	}
	off, all := 0.0, 0.0
	for i := range f {
		if regression {
			off, all = off+(f[i]-g[i])*(f[i]-g[i]), all+f[i]*f[i]
			continue
		}
		for j := range i {
			off, all = off+math.Pow(f[i]-f[j]-g[i]+g[j], 2), all+math.Pow(f[i]-f[j], 2)
		}
	}
	return math.Sqrt(off / all)
}

// textProblems are rows of words with one label, with several, and with sizes of features that call for a
// preconditioner.
func textProblems(r *rand.Rand) map[string]Problem {
	one, several, scaled := repeated(r, 60, 300, 12), repeated(r, 60, 300, 12), repeated(r, 60, 300, 12)
	labels := data.NewDense(len(several.Y), 3, nil)
	for i := range labels.Data {
		labels.Data[i] = several.Y[i/3] + r.NormFloat64()
	}
	x := scaled.X.(*data.CSR)
	for k, j := range x.Col {
		x.Val[k] *= math.Exp2(float64(j % 12))
	}
	return map[string]Problem{"one": {Set: one}, "several": {Set: several, Labels: labels}, "scaled": {Set: scaled}}
}
