package plain

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// squares is Σ rows (y − mean)² of points, by definition.
func squares(points []point) float64 {
	var rows, mean, sum float64
	for _, p := range points {
		rows, mean = rows+p.rows, mean+p.rows*p.y
	}
	for _, p := range points {
		sum += p.rows * (p.y - mean/rows) * (p.y - mean/rows)
	}
	return sum
}

// least is the least largest sum of squares of all ways to cut points into at most so many steps.
func least(points []point, most int) float64 {
	best := squares(points)
	for k := 1; k < len(points) && most > 1; k++ {
		best = min(best, max(squares(points[:k]), least(points[k:], most-1)))
	}
	return best
}

// The cuts have the least largest sum of squares of all, and a step for each value where there are few.
func TestCuts(t *testing.T) {
	const precision = 1e-5 // of the search in cuts, and of sums
	r := rand.New(rand.NewPCG(46, 1))
	for range 500 {
		points := make([]point, 1+r.IntN(9))
		for k := range points {
			points[k] = point{float32(k), float64(1 + r.IntN(5)), math.Round(4 * r.NormFloat64())}
		}
		most := 1 + r.IntN(5)
		ends, worst := cuts(points, most), 0.0
		for k, lo := range ends[:len(ends)-1] {
			worst = max(worst, squares(points[lo:ends[k+1]]))
		}
		if want := least(points, most); len(ends)-1 > most || !(worst <= want*(1+precision)+1e-12) {
			t.Fatalf("%v in %d: cut at %v with %v, want %v", points, most, ends, worst, want)
		}
	}
}

// A threshold parts neighbours, adjacent ones and those of another sign, too.
func TestBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 2))
	for range 10_000 {
		a := math.Float32frombits(r.Uint32())
		b := math.Nextafter32(a, float32(math.Inf(1)))
		if r.IntN(2) == 0 {
			b = max(b, math.Float32frombits(r.Uint32()))
		}
		if a != a || b != b || !(a < b) || math.IsInf(float64(a), 0) || math.IsInf(float64(b), 0) {
			continue
		}
		if at := between(a, b); !(float64(a) <= at && at < float64(b)) || float64(float32(at)) != at {
			t.Fatalf("%v between %v and %v", at, a, b)
		}
	}
}

// The steps are the means of the curve over the rows between their thresholds, and the largest difference is said.
func TestStaircase(t *testing.T) {
	const roundoff = 1e-10
	r := rand.New(rand.NewPCG(46, 3))
	for range 100 {
		m, n := 1+r.IntN(300), 1+r.IntN(4)
		x := data.NewDense(m, n, nil)
		for i := range x.Data {
			if x.Data[i] = r.NormFloat64(); r.IntN(2) == 0 {
				x.Data[i] = math.Round(3 * x.Data[i])
			}
		}
		bent := kernel.NewSplineMap(kernel.Spline{Knots: 1 + r.IntN(5), Bends: 2, In: "1=7"}, nil, x, nil)
		w := data.NewDense(1, bent.Features(), nil)
		for k := range w.Data {
			w.Data[k] = r.NormFloat64()
		}
		norm := &data.Normalizer{Kind: data.NormalizeZScore}
		for range n {
			norm.Shift, norm.Scale = append(norm.Shift, r.NormFloat64()), append(norm.Scale, float64(r.IntN(3)))
		}
		whole := &model.Model{Info: model.Info{Learner: "rankrls", Rows: m}, Normalizer: norm,
			Scorer: &model.Spline{Map: bent, Weights: w}}
		s, err := NewStaircase("some", whole, x)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for j := range n {
			worst = max(worst, checkSteps(t, whole, s, x, j, roundoff))
		}
		if math.Abs(worst-s.Worst) > roundoff*(1+worst) {
			t.Fatalf("the largest difference is %v, want %v", s.Worst, worst)
		}
	}
}

// checkSteps compares the steps of feature j with the curve, and returns their largest difference: both up to the
// constant of the first row.
func checkSteps(t *testing.T, m *model.Model, s *Staircase, x *data.Dense, j int, roundoff float64) (worst float64) {
	t.Helper()
	count := 0
	means, rows := map[float64]float64{}, map[float64]float64{}
	steps, curve := make([]float64, x.Rows), make([]float64, x.Rows)
	for i := range x.Rows {
		alone := make([]float64, x.Cols)
		origin := m.ScoreRow(alone)
		v := float64(float32(x.Row(i)[j]))
		alone[j] = v
		curve[i], count = m.ScoreRow(alone)-origin, 0
		for _, term := range s.Terms {
			if term.Feature == j {
				if count++; v > term.Threshold {
					steps[i] += term.Weight
				}
			}
		}
		means[steps[i]], rows[steps[i]] = means[steps[i]]+curve[i], rows[steps[i]]+1
	}
	if count >= MostSteps {
		t.Fatalf("%d thresholds", count)
	}
	constant := means[steps[0]]/rows[steps[0]] - steps[0]
	for i := range x.Rows {
		if mean := means[steps[i]] / rows[steps[i]]; math.Abs(mean-steps[i]-constant) > roundoff*(1+math.Abs(mean)) {
			t.Fatalf("feature %d: a step is %v, and the mean of the curve there is %v", j, steps[i]+constant, mean)
		}
		worst = max(worst, math.Abs(curve[i]-steps[i]-constant))
	}
	return worst
}
