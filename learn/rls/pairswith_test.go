package rls_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// withBar is the largest difference between a pair out of LeavePairsWith and of LeavePairOut,
// relative to the largest prediction, held out or not, since a held-out prediction is a prediction
// minus a correction; or to a floor where predictions vanish. They sum the same products in another
// order, which the 2×2 systems magnify by their condition number: 1e-10 leaves room for one of 1e5.
const withBar = 1e-10

// everyPair is what LeavePairOut emits: f_i and f_j of output c at [c][i][j].
func everyPair(t testing.TB, path *rls.Path, lambda float64) [][][][2]float64 {
	t.Helper()
	m := path.Rows()
	all := make([][][][2]float64, path.Outputs())
	for c := range all {
		all[c] = make([][][2]float64, m)
		for i := range all[c] {
			all[c][i] = make([][2]float64, m)
		}
	}
	var mu sync.Mutex
	err := path.LeavePairOut(ctx, lambda, func(_, i, c int, fi, fj []float64) {
		mu.Lock()
		defer mu.Unlock()
		for b := range fi {
			all[c][i][i+1+b] = [2]float64{fi[b], fj[b]}
			all[c][i+1+b][i] = [2]float64{fj[b], fi[b]}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// labelled is a path with its labels and queries.
type labelled struct {
	*rls.Path
	y       []float64 // m×v
	queries *pref.Partition
	plain   bool // regression
}

// degenerate reports by definition whether nothing is learnt for output c without
// rows i and j: all labels that stay are 0 in regression, or equal in each query.
func (l labelled) degenerate(i, j, c int) bool {
	first := map[int32]float64{}
	for row, q := range l.queries.Of() {
		if row == i || row == j {
			continue
		}
		v := l.y[row*l.Outputs()+c]
		if l.plain && v != 0 {
			return false
		}
		if other, seen := first[q]; seen && other != v && !l.plain {
			return false
		}
		first[q] = v
	}
	return true
}

// pairsWithAgainstAll is the largest relative difference of random lists of
// pairs to LeavePairOut, and the number of degenerate pairs among them, which are
// exact zeros. Differences are compared with no less than
// floor, so that floor times withBar is what rounding may be.
func pairsWithAgainstAll(t testing.TB, r *rand.Rand, path labelled,
	lambda, floor float64) (worst float64, degenerate int) {
	t.Helper()
	all := everyPair(t, path.Path, lambda)
	out, err := path.LeavePairsWith(lambda)
	if err != nil {
		t.Fatal(err)
	}
	scale := floor
	for _, f := range path.At(lambda).Predictions().Data {
		scale = max(scale, math.Abs(f))
	}
	m := path.Rows()
	for i := range m {
		var others []int32
		for _, j := range r.Perm(m) {
			if j != i && r.IntN(3) > 0 {
				others = append(others, int32(j))
			}
		}
		fi, fj := make([]float64, len(others)), make([]float64, len(others))
		for c, rows := range all {
			out.RowTo(fi, fj, i, others, c)
			for b, j := range others {
				if path.degenerate(i, int(j), c) {
					degenerate++
					if fi[b] != 0 || fj[b] != 0 {
						t.Errorf("degenerate pair %d, %d of output %d: %v, %v", i, j, c, fi[b], fj[b])
					}
				}
				worst = max(worst, relative([]float64{fi[b], fj[b]}, rows[i][j][:], scale))
			}
		}
	}
	return worst, degenerate
}

// TestPairsWithAreThoseOfLeavePairOut compares lists of pairs with all pairs, for every goal and
// basis, with one output and several. Where one returns an error, so must the other.
func TestPairsWithAreThoseOfLeavePairOut(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	worst, checked, degenerate := 0.0, 0, 0
	for trial := range problems(t, 60) {
		p := gen.New(r, gen.Options{OneQuery: trial%3 > 0, MaxRows: []int{2, 3, 5, 14}[trial%4], MaxFeatures: 12})
		for _, g := range goals {
			s := newSetting(t, p, g.regression, g.Options)
			lambda := gen.Lambda(r, -3, 12) * s.pairWeight()
			for _, sp := range s.spaces() {
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				if !anyRows(s.o, s.plain, p.Queries) {
					var reason *rls.NotExactError
					if _, err := path.LeavePairsWith(lambda); !errors.As(err, &reason) {
						t.Fatalf("%+v q=%d: %v", g, p.Queries, err)
					}
					continue
				}
				checked++
				_, floor := s.retrained(sp.k, nil, lambda)
				d, n := pairsWithAgainstAll(t, r, labelled{path, p.Y, partition(p), s.plain}, lambda, floor*bar/withBar)
				worst, degenerate = max(worst, d), degenerate+n
				if d > withBar {
					t.Errorf("%s %+v λ=%g m=%d n=%d q=%d: relative difference %.2g",
						sp.name, g, lambda, p.M, p.N, p.Queries, d)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d problems, %d degenerate pairs, worst relative difference %.2g", checked, degenerate, worst)
	if degenerate == 0 {
		t.Error("no pair was degenerate")
	}
}

// TestPairsWithSeveralOutputs has outputs without information once a pair is left out, and queries
// of two rows, whose constant has no effect.
func TestPairsWithSeveralOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	const v = 3
	for range 60 {
		p := gen.New(r, gen.Options{MaxRows: 9})
		of := make([]int32, p.M)
		for i := range of {
			of[i] = int32(i / 2)
		}
		y := make([]float64, p.M*v)
		for i := range p.M { // one row differs, two do, and any
			y[i*v+2] = float64(r.IntN(3))
		}
		y[0], y[1] = 1, 1
		y[(p.M-1)*v+1] = 2
		for _, queries := range []*pref.Partition{pref.OneList(p.M), pref.NewPartition(of, (p.M+1)/2)} {
			goal, err := pref.Scored(y, v, queries, pref.Options{Weight: pref.Size})
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []*rls.Basis{rls.Primal(square2(p)), rls.Dual(square(p.Gaussian(0.3)))} {
				path, err := rls.Factor(ctx, b, goal)
				if err != nil {
					t.Fatal(err)
				}
				// Labels are up to 2: a thousandth of what predictions of them are.
				if d, _ := pairsWithAgainstAll(t, r, labelled{path, y, queries, false}, gen.Lambda(r, -3, 5),
					1e-3); d > withBar {
					t.Errorf("m=%d, %d queries: relative difference %.2g", p.M, queries.Len(), d)
				}
			}
		}
	}
}

// TestPairsWithOfLongerLists has the sizes at which products use other algorithms.
func TestPairsWithOfLongerLists(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	const m = 200
	x, y, queries := rows(m, 20, 7)
	k := kernel.Matrix(kernel.Gaussian{Gamma: 0.02}, x, x)
	whole, err := pref.Scored(y, 1, pref.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cut, err := pref.Scored(y, 1, queries, pref.Options{Weight: pref.Size})
	if err != nil {
		t.Fatal(err)
	}
	for name, basis := range map[string]*rls.Basis{"primal": rls.Primal(x), "dual": rls.Dual(k)} {
		for _, goal := range []*pref.Goal{whole, cut, pref.Regression(y, 1)} {
			path, err := rls.Factor(ctx, basis, goal)
			if err != nil {
				t.Fatal(err)
			}
			for _, lambda := range []float64{0.1, 10, 1000} {
				labels := labelled{path, y, queries, goal.Kind == pref.Rows}
				if d, _ := pairsWithAgainstAll(t, r, labels, lambda, 0); d > withBar {
					t.Errorf("%s, goal %v, λ=%g: relative difference %.2g", name, goal.Kind, lambda, d)
				}
			}
		}
	}
}

// TestPairsWithEqualRowsTie has two rows with equal features and labels: without both, their
// predictions tie exactly.
func TestPairsWithEqualRowsTie(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	const m, n = 30, 4
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m / 2 {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		copy(x.Row(i+m/2), x.Row(i))
		y[i] = float64(r.IntN(3))
		y[i+m/2] = y[i]
	}
	goal, err := pref.Scored(y, 1, pref.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	out, err := path.LeavePairsWith(0.5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m / 2 {
		var fi, fj [1]float64
		out.RowTo(fi[:], fj[:], i, []int32{int32(i + m/2)}, 0)
		if fi != fj {
			t.Errorf("row %d and its copy: %v and %v", i, fi, fj)
		}
	}
}

// TestPairsWithRefusesMisuse makes the calls that must panic.
func TestPairsWithRefusesMisuse(t *testing.T) {
	x, y, _ := rows(6, 2, 1)
	goal, err := pref.Scored(y, 1, pref.OneList(6), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	out, err := path.LeavePairsWith(1)
	if err != nil {
		t.Fatal(err)
	}
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", name)
			}
		}()
		f()
	}
	two := make([]float64, 2)
	out.RowTo(nil, nil, 1, nil, 0)
	panics("a row with itself", func() { out.RowTo(two, two, 1, []int32{0, 1}, 0) })
	panics("too short a list", func() { out.RowTo(two[:1], two, 1, []int32{0, 2}, 0) })
	panics("λ = 0", func() { _, _ = path.LeavePairsWith(0) })
}

// BenchmarkPairsWith measures one row with all others, given the preparation.
func BenchmarkPairsWith(b *testing.B) {
	for _, m := range []int{1000, 100_000} {
		x, y, _ := rows(m, 20, 1)
		path, err := rls.Factor(ctx, rls.Primal(x), scored(b, y, pref.OneList(m)))
		if err != nil {
			b.Fatal(err)
		}
		out, err := path.LeavePairsWith(1)
		if err != nil {
			b.Fatal(err)
		}
		var others []int32
		for i := 1; i < m; i++ {
			others = append(others, int32(i))
		}
		fi, fj := make([]float64, m-1), make([]float64, m-1)
		b.Run(fmt.Sprintf("m=%d/n=20", m), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out.RowTo(fi, fj, 0, others, 0)
			}
		})
	}
}
