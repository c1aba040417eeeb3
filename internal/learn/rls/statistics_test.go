package rls_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// same is the largest relative difference of weights from the same data by another order
// of summation: rounding times the condition number of the system, at most 1e5 here.
const same = 1e-10

// statisticsOptions are those of a goal of the table goals.
func statisticsOptions(regression bool, o pref.Options) rls.StatisticsOptions {
	if regression {
		o = pref.Options{}
	}
	return rls.StatisticsOptions{Regression: regression, Pairs: o}
}

func newStatistics(t testing.TB, o rls.StatisticsOptions) *rls.Statistics {
	t.Helper()
	m, err := rls.NewStatistics(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func add(t testing.TB, m *rls.Statistics, x data.Matrix, y []float64, fold int) {
	t.Helper()
	addWeighed(t, m, x, y, nil, fold)
}

func addWeighed(t testing.TB, m *rls.Statistics, x data.Matrix, y, weights []float64, fold int) {
	t.Helper()
	if err := m.Add(x, y, weights, fold); err != nil {
		t.Fatal(err)
	}
}

// statisticsOf are those of the queries of p, with query q in fold q mod folds. Each query is
// dense or sparse, and without the features that are 0 in all of its last columns, as r
// says; nil is dense and whole.
func statisticsOf(t testing.TB, p gen.Problem, o rls.StatisticsOptions, r *rand.Rand) *rls.Statistics {
	t.Helper()
	return weighedStatistics(t, p, nil, o, r)
}

// weighedStatistics are statisticsOf rows with weights, or nil.
func weighedStatistics(t testing.TB, p gen.Problem, weights []float64, o rls.StatisticsOptions,
	r *rand.Rand) *rls.Statistics {
	t.Helper()
	o.Weights = weights != nil
	m := newStatistics(t, o)
	for q := range p.Queries {
		x, y := queryOf(p, q, max(1, o.Outputs))
		var w []float64
		if o.Weights {
			w = naive.Pick(weights, p.RowsOf(q))
		}
		if r != nil && r.IntN(2) == 0 {
			x = narrowed(x)
		}
		if r != nil && r.IntN(2) == 0 {
			addWeighed(t, m, setting{Problem: gen.Problem{M: x.Rows, N: x.Cols, X: x.Data}}.csr(), y, w, q%m.Options().Folds)
			continue
		}
		addWeighed(t, m, x, y, w, q%m.Options().Folds)
	}
	return m
}

// queryOf are the rows and labels, m×v, of query q.
func queryOf(p gen.Problem, q, v int) (*data.Dense, []float64) {
	rows := p.RowsOf(q)
	x := data.NewDense(len(rows), p.N, naive.Submatrix(p.X, p.N, rows, naive.Without(p.N, nil)))
	return x, naive.Submatrix(p.Y, v, rows, naive.Without(v, nil))
}

// narrowed is x without the last columns that are 0.
func narrowed(x *data.Dense) *data.Dense {
	n := 0
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				n = max(n, j+1)
			}
		}
	}
	return data.NewDense(x.Rows, n, naive.Submatrix(x.Data, x.Cols, naive.Without(x.Rows, nil), naive.Without(n, nil)))
}

// sameWeights compares weights relative to the largest of them.
func sameWeights(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	largest := 0.0
	for _, w := range want {
		largest = max(largest, math.Abs(w))
	}
	for j := range max(len(got), len(want)) {
		a, b := 0.0, 0.0 // features that no query has are missing
		if j < len(got) {
			a = got[j]
		}
		if j < len(want) {
			b = want[j]
		}
		if !(math.Abs(a-b) <= tolerance*largest) {
			t.Fatalf("%s: weight %d is %v, want %v; the largest is %v", what, j, a, b, largest)
		}
	}
}

func solved(t testing.TB, m *rls.Statistics, lambda float64) *rls.StatisticsFit {
	t.Helper()
	fit, err := m.Solve(ctx, lambda)
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

func TestStatisticsTrainAsRowsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range problems(t, 400) {
		p := gen.New(r, gen.Options{})
		all := everyWeighed()
		o := all[r.IntN(len(all))]
		s := newWeighed(t, p, o)
		lambda := gen.Lambda(r, 0, 8)
		if s.weights != nil {
			lambda *= 16 // the largest product of two weights: the condition stays that of rows without
		}
		path, err := rls.Factor(ctx, rls.Primal(s.x()), s.goal)
		if err != nil {
			t.Fatal(err)
		}
		options := statisticsOptions(o.regression, o.Options)
		options.Folds = 1 + r.IntN(3)
		m := weighedStatistics(t, p, s.weights, options, r)
		fit := solved(t, m, lambda)
		pairs, y := s.pairs(naive.Without(s.M, nil))
		w, _ := naive.Primal(p.X, p.N, pairs, y, lambda)
		refit, err := path.Refit(lambda)
		if err != nil {
			t.Fatal(err)
		}
		if s.weights != nil && norm(w) == 0 && norm(refit.Coef.Data) > 0 {
			continue // the weighted mean of equal rows rounds, in memory, too
		}
		sameWeights(t, "definition", fit.Coef.Data, w, same)
		sameWeights(t, "rows", fit.Coef.Data, refit.Coef.Data, same)
		if d := math.Abs(fit.Objectives[0] - refit.Objective()); d > same*s.goal.Constant() {
			t.Fatalf("%+v: objective %v, want %v", o, fit.Objectives[0], refit.Objective())
		}
		if m.Rows() != int64(p.M) || m.Queries() != int64(p.Queries) || float64(m.Pairs()) != s.goal.Pairs {
			t.Fatalf("%d rows, %d queries, %d pairs", m.Rows(), m.Queries(), m.Pairs())
		}
		if sum, some := m.Weighed(); some != (s.weights != nil) || some &&
			math.Abs(sum-goals.Mass(s.goal.L.Components().Rows, s.weights)) > 1e-12*sum {
			t.Fatalf("%v of %v", sum, s.weights)
		}
		sameStatisticsPath(t, m, path, lambda, fit)
	}
}

// sameStatisticsPath compares the factored statistics with the path of the rows.
func sameStatisticsPath(t *testing.T, m *rls.Statistics, path *rls.Path, lambda float64, fit *rls.StatisticsFit) {
	t.Helper()
	factored, err := m.Factor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sameWeights(t, "at", factored.At(lambda).Coef.Data, path.At(lambda).Coef.Data, same)
	refit, err := factored.Refit(lambda)
	if err != nil {
		t.Fatal(err)
	}
	sameWeights(t, "refit", refit.Coef.Data, fit.Coef.Data, 0)
	sameWeights(t, "squares", factored.Squares(), path.Squares(), same)
	missing := path.Eigenvalues()[len(path.Eigenvalues())-len(factored.Eigenvalues()):]
	sameWeights(t, "eigenvalues", factored.Eigenvalues(), missing, same)
	if factored.Outputs() != 1 {
		t.Fatalf("%d outputs", factored.Outputs())
	}
}

func TestStatisticsOfSeveralOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	for range problems(t, 100) {
		p := gen.New(r, gen.Options{})
		v := 2 + r.IntN(3)
		p.Y = make([]float64, p.M*v)
		for i := range p.Y {
			p.Y[i] = float64(r.IntN(4))
		}
		o := []pref.Options{{}, {Weight: pref.Size}, {Weight: pref.Edges}}[r.IntN(3)]
		options := statisticsOptions(r.IntN(4) == 0, o)
		options.Outputs = v
		lambda := gen.Lambda(r, 0, 8)
		fit := solved(t, statisticsOf(t, p, options, nil), lambda)
		for c := range v {
			one := p
			one.Y = make([]float64, p.M)
			for i := range one.Y {
				one.Y[i] = p.Y[i*v+c]
			}
			options.Outputs = 1
			want := solved(t, statisticsOf(t, one, options, nil), lambda)
			sameWeights(t, "output", pick(fit.Coef, c), want.Coef.Data, same)
			if d := math.Abs(fit.Objectives[c] - want.Objectives[0]); d > same*(1+want.Objectives[0]) {
				t.Fatalf("objective %v, want %v", fit.Objectives[c], want.Objectives[0])
			}
		}
	}
}

// Features far from 0 and of unlike scales keep the digits that their differences have.
func TestStatisticsKeepDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 5))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{MaxFeatures: 6})
		for j := range p.N {
			scale, offset := math.Exp2(float64(r.IntN(21)-10)), 1e6*float64(r.IntN(2))
			for i := range p.M {
				p.X[i*p.N+j] = scale * (p.X[i*p.N+j] + offset)
			}
		}
		o := everyGoal[1+r.IntN(len(everyGoal)-1)] // regression is not centred, and has no differences
		s := newSetting(t, p, false, o.Options)
		pairs, _ := s.pairs(naive.Without(s.M, nil))
		lambda := gen.Lambda(r, 0, 40)
		want := naive.PrimalExactly(p.X, p.N, pairs, nil, lambda)
		m := statisticsOf(t, p, statisticsOptions(false, o.Options), r)
		path, err := m.Factor(ctx)
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 2e-15 // of the entries of A and B
		largest := 0.0
		if d := path.Eigenvalues(); len(d) > 0 { // no query has a feature but 0, else
			largest = d[len(d)-1]
		}
		limit := rounding * (math.Sqrt(largest*s.goal.Constant()) + largest*norm(want)) / lambda
		for i, w := range solved(t, m, lambda).Coef.Data {
			if d := math.Abs(w - want[i]); d > limit {
				t.Fatalf("%+v, λ = %g of %g: weight %d is %v, want %v ± %v", o, lambda, largest, i, w, want[i], limit)
			}
		}
	}
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// Features of any size, and λ of the size of their squares, give the weights of training on rows.
func TestStatisticsOfAnyScale(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 12))
	for range problems(t, 200) {
		p, scale := scaled(r)
		if scale > 1e130 || scale < 1e-130 {
			continue // refused, and squares that underflow
		}
		o := everyGoal[r.IntN(len(everyGoal))]
		s := newSetting(t, p, o.regression, o.Options)
		lambda := gen.Lambda(r, 0, 8) * scale * scale
		want, err := rls.Solve(ctx, rls.Primal(s.x()), s.goal, lambda)
		if err != nil {
			t.Fatal(err)
		}
		got := solved(t, statisticsOf(t, p, statisticsOptions(o.regression, o.Options), r), lambda)
		weights := make([]float64, p.N)
		copy(weights, got.Coef.Data)
		// Weights times features have the size of the labels, 1. For constant features they are
		// rounding compared with that, and 0 here.
		if d := relative(weights, want.Coef.Data, 1/scale); d > same {
			t.Fatalf("%+v, features of %g: weights %v, want %v", o, scale, weights, want.Coef.Data)
		}
	}
}

// Queries longer than the buffer of pending rows train as in memory.
func TestStatisticsOfLongQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 13))
	for _, size := range []struct {
		rows int
		o    pref.Options
	}{{9000, pref.Options{}}, {9000, pref.Options{Ties: "exclude"}}, {9000, pref.Options{Cost: pref.Unit}},
		{500, pref.Options{Cost: pref.Relative}}} {
		const n, lambda = 5, 1000
		x, y := data.NewDense(size.rows, n, nil), make([]float64, size.rows)
		for i := range y {
			y[i] = float64(r.IntN(5))
			for j := range n {
				x.Row(i)[j] = 1e3 + r.NormFloat64() + float64(j)*y[i]
			}
		}
		goal, err := goals.Scored(y, 1, data.OneList(size.rows), size.o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := rls.Solve(ctx, rls.Primal(x), goal, lambda)
		if err != nil {
			t.Fatal(err)
		}
		m := newStatistics(t, rls.StatisticsOptions{Pairs: size.o})
		add(t, m, x, y, 0)
		sameWeights(t, "long", solved(t, m, lambda).Coef.Data, want.Coef.Data, same)
	}
}
