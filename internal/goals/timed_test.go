package goals_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// study is censored times in strata, with ties of everything.
func study(r *rand.Rand) (times []float64, censored []bool, strata *data.Partition) {
	m, q := 1+r.IntN(12), 1+r.IntN(3)
	offset := []float64{0, 0.1, 1e6}[r.IntN(3)]
	of, levels := make([]int32, m), 1+r.IntN(6)
	for i := range of {
		times = append(times, offset+float64(r.IntN(levels))/3)
		censored = append(censored, r.IntN(3) > 0)
		of[i] = int32(r.IntN(q))
	}
	return times, censored, data.NewPartition(of, q)
}

// timedOptions are all of them.
func timedOptions() (all []pref.Options) {
	for _, cost := range []pref.Cost{pref.Magnitude, pref.Unit} {
		for _, weight := range []pref.Weight{pref.Pairs, pref.Size, pref.Edges} {
			for _, censoring := range []bool{false, true} {
				all = append(all, pref.Options{Cost: cost, Weight: weight, CensoringWeights: censoring})
			}
		}
	}
	return all
}

// TestTimesAreTheSumOverPairs holds L, r, the constant, the number of pairs, the diagonal and the components against
// explicit pairs, of rows with weights and without.
func TestTimesAreTheSumOverPairs(t *testing.T) {
	const tolerance = 1e-10 // of times far from 0
	r := rand.New(rand.NewPCG(44, 1))
	learnt := 0
	for trial := range 1000 {
		times, censored, strata := study(r)
		m := len(times)
		var weights []float64
		for range m * (trial % 2) {
			weights = append(weights, math.Exp(3*r.NormFloat64()))
		}
		for _, o := range timedOptions() {
			l, linear, constant := make([]float64, m*m), make([]float64, m), 0.0
			query := make([]int, m)
			for i, q := range strata.Of() {
				query[i] = int(q)
			}
			pairs := naive.WeightedTimedPairs(times, censored, query, weights, string(o.Cost), string(o.Weight),
				o.CensoringWeights)
			informs := false
			for _, e := range pairs {
				for _, at := range []int{e.I*m + e.I, e.J*m + e.J} {
					l[at] += e.Weight
				}
				l[e.I*m+e.J] -= e.Weight
				l[e.J*m+e.I] -= e.Weight
				linear[e.I] += e.Weight * e.Target
				linear[e.J] -= e.Weight * e.Target
				constant += e.Weight * e.Target * e.Target
				informs = informs || e.Target != 0
			}
			goal, err := goals.WeightedTimes(times, censored, strata, weights, o)
			if (err == nil) != informs || err != nil && !errors.Is(err, goals.ErrNothingToLearn) {
				t.Fatalf("trial %d, %+v: %v, and targets other than 0: %v", trial, o, err, informs)
			}
			if err != nil {
				continue
			}
			learnt++
			each := map[[2]int]naive.Pair{}
			for _, e := range pairs {
				each[[2]int{e.I, e.J}], each[[2]int{e.J, e.I}] = e, naive.Pair{Target: -e.Target, Weight: e.Weight}
			}
			for i := range m {
				for j := range m {
					weight, target := goal.Pair(int32(i), int32(j))
					if e := each[[2]int{i, j}]; weight > 0 && target != e.Target || math.Abs(weight-e.Weight) > tolerance*e.Weight {
						t.Fatalf("trial %d, %+v: pair %d, %d weighs %v with target %v, want %+v", trial, o, i, j, weight, target, e)
					}
				}
			}
			got := dense(goal.L)
			if difference(got, l) > tolerance || difference(goal.R, linear) > tolerance ||
				math.Abs(goal.Constant()-constant) > tolerance*constant || goal.Pairs != float64(len(pairs)) {
				t.Fatalf("trial %d, %+v: L %v, want %v\nr %v, want %v\nconstant %v, want %v; %v pairs, want %d", trial, o, got, l,
					goal.R, linear, goal.Constant(), constant, goal.Pairs, len(pairs))
			}
			diagonal, want := goals.Diagonal(goal.L), make([]float64, m)
			for i := range want {
				want[i] = l[i*m+i]
			}
			if difference(diagonal, want) > tolerance {
				t.Fatalf("trial %d, %+v: diagonal %v, want %v", trial, o, diagonal, want)
			}
			checkTimedParts(t, goal, l, r)
		}
	}
	if learnt < 4000 {
		t.Errorf("only %d studies had something to learn", learnt)
	}
}

// checkTimedParts holds the components against those of the explicit L, restrictions to some of them against its
// submatrix, and what informs against r.
func checkTimedParts(t *testing.T, goal *goals.Goal, l []float64, r *rand.Rand) {
	t.Helper()
	m, of := goal.L.Dim(), goal.L.Components().Of()
	for i := range m {
		for j := range m {
			if l[i*m+j] != 0 && of[i] != of[j] {
				t.Fatalf("rows %d and %d are compared and in two components", i, j)
			}
		}
	}
	for p := range goal.L.Components().Len() {
		if rows := goal.L.Components().Part(p); len(rows) > 1 {
			for _, i := range rows {
				if l[int(i)*m+int(i)] == 0 {
					t.Fatalf("row %d is compared with none, and in a component of %d", i, len(rows))
				}
			}
		}
	}
	var rows []int32
	for p := range goal.L.Components().Len() {
		if r.IntN(2) == 0 {
			rows = append(rows, goal.L.Components().Part(p)...)
		}
	}
	r.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	part := goal.L.Restrict(rows)
	got, want := dense(part), make([]float64, len(rows)*len(rows))
	diagonal := goals.Diagonal(part)
	for a, i := range rows {
		for b, j := range rows {
			want[a*len(rows)+b] = l[int(i)*m+int(j)]
		}
		if math.Abs(diagonal[a]-want[a*len(rows)+a]) > 1e-10*largest(l) {
			t.Fatalf("diagonal of the restriction: %v, want %v", diagonal[a], want[a*len(rows)+a])
		}
	}
	for k := range got {
		if math.Abs(got[k]-want[k]) > 1e-10*largest(l) {
			t.Fatalf("restriction to %v: %v, want %v", rows, got, want)
		}
	}
	if err := goal.CanHoldOut(goal.L.Components()); err != nil {
		t.Error(err)
	}
	inexact := new(goals.NotExactError)
	if err := goal.CanHoldOutAny(); !errors.As(err, &inexact) {
		t.Errorf("any rows can be held out: %v", err)
	}
}

// TestTimedProduct multiplies wide matrices, in place, and by columns.
func TestTimedProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 2))
	const m, k = 300, 75
	times, censored, of, weights := make([]float64, m), make([]bool, m), make([]int32, m), make([]float64, m)
	for i := range times {
		times[i], censored[i], of[i] = float64(r.IntN(40)), r.IntN(2) == 0, int32(r.IntN(100))
		weights[i] = r.ExpFloat64()
	}
	goal, err := goals.WeightedTimes(times, censored, data.NewPartition(of, 100), weights,
		pref.Options{CensoringWeights: true})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, m*k)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	want := make([]float64, m*k)
	for c := range k {
		column := make([]float64, m)
		for i := range m {
			column[i] = x[i*k+c]
		}
		goal.L.MulTo(column, column, 1)
		for i := range m {
			want[i*k+c] = column[i]
		}
	}
	dense := slices.Clone(x)
	goal.L.MulTo(dense, dense, k)
	if !slices.Equal(dense, want) {
		t.Error("a product with many columns is not that of each")
	}
	squares := make([]float64, k)
	goal.L.(*goals.Timed).AddSquaresTo(squares, data.NewDense(m, k, x))
	for c, got := range squares {
		square := 0.0
		for i := range m {
			square += x[i*k+c] * want[i*k+c]
		}
		if math.Abs(got-square) > 1e-10*square {
			t.Errorf("the square of column %d is %v, want %v", c, got, square)
		}
	}
}

// TestTimesRefuse names what censored times do not have.
func TestTimesRefuse(t *testing.T) {
	for _, o := range []pref.Options{{Cost: pref.Relative}, {Ties: pref.IncludeTies}, {Weight: "none"}} {
		if _, err := goals.Times([]float64{1, 2}, []bool{false, true}, data.OneList(2), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, err := goals.Scored([]float64{1, 2}, 1, data.OneList(2), pref.Options{CensoringWeights: true}); err == nil {
		t.Error("weights by censoring of labels: no error")
	}
}
