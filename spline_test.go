package pairrank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/pref"
)

// splineSet is a random set with features of many, few, two and one values, and weights, times or groups.
func splineSet(r *rand.Rand, queries int) *data.Set {
	m := 14 + r.IntN(16)
	x, of := data.NewDense(m, 4, nil), make([]int32, m)
	set := &data.Set{X: x, Y: make([]float64, m), Queries: data.OneList(m), Names: []string{"many", "few", "two", "one"}}
	for i := range m {
		copy(x.Row(i), []float64{10 + r.NormFloat64(), float64(r.IntN(5)), float64(r.IntN(2)), 3})
		set.Y[i] = float64(r.IntN(4)) + math.Abs(x.Row(i)[0]-10)
		of[i] = int32(i % queries)
	}
	set.Queries = data.NewPartition(of, queries)
	if r.IntN(2) == 0 {
		set.Weights = make([]float64, m)
		for i := range m {
			set.Weights[i] = 0.2 + r.Float64()
		}
	}
	if r.IntN(3) == 0 {
		set.Censored = make([]bool, m)
		for i := range m {
			set.Censored[i] = r.IntN(4) == 0
		}
	}
	return set
}

// someKnots are the knots of single features of such a set, or of none.
func someKnots(r *rand.Rand) string {
	return []string{"", "few=0", "1=0,few=5,two=3", "many=9,one=2"}[r.IntN(4)]
}

// TestHeldOutOfSplines: held-out scores are those of the linear learner, trained again on the features and hinges of
// the other rows, with the knots of all rows.
func TestHeldOutOfSplines(t *testing.T) {
	const tolerance = 1e-8 // of differences of scores, relative to the largest
	r := rand.New(rand.NewPCG(46, 1))
	for trial := range gen.Count(t, 500) {
		queries := 1 + 4*r.IntN(2)
		set := splineSet(r, queries)
		m, folds := len(set.Y), set.Queries
		method := cv.Method{Kind: cv.LeaveQueryOut}
		if queries == 1 {
			folds, method = data.NewPartition(foldsOf(r, m, 3), 3), cv.Method{Kind: cv.KFold, Folds: 3}
			set.Folds = folds
			if r.IntN(2) == 0 {
				set.Groups = folds
			}
		}
		o := Options{Method: &method, Lambdas: []float64{math.Exp2(float64(r.IntN(8) - 4))}}
		o.Learner = LeastSquares{Regression: set.Censored == nil && r.IntN(3) == 0}
		if l := (LeastSquares{}); r.IntN(3) == 0 {
			l.Solver = []Solver{Dual, Primal}[r.IntN(2)]
			l.Pairs.Weight = pref.Size
			o.Learner = l
		}
		k := kernel.Spline{Knots: 1 + r.IntN(6), Bends: math.Exp2(float64(r.IntN(7) - 3)), In: someKnots(r)}
		o.Kernels = []kernel.Kernel{k}
		name := fmt.Sprintf("trial %d, %+v, weights %v, times %v", trial, o, set.Weights != nil, set.Censored != nil)
		e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Options: o, HeldOut: true,
			Intervals: cv.IntervalsNone})
		if nothingHeldOut(err) {
			continue
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := e.HeldOut(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		mapped := beforehand(set, k)
		o.Kernels, o.Method = nil, nil
		for g := range folds.Len() {
			var train []int
			for i, of := range folds.Of() {
				if of != int32(g) {
					train = append(train, i)
				}
			}
			some := mapped.Subset(train)
			some.Folds, some.Groups = nil, nil
			trained, err := Train(t.Context(), Problem{Set: some}, o)
			if err != nil {
				continue // nothing is left to learn
			}
			test := folds.Part(g)
			first, want := int(test[0]), mapped.X.(*data.Dense)
			for _, i := range test[1:] {
				a := got.Row(int(i))[0] - got.Row(first)[0]
				b := trained.Model.ScoreRow(want.Row(int(i))) - trained.Model.ScoreRow(want.Row(first))
				if math.Abs(a-b) > tolerance*(1+math.Abs(b)) {
					t.Fatalf("%s: rows %d and %d differ by %v, and trained again by %v", name, first, i, a, b)
				}
			}
		}
	}
}

// TestKnotsOfParts: the outer folds of a nested estimate take knots of their own rows.
func TestKnotsOfParts(t *testing.T) {
	for _, kernels := range [][]kernel.Kernel{{kernel.Spline{Knots: 5, Bends: 0.5}},
		{kernel.Linear{}, kernel.Spline{Knots: 3, Bends: 1}},
		{kernel.Spline{Knots: 2, Bends: 4}, kernel.Spline{Knots: 9, Bends: 1}},
		{kernel.Spline{Bends: 1, In: "1=5,3=2"}}, {kernel.Linear{}, kernel.Spline{Knots: 3, Bends: 1, In: "2=0"}}} {
		for _, l := range []LeastSquares{{}, {Solver: Dual}} {
			set := made(60, 3, 6, 6)
			o := EstimateOptions{Options: Options{Learner: l, Kernels: kernels, Lambdas: []float64{0.5, 4, 32}},
				Nested: &cv.Method{Kind: cv.LeaveQueryOut}, Intervals: cv.IntervalsNone}
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			wrong, pairs := 0.0, 0.0
			for g := range set.Queries.Len() {
				var train []int
				for i, of := range set.Queries.Of() {
					if of != int32(g) {
						train = append(train, i)
					}
				}
				r, err := Train(t.Context(), Problem{Set: set.Subset(train)}, o.Options)
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range set.Queries.Part(g) {
					for _, j := range set.Queries.Part(g) {
						if set.Y[i] <= set.Y[j] {
							continue
						}
						x := set.X.(*data.Dense)
						if pairs++; r.Model.ScoreRow(x.Row(int(i))) < r.Model.ScoreRow(x.Row(int(j))) {
							wrong++
						}
					}
				}
			}
			if math.Abs(e.Nested.Error-wrong/pairs) > 1e-12 {
				t.Errorf("%v, %s: nested error %v, and %v by trainings of the other queries", kernels, l.Solver, e.Nested.Error,
					wrong/pairs)
			}
		}
	}
}

// TestLinesUnlessSplinesAreBetter: the linear kernel is kept unless the squared loss of a spline, of rows that are
// held out, is less by more than one standard error over the units: here by the definition.
func TestLinesUnlessSplinesAreBetter(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	taken := map[bool]int{}
	for trial := range gen.Count(t, 60) {
		set := splineSet(r, 5)
		set.Censored, set.Weights = nil, nil
		if trial%2 == 0 { // a straight line
			for i := range set.Y {
				set.Y[i] = set.X.(*data.Dense).Row(i)[0] + r.NormFloat64()
			}
		}
		kernels := []kernel.Kernel{kernel.Linear{}, kernel.Spline{Knots: 3, Bends: 1}}
		o := EstimateOptions{Options: Options{Kernels: kernels, Lambdas: []float64{1}}, Intervals: cv.IntervalsNone,
			HeldOut: true}
		both, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		var losses [2][]float64
		for k := range kernels {
			o.Kernels = kernels[k : k+1]
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			f, err := e.HeldOut(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for g := range set.Queries.Len() {
				loss := 0.0
				for _, i := range set.Queries.Part(g) {
					for _, j := range set.Queries.Part(g) {
						d := set.Y[i] - set.Y[j] - f.Row(int(i))[0] + f.Row(int(j))[0]
						loss += d * d / 2
					}
				}
				losses[k] = append(losses[k], loss)
			}
		}
		sum, squares, n := 0.0, 0.0, float64(len(losses[0]))
		for g := range losses[0] {
			d := losses[1][g] - losses[0][g]
			sum, squares = sum+d, squares+d*d
		}
		other := sum < -math.Sqrt(n/(n-1)*(squares-sum*sum/n))
		taken[other]++
		if (both.Choice.Best == 1) != other {
			t.Errorf("trial %d: took %v, and the losses %v differ by %v", trial, both.Choice.Kernel, losses, sum)
		}
		said := false
		for _, n := range both.Notes {
			said = said || strings.Contains(n.Text, "held-out squared loss")
		}
		if !said {
			t.Errorf("trial %d: no note says how the kernel was chosen", trial)
		}
	}
	if len(taken) < 2 {
		t.Errorf("kernels that were taken: %v", taken)
	}
}

// TestLossesWithoutSingleRows: splines and straight lines are compared by whole queries where each row leaves alone.
func TestLossesWithoutSingleRows(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 9))
	set := splineSet(r, 5)
	set.Weights, set.Censored = nil, nil
	o := Options{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Spline{Knots: 3, Bends: 1}}}
	o.Learner = LeastSquares{Pairs: pref.Options{Weight: pref.Size}}
	for _, kind := range []cv.Kind{cv.LeaveOneOut, cv.LeaveQueryOut} {
		o.Method = &cv.Method{Kind: kind}
		result, err := Train(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range result.Choice.Kernels {
			if len(k.Losses) != 5 || allZero(k.Losses) {
				t.Errorf("%s, %s: losses %v of five queries", kind, k.Kernel, k.Losses)
			}
		}
	}
}
