package pairrank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/naive"
)

// If a kernel matrix would lose features that matter, auto takes the primal form, whose model keeps them, and a
// solver that loses them warns. Otherwise auto keeps the cheaper form, and there is no warning.
func TestScalesChooseTheForm(t *testing.T) {
	for _, c := range []struct {
		m, n   int
		scale  float64
		solver Solver // given, or Auto
		want   Solver
		warns  bool // when λ is chosen
	}{
		{m: 8, n: 12, scale: 1e7, want: Primal, warns: true},
		{m: 8, n: 12, scale: 1e7, solver: Dual, want: Dual, warns: true},
		{m: 8, n: 12, scale: 10, want: Dual},
		{m: 6, n: 24, scale: 1e7, want: Dual}, // the largest features fill all directions
		{m: 20, n: 6, scale: 10, want: Primal},
	} {
		r := rand.New(rand.NewPCG(22, 30))
		x, y := data.NewDense(c.m, c.n, nil), make([]float64, c.m)
		for i := range y {
			for j := range c.n {
				x.Row(i)[j] = r.NormFloat64() * math.Pow(c.scale, float64(j%3-1))
			}
			y[i] = r.NormFloat64()
		}
		set := &data.Set{X: x, Y: y, Queries: data.NewQueries(make([]int32, c.m), []string{"one"})}
		o := EstimateOptions{Options: Options{Learner: LeastSquares{Solver: c.solver}, Lambdas: []float64{1}}}
		result, err := learn(context.Background(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := Solver(result.Training.Solver); got != c.want {
			t.Errorf("%+v: solver %s", c, got)
		}
		every := indices(c.m)
		want := naive.ListExactly(naive.PolynomialExactly(x.Data, c.n, 1, 0, 1), y, every, every, 1)
		const rounding = 1e-9
		for i := range y {
			got := result.Model.ScoreRow(x.Row(i)) - result.Model.ScoreRow(x.Row(0))
			if c.solver == "" && !(math.Abs(got-(want[i]-want[0])) <= rounding) {
				t.Errorf("%+v: row %d scores %g above the first, exactly %g", c, i, got, want[i]-want[0])
			}
		}
		o.Lambdas = nil
		e, err := Estimate(context.Background(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		if warns := slices.ContainsFunc(e.Notes,
			func(n event.Note) bool { return n.Code == codes.NoteScales }); warns != c.warns {
			t.Errorf("%+v: warns is %v: %v", c, warns, e.Notes)
		}
	}
}
