package holdout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// gaussianPath is a dual path of p with its labels.
func gaussianPath(t testing.TB, p gen.Problem) (*rls.Path, holdout.Labels) {
	t.Helper()
	k := &data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: p.Gaussian(0.3)}
	goal, err := goals.Scored(p.Y, 1, partition(p), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Dual(k), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path, holdout.Labels{Y: p.Y, Queries: partition(p)}
}

// TestOutputsAreEstimatedAsOne: the estimates of several outputs are those of
// each alone, for every method.
func TestOutputsAreEstimatedAsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	const v = 3
	for trial := range 60 {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0})
		for i := range p.X {
			p.X[i] = r.NormFloat64()
		}
		path, labels := gaussianPath(t, p)
		many := holdout.Labels{Y: make([]float64, p.M*v), Outputs: v, Queries: labels.Queries}
		for i := range many.Y {
			many.Y[i] = float64(r.IntN(3))
		}
		goal, err := goals.Scored(many.Y, v, labels.Queries, pref.Options{})
		if err != nil {
			continue
		}
		for _, name := range []string{"lqo", "lpo", "loo", "kfold:2"} {
			method, err := cv.ParseMethod(name)
			if err != nil {
				t.Fatal(err)
			}
			o := holdout.Options{Method: method, Candidates: []float64{0.1, 10}}
			got, err := holdout.EstimatePath(ctx, path.Retarget(goal), many, o)
			if err != nil {
				continue
			}
			for c := range v {
				one := holdout.Labels{Y: make([]float64, p.M), Queries: labels.Queries}
				for i := range one.Y {
					one.Y[i] = many.Y[i*v+c]
				}
				single, err := goals.Scored(one.Y, 1, labels.Queries, pref.Options{})
				if err != nil {
					continue
				}
				want, err := holdout.EstimatePath(ctx, path.Retarget(single), one, o)
				if err != nil {
					t.Fatal(err)
				}
				same(t, name, got[c], want[0])
			}
		}
	}
}

// TestPermutations: noise is as good as its permutations, a clear signal is better than all; the
// same seed gives the same test; labels stay in their query.
func TestPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	p := gen.Problem{M: 60, N: 3, X: make([]float64, 180), Y: make([]float64, 60), Query: make([]int, 60), Queries: 1}
	for i := range p.X {
		p.X[i] = r.NormFloat64()
	}
	for i := range p.Y {
		p.Y[i] = p.X[i*3] + 0.1*r.NormFloat64()
	}
	run := func(p gen.Problem) *cv.PermutationTest {
		path, labels := gaussianPath(t, p)
		retarget := func(y []float64, v int) (*goals.Goal, error) {
			return goals.Scored(y, v, labels.Queries, pref.Options{})
		}
		o := holdout.Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{0.1, 1, 10}, Seed: 5}
		test, err := holdout.Permutations(ctx, holdout.OfPath(path, retarget), labels, o, 99, nil)
		if err != nil {
			t.Fatal(err)
		}
		real, err := holdout.EstimatePath(ctx, path, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := holdout.Permutations(ctx, holdout.OfPath(path, retarget), labels, o, 99,
			real[0]); err != nil ||
			!reflect.DeepEqual(again, test) {
			t.Errorf("with the estimate at hand: %+v, %v, without %+v", again, err, test)
		}
		return test
	}
	signal := run(p)
	if signal.Below != 0 || signal.P != 0.01 || len(signal.Errors) != 99 {
		t.Errorf("signal: %d of %d below, p = %v", signal.Below, signal.N, signal.P)
	}
	again := run(p)
	for i, e := range signal.Errors {
		if again.Errors[i] != e {
			t.Fatal("the same seed gives another test")
		}
	}
	mean := 0.0
	for _, e := range signal.Errors {
		mean += e / 99
	}
	if math.Abs(mean-0.47) > 0.08 { // the least of three errors around ½
		t.Errorf("permuted labels have a mean error of %v", mean)
	}
	for i := range p.Y {
		p.Y[i] = r.NormFloat64()
	}
	if noise := run(p); noise.P < 0.02 {
		t.Errorf("noise: p = %v", noise.P)
	}
}

// BenchmarkPermutations measures the leave-pair-out error over all pairs of each of 1000
// permutations, at one λ.
func BenchmarkPermutations(b *testing.B) {
	r := rand.New(rand.NewPCG(65, 66))
	const m = 200
	p := gen.Problem{M: m, N: 10, X: make([]float64, m*10), Y: make([]float64, m), Query: make([]int, m), Queries: 1}
	for i := range p.X {
		p.X[i] = r.NormFloat64()
	}
	for i := range p.Y {
		p.Y[i] = float64(r.IntN(2))
	}
	path, labels := gaussianPath(b, p)
	b.Run(fmt.Sprintf("m=%d/permutations=1000", m), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			retarget := func(y []float64, v int) (*goals.Goal, error) {
				return goals.Scored(y, v, labels.Queries, pref.Options{})
			}
			o := holdout.Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{1}}
			_, err := holdout.Permutations(ctx, holdout.OfPath(path, retarget), labels, o, 1000, nil)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
