package relation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/relation/edge"
)

// tiePaths are the ways to estimate that compare scores of one training. Of both ends new, the closed form of single
// edges compares trainings, which tie where no row knows another.
var tiePaths = []Options{
	{Setting: edge.Rows},
	{Setting: edge.Rows, Loss: edge.Regression},
	{Setting: edge.Rows, Learner: TwoStep},
	{Setting: edge.Rows, Method: &cv.Method{Kind: cv.KFold, Folds: 2}},
	{Setting: edge.Rows, Method: &cv.Method{Kind: cv.KFold, Folds: 2}, Solver: CG, Lambdas: []float64{0.01, 1, 100}},
	{Setting: edge.Rows, Method: &cv.Method{Kind: cv.KFold, Folds: 2}, Solver: CG, Loss: edge.Regression,
		Lambdas: []float64{0.01, 1, 100}},
	{Setting: edge.Both},
	{Setting: edge.Both, Loss: edge.Regression},
	{Setting: edge.Both, Learner: TwoStep},
}

// TestTiesByAlgebra checks that scores which are equal by algebra have error ½ at every λ: rows without a kernel value
// to others, equal columns, columns without a feature, constant features.
func TestTiesByAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 41))
	normal := func(n int, of func(i, j int) float64) *Nodes {
		x := data.NewDense(n, 3, nil)
		for i := range n {
			for j := range x.Row(i) {
				x.Row(i)[j] = of(i, j)
			}
		}
		return &Nodes{X: x}
	}
	drawn := func(_, _ int) float64 { return r.NormFloat64() }
	gaussian := func(n *Nodes) *Nodes {
		n.Kernel = kernel.Gaussian{Gamma: 0.5}
		return n
	}
	const rows, cols = 7, 5
	apart := &Nodes{Similarity: data.NewDense(rows, rows, nil)}
	for i := range rows {
		apart.Similarity.Row(i)[i] = 1.7
	}
	alone := Options{Setting: edge.Both, Loss: edge.Regression, Method: &cv.Method{Kind: cv.LeaveOneOut}}
	for name, p := range map[string]Problem{
		"rows apart":    {Rows: apart, Cols: gaussian(normal(cols, drawn))},
		"equal columns": {Rows: gaussian(normal(rows, drawn)), Cols: normal(cols, func(int, int) float64 { return 0.3 })},
		"no features":   {Rows: normal(rows, drawn), Cols: normal(cols, func(int, int) float64 { return 0 })},
		"constant features": {Rows: normal(rows, func(int, int) float64 { return 2.1 }),
			Cols: normal(cols, func(int, int) float64 { return 1.1 })},
	} {
		for i := range int32(rows) {
			for j := range int32(cols) {
				p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, i), append(p.Edges.Col, j), append(p.Y, r.NormFloat64())
			}
		}
		paths := tiePaths
		if name == "rows apart" {
			paths = append(paths[:len(paths):len(paths)], alone)
		}
		for _, o := range paths {
			what := fmt.Sprintf("%s: %s %s %s %s %v", name, o.Setting, o.Loss, o.Learner, o.Solver, o.Method)
			e, err := Estimate(t.Context(), p, EstimateOptions{Options: o, Intervals: cv.IntervalsNone})
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, point := range e.Choice.Points() {
				if point.Error != 0.5 {
					t.Errorf("%s: the error is %v at λ = %v", what, point.Error, point.Candidate)
				}
			}
		}
	}
}
