package rows

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/kernel"
	"pairrank/pref"
)

// grouped is a list of rows in groups of up to four, whose rows are alike.
func grouped(r *rand.Rand, groups int) *data.Set {
	set := &data.Set{}
	var of []int32
	var values []float64
	for g := range groups {
		centre, label := r.NormFloat64(), float64(r.IntN(3))
		for range 1 + r.IntN(4) {
			of = append(of, int32(g))
			set.Y = append(set.Y, label+float64(r.IntN(2)))
			values = append(values, centre+label+0.5*r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}
	}
	order := r.Perm(len(of)) // groups are not contiguous
	set.X = data.NewDense(len(of), 3, values)
	set.Queries = data.OneList(len(of))
	set.Groups = data.NewPartition(of, groups)
	return set.Subset(order)
}

// rowsWithout are the rows of which a function is false.
func rowsWithout(m int, out func(i int) bool) (rows []int) {
	for i := range m {
		if !out(i) {
			rows = append(rows, i)
		}
	}
	return rows
}

// scoresWithout trains on the other rows, and predicts all.
func scoresWithout(t *testing.T, set *data.Set, lambda float64, k kernel.Kernel, out func(i int) bool) []float64 {
	t.Helper()
	plain := *set
	plain.Groups = nil
	train := plain.Subset(rowsWithout(len(set.Y), out))
	m, err := Train(context.Background(), Problem{Set: train}, Plan{Learner: LeastSquares{}, Lambdas: []float64{lambda},
		Kernels: []kernel.Kernel{k}})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Model.Score(&plain)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// wrongOf is the halves of a pair that scores order wrongly.
func wrongOf(y, f []float64, i, j int) float64 {
	switch d := (y[i] - y[j]) * (f[i] - f[j]); {
	case d > 0:
		return 0
	case d < 0:
		return 1
	}
	return 0.5
}

// TestPairsOfGroups: leave-pair-out of rows in groups is the naive definition: for every pair both
// groups are left out, and the model trained again.
func TestPairsOfGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for trial := range 6 {
		set := grouped(r, 5+trial)
		k := []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.3}}[trial%2]
		lambdas := []float64{0.5, 8}
		e, err := Estimate(context.Background(), Problem{Set: set}, Plan{Learner: LeastSquares{}, Lambdas: lambdas,
			Kernels: []kernel.Kernel{k}, Intervals: cv.IntervalsNone})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Choice.Method.Kind; got != cv.LeavePairOut {
			t.Fatalf("method %s", got)
		}
		of := set.Groups.Of()
		for l, lambda := range lambdas {
			pairs, wrong := 0.0, 0.0
			byGroup := make([][2]float64, set.Groups.Len())
			for g := range set.Groups.Len() {
				for h := range g + 1 {
					f := scoresWithout(t, set, lambda, k, func(i int) bool { return int(of[i]) == g || int(of[i]) == h })
					for i := range of {
						for j := range i {
							if a, b := int(of[i]), int(of[j]); set.Y[i] == set.Y[j] || max(a, b) != g || min(a, b) != h {
								continue
							}
							w := wrongOf(set.Y, f, i, j)
							pairs, wrong = pairs+1, wrong+w
							byGroup[g][0], byGroup[g][1] = byGroup[g][0]+w, byGroup[g][1]+1
							if g != h {
								byGroup[h][0], byGroup[h][1] = byGroup[h][0]+w, byGroup[h][1]+1
							}
						}
					}
				}
			}
			sum := 0.0
			for _, b := range byGroup {
				d := b[0] - wrong/pairs*b[1]
				sum += d * d
			}
			p := e.Choice.Chosen().Outputs[0].Points[l]
			if p.Pairs != int64(pairs) || math.Abs(p.Error-wrong/pairs) > 1e-12 ||
				math.Abs(p.StdErr.Value-math.Sqrt(sum)/pairs) > 1e-12 {
				t.Errorf("trial %d, λ %v: %v ± %v of %d, want %v ± %v of %v", trial, lambda, p.Error, p.StdErr, p.Pairs,
					wrong/pairs, math.Sqrt(sum)/pairs, pairs)
			}
		}
	}
}

// TestGroupsLeaveTogether: in every method no group is on both sides, and its rows get the scores
// of training without all of it.
func TestGroupsLeaveTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, queries := range []int{1, 6} {
		set := grouped(r, 14)
		if queries > 1 {
			of, ids := make([]int32, len(set.Y)), []string{}
			for i, g := range set.Groups.Of() {
				of[i] = g % int32(queries)
				if i%7 == 0 {
					of[i] = (g + 1) % 2 // some groups connect two queries
				}
			}
			for q := range queries {
				ids = append(ids, fmt.Sprint(q))
			}
			set.Queries, set.HasQID = data.NewQueries(of, ids), true
		}
		for _, method := range []cv.Method{{Kind: cv.LeaveOneOut}, {Kind: cv.KFold, Folds: 3}, {Kind: cv.LeaveQueryOut}} {
			if method.Kind == cv.LeaveQueryOut && queries == 1 {
				continue
			}
			for _, learner := range []Learner{LeastSquares{Pairs: pref.Options{Weight: pref.Size}}, RankSVM{}} {
				labels := holdout.Labels{Y: set.Y, Queries: set.Queries, Groups: set.Groups}
				splits, err := labels.Splits(method, 1)
				if err != nil {
					t.Fatal(err)
				}
				seen := 0
				for s := range splits.Len() {
					test, groups := splits.Test(s), map[int32]bool{}
					seen += len(test)
					for _, i := range test {
						groups[set.Groups.Of()[i]] = true
					}
					for _, i := range splits.Train(s) {
						if groups[set.Groups.Of()[i]] {
							t.Fatalf("%d queries, %s: group %d is on both sides", queries, method, set.Groups.Of()[i])
						}
					}
				}
				if seen != len(set.Y) {
					t.Errorf("%s holds out %d of %d rows", method, seen, len(set.Y))
				}
				e, err := Estimate(context.Background(), Problem{Set: set}, Plan{Learner: learner, Lambdas: []float64{1},
					Method: &method, Seed: 1, HeldOut: true, Intervals: cv.IntervalsNone})
				if err != nil {
					t.Errorf("%d queries, %s, %T: %v", queries, method, learner, err)
					continue
				}
				if _, svm := learner.(RankSVM); svm {
					continue // its tolerance hides the digits; the splits above are those of all learners
				}
				held, err := e.HeldOut(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				test := splits.Test(0)
				plain := *set
				plain.Groups = nil
				train := plain.Subset(splits.Train(0))
				m, err := Train(context.Background(), Problem{Set: train}, Plan{Learner: learner, Lambdas: []float64{1}})
				if err != nil {
					t.Fatal(err)
				}
				want, err := m.Model.Score(&plain)
				if err != nil {
					t.Fatal(err)
				}
				first := held.Row(int(test[0]))[0] - want[test[0]] // scores have no origin
				for _, i := range test {
					if d := held.Row(int(i))[0] - want[i] - first; math.Abs(d) > 1e-8 {
						t.Errorf("%d queries, %s: row %d is off by %v", queries, method, i, d)
					}
				}
			}
		}
	}
}

// TestGivenFolds: kfold leaves out the folds that are given, the nest and the halves too.
func TestGivenFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	set := grouped(r, 30)
	of := make([]int32, len(set.Y))
	for i, g := range set.Groups.Of() {
		of[i] = g % 4
	}
	set.Folds = data.NewPartition(of, 4)
	p := Plan{Learner: LeastSquares{}, HeldOut: true, Nested: &cv.Method{Kind: cv.KFold}, Intervals: cv.IntervalsHalves}
	e, err := Estimate(context.Background(), Problem{Set: set}, p)
	if err != nil {
		t.Fatal(err)
	}
	if e.Choice.Method != (cv.Method{Kind: cv.KFold, Folds: 4}) || e.Nested.Outer.Folds != 4 || len(e.Nested.Draws) != 1 {
		t.Errorf("method %s, outer %s, %d times", e.Choice.Method, e.Nested.Outer, len(e.Nested.Draws))
	}
	if e.Halves.Units != 30 || e.Halves.Of != "group" {
		t.Errorf("halves of %d %ss", e.Halves.Units, e.Halves.Of)
	}
	held, err := e.HeldOut(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	lambda := e.Choice.Candidate()
	f := scoresWithout(t, set, lambda, kernel.Linear{}, func(i int) bool { return of[i] == 2 })
	rows := rowsWithout(len(of), func(i int) bool { return of[i] != 2 })
	for _, i := range rows {
		if d := held.Row(i)[0] - held.Row(rows[0])[0] - f[i] + f[rows[0]]; math.Abs(d) > 1e-8*(1+slices.Max(f)) {
			t.Errorf("row %d is off by %v", i, d)
		}
	}
	for _, c := range []struct {
		change func(*Plan, *data.Set)
		want   string
	}{
		{func(p *Plan, _ *data.Set) { p.Method = &cv.Method{Kind: cv.LeaveOneOut} },
			"Method loo leaves out other rows than the given folds"},
		{func(p *Plan, _ *data.Set) { p.Method = &cv.Method{Kind: cv.KFold, Folds: 5} },
			"Method kfold:5 deals folds, and 4 are given"},
		{func(_ *Plan, s *data.Set) { s.Groups = data.OneList(len(s.Y)) },
			"the given folds cut a group, whose rows leave together"},
		{func(p *Plan, _ *data.Set) { p.Permutations = 9 },
			"Permutations shuffles the labels of rows, and rows of a group are alike"},
		{func(p *Plan, s *data.Set) { p.ROC, s.Folds = true, nil },
			"ROC leaves out two rows, but rows of a group leave together"},
	} {
		plan, other := p, *set
		c.change(&plan, &other)
		if _, err := Estimate(context.Background(), Problem{Set: &other}, plan); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
