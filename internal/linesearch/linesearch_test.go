package linesearch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// kinks is a mean of absolute differences and squares: a convex risk whose
// derivative jumps.
type kinks struct{ y []float64 }

func (r kinks) At(slope, scores []float64) float64 {
	sum := 0.0
	for i, f := range scores {
		d := f - r.y[i]
		sum += math.Abs(d) + 0.1*d*d
		slope[i] = math.Copysign(1, d) + 0.2*d
	}
	return sum
}

// TestSearch compares the point found with the minimum by ternary search, for
// few looks and for many, and what is said of it with its definition.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 2000 {
		m, n := 1+r.IntN(20), 1+r.IntN(5)
		draw := func(n int, size float64) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = size * r.NormFloat64()
			}
			return v
		}
		w, direction, scores, change := draw(n, 1), draw(n, 1), draw(m, 1), draw(m, math.Exp2(float64(r.IntN(12)-8)))
		risk, lambda := kinks{draw(m, 3)}, math.Exp2(8*r.Float64()-6)
		slope := make([]float64, m)
		at := func(k float64) float64 {
			f := make([]float64, m)
			for i := range f {
				f[i] = scores[i] + k*change[i]
			}
			j := risk.At(slope, f)
			for c := range w {
				v := w[c] + k*direction[c]
				j += lambda * v * v
			}
			return j
		}
		start := Point{Objective: at(0), Slope: make([]float64, m)}
		risk.At(start.Slope, scores)
		ray := Ray{Risk: risk, Lambda: lambda, MaxEvaluations: []int{1, 4, 80}[r.IntN(3)]}
		ray.Set(w, scores, direction, change)
		best, last, ok := ray.Search(start)
		if ray.Evaluations > ray.MaxEvaluations {
			t.Fatalf("%d evaluations for %d looks", ray.Evaluations, ray.MaxEvaluations)
		}
		lo, hi := 0.0, 1e4
		for range 300 {
			a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
			if at(a) <= at(b) {
				hi = b
			} else {
				lo = a
			}
		}
		least := at(lo)
		if !ok {
			if ray.MaxEvaluations == 80 && least < start.Objective-1e-6*(1+start.Objective) {
				t.Fatalf("nothing found below %v, and %v is at %v", start.Objective, least, lo)
			}
			continue
		}
		if j := at(best.At); math.Abs(j-best.Objective) > 1e-9*(1+j) || !(best.Objective < start.Objective) {
			t.Fatalf("J(%v) is said to be %v and is %v, from %v", best.At, best.Objective, j, start.Objective)
		}
		for i, v := range best.Scores {
			if math.Abs(v-(scores[i]+best.At*change[i])) > 1e-12*(1+math.Abs(v)) {
				t.Fatalf("score %v is not that of k = %v", v, best.At)
			}
		}
		if last && ray.here.At == best.At && ray.MaxEvaluations > 1 && ray.Evaluations > 1 {
			t.Fatal("two looks at one place")
		}
		// The search ends at a tenth of the first slope: from a slope that small,
		// convexity bounds what is left by the way to the minimum.
		first := math.Abs(ray.derivative(&Point{Slope: start.Slope}))
		if left := best.Objective - least; ray.MaxEvaluations == 80 && left > slopeShare*first*math.Abs(best.At-lo)+1e-6*(1+least) {
			t.Fatalf("J = %v at %v, and %v at %v, first slope %v", best.Objective, best.At, least, lo, first)
		}
	}
}
