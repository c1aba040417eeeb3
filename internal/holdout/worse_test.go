package holdout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// compared is two problems of the same labels, the second without a feature.
type compared struct {
	y       []float64
	queries *data.Partition
	paths   [2]*rls.Path
	method  cv.Method
	metric  *metric.Metric
}

func makeCompared(t *testing.T, seed uint64) *compared {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 77))
	m, n := 20+r.IntN(15), 4
	c := &compared{method: cv.Method{Kind: cv.LeaveQueryOut}}
	switch {
	case seed%3 == 0 && seed%2 == 1:
		gain, err := metric.Parse("p@3")
		if err != nil {
			t.Fatal(err)
		}
		c.metric = &gain
	case seed%3 == 2:
		m = 520 // where the pairs of a list are counted
	}
	x, of := data.NewDense(m, n, nil), make([]int32, m)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		of[i] = int32(i % 5)
		c.y = append(c.y, math.Round(x.Row(i)[0]+x.Row(i)[1]+2*r.NormFloat64()))
	}
	c.queries = data.NewPartition(of, 5)
	if seed%3 > 0 {
		c.queries, c.method = data.OneList(m), cv.Method{Kind: cv.LeavePairOut}
	}
	goal, err := goals.Scored(c.y, 1, c.queries, pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, columns := range [][]int{{0, 1, 2, 3}, {0, 2, 3}} {
		if c.paths[k], err = rls.Factor(t.Context(), rls.Primal(data.SelectColumns(x, columns)), goal); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// comparedLambda is the λ of the held-out predictions.
const comparedLambda = 2

func (c *compared) point(t *testing.T, k int) cv.Point {
	t.Helper()
	o := holdout.Options{Method: c.method, Candidates: []float64{comparedLambda}, Metric: c.metric, Units: true}
	if c.method.Kind == cv.LeavePairOut {
		o.Pairs = cv.PairsAll
	}
	e, err := holdout.EstimatePath(t.Context(), c.paths[k], holdout.Labels{Y: c.y, Queries: c.queries}, o)
	if err != nil {
		t.Fatal(err)
	}
	return e[0].Points[0]
}

// The paired difference is that of the held-out predictions of both, by the definition:
// over queries, and for pairs over rows.
func TestWorseIsPaired(t *testing.T) {
	for seed := range uint64(20) {
		c := makeCompared(t, seed)
		name := fmt.Sprintf("seed %d, %s", seed, c.method)
		with, without := c.point(t, 0), c.point(t, 1)
		worse, stderr := holdout.Worse(without, with, c.method, c.metric)
		want := without.Error - with.Error
		if c.metric != nil {
			want = with.Metric.Value - without.Metric.Value
		}
		if worse != want || !stderr.Defined {
			t.Errorf("%s: worse by %v ± %v, want %v", name, worse, stderr, want)
		}
		if c.metric == nil {
			if want := c.byHand(t); math.Abs(stderr.Value-want) > 1e-12 {
				t.Errorf("%s: standard error %v, by hand %v", name, stderr, want)
			}
		}
		if back, same := holdout.Worse(with, without, c.method, c.metric); back != -worse || same != stderr {
			t.Errorf("%s: %v ± %v turned is %v ± %v", name, worse, stderr, back, same)
		}
		if zero, none := holdout.Worse(with, with, c.method, c.metric); zero != 0 || none.Value != 0 {
			t.Errorf("%s: a point is worse than itself by %v ± %v", name, zero, none)
		}
		if _, none := holdout.Worse(without, cv.Point{Error: 0.5}, c.method, nil); none.Defined {
			t.Errorf("%s: a standard error without units", name)
		}
	}
}

// held is the scores of a pair of rows, as they are held out.
func (c *compared) held(t *testing.T, k int) func(i, j int) (fi, fj float64) {
	t.Helper()
	if c.method.Kind == cv.LeaveQueryOut {
		f, err := c.paths[k].PredictHeldOut(t.Context(), c.queries, comparedLambda)
		if err != nil {
			t.Fatal(err)
		}
		return func(i, j int) (fi, fj float64) { return f.Row(i)[0], f.Row(j)[0] }
	}
	m := len(c.y)
	first, second := data.NewDense(m, m, nil), data.NewDense(m, m, nil)
	if err := c.paths[k].LeavePairOut(t.Context(), comparedLambda, func(_, i, _ int, a, b []float64) {
		copy(first.Row(i)[i+1:], a)
		copy(second.Row(i)[i+1:], b)
	}); err != nil {
		t.Fatal(err)
	}
	return func(i, j int) (fi, fj float64) { return first.Row(i)[j], second.Row(i)[j] }
}

// units are the units of a pair: its query, or its rows.
func (c *compared) units(i, j int) []int {
	if c.method.Kind == cv.LeaveQueryOut {
		return []int{int(c.queries.Of()[i])}
	}
	return []int{i, j}
}

// byHand sums, by unit, the pairs that one point has wrong and the other right.
func (c *compared) byHand(t *testing.T) float64 {
	t.Helper()
	with, without := c.held(t, 0), c.held(t, 1)
	wrong := func(f func(i, j int) (fi, fj float64), i, j int) float64 {
		if a, b := f(i, j); (a < b) == (c.y[i] > c.y[j]) {
			return 1
		}
		return 0
	}
	m := len(c.y)
	change, pairs, total, all := make([]float64, m), make([]float64, m), 0.0, 0.0
	for i := range m {
		for j := i + 1; j < m; j++ {
			if c.y[i] == c.y[j] || c.queries.Of()[i] != c.queries.Of()[j] {
				continue
			}
			d := wrong(without, i, j) - wrong(with, i, j)
			total, all = total+d, all+1
			for _, u := range c.units(i, j) {
				change[u] += d
				pairs[u]++
			}
		}
	}
	sum := 0.0
	for u, n := range pairs {
		d := (change[u] - total/all*n) / all
		if c.method.Kind == cv.LeaveQueryOut && n > 0 { // the others less all
			d = (total-change[u])/(all-n) - total/all
		}
		sum += d * d
	}
	if q := float64(c.queries.Len()); c.method.Kind == cv.LeaveQueryOut {
		sum *= (q - 1) / q
	}
	return math.Sqrt(sum)
}
