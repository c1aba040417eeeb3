package holdout

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// permuted is a long list whose labels depend on its first feature by so much, with what relabels it.
func permuted(t testing.TB, signal float64, dual, twoLabels bool) (*rls.Path, Labels,
	func(y []float64, v int) (*goals.Goal, error)) {
	t.Helper()
	const m, n = 600, 5
	r := rand.New(rand.NewPCG(7, 8))
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i] = signal*x.Row(i)[0] + r.NormFloat64()
		if twoLabels {
			y[i] = math.Copysign(1, y[i]-1)
		}
	}
	goal, err := goals.Scored(y, 1, data.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	basis := rls.Primal(x)
	if dual {
		k := data.NewDense(m, m, nil)
		for i := range m {
			for j := range m {
				for l, v := range x.Row(i) {
					k.Row(i)[j] += v * x.Row(j)[l]
				}
			}
		}
		basis = rls.Dual(k)
	}
	path, err := rls.Factor(t.Context(), basis, goal)
	if err != nil {
		t.Fatal(err)
	}
	return path, Labels{Y: y}, func(y []float64, v int) (*goals.Goal, error) {
		return goals.Scored(y, v, data.OneList(m), pref.Options{})
	}
}

// TestPermutationsBySomePairs: the test counts the same permutations as by all pairs, whether some pairs decide all of
// them, a part, or none. An error from some pairs is within six standard errors, by drawing, of that of all pairs; an
// error that these leave open is that of all pairs.
func TestPermutationsBySomePairs(t *testing.T) {
	const n, within = 40, 6 * 0.5 / 128 // √somePairs is 128
	for _, c := range []struct {
		signal          float64
		dual, twoLabels bool
		decided         func(n int) bool
	}{
		{1, false, false, func(d int) bool { return d == n }},
		{1, true, true, func(d int) bool { return d == n }},
		{0.12, false, false, func(d int) bool { return 0 < d && d < n }},
		{0, false, false, func(d int) bool { return d < n }},
	} {
		path, labels, retarget := permuted(t, c.signal, c.dual, c.twoLabels)
		f := OfPath(path, retarget)
		o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{1, 300, 1e5}, Seed: 5}
		got, err := Permutations(t.Context(), f, labels, o, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Pairs = cv.PairsAll
		want, err := Permutations(t.Context(), f, labels, o, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		decided := 0
		for k, e := range got.Errors {
			if e != want.Errors[k] {
				decided++
			}
			if math.Abs(e-want.Errors[k]) > within {
				t.Errorf("%+v, permutation %d: an error of %g, by all pairs %g", c, k+1, e, want.Errors[k])
			}
		}
		if got.Below != want.Below || got.P != want.P || got.Error != want.Error || !c.decided(decided) {
			t.Errorf("signal %g: p = %g, by all pairs %g; %d of %d decided by some pairs", c.signal, got.P, want.P, decided, n)
		}
	}
}

// TestPointOfSome: the standard error is that of the mean of independent draws.
func TestPointOfSome(t *testing.T) {
	values := []float64{0, 0, 1, 0.5, 1, 0, 0.5, 0, 0, 1}
	var s rls.PairSums
	mean, squares := 0.0, 0.0
	for _, v := range values {
		s.Pairs++
		s.Wrong += int64(2 * v)
		if v == 0.5 {
			s.Ties++
		}
		mean, squares = mean+v/10, squares+v*v/10
	}
	p := pointOfSome(s)
	if want := math.Sqrt((squares - mean*mean) / 10); math.Abs(p.Error-mean) > 1e-15 ||
		math.Abs(p.DrawErr.Value-want) > 1e-15 || p.Drawn != 10 {
		t.Errorf("%+v, want %g ± %g", p, mean, want)
	}
	if none := pointOfSome(rls.PairSums{}); !(none.Error-drawingMargin(none, none.Pairs) < 0) {
		t.Errorf("without pairs %+v", none)
	}
}
