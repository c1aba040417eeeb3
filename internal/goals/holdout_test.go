package goals_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// explicit is the Laplacian and r of a list of pairs over m rows; with pairs nil,
// those of regression on y.
func explicit(m int, pairs []naive.Pair, y []float64) (l, r []float64) {
	l, r = make([]float64, m*m), make([]float64, m)
	if pairs == nil {
		for i, v := range y {
			l[i*m+i], r[i] = 1, v
		}
	}
	for _, e := range pairs {
		l[e.I*m+e.I] += e.Weight
		l[e.J*m+e.J] += e.Weight
		l[e.I*m+e.J] -= e.Weight
		l[e.J*m+e.I] -= e.Weight
		r[e.I] += e.Weight * e.Target
		r[e.J] -= e.Weight * e.Target
	}
	return l, r
}

// schur eliminates the rows out from L and r, one after the other: what is left
// of the loss when their targets are free. A row without a pair has nothing to
// eliminate.
func schur(l, r []float64, m int, out []int) {
	const rounding = 1e-9 // of the weights: a pivot below it is that of a constant
	size := largest(l)
	for _, h := range out {
		pivot := l[h*m+h]
		for i := range m {
			if i == h || pivot <= rounding*size {
				continue
			}
			factor := l[i*m+h] / pivot
			for j := range m {
				if j != h {
					l[i*m+j] -= factor * l[h*m+j]
				}
			}
			r[i] -= factor * r[h]
		}
		for i := range m {
			l[i*m+h], l[h*m+i] = 0, 0
		}
		r[h] = 0
	}
}

// apart is how far L/H and r/H, with the rows out eliminated, are from c times
// those of the goal that is made anew of the rows that stay: relative to the
// weights of both.
func apart(p gen.Problem, regression bool, o pref.Options, out []int, c float64) float64 {
	pairs := func(rows []int) []naive.Pair {
		if regression {
			return nil
		}
		list := naive.Pairs(naive.Pick(p.Y, rows), naive.Pick(p.Query, rows), string(o.Cost), o.Ties, string(o.Weight))
		return append([]naive.Pair{}, list...)
	}
	in, all := naive.Without(p.M, out), naive.Without(p.M, nil)
	if len(in) == 0 {
		return 0
	}
	l, r := explicit(p.M, pairs(all), p.Y)
	size, length := largest(l), largest(r)
	schur(l, r, p.M, out)
	want, wanted := explicit(len(in), pairs(in), naive.Pick(p.Y, in))
	d, e := 0.0, 0.0
	for a, v := range naive.Submatrix(l, p.M, in, in) {
		d = max(d, abs(v-c*want[a]))
	}
	for a, i := range in {
		e = max(e, abs(r[i]-c*wanted[a]))
	}
	return max(d/size, e/length)
}

func abs(v float64) float64 { return max(v, -v) }

// TestCanHoldOutIsTheSchurComplement removes rows from the explicit list of pairs
// and compares: where a group can be held out the Laplacian that elimination
// leaves is that of the rows that stay times the factor on λ, and elsewhere it is
// no multiple of it for some group of a usual problem.
func TestCanHoldOutIsTheSchurComplement(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	tally := holdOutTally{}
	for trial := range 200 {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0, MaxRows: 14, MaxFeatures: 1})
		of := make([]int32, p.M)
		for i := range of {
			of[i] = int32(r.IntN(3))
		}
		groupings := []*data.Partition{data.Singletons(p.M), data.NewPartition(of, 3), partition(p), data.OneList(p.M)}
		for k, o := range append([]pref.Options{{}}, allOptions...) {
			o, err := o.Resolved()
			if err != nil {
				t.Fatal(err)
			}
			regression := k == 0
			goal := goals.Regression(p.Y, 1)
			if !regression {
				if goal, err = goals.Scored(p.Y, 1, partition(p), o); err != nil {
					t.Fatal(err)
				}
			}
			for _, groups := range groupings {
				tally.compare(t, p, goal, o, regression, groups)
			}
		}
	}
	t.Logf("%d groups exact; %d refused, of which %d differ", tally.exact, tally.refused, tally.differ)
	if tally.differ < tally.refused*4/5 { // the others hold out rows without pairs, or leave a query without pairs
		t.Errorf("only %d of %d refused groups differ from training again", tally.differ, tally.refused)
	}
}

// holdOutTally counts groups that are exact, refused, and refused with a reason that
// shows in L/H.
type holdOutTally struct{ exact, refused, differ int }

func (n *holdOutTally) compare(t *testing.T, p gen.Problem, goal *goals.Goal, o pref.Options, regression bool,
	groups *data.Partition) {
	t.Helper()
	const rounding = 1e-10 // of weights, after some tens of eliminations
	err, scales := goal.CanHoldOut(groups), goal.LambdaScales(groups)
	var reason *goals.NotExactError
	if err != nil && (!errors.As(err, &reason) || reason.Reason == "") {
		t.Fatalf("%+v: %v has no reason", o, err)
	}
	for g := range groups.Len() {
		out := ints(groups.Part(g))
		if len(out) == 0 {
			continue
		}
		if err != nil {
			if n.refused++; apart(p, regression, o, out, goal.LambdaScale()(groups.Part(g)...)) > 1e-3 {
				n.differ++
			}
			continue
		}
		c := 1.0
		if scales != nil {
			c = scales(g)
		}
		if n.exact++; apart(p, regression, o, out, c) > rounding {
			t.Fatalf("%+v, regression %v, %d rows of %d out: L/H is off by %.2g with the factor %g",
				o, regression, len(out), p.M, apart(p, regression, o, out, c), c)
		}
	}
}

func ints(rows []int32) []int {
	out := make([]int, len(rows))
	for a, i := range rows {
		out[a] = int(i)
	}
	return out
}

// TestCanHoldOutPairs: pairs of rows are held out with the factor of two rows,
// where any rows can be.
func TestCanHoldOutPairs(t *testing.T) {
	const rounding = 1e-10
	r := rand.New(rand.NewPCG(35, 36))
	for trial := range 60 {
		p := gen.New(r, gen.Options{OneQuery: trial%2 == 0, MaxRows: 9, MaxFeatures: 1})
		for _, o := range allOptions {
			o, err := o.Resolved()
			if err != nil {
				t.Fatal(err)
			}
			goal, err := goals.Scored(p.Y, 1, partition(p), o)
			if err != nil {
				t.Fatal(err)
			}
			if goal.CanHoldOutAny() != nil {
				continue
			}
			for i := range p.M {
				for j := range i {
					if d := apart(p, false, o, []int{j, i}, goal.LambdaScale()(int32(j), int32(i))); d > rounding {
						t.Fatalf("%+v: without rows %d and %d of %d L/H is off by %.2g", o, j, i, p.M, d)
					}
				}
			}
		}
	}
}

// TestPreferencesLeaveWhole: whole components of an explicit graph leave exactly,
// and part of one is refused.
func TestPreferencesLeaveWhole(t *testing.T) {
	goal, err := goals.Preferences(5, []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 2},
		{I: 2, J: 3, Magnitude: 3, Weight: 1}, {I: 4, J: 3, Magnitude: 1, Weight: 1}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := goal.CanHoldOut(data.NewPartition([]int32{0, 0, 1, 1, 1}, 2)); err != nil {
		t.Errorf("whole components: %v", err)
	}
	var reason *goals.NotExactError
	if err := goal.CanHoldOut(data.NewPartition([]int32{0, 0, 1, 1, 0}, 2)); !errors.As(err, &reason) {
		t.Errorf("part of a component: %v", err)
	}
	if goal.CanSplit() || !goal.Informs(0, 0) {
		t.Error("a component of preferences leaves whole, and informs")
	}
	defer func() {
		if recover() == nil {
			t.Error("groups of other rows: no panic")
		}
	}()
	_ = goal.CanHoldOut(data.OneList(4))
}

// TestSameLaplacian: where it is true the Laplacians are equal, and permuted
// labels of complete queries have it.
func TestSameLaplacian(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	same := 0
	for range 100 {
		p := gen.New(r, gen.Options{MaxFeatures: 1})
		y := append([]float64(nil), p.Y...)
		r.Shuffle(p.M, func(i, j int) { y[i], y[j] = y[j], y[i] })
		all, others := []*goals.Goal{goals.Regression(p.Y, 1)}, []*goals.Goal{goals.Regression(y, 1)}
		for _, o := range allOptions {
			goal, err := goals.Scored(p.Y, 1, partition(p), o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, goal)
			for _, queries := range []*data.Partition{partition(p), data.OneList(p.M)} {
				if other, err := goals.Scored(y, 1, queries, o); err == nil {
					others = append(others, other)
				}
			}
		}
		for _, a := range all {
			for _, b := range others {
				if !a.SameLaplacian(b) {
					continue
				}
				if same++; difference(dense(a.L), dense(b.L)) != 0 {
					t.Fatalf("%v %q and %v %q differ", a.Kind, a.Weight, b.Kind, b.Weight)
				}
			}
		}
	}
	if same < 300 {
		t.Errorf("only %d goals of permuted labels are the same", same)
	}
}

// TestInforms: a component informs where its labels differ.
func TestInforms(t *testing.T) {
	y := []float64{0.1, 0.1, 0.1, 1, 2, 2}
	queries := data.NewPartition([]int32{0, 0, 0, 1, 1, 1}, 2)
	for _, o := range allOptions {
		goal, err := goals.Scored(y, 1, queries, o)
		if err != nil {
			t.Fatal(err)
		}
		if goal.Informs(0, 0) || !goal.Informs(1, 0) {
			t.Errorf("%+v: queries inform %v and %v", o, goal.Informs(0, 0), goal.Informs(1, 0))
		}
	}
}
