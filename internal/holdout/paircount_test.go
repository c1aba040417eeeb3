package holdout

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// withoutCounter is a path without the counter: all pairs are predicted.
type withoutCounter struct{ Factored }

func (e withoutCounter) OrderPairs(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	return e.Factored.(leavesPairsOut).OrderPairs(ctx, lambda, emit)
}

// longPath is a path of m rows with v outputs, of two labels and of many in turn.
func longPath(t testing.TB, seed uint64, m, n, v int) (*rls.Path, Labels) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	x, y := data.NewDense(m, n, nil), make([]float64, m*v)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		for c := range v {
			y[i*v+c] = x.Row(i)[c%n] + 2*r.NormFloat64()
			if c%2 == 0 {
				y[i*v+c] = math.Copysign(1, y[i*v+c]-1)
			}
		}
	}
	goal, err := goals.Scored(y, v, data.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path, Labels{Y: y, Outputs: v}
}

// TestCountedPairsAreAllPairs: the estimates of long lists are those of all predictions, to
// the last bit.
func TestCountedPairsAreAllPairs(t *testing.T) {
	for _, v := range []int{1, 3} {
		path, labels := longPath(t, uint64(v), fewRows+40, 4, v)
		o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{1e-3, 1, 100, 1e5},
			Pairs: cv.PairsAll}
		got, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := EstimateFactored(t.Context(), withoutCounter{OfPath(path, nil)}, labels, o)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d outputs: %+v, want %+v (%v)", v, got[0], want[0], err)
		}
	}
}

// The progress of looks ends with all, also where the first look has counted every pair.
func TestProgressOfLooks(t *testing.T) {
	path, labels := longPath(t, 1, fewRows+40, 4, 1)
	last, of := 0, 0
	o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{1e-3, 1, 100, 1e5},
		Progress: func(done, total int) { last, of = done, total }}
	if _, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o); err != nil || of == 0 || last != of {
		t.Errorf("told %d of %d at the end (%v)", last, of, err)
	}
}

// TestLooksFindTheBest: by default few pairs are drawn for λ that cannot be the best. The best λ, its
// error and its standard error are those of all pairs, to the last bit; the others are within six
// standard errors of drawing. So a permutation test counts the same permutations.
func TestLooksFindTheBest(t *testing.T) {
	for _, v := range []int{1, 2} {
		path, labels := smallFeature(t, uint64(v), 2000, 60, v)
		o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: grid(), Pairs: cv.PairsAll}
		want, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Pairs = cv.PairsAuto
		got, err := EstimateFactored(t.Context(), quickLooks{OfPath(path, nil).(ofPath)}, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		drawn := 0
		for c, e := range got {
			if e.Best != want[c].Best || !reflect.DeepEqual(e.Points[e.Best], want[c].Points[e.Best]) {
				t.Errorf("output %d: best %+v, want %+v", c+1, e.Points[e.Best], want[c].Points[want[c].Best])
			}
			for l, p := range e.Points {
				exact := want[c].Points[l].Error
				if math.Abs(p.Error-exact) > 6*p.DrawErr.Value {
					t.Errorf("λ=%g: %g ± %g by drawing, want %g", p.Candidate, p.Error, p.DrawErr.Value, exact)
				}
				if p.Drawn > 0 {
					drawn++
				}
			}
		}
		if drawn == 0 {
			t.Error("no λ was looked at with drawn pairs")
		}
	}
}

// smallFeature is a path whose labels depend on a feature a hundredth of the size of the others, so that large λ have
// large errors.
func smallFeature(t testing.TB, seed uint64, m, n, v int) (*rls.Path, Labels) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 6))
	x, y := data.NewDense(m, n, nil), make([]float64, m*v)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		for c := range v {
			y[i*v+c] = x.Row(i)[0] + 0.3*r.NormFloat64()
		}
		x.Row(i)[0] /= 100
	}
	goal, err := goals.Scored(y, v, data.OneList(m), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path, Labels{Y: y, Outputs: v}
}

// grid is λ of a wide range.
func grid() (lambdas []float64) {
	for e := -6; e <= 26; e += 2 {
		lambdas = append(lambdas, math.Exp2(float64(e)))
	}
	return lambdas
}

// quickLooks is a path whose products seem to take so long that looking at a λ draws pairs of a short
// list, but not so long that those that can win are drawn.
type quickLooks struct{ ofPath }

func (quickLooks) Columns() int { return 2000 }

// TestDecided: the least error is compared with a number only as far as that needs.
func TestDecided(t *testing.T) {
	n := &listCount{estimates: []*cv.Estimate{{Points: []cv.Point{{Error: 0.3, Drawn: 9}, {Error: 0.4, Drawn: 9}}}},
		margins: [][]float64{{0.01, 0.2}}}
	if again := n.contenders(); !reflect.DeepEqual(again, []int{0, 1}) {
		t.Errorf("both λ can be the best, not %v", again)
	}
	for against, open := range map[float64]bool{0.1: false, 0.305: true, 0.25: true, 0.35: false} {
		n.o.against = &against
		if again := n.contenders(); (len(again) > 0) != open {
			t.Errorf("against %g: %v are counted again", against, again)
		}
	}
	n.o.against, n.margins[0][1] = nil, 0.05
	if again := n.contenders(); !reflect.DeepEqual(again, []int{0}) {
		t.Errorf("only the first λ can be the best, not %v", again)
	}
}

// TestStays: a λ keeps the estimate of its look where the error by drawing is small beside that of
// the rows, and counting all near pairs takes more than the budget.
func TestStays(t *testing.T) {
	value := func(v float64) metric.Value { return metric.Value{Value: v, Defined: true} }
	n := &listCount{work: pairWork{rows: 1e6, outputs: 1, lambdas: 31, columns: 10},
		near:      []nearPairs{{1e9, 0.5}, {1e9, 0.5}, {1e5, 0.5}},
		estimates: []*cv.Estimate{{Points: make([]cv.Point, 3)}}}
	for l, drawErr := range []float64{1e-6, 1e-4, 1e-6} {
		n.estimates[0].Points[l] = cv.Point{Drawn: 1 << 14, StdErr: value(1e-3), DrawErr: value(drawErr)}
	}
	for l, want := range []bool{true, false, false} {
		if n.stays(l) != want {
			t.Errorf("λ number %d stays: %v", l, !want)
		}
	}
}

// TestDrawnPairs: errors from drawn pairs are about the error of all, by the standard error
// that they state; their standard error over rows is not moved by drawing. Pairs that cannot
// be drawn are an error.
func TestDrawnPairs(t *testing.T) {
	path, labels := longPath(t, 9, 120, 12, 2)
	o := Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{0.1, 30}, Pairs: cv.PairsAll}
	exact, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, o.Pairs = range []int64{500, 60} {
		compareDrawn(t, path, labels, o, exact)
	}
	labels.Queries = data.NewPartition(append(make([]int32, 60), ones(60)...), 2)
	if _, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o); err == nil {
		t.Error("pairs of two queries are drawn")
	}
}

// compareDrawn compares 500 estimates from drawn pairs with those of all. Each drawing serves all outputs and λ.
func compareDrawn(t *testing.T, path *rls.Path, labels Labels, o Options, exact []*cv.Estimate) {
	t.Helper()
	const seeds = 500
	type sums struct{ squares, stated, rows float64 }
	of := make([][]sums, len(exact))
	for c := range exact {
		of[c] = make([]sums, len(exact[c].Points))
	}
	for o.Seed = range uint64(seeds) {
		drawn, err := EstimateFactored(t.Context(), OfPath(path, nil), labels, o)
		if err != nil {
			t.Fatal(err)
		}
		for c := range exact {
			for l, p := range exact[c].Points {
				d := drawn[c].Points[l]
				if d.Drawn == 0 || d.Drawn > 4*o.Pairs || d.Pairs != p.Pairs {
					t.Fatalf("%d pairs were drawn of %d", d.Drawn, d.Pairs)
				}
				s := &of[c][l]
				s.squares += (d.Error - p.Error) * (d.Error - p.Error)
				s.stated += d.DrawErr.Value * d.DrawErr.Value
				s.rows += d.StdErr.Value * d.StdErr.Value
			}
		}
	}
	for c := range exact {
		for l, p := range exact[c].Points {
			s := of[c][l]
			if ratio := math.Sqrt(s.stated / s.squares); ratio < 0.9 || ratio > 1.1 { // 3 standard errors of 500 draws
				t.Errorf("%d drawn, output %d, λ=%g: the stated error of drawing is %.3f of that of %d drawings",
					o.Pairs, c+1, p.Candidate, ratio, seeds)
			}
			if ratio := math.Sqrt(s.rows/seeds) / p.StdErr.Value; ratio < 0.97 || ratio > 1.03 {
				t.Errorf("%d drawn, output %d, λ=%g: the standard error of drawn pairs is %.3f of that of all",
					o.Pairs, c+1, p.Candidate, ratio)
			}
		}
	}
}

func ones(n int) []int32 {
	of := make([]int32, n)
	for i := range of {
		of[i] = 1
	}
	return of
}

// TestPairWork: short work is exact, and long work is drawn within the budget, or as many pairs as
// asked for.
func TestPairWork(t *testing.T) {
	short := pairWork{rows: 1000, outputs: 1, lambdas: 31, columns: 10, share: 1}
	long := pairWork{rows: 1e6, outputs: 1, lambdas: 31, columns: 10, share: 1}
	if all, draw := short.plan(10_000); all || draw != 0 {
		t.Errorf("few near pairs: all %v, %d drawn", all, draw)
	}
	if all, draw := short.plan(1_000_000); !all || draw != 0 {
		t.Errorf("as many near pairs as there are: all %v, %d drawn", all, draw)
	}
	if all, draw := long.plan(1e11); all || draw == 0 || long.near(float64(draw))*31 > 1.01*PairsBudget+1e9 {
		t.Errorf("a long list: all %v, %d drawn", all, draw)
	}
	part := long
	part.part = 1e-3
	_, whole := long.plan(1e11)
	if all, draw := part.plan(1e11); all || draw == 0 || draw >= whole ||
		part.near(float64(draw))*31 > 1.01e-3*PairsBudget+1e9 {
		t.Errorf("a thousandth of the budget: all %v, %d drawn of %d", all, draw, whole)
	}
	long.asked = cv.PairsAll
	if all, draw := long.plan(1e11); all || draw != 0 {
		t.Errorf("all of a long list: all %v, %d drawn", all, draw)
	}
	long.asked, long.outputs = 7, 2
	if all, draw := long.plan(1e11); all || draw != 14 {
		t.Errorf("7 of each output: all %v, %d drawn", all, draw)
	}
}

// TestEnoughPairs: enough pairs leave a tenth of the standard error over the rows for any counts,
// few where the error is far below that, and all where there is no such error.
func TestEnoughPairs(t *testing.T) {
	rows := cv.Point{Pairs: 1e9, StdErr: metric.Value{Value: 1e-3, Defined: true}}
	if n := enough(1e8, rows); n != 1e6 { // 1e8/(√1e6·1e9) = 1e-4
		t.Errorf("%d pairs are enough, want 1000000", n)
	}
	if n := enough(1e6, rows); n != 1<<16 {
		t.Errorf("%d pairs are enough of few near ones", n)
	}
	if n := enough(1e8, cv.Point{Pairs: 1e9}); n != math.MaxInt64 {
		t.Errorf("%d pairs are enough without an error of the rows", n)
	}
}
