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

// way is a random line: the arguments of a Ray, and J by definition.
type way struct {
	risk                         kinks
	lambda                       float64
	w, direction, scores, change []float64
}

func newWay(r *rand.Rand) way {
	m, n := 1+r.IntN(20), 1+r.IntN(5)
	draw := func(n int, size float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = size * r.NormFloat64()
		}
		return v
	}
	return way{w: draw(n, 1), direction: draw(n, 1), scores: draw(m, 1),
		change: draw(m, math.Exp2(float64(r.IntN(12)-8))),
		risk:   kinks{draw(m, 3)}, lambda: math.Exp2(8*r.Float64() - 6)}
}

func (l way) at(k float64) float64 {
	f := make([]float64, len(l.scores))
	for i := range f {
		f[i] = l.scores[i] + k*l.change[i]
	}
	j := l.risk.At(make([]float64, len(f)), f)
	for c := range l.w {
		v := l.w[c] + k*l.direction[c]
		j += l.lambda * v * v
	}
	return j
}

// minimum finds the minimum of J beyond 0, and its place, by ternary search.
func (l way) minimum() (at, least float64) {
	lo, hi := 0.0, 1e4
	for range 300 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if l.at(a) <= l.at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return lo, l.at(lo)
}

// checkPoint compares the values of a point with their definitions.
func (l way) checkPoint(t *testing.T, p *Point, start float64) {
	t.Helper()
	if j := l.at(p.At); math.Abs(j-p.Objective) > 1e-9*(1+j) || !(p.Objective < start) {
		t.Fatalf("J(%v) is said to be %v and is %v, from %v", p.At, p.Objective, j, start)
	}
	for i, v := range p.Scores {
		if math.Abs(v-(l.scores[i]+p.At*l.change[i])) > 1e-12*(1+math.Abs(v)) {
			t.Fatalf("score %v is not that of k = %v", v, p.At)
		}
	}
}

// TestSearch compares the point found with the minimum by ternary search, for few and many
// evaluations, and its values with their definitions.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 2000 {
		l := newWay(r)
		start := Point{Objective: l.at(0), Slope: make([]float64, len(l.scores))}
		l.risk.At(start.Slope, l.scores)
		ray := Ray{Risk: l.risk, Lambda: l.lambda, MaxEvaluations: []int{1, 4, 80}[r.IntN(3)]}
		ray.Set(l.w, l.scores, l.direction, l.change)
		best, last, ok := ray.Search(start)
		if ray.Evaluations > ray.MaxEvaluations {
			t.Fatalf("%d evaluations of at most %d", ray.Evaluations, ray.MaxEvaluations)
		}
		at, least := l.minimum()
		if !ok {
			if ray.MaxEvaluations == 80 && least < start.Objective-1e-6*(1+start.Objective) {
				t.Fatalf("nothing found below %v, and %v is at %v", start.Objective, least, at)
			}
			continue
		}
		l.checkPoint(t, best, start.Objective)
		if last && ray.here.At == best.At && ray.MaxEvaluations > 1 && ray.Evaluations > 1 {
			t.Fatal("two evaluations at one point")
		}
		// The search ends at a tenth of the first slope: convexity then bounds the rest by the
		// distance to the minimum.
		first := math.Abs(ray.derivative(&Point{along: Dot(start.Slope, l.change)}))
		if left := best.Objective - least; ray.MaxEvaluations == 80 &&
			left > slopeShare*first*math.Abs(best.At-at)+1e-6*(1+least) {
			t.Fatalf("J = %v at %v, and %v at %v, first slope %v", best.Objective, best.At, least, at, first)
		}
	}
}

// TestBetweenIsTheMinimumOfACubic compares it with cubics of a known minimum, and asks for
// a point within the bracket where values are too large for one.
func TestBetweenIsTheMinimumOfACubic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		// J' = c(k − a)(k + b): falling up to a, with the other root below 0
		a, b, c := 0.1+0.8*r.Float64(), 2*r.Float64(), math.Exp(4*r.NormFloat64())
		at := func(k float64) end {
			return end{k, c * (k*k*k/3 + (b-a)*k*k/2 - a*b*k), c * (k - a) * (k + b)}
		}
		if k := between(at(0), at(1)); math.Abs(k-a) > 1e-6 { // half the digits, of a minimum
			t.Fatalf("between is %v, the minimum of the cubic is at %v", k, a)
		}
		lo, hi := r.Float64(), 1+r.Float64()
		size := math.Ldexp(1, 300+r.IntN(723))
		k := between(end{lo, size, -size}, end{hi, size * r.Float64(), size})
		if !(k > lo && k < hi) {
			t.Fatalf("between is %v, not in the bracket from %v to %v", k, lo, hi)
		}
	}
}
