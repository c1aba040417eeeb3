package rankboost_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rankboost"
	"pairrank/internal/naive"
	"pairrank/model"
	"pairrank/pref"
)

// Only the order of labels within a query matters: a constant per query and an increasing function
// change nothing.
func TestLabelsCountByTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for k := range 300 {
		p, w := problem(r), weights[k%3]
		fit := train(t, dense(p), p.Y, partition(p), 15, w)
		other := make([]float64, p.M)
		for i, y := range p.Y {
			other[i] = math.Exp(y) + 10*float64(p.Query[i])
		}
		if again := train(t, dense(p), other, partition(p), 15, w); !reflect.DeepEqual(again, fit) {
			t.Fatalf("problem %d: %+v with other labels, want %+v", k, again, fit)
		}
	}
}

func TestRowsInAnotherOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for k := range 300 {
		p, w := problem(r), weights[k%3]
		other := gen.Problem{M: p.M, N: p.N, X: make([]float64, 0, len(p.X)), Queries: p.Queries}
		for _, i := range r.Perm(p.M) {
			other.X = append(other.X, p.X[i*p.N:(i+1)*p.N]...)
			other.Y = append(other.Y, p.Y[i])
			other.Query = append(other.Query, p.Query[i])
		}
		fit := train(t, dense(p), p.Y, partition(p), 15, w)
		again := train(t, dense(other), other.Y, partition(other), 15, w)
		if err := sameStumps(again.Stumps.Terms, fit.Stumps.Terms); err != nil {
			t.Fatalf("problem %d: %v", k, err)
		}
	}
}

// An increasing function of the features, here with all values above zero, changes the thresholds
// but not the scores of the compared rows. Other rows may lie between a threshold and its
// neighbours.
func TestFeaturesCountByTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for k := range 300 {
		p, w := problem(r), weights[k%3]
		rising := data.NewDense(p.M, p.N, nil)
		for i, v := range p.X {
			rising.Data[i] = math.Exp(v / 2)
		}
		got := scores(train(t, rising, p.Y, partition(p), 15, w), rising)
		want := scores(train(t, dense(p), p.Y, partition(p), 15, w), dense(p))
		for _, pair := range naive.Pairs(p.Y, p.Query, "unit", "exclude", "pairs") {
			for _, i := range []int{pair.I, pair.J} {
				if !near(got[i], want[i]) {
					t.Fatalf("problem %d: row %d scores %v, want %v", k, i, got[i], want[i])
				}
			}
		}
	}
}

// Rows of a query without a pair do not change any threshold.
func TestRowsWithoutPairsDoNotCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for k := range 100 {
		p, w := problem(r), weights[k%3]
		more := gen.Problem{M: p.M + 4, N: p.N, Queries: p.Queries + 2}
		more.X = slices.Clone(p.X)
		for range 4 * p.N {
			more.X = append(more.X, r.NormFloat64())
		}
		more.Y = append(slices.Clone(p.Y), 5, 5, 5, 1) // three tied rows and a single one
		more.Query = append(slices.Clone(p.Query), p.Queries, p.Queries, p.Queries, p.Queries+1)
		fit := train(t, dense(p), p.Y, partition(p), 15, w)
		if again := train(t, dense(more), more.Y, partition(more), 15, w); !reflect.DeepEqual(again, fit) {
			t.Fatalf("problem %d: %+v with rows of no pair, want %+v", k, again, fit)
		}
	}
}

// One feature orders every pair: one round finds it, with the largest possible step, and each
// further round widens the gap, far beyond the range of e^H.
func TestSeparableInOneRound(t *testing.T) {
	const rows, rounds = 40, 2000
	r := rand.New(rand.NewPCG(4, 4))
	x, y := data.NewDense(rows, 3, nil), make([]float64, rows)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = float64(i % 2)
		x.Row(i)[1] = -3*y[i] + r.Float64()
	}
	fit := train(t, x, y, data.OneList(rows), rounds, "")
	first := fit.Stumps.Part(0, 1)
	f := make([]float64, rows)
	first.ScoreTo(f, x)
	step := math.Log(1+fit.Pairs) / 2
	for i := range y {
		if want := step * (y[i] - 1); !near(f[i], want) {
			t.Errorf("row %d with label %v scores %v after one round, want %v", i, y[i], f[i], want)
		}
	}
	last := fit.Stumps.Terms[rounds-1]
	if len(fit.Loss) != rounds || !near(last.Weight, -step) || last.Feature != 1 || fit.Loss[rounds-1] != 0 {
		t.Errorf("after %d rounds: %+v, loss %v", len(fit.Loss), last, fit.Loss[len(fit.Loss)-1])
	}
}

// The result has the same bytes for any number of threads, on problems of many
// pieces: of many queries, and of many features.
func TestSameBytesForAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := rand.New(rand.NewPCG(5, 5))
	for _, size := range []struct{ m, n, queries int }{{30000, 4, 200}, {3000, 60, 20}} {
		x, y, of := data.NewDense(size.m, size.n, nil), make([]float64, size.m), make([]int32, size.m)
		for i := range x.Data {
			if x.Data[i] = r.NormFloat64(); i%3 == 0 {
				x.Data[i] = 0
			}
		}
		for i := range y {
			y[i], of[i] = math.Round(x.Row(i)[0]+r.NormFloat64()), int32(r.IntN(size.queries))
		}
		var want *rankboost.Fit
		for _, threads := range []int{1, 3} {
			runtime.GOMAXPROCS(threads)
			for _, matrix := range []data.Matrix{x, csr(x)} {
				fit := train(t, matrix, y, data.NewPartition(of, size.queries), 30, pref.Edges)
				if want == nil {
					want = fit
				}
				if !reflect.DeepEqual(fit, want) {
					t.Errorf("m=%d, n=%d: another result with %d threads, %T", size.m, size.n, threads, matrix)
				}
			}
		}
	}
}

// Where no stump separates two rows of a pair, there is nothing to do, and the result says so.
func TestExhausted(t *testing.T) {
	y := []float64{0, 1, 1, 0}
	for name, x := range map[string]data.Matrix{
		"no features":    data.NewDense(4, 0, nil),
		"constant":       &data.Dense{Rows: 4, Cols: 1, Stride: 1, Data: []float64{2, 2, 2, 2}},
		"without effect": &data.Dense{Rows: 4, Cols: 1, Stride: 1, Data: []float64{2, 2, 1, 1}},
		"no values":      &data.CSR{Rows: 4, Cols: 1 << 20, Ptr: make([]int, 5)},
	} {
		fit := train(t, x, y, data.OneList(4), 0, "")
		if !fit.Exhausted || len(fit.Stumps.Terms) > 0 || fit.Pairs != 4 {
			t.Errorf("%s: %+v", name, fit)
		}
	}
}

// A stump that orders as much weight correctly as wrongly is useless even where the sums do not
// cancel exactly: ten pairs of weight 1/10 against one of weight 1.
func TestBalancedStumpIsNoUse(t *testing.T) {
	x, y, of := data.NewDense(13, 1, nil), make([]float64, 13), make([]int32, 13)
	for i := 1; i <= 10; i++ { // the first query: one row below ten
		x.Data[i], y[i] = 1, 1
	}
	of[11], of[12] = 1, 1 // the second: one row below another, the wrong way
	x.Data[11], y[12] = 1, 1
	if fit := train(t, x, y, data.NewPartition(of, 2), 0, pref.Edges); !fit.Exhausted || len(fit.Loss) > 0 {
		t.Errorf("%+v", fit)
	}
}

func TestRefuses(t *testing.T) {
	x := data.NewDense(3, 1, nil)
	_, err := rankboost.Train(t.Context(), x, []float64{1, 1, 1}, data.OneList(3), rankboost.Options{})
	if !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("one label: %v", err)
	}
	_, err = rankboost.Train(t.Context(), x, []float64{1, 2, 1}, data.OneList(3), rankboost.Options{Weight: "rows"})
	if err == nil || !strings.Contains(err.Error(), "known are pairs, size, edges") {
		t.Errorf("unknown weight: %v", err)
	}
	nan := &data.Dense{Rows: 3, Cols: 1, Stride: 1, Data: []float64{1, math.NaN(), 2}}
	for name, wrong := range map[string]func(){
		"labels":  func() { train(t, x, []float64{1, 2}, data.OneList(3), 1, "") },
		"queries": func() { train(t, x, []float64{1, 2, 3}, data.OneList(2), 1, "") },
		"rounds":  func() { train(t, x, []float64{1, 2, 3}, data.OneList(3), -1, "") },
		"label":   func() { train(t, x, []float64{1, 2, math.NaN()}, data.OneList(3), 1, "") },
		"feature": func() { train(t, nan, []float64{1, 2, 3}, data.OneList(3), 1, "") },
		"matrix":  func() { train(t, struct{ data.Matrix }{x}, []float64{1, 2, 3}, data.OneList(3), 1, "") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			wrong()
		}()
	}
}

// When the context ends, Train returns the stumps so far with its error; they equal those of fewer
// rounds.
func TestCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	p := gen.New(r, gen.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	var seen []float64
	fit, err := rankboost.Train(ctx, dense(p), p.Y, partition(p),
		rankboost.Options{Progress: func(round int, loss float64) {
			seen = append(seen, loss)
			if round == 3 {
				cancel()
			}
		}})
	want := train(t, dense(p), p.Y, partition(p), 3, "")
	if !errors.Is(err, context.Canceled) || !reflect.DeepEqual(fit, want) || !slices.Equal(seen, want.Loss) {
		t.Errorf("cancelled after 3 rounds: %+v, error %v, progress %v; want %+v", fit, err, seen, want)
	}
	fit, err = rankboost.Train(ctx, dense(p), p.Y, partition(p), rankboost.Options{})
	if !errors.Is(err, context.Canceled) || len(fit.Stumps.Terms) != 0 {
		t.Errorf("cancelled before: %+v, error %v", fit, err)
	}
}

// The ranker is saved and read as any model is.
func TestStumpsMakeAModel(t *testing.T) {
	p := gen.New(rand.New(rand.NewPCG(7, 7)), gen.Options{})
	fit := train(t, dense(p), p.Y, partition(p), 10, "")
	m := &model.Model{Info: model.Info{Learner: "rankboost", Pairs: fit.Pairs}, Scorer: fit.Stumps}
	var text strings.Builder
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	back, err := model.Read(strings.NewReader(text.String()), "m.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, err := back.Score(&data.Set{X: dense(p)})
	if err != nil || !slices.Equal(got, scores(fit, dense(p))) {
		t.Errorf("scores %v after reading, want %v; error %v", got, scores(fit, dense(p)), err)
	}
}
