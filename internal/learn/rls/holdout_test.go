package rls_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// anyRows are the goals for which any rows may be held out.
func anyRows(o pref.Options, regression bool, queries int) bool {
	if regression {
		return true
	}
	if o.Ties == "exclude" {
		return false
	}
	return o.Weight == pref.Size || queries == 1
}

// TestAnyRowsOutIsRetraining compares held-out random folds of rows, and single rows, with training
// without them, where the shortcut claims to be exact; elsewhere it must return an error.
func TestAnyRowsOutIsRetraining(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var worst tally
	exact, refused := 0, 0
	for trial := range problems(t, 120) {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0})
		groups := data.Singletons(p.M)
		if trial%3 > 0 {
			of := make([]int32, p.M)
			for i := range of {
				of[i] = int32(r.IntN(3))
			}
			groups = data.NewPartition(of, 3)
		}
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -15, 15) * s.pairWeight()
			for _, sp := range s.spaces() {
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				if err := path.Exact(groups); err != nil {
					var reason *rls.NotExactError
					if !errors.As(err, &reason) || anyRows(s.o, s.plain, p.Queries) {
						t.Fatalf("%+v: %v", g, err)
					}
					refused++
					continue
				}
				exact++
				d, limit := s.leaveGroupsOut(t, sp, groups, lambda)
				worst.add(d, lambda, s.pairWeight())
				if d > limit {
					t.Errorf("%s %+v λ=%g m=%d n=%d q=%d: relative difference %.2g",
						sp.name, g, lambda, p.M, p.N, p.Queries, d)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d exact, %d refused; %s", exact, refused, &worst)
}

// TestLeavePairOutIsRetraining compares every pair of rows with training without the two.
func TestLeavePairOutIsRetraining(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var worst tally
	for trial := range problems(t, 60) {
		p := gen.New(r, gen.Options{OneQuery: trial%3 > 0, MaxRows: 12, MaxFeatures: 15})
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -15, 15) * s.pairWeight()
			for _, sp := range s.spaces() {
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				d, ok := s.leavePairsOut(t, path, sp.k, lambda)
				if ok != anyRows(s.o, s.plain, p.Queries) {
					t.Fatalf("%+v q=%d: exact %v", g, p.Queries, ok)
				}
				if !ok {
					continue
				}
				worst.add(d, lambda, s.pairWeight())
				if d > s.allowed(sp, path, lambda) {
					t.Errorf("%s %+v λ=%g m=%d n=%d q=%d: relative difference %.2g",
						sp.name, g, lambda, p.M, p.N, p.Queries, d)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Log(worst.String())
}

func (s setting) leavePairsOut(t *testing.T, path *rls.Path, k []float64, lambda float64) (worst float64, ok bool) {
	t.Helper()
	type pair struct{ i, j int }
	got := map[pair][2]float64{}
	var mu sync.Mutex
	err := path.LeavePairOut(ctx, lambda, func(_, i, _ int, fi, fj []float64) {
		mu.Lock()
		defer mu.Unlock()
		for b := range fi {
			got[pair{i, i + 1 + b}] = [2]float64{fi[b], fj[b]}
		}
	})
	var reason *rls.NotExactError
	if errors.As(err, &reason) {
		return 0, false
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != s.M*(s.M-1)/2 {
		t.Fatalf("%d pairs of %d rows", len(got), s.M)
	}
	scale := 0.0
	for _, v := range path.At(lambda).Predictions().Data {
		scale = max(scale, math.Abs(v))
	}
	for p, f := range got {
		want, floor := s.retrained(k, []int{p.i, p.j}, lambda)
		worst = max(worst, relative(f[:], want, max(scale, floor)))
	}
	return worst, true
}

// TestSeveralOutputs compares a fit of several outputs with one fit for each, held out and not.
func TestSeveralOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	const v = 3
	for range 40 {
		p := gen.New(r, gen.Options{})
		y := make([]float64, p.M*v)
		for i := range y {
			y[i] = float64(r.IntN(4))
		}
		goal, err := goals.Scored(y, v, partition(p), pref.Options{})
		if err != nil {
			continue // all labels of every query equal
		}
		lambda := gen.Lambda(r, -5, 10)
		k := p.Gaussian(0.3)
		for _, b := range []func() *rls.Basis{
			func() *rls.Basis { return rls.Primal(square2(p)) },
			func() *rls.Basis { return rls.Dual(square(k)) },
		} {
			path, err := rls.Factor(ctx, b(), goal)
			if err != nil {
				t.Fatal(err)
			}
			all := path.At(lambda).Predictions()
			held := heldOut(t, path, partition(p), lambda)
			for c := range v {
				one := make([]float64, p.M)
				for i := range one {
					one[i] = y[i*v+c]
				}
				single, err := goals.Scored(one, 1, partition(p), pref.Options{})
				if err != nil {
					continue
				}
				path1, err := rls.Factor(ctx, b(), single)
				if err != nil {
					t.Fatal(err)
				}
				if d := relative(pick(all, c), path1.At(lambda).Predictions().Data, 1e-3); d > 1e-9 {
					t.Fatalf("output %d differs by %g", c, d)
				}
				if d := relative(pick(held, c), heldOut(t, path1, partition(p), lambda).Data, 1e-3); d > 1e-9 {
					t.Fatalf("held-out output %d differs by %g", c, d)
				}
			}
		}
	}
}

// TestRetarget compares a path of other labels on an old factorisation with a new path.
func TestRetarget(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		other := p
		other.Y = append([]float64(nil), p.Y...)
		r.Shuffle(p.M, func(i, j int) { other.Y[i], other.Y[j] = other.Y[j], other.Y[i] })
		for _, o := range []pref.Options{{}, {Weight: pref.Size}} {
			goal, err := goals.Scored(other.Y, 1, partition(p), o)
			if err != nil {
				continue
			}
			s := newSetting(t, p, false, o)
			lambda := gen.Lambda(r, -3, 10)
			for _, sp := range s.spaces() {
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				fresh, err := rls.Factor(ctx, sp.basis, goal)
				if err != nil {
					t.Fatal(err)
				}
				again := path.Retarget(goal)
				_, floor := newSetting(t, other, false, o).retrained(sp.k, nil, lambda)
				if d := relative(again.At(lambda).Predictions().Data, fresh.At(lambda).Predictions().Data,
					floor); d > bar {
					t.Errorf("%s %+v: relative difference %.2g", sp.name, o, d)
				}
				if d := relative(heldOut(t, again, partition(p), lambda).Data,
					heldOut(t, fresh, partition(p), lambda).Data, floor); d > bar {
					t.Errorf("%s %+v held out: relative difference %.2g", sp.name, o, d)
				}
			}
		}
	}
}

func square2(p gen.Problem) *data.Dense {
	return &data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}
}

func pick(f *data.Dense, c int) []float64 {
	out := make([]float64, f.Rows)
	for i := range out {
		out[i] = f.Row(i)[c]
	}
	return out
}

// heldOut are the predictions of all rows, each without its group.
func heldOut(t *testing.T, path *rls.Path, groups *data.Partition, lambda float64) *data.Dense {
	t.Helper()
	out := data.NewDense(len(groups.Rows), 0, nil)
	var mu sync.Mutex
	err := path.HoldOut(ctx, groups, []float64{lambda}, func(g, _ int, held rls.Held) {
		f := held.F
		mu.Lock()
		defer mu.Unlock()
		if out.Cols == 0 {
			out = data.NewDense(len(groups.Rows), f.Cols, nil)
		}
		for a, i := range groups.Part(g) {
			copy(out.Row(int(i)), f.Row(a))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLargerQueries compares the two ways to hold out queries of a primal problem, the lemma and
// training without their moments, with retraining, on sizes where each is the cheaper.
func TestLargerQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, size := range []struct{ m, n, queries int }{{300, 4, 5}, {60, 50, 30}, {240, 12, 3}} {
		p := gen.Problem{M: size.m, N: size.n, X: make([]float64, size.m*size.n), Y: make([]float64, size.m),
			Query: make([]int, size.m), Queries: size.queries}
		for i := range p.X {
			p.X[i] = r.NormFloat64() + 1
		}
		for i := range p.Y {
			p.Y[i], p.Query[i] = float64(r.IntN(3)), i%size.queries
		}
		for _, o := range []pref.Options{{}, {Ties: "exclude", Weight: pref.Edges}, {Cost: pref.Relative}} {
			s := newSetting(t, p, false, o)
			if d, _ := s.leaveGroupsOut(t, space{"primal", rls.Primal(s.x()), nil}, partition(p), 0.01); d > bar {
				t.Errorf("%+v %+v: relative difference %.2g", size, o, d)
			}
		}
	}
}
