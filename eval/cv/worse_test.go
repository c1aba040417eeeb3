package cv_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// The paired difference is that of the held-out predictions of both, by the definition:
// over queries, and for pairs over rows.
func TestWorseIsPaired(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 77))
		m, n := 20+r.IntN(15), 4
		if seed%3 == 2 {
			m = 520 // where the pairs of a list are counted
		}
		x, y := data.NewDense(m, n, nil), make([]float64, m)
		of := make([]int32, m)
		for i := range y {
			for j := range n {
				x.Row(i)[j] = r.NormFloat64()
			}
			of[i] = int32(i % 5)
			y[i] = math.Round(x.Row(i)[0] + x.Row(i)[1] + 2*r.NormFloat64())
		}
		queries, method, o := data.NewPartition(of, 5), cv.Method{Kind: cv.LeaveQueryOut}, cv.Options{Candidates: []float64{2}, Units: true}
		if seed%3 > 0 {
			queries, method = data.OneList(m), cv.Method{Kind: cv.LeavePairOut}
			o.Pairs = cv.PairsAll
		}
		o.Method = method
		if seed%3 == 0 && seed%2 == 1 {
			gain, err := metric.Parse("p@3")
			if err != nil {
				t.Fatal(err)
			}
			o.Metric = &gain
		}
		labels := cv.Labels{Y: y, Queries: queries}
		var points [2]cv.Point
		var paths [2]*rls.Path
		for k, columns := range [][]int{{0, 1, 2, 3}, {0, 2, 3}} {
			goal, err := pref.Scored(y, 1, queries, pref.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if paths[k], err = rls.Factor(t.Context(), rls.Primal(data.SelectColumns(x, columns)), goal); err != nil {
				t.Fatal(err)
			}
			e, err := cv.Estimated(t.Context(), paths[k], labels, o)
			if err != nil {
				t.Fatal(err)
			}
			points[k] = e[0].Points[0]
		}
		name := fmt.Sprintf("seed %d, %s", seed, method)
		worse, stderr := cv.Worse(points[1], points[0], method, o.Metric)
		checkWorse(t, name, worse, stderr, points, o.Metric)
		if back, same := cv.Worse(points[0], points[1], method, o.Metric); back != -worse || same != stderr {
			t.Errorf("%s: %v ± %v turned is %v ± %v", name, worse, stderr, back, same)
		}
		if o.Metric == nil {
			want := pairedByHand(t, paths, y, queries, method)
			if !stderr.Defined || math.Abs(stderr.Value-want) > 1e-12 {
				t.Errorf("%s: standard error %v, by hand %v", name, stderr, want)
			}
		}
		if zero, none := cv.Worse(points[0], points[0], method, o.Metric); zero != 0 || none.Value != 0 {
			t.Errorf("%s: a point is worse than itself by %v ± %v", name, zero, none)
		}
		if _, none := cv.Worse(points[1], cv.Point{Error: 0.5}, method, nil); none.Defined {
			t.Errorf("%s: a standard error without units", name)
		}
	}
}

func checkWorse(t *testing.T, name string, worse float64, stderr metric.Value, p [2]cv.Point, m *metric.Metric) {
	t.Helper()
	want := p[1].Error - p[0].Error
	if m != nil {
		want = p[0].Metric.Value - p[1].Metric.Value
	}
	if worse != want || !stderr.Defined {
		t.Errorf("%s: worse by %v ± %v, want %v", name, worse, stderr, want)
	}
}

// pairedByHand adds the wrong pairs of both up, by query or by row.
func pairedByHand(t *testing.T, paths [2]*rls.Path, y []float64, queries *data.Partition, method cv.Method) float64 {
	t.Helper()
	m := len(y)
	units := m
	unit := func(i int) int { return i }
	if method.Kind == cv.LeaveQueryOut {
		units, unit = queries.Len(), func(i int) int { return int(queries.Of()[i]) }
	}
	wrong, pairs := [2][]float64{make([]float64, units), make([]float64, units)}, make([]float64, units)
	var total [2]float64
	for k, path := range paths {
		scores := func(i, j int) (fi, fj float64) { panic("none") }
		if method.Kind == cv.LeaveQueryOut {
			f, err := path.PredictHeldOut(t.Context(), queries, 2)
			if err != nil {
				t.Fatal(err)
			}
			scores = func(i, j int) (fi, fj float64) { return f.Row(i)[0], f.Row(j)[0] }
		} else {
			fi, fj := data.NewDense(m, m, nil), data.NewDense(m, m, nil)
			if err := path.LeavePairOut(t.Context(), 2, func(_, i, _ int, a, b []float64) {
				copy(fi.Row(i)[i+1:], a)
				copy(fj.Row(i)[i+1:], b)
			}); err != nil {
				t.Fatal(err)
			}
			scores = func(i, j int) (float64, float64) { return fi.Row(i)[j], fj.Row(i)[j] }
		}
		for i := range m {
			for j := i + 1; j < m; j++ {
				if y[i] == y[j] || queries.Of()[i] != queries.Of()[j] {
					continue
				}
				a, b := scores(i, j)
				w := 0.0
				if (a < b) == (y[i] > y[j]) {
					w = 1
				}
				total[k] += w
				wrong[k][unit(i)] += w
				if k == 0 {
					pairs[unit(i)]++
				}
				if method.Kind == cv.LeavePairOut {
					wrong[k][unit(j)] += w
					if k == 0 {
						pairs[unit(j)]++
					}
				}
			}
		}
	}
	all := 0.0
	for _, n := range pairs {
		all += n
	}
	if method.Kind == cv.LeavePairOut {
		all /= 2
	}
	difference, sum := (total[1]-total[0])/all, 0.0
	for u, n := range pairs {
		d := wrong[1][u] - wrong[0][u] - difference*n
		sum += d * d
	}
	if method.Kind == cv.LeaveQueryOut {
		sum *= float64(units) / float64(units-1)
	}
	return math.Sqrt(sum) / all
}
