package rls_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/kernel"
	"pairrank/pref"
)

// timedStudy is rows with censored times in strata, some equal, and the basis that is asked for.
type timedStudy struct {
	x        *data.Dense
	times    []float64
	censored []bool
	weights  []float64 // nil where each is 1
	query    []int
	strata   *data.Partition
}

func newTimedStudy(r *rand.Rand, m, n, q int) *timedStudy {
	s := &timedStudy{x: data.NewDense(m, n, nil), query: make([]int, m)}
	of := make([]int32, m)
	for i := range m {
		for j := range n {
			s.x.Row(i)[j] = 3 + float64(r.IntN(5))/2
		}
		s.times = append(s.times, 10+s.x.Row(i)[0]+float64(r.IntN(6)))
		s.censored = append(s.censored, r.IntN(3) == 0)
		s.query[i] = r.IntN(q)
		of[i] = int32(s.query[i])
	}
	s.strata = data.NewPartition(of, q)
	return s
}

// unitPath factors the primal problem with the unit cost and without weights.
func (s *timedStudy) unitPath(t *testing.T) *rls.Path {
	t.Helper()
	goal, err := goals.WeightedTimes(s.times, s.censored, s.strata, nil, pref.Options{Cost: pref.Unit})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(t.Context(), rls.Primal(s.x), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// without are the predictions of all rows, trained on the pairs that stay when the rows h leave.
func (s *timedStudy) without(k []float64, h []int32, o pref.Options, lambda float64) []float64 {
	var left []int
	for i := range s.times {
		if !slices.Contains(h, int32(i)) {
			left = append(left, i)
		}
	}
	var weights []float64
	if s.weights != nil {
		weights = naive.Pick(s.weights, left)
	}
	pairs := naive.WeightedTimedPairs(naive.Pick(s.times, left), naive.Pick(s.censored, left),
		naive.Pick(s.query, left), weights, string(o.Cost), string(o.Weight), o.CensoringWeights)
	for e := range pairs {
		pairs[e].I, pairs[e].J = left[pairs[e].I], left[pairs[e].J]
	}
	_, f := naive.Dual(k, pairs, nil, lambda)
	return f
}

// TestStarsHoldOut holds predictions of rows, groups, strata and pairs that are left out of censored times against
// training again, in the primal and the dual form, of rows with weights and without.
func TestStarsHoldOut(t *testing.T) {
	const tolerance = 1e-8
	r := rand.New(rand.NewPCG(44, 7))
	lambdas := []float64{0.01, 1, 300}
	for trial := range problems(t, 40) {
		m, q := 6+r.IntN(8), 1+trial%2
		s := newTimedStudy(r, m, 1+r.IntN(4), q)
		for range m * (trial / 2 % 2) {
			s.weights = append(s.weights, math.Exp(1.5*r.NormFloat64()))
		}
		if trial%8 == 2 { // nearly all of the weight
			s.weights[r.IntN(m)] *= 1e3
		}
		k := kernel.Matrix(kernel.Linear{}, s.x, s.x)
		for _, o := range []pref.Options{{}, {Weight: pref.Size}, {Weight: pref.Edges}, {Cost: pref.Unit},
			{CensoringWeights: true, Weight: pref.Edges}} {
			goal, err := goals.WeightedTimes(s.times, s.censored, s.strata, s.weights, o)
			if errors.Is(err, goals.ErrNothingToLearn) {
				continue
			}
			for name, basis := range map[string]*rls.Basis{"primal": rls.Primal(s.x), "dual": rls.Dual(k.Clone())} {
				where := fmt.Sprintf("trial %d, %s, %+v, %d strata", trial, name, o, q)
				path, err := rls.Factor(t.Context(), basis, goal)
				if err != nil {
					t.Fatal(err)
				}
				of := make([]int32, m)
				for i := range of {
					of[i] = int32(r.IntN(3))
				}
				for _, groups := range []*data.Partition{data.Singletons(m), data.NewPartition(of, 3), s.strata} {
					if err := path.Exact(groups); err != nil {
						t.Fatalf("%s: %v", where, err)
					}
					err := path.HoldOut(t.Context(), groups, lambdas, func(g, l int, held rls.Held) {
						h := groups.Part(g)
						want := s.without(k.Data, h, o, lambdas[l])
						base := want[h[0]] - held.F.Row(0)[0] // a constant has no effect
						for a, i := range h {
							if got := held.F.Row(a)[0] + base; math.Abs(got-want[i]) > tolerance*(1+math.Abs(want[i])) {
								t.Errorf("%s: row %d without %v at λ %v: %v, want %v", where, i, h, lambdas[l], got, want[i])
							}
						}
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				s.checkPairs(t, path, k.Data, o, lambdas, where)
			}
		}
	}
}

// checkPairs leaves out every pair; equal rows have equal scores.
func (s *timedStudy) checkPairs(t *testing.T, path *rls.Path, k []float64, o pref.Options, lambdas []float64,
	where string) {
	t.Helper()
	var mu sync.Mutex
	seen := 0
	wanted := func(i, j int32) bool { return (i+j)%3 != 0 }
	err := path.LeaveStarsOut(t.Context(), lambdas, wanted, func(_, l, i int, fi, fj []float64) {
		mu.Lock()
		defer mu.Unlock()
		for b := range fi {
			j := i + 1 + b
			if !wanted(int32(i), int32(j)) {
				if fi[b] != 0 || fj[b] != 0 {
					t.Errorf("%s: scores of a pair that is not wanted", where)
				}
				continue
			}
			seen++
			want := s.without(k, []int32{int32(i), int32(j)}, o, lambdas[l])
			got, d := fi[b]-fj[b], want[i]-want[j]
			if math.Abs(got-d) > 1e-8*(1+math.Abs(d)) || slices.Equal(s.x.Row(i), s.x.Row(j)) && got != 0 {
				t.Errorf("%s: rows %d, %d at λ %v differ by %v, want %v", where, i, j, lambdas[l], got, d)
			}
		}
	})
	if err != nil || seen == 0 {
		t.Errorf("%s: %d pairs, %v", where, seen, err)
	}
	ordered := 0
	err = path.OrderStars(t.Context(), lambdas, wanted, func(_, i int, others []int32, apart *data.Dense) {
		mu.Lock()
		defer mu.Unlock()
		for b, j := range others {
			for l, got := range apart.Row(b) {
				ordered++
				want := s.without(k, []int32{int32(i), j}, o, lambdas[l])
				d := want[i] - want[j]
				if same := slices.Equal(s.x.Row(i), s.x.Row(int(j))); same && got != 0 ||
					!same && math.Abs(d) > 1e-8 && (got > 0) != (d > 0) {
					t.Errorf("%s: rows %d, %d at λ %v are ordered by %v, want that of %v", where, i, j, lambdas[l], got, d)
				}
			}
		}
	})
	if err != nil || ordered != seen {
		t.Errorf("%s: %d pairs in order, %d in all, %v", where, ordered, seen, err)
	}
}

// TestOrderStarsOverLambda: the order of a pair at many λ, ascending or not, is that of its scores, also of pairs whose
// order changes with λ once or more often.
func TestOrderStarsOverLambda(t *testing.T) {
	const least = 1e-9 // of a difference of scores, relative to the larger one
	r := rand.New(rand.NewPCG(44, 50))
	ascending := make([]float64, 31)
	for l := range ascending {
		ascending[l] = math.Ldexp(1, 2*l-30)
	}
	changed := make(map[int]int) // pairs by the changes of their order
	for trial := range problems(t, 16) {
		s := newTimedStudy(r, 30, 1+5*trial%16, 1) // few problems, of -short, have many columns, too
		for i := range s.x.Data {
			s.x.Data[i] = r.NormFloat64()
		}
		path := s.unitPath(t)
		shuffled := slices.Clone(ascending)
		r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
		for _, lambdas := range [][]float64{ascending, shuffled} {
			changes := checkOrders(t, path, lambdas, len(s.times), least)
			if lambdas[0] == ascending[0] {
				for _, n := range changes {
					changed[min(n, 2)]++
				}
			}
		}
	}
	if changed[0] == 0 || changed[1] == 0 || changed[2] == 0 {
		t.Errorf("pairs by the changes of their order: %v, want some of each", changed)
	}
}

// checkOrders compares OrderStars of all pairs of m rows with LeaveStarsOut, and returns for each how often its order
// changes over the λ.
func checkOrders(t *testing.T, path *rls.Path, lambdas []float64, m int, least float64) map[[2]int]int {
	t.Helper()
	var mu sync.Mutex
	all := func(int32, int32) bool { return true }
	want := make(map[[3]int]float64)
	err := path.LeaveStarsOut(t.Context(), lambdas, all, func(_, l, i int, fi, fj []float64) {
		mu.Lock()
		defer mu.Unlock()
		for b := range fi {
			if d := fi[b] - fj[b]; math.Abs(d) > least*max(math.Abs(fi[b]), math.Abs(fj[b])) {
				want[[3]int{l, i, i + 1 + b}] = d
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	changes := make(map[[2]int]int)
	err = path.OrderStars(t.Context(), lambdas, all, func(_, i int, others []int32, apart *data.Dense) {
		mu.Lock()
		defer mu.Unlock()
		for b, j := range others {
			pair := [2]int{i, int(j)}
			for l, got := range apart.Row(b) {
				if d, ok := want[[3]int{l, i, int(j)}]; ok && (got > 0) != (d > 0) {
					t.Errorf("rows %d, %d at λ %v are ordered by %v, want that of %v", i, j, lambdas[l], got, d)
				}
				if l > 0 && (got > 0) != (apart.Row(b)[l-1] > 0) {
					changes[pair]++
				}
			}
			changes[pair] += 0 // also of pairs that keep it
		}
	})
	if err != nil || len(changes) != m*(m-1)/2 {
		t.Fatalf("%d pairs, %v", len(changes), err)
	}
	return changes
}

// TestEqualRowsTieWithoutTheOther: without the only row whose feature differs all scores are 0, also where the targets
// of that row cancel, so that nothing else says how large rounding is.
func TestEqualRowsTieWithoutTheOther(t *testing.T) {
	s := &timedStudy{x: data.NewDense(9, 1, nil), times: []float64{3, 1, 1, 5, 4, 3, 2, 2, 4},
		censored: []bool{false, true, false, false, false, true, false, false, true}, query: make([]int, 9),
		strata: data.OneList(9)}
	s.x.Row(0)[0] = 1
	path := s.unitPath(t)
	all := func(_, _ int32) bool { return true }
	if err := path.OrderStars(t.Context(), []float64{1e-12, 1, 1e12}, all,
		func(_, i int, others []int32, apart *data.Dense) {
			for b, j := range others {
				if i == 0 && slices.ContainsFunc(apart.Row(b), func(d float64) bool { return d != 0 }) {
					t.Errorf("rows 1 and %d are ordered by %v", j+1, apart.Row(b))
				}
			}
		}); err != nil {
		t.Fatal(err)
	}
	if err := path.LeaveStarsOut(t.Context(), []float64{1}, all, func(_, _, i int, fi, fj []float64) {
		for b := range fi {
			if i == 0 && fi[b] != fj[b] {
				t.Errorf("scores %v and %v without rows 1 and %d", fi[b], fj[b], b+2)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}
