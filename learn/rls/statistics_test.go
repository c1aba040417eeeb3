package rls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// momentsOf are those of the queries of p, with query q in fold q mod folds.
func momentsOf(t testing.TB, p gen.Problem, o rls.MomentsOptions, folds int, sparse bool) *rls.Moments {
	t.Helper()
	o.Folds = folds
	m, err := rls.NewMoments(o)
	if err != nil {
		t.Fatal(err)
	}
	for q := range p.Queries {
		x, y := queryOf(p, q, sparse)
		if err := m.Add(x, y, q%folds); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// queryOf are the rows and labels of query q.
func queryOf(p gen.Problem, q int, sparse bool) (data.Matrix, []float64) {
	rows := p.RowsOf(q)
	x := data.NewDense(len(rows), p.N, naive.Submatrix(p.X, p.N, rows, naive.Without(p.N, nil)))
	y := naive.Pick(p.Y, rows)
	if sparse {
		return toSparse(x), y
	}
	return x, y
}

func toSparse(x *data.Dense) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

func TestMomentsTrainAsRowsDo(t *testing.T) {
	const same = 1e-10 // of the largest weight: rounding times a condition number of at most 1e5
	r := rand.New(rand.NewPCG(14, 1))
	for range problems(t, 300) {
		p := gen.New(r, gen.Options{})
		o := goals[r.IntN(len(goals))]
		s := newSetting(t, p, o.regression, o.Options)
		lambda := gen.Lambda(r, 0, 8)
		want, err := rls.Solve(ctx, rls.Primal(data.NewDense(p.M, p.N, p.X)), s.goal, lambda)
		if err != nil {
			t.Fatal(err)
		}
		options := rls.MomentsOptions{Regression: o.regression}
		if !o.regression {
			options.Pairs = o.Options
		}
		m := momentsOf(t, p, options, 1+r.IntN(3), r.IntN(2) == 0)
		got, err := m.Solve(ctx, lambda)
		if err != nil {
			t.Fatal(err)
		}
		largest := 0.0
		for _, w := range want.Coef.Data {
			largest = max(largest, math.Abs(w))
		}
		for j, w := range want.Coef.Data {
			if d := math.Abs(got.Coef.Data[j] - w); d > same*largest {
				t.Fatalf("%+v: weight %d is %v, want %v", o, j, got.Coef.Data[j], w)
			}
		}
		if d := math.Abs(got.Objectives[0] - want.Objective()); d > same*s.goal.Constant() {
			t.Fatalf("%+v: objective %v, want %v", o, got.Objectives[0], want.Objective())
		}
		if m.Rows() != int64(p.M) || m.Queries() != int64(p.Queries) || float64(m.Pairs()) != s.goal.Pairs {
			t.Fatalf("%d rows, %d queries, %d pairs", m.Rows(), m.Queries(), m.Pairs())
		}
	}
}

var _ = pref.Options{}
