package rls_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// wide are queries with ties, of 150 features, more than a tile, and up to 300 rows, more than a
// piece.
func wide(r *rand.Rand, queries int) gen.Problem {
	p := gen.Problem{N: 150, Queries: queries}
	for q := range queries {
		for range 1 + r.IntN(300) {
			p.M++
			p.Query = append(p.Query, q)
			p.Y = append(p.Y, float64(r.IntN(4)))
			for range p.N {
				p.X = append(p.X, r.NormFloat64())
			}
		}
	}
	return p
}

func bytesOf(t testing.TB, m *rls.Statistics) string {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The bits depend on the queries and their order alone.
func TestStatisticsAreTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 8))
	p := wide(r, 12)
	for _, o := range []pref.Options{{}, {Ties: "exclude"}, {Cost: pref.Relative}} {
		options := rls.StatisticsOptions{Pairs: o, Folds: 3}
		want, losses := bytesOf(t, statisticsOf(t, p, options, nil)), ""
		for _, threads := range []int{1, 5} {
			before := runtime.GOMAXPROCS(threads)
			m := statisticsOf(t, p, options, nil)
			got := bytesOf(t, m)
			held, err := m.HeldOut(ctx, []float64{1, 1000})
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			if got != want || losses != "" && losses != fmt.Sprint(held) {
				t.Errorf("%+v: other bits on %d threads", o, threads)
			}
			losses = fmt.Sprint(held)
		}
		interrupted, wider := newStatistics(t, options), newStatistics(t, options)
		for q := range p.Queries {
			x, y := queryOf(p, q, 1)
			add(t, interrupted, x, y, q%3)
			bytesOf(t, interrupted)
			if r.IntN(2) == 0 {
				add(t, wider, data.Widen(x, p.N+60), y, q%3)
			} else {
				add(t, wider, setting{Problem: gen.Problem{M: x.Rows, N: x.Cols, X: x.Data}}.csr(), y, q%3)
			}
		}
		if bytesOf(t, interrupted) != want {
			t.Errorf("%+v: other bits where sums are asked for after each query", o)
		}
		again := statisticsOf(t, p, options, nil)
		add(t, again, data.NewDense(1, p.N+60, nil), []float64{0}, 0)
		add(t, wider, data.NewDense(1, p.N+60, nil), []float64{0}, 0)
		if bytesOf(t, wider) != bytesOf(t, again) {
			t.Errorf("%+v: other bits of wider or sparse rows", o)
		}
	}
}

// Merging queries one by one is adding them, and any other order differs by rounding.
func TestStatisticsMerge(t *testing.T) {
	const order = 1e-14 // of the largest weight: sums differ by 1e-31, and a condition of 100
	r := rand.New(rand.NewPCG(14, 9))
	p := gen.New(r, gen.Options{MaxRows: 150, MaxFeatures: 20})
	options := rls.StatisticsOptions{Folds: 2}
	want := statisticsOf(t, p, options, nil)
	one := func(q int) *rls.Statistics {
		m := newStatistics(t, options)
		x, y := queryOf(p, q, 1)
		add(t, m, narrowed(x), y, q%2)
		return m
	}
	merged := newStatistics(t, options)
	for q := range p.Queries {
		part := one(q)
		before := bytesOf(t, part)
		if err := merged.Merge(part); err != nil {
			t.Fatal(err)
		}
		if bytesOf(t, part) != before {
			t.Fatal("what is merged changes")
		}
	}
	if bytesOf(t, merged) != bytesOf(t, want) {
		t.Error("merging query by query gives other bits than adding")
	}
	other := newStatistics(t, options)
	for _, q := range r.Perm(p.Queries) {
		if err := other.Merge(one(q)); err != nil {
			t.Fatal(err)
		}
	}
	sameWeights(t, "another order", solved(t, other, 1).Coef.Data, solved(t, want, 1).Coef.Data, order)
	if other.Rows() != want.Rows() || other.Queries() != want.Queries() || other.Pairs() != want.Pairs() ||
		other.Features() != want.Features() {
		t.Error("other counts")
	}
}

func TestStatisticsOfOtherOptionsAreNotMerged(t *testing.T) {
	base := rls.StatisticsOptions{}
	for name, o := range map[string]rls.StatisticsOptions{
		"outputs 1 and 2":             {Outputs: 2},
		"folds 1 and 3":               {Folds: 3},
		"regression false and true":   {Regression: true},
		"cost magnitude and unit":     {Pairs: pref.Options{Cost: pref.Unit}},
		"query weight pairs and size": {Pairs: pref.Options{Weight: pref.Size}},
		"ties include and exclude":    {Pairs: pref.Options{Ties: pref.ExcludeTies}},
	} {
		m, other := newStatistics(t, base), newStatistics(t, o)
		for _, err := range []error{m.Merge(other), m.Subtract(other)} {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("error %v, want one that says %q", err, name)
			}
		}
	}
}

func TestStatisticsSubtractOnlyWhatWasAdded(t *testing.T) {
	m, o := newStatistics(t, rls.StatisticsOptions{Folds: 2}), newStatistics(t, rls.StatisticsOptions{Folds: 2})
	x := data.NewDense(2, 1, []float64{1, 3})
	add(t, m, x, []float64{1, 2}, 0)
	add(t, o, x, []float64{1, 2}, 1)
	before := bytesOf(t, m)
	if err := m.Subtract(o); err == nil || !strings.Contains(err.Error(), "fold 2 holds 0 rows") {
		t.Errorf("error %v", err)
	}
	if bytesOf(t, m) != before {
		t.Error("a refused subtraction changes the sums")
	}
	if err := m.Subtract(m); err != nil {
		t.Error(err)
	}
	if fit := solved(t, m, 1e-300); m.Queries() != 0 || fit.Coef.Data[0] != 0 || fit.Objectives[0] != 0 {
		t.Errorf("%d queries and weight %v are left of nothing", m.Queries(), fit.Coef.Data)
	}
}

// Subtracted queries have no effect on the weights.
func TestStatisticsForget(t *testing.T) {
	const digits = 1e-14
	r := rand.New(rand.NewPCG(14, 10))
	for range problems(t, 50) {
		p := gen.New(r, gen.Options{MaxRows: 60})
		o := everyGoal[r.IntN(len(everyGoal))]
		options := statisticsOptions(o.regression, o.Options)
		want, m, gone := newStatistics(t, options), newStatistics(t, options), newStatistics(t, options)
		for q := range p.Queries {
			x, y := queryOf(p, q, 1)
			add(t, m, x, y, 0)
			add(t, want, x, y, 0)
			if r.IntN(2) == 0 {
				continue
			}
			large := data.NewDense(x.Rows, x.Cols, nil) // whose squares leave 13 of the 53 bits of other sums
			for i, v := range x.Data {
				large.Data[i] = 0x1p20 * v
			}
			add(t, m, large, y, 0)
			add(t, gone, large, y, 0)
		}
		if err := m.Subtract(gone); err != nil {
			t.Fatal(err)
		}
		sameWeights(t, "forgotten", solved(t, m, 1).Coef.Data, solved(t, want, 1).Coef.Data, digits)
	}
}

// A constant on the features or labels of a query changes nothing, and every query twice
// is λ halved.
func TestStatisticsLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 11))
	for range problems(t, 100) {
		p := gen.New(r, gen.Options{})
		o := everyGoal[1+r.IntN(len(everyGoal)-1)]
		options := statisticsOptions(false, o.Options)
		lambda := gen.Lambda(r, 0, 6)
		want := solved(t, statisticsOf(t, p, options, nil), lambda).Coef.Data
		moved, twice := newStatistics(t, options), newStatistics(t, options)
		for q := range p.Queries {
			x, y := queryOf(p, q, 1)
			add(t, twice, x, y, 0)
			add(t, twice, x, y, 0)
			for i := range x.Data {
				x.Data[i] += 4
			}
			if o.Cost != pref.Relative { // rounding would separate labels that are almost equal
				for i := range y {
					y[i] += 2
				}
			}
			add(t, moved, x, y, 0)
		}
		sameWeights(t, "twice", solved(t, twice, 2*lambda).Coef.Data, want, same)
		if o.Ties == pref.ExcludeTies || o.Cost == pref.Unit {
			continue // a sum may tie labels that differ by rounding
		}
		sameWeights(t, "moved", solved(t, moved, lambda).Coef.Data, want, same)
	}
}

func TestStatisticsRefuse(t *testing.T) {
	options := rls.StatisticsOptions{Folds: 2, Pairs: pref.Options{Cost: pref.Relative}}
	x := data.NewDense(2, 2, []float64{1, 2, 3, 5})
	m := newStatistics(t, options)
	for want, q := range map[string]struct{ x, y []float64 }{
		"row 2 has a feature of value NaN":  {[]float64{1, 2, 3, math.NaN()}, []float64{1, 2}},
		"row 1 has a feature of value -Inf": {[]float64{1, math.Inf(-1), 3, 4}, []float64{1, 2}},
		"row 2 has label +Inf":              {[]float64{1, 2, 3, 4}, []float64{1, math.Inf(1)}},
		"row 2 has features too large":      {[]float64{1, 2, 3, 1e200}, []float64{1, 2}},
		"are too large to be multiplied":    {[]float64{1, 2, 3, 4}, []float64{1e-200, 2e-200}},
		"row 1 has labels too large":        {[]float64{1, 2, 3, 4}, []float64{1e160, -1e160}},
	} {
		if strings.Contains(want, "labels too large") {
			options.Pairs.Cost = pref.Magnitude // the relative cost does not multiply by labels
		}
		m = newStatistics(t, options)
		options.Pairs.Cost = pref.Relative
		add(t, m, x, []float64{1, 2}, 0)
		before := bytesOf(t, m)
		err := m.Add(data.NewDense(2, 2, q.x), q.y, nil, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
		if bytesOf(t, m) != before {
			t.Errorf("%s: the sums changed", want)
		}
	}
	for _, o := range []rls.StatisticsOptions{{Outputs: -1}, {Folds: -2},
		{Regression: true, Pairs: pref.Options{Cost: pref.Unit}},
		{Pairs: pref.Options{Cost: "other"}}, {Outputs: 2, Pairs: pref.Options{Ties: pref.ExcludeTies}}} {
		if _, err := rls.NewStatistics(o); err == nil {
			t.Errorf("%+v are options", o)
		}
	}
	for what, f := range map[string]func(){
		"labels":  func() { _ = m.Add(x, []float64{1}, nil, 0) },
		"rows":    func() { _ = m.Add(data.NewDense(0, 2, nil), nil, nil, 0) },
		"fold":    func() { _ = m.Add(x, []float64{1, 2}, nil, 2) },
		"λ":       func() { _, _ = m.Solve(ctx, 0) },
		"λ held":  func() { _, _ = m.HeldOut(ctx, []float64{-1}) },
		"λ of At": func() { path, _ := m.Factor(ctx); path.At(math.Inf(1)) },
	} {
		if panics(f) == "" {
			t.Errorf("%s: no panic", what)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, solve := m.Solve(ended, 1)
	_, factor := m.Factor(ended)
	_, held := m.HeldOut(ended, []float64{1})
	for _, err := range []error{solve, factor, held} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a context that has ended", err)
		}
	}
}

// From equal rows, of any size, nothing is learnt; dependent features with λ below rounding are
// solved by eigenvalues.
func TestStatisticsOfDegenerateRows(t *testing.T) {
	m := newStatistics(t, rls.StatisticsOptions{})
	add(t, m, data.NewDense(3, 2, []float64{0.1, 1e6 / 3, 0.1, 1e6 / 3, 0.1, 1e6 / 3}), []float64{1, 2, 5}, 0)
	path, err := m.Factor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	refit, err := path.Refit(1e-200)
	if err != nil {
		t.Fatal(err)
	}
	for _, fit := range []*rls.StatisticsFit{solved(t, m, 1e-200), path.At(1e-200), refit} {
		if fit.Coef.Data[0] != 0 || fit.Coef.Data[1] != 0 || math.Abs(fit.Objectives[0]-26) > 1e-12 {
			t.Errorf("weights %v and objective %v of equal rows", fit.Coef.Data, fit.Objectives)
		}
	}
	x := data.NewDense(3, 2, []float64{1, 2, 2, 4, 5, 10})
	dependent := newStatistics(t, rls.StatisticsOptions{})
	add(t, dependent, x, []float64{1, 2, 5}, 0)
	// The second feature is twice the first, which is the label.
	if w := solved(t, dependent, 1e-30).Coef.Data; math.Abs(w[0]+2*w[1]-1) > 1e-12 || math.Abs(w[0]) > 1 {
		t.Errorf("weights %v of dependent features", w)
	}
	empty, err := newStatistics(t, rls.StatisticsOptions{}).Solve(ctx, 1)
	if err != nil || empty.Coef.Rows != 0 {
		t.Errorf("%+v, %v of no query", empty, err)
	}
}
