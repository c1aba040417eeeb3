// Package linesearch finds how far to go from one solution of
//
//	J(w) = λ‖w‖² + R(Xw)
//
// towards another. The scores f = Xw are linear along the way, so that a step
// costs one risk and no product with X (Franc and Sonnenburg 2009, Optimized
// cutting plane algorithm for large-scale risk minimization, section 3.1). Newton
// takes the steps of Newton's method for any objective.
package linesearch

import (
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Risk is a convex function of m scores that is nowhere negative.
type Risk interface {
	// At sets slope to a subgradient of the risk at scores, both of length m,
	// and returns the risk there; NaN where it cannot be computed.
	At(slope, scores []float64) float64
}

// Point is a point of the ray and its known values.
type Point struct {
	At        float64   // k
	Objective float64   // J
	Risk      float64   // R
	Scores    []float64 // f + kφ
	Slope     []float64 // of the risk

	along float64 // Slope times φ
}

// Ray is the line from weights w in a direction δ, f = Xw and φ = Xδ:
//
//	J(k) = λ(‖w‖² + 2k⟨w,δ⟩ + k²‖δ‖²) + R(f + kφ).
//
// Ray keeps its memory between searches.
type Ray struct {
	Risk   Risk
	Lambda float64
	// MaxEvaluations bounds the evaluations of one search.
	MaxEvaluations int
	// Evaluations counts the evaluations of all searches.
	Evaluations int

	scores, change []float64
	ww, wd, dd     float64
	riskAtOne      float64 // R at k = 1
	here, best     Point
}

// slopeShare is the share of the first derivative at which a search ends, the curvature
// condition of Wolfe: the next direction matters more than the last digit of this step.
const slopeShare = 0.1

// pieceRows is the number of scores below which a loop is not worth a goroutine.
const pieceRows = 1 << 14

// Dot is Σ x_i y_i over vectors of m scores, added in pieces that depend on m alone, by
// several threads. It panics if y is shorter than x.
func Dot(x, y []float64) float64 {
	if len(x) <= pieceRows {
		return linalg.Dot(x, y)
	}
	parts := make([]float64, (len(x)+pieceRows-1)/pieceRows)
	parallel.Chunks(len(x), pieceRows, func(_, lo, hi int) {
		parts[lo/pieceRows] = linalg.Dot(x[lo:hi], y[lo:hi])
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

// Set sets the ray: n weights w with m scores, and a direction of n weights with the change of the
// m scores. The cost is O(m + n). The slices are kept, and not changed.
func (r *Ray) Set(w, scores, direction, change []float64) {
	r.scores, r.change = scores, change
	r.ww, r.wd, r.dd = linalg.Dot(w, w), linalg.Dot(w, direction), linalg.Dot(direction, direction)
	if len(r.here.Scores) != len(scores) {
		for _, p := range []*Point{&r.here, &r.best} {
			p.Scores, p.Slope = make([]float64, len(scores)), make([]float64, len(scores))
		}
	}
}

// Search looks for the minimum of J along the ray, where the derivative changes sign: first at 1,
// then outwards by doubling, then inwards by the cubic through values and derivatives at the ends
// of the bracket (Nocedal and Wright 2006, Numerical Optimization, equation 3.59), kept off the
// ends, since derivatives may jump. start has the values at k = 0.
//
// Search returns the point of least J, and whether the risk was last evaluated there. The slices of
// the point are valid until the next search, and may be replaced by others of the same length. ok
// is false when no point is better than the start. An evaluation costs one evaluation of the risk
// and O(m).
func (r *Ray) Search(start Point) (best *Point, last, ok bool) {
	r.best.Objective, r.best.At = start.Objective, 0
	start.along = Dot(start.Slope, r.change)
	var lo, hi end
	atZero, k := 0.0, 1.0
	for evaluation := range r.MaxEvaluations {
		if evaluation == 0 {
			r.evaluate(k)
			atZero = r.derivative(&start)
			lo, hi = end{0, start.Objective, atZero}, end{at: math.Inf(1)}
			r.riskAtOne = r.here.Risk
		} else {
			r.evaluate(k)
		}
		d := r.derivative(&r.here)
		here := end{k, r.here.Objective, d}
		if last = r.here.Objective < r.best.Objective; last {
			r.here, r.best = r.best, r.here
		}
		if math.Abs(d) <= slopeShare*math.Abs(atZero) {
			break
		}
		if d < 0 {
			lo = here
		} else {
			hi = here
		}
		if math.IsInf(hi.at, 1) {
			k *= 2
			continue
		}
		k = between(lo, hi)
	}
	return &r.best, last, r.best.At > 0
}

// end is an end of a bracket: k with J and its derivative there.
type end struct{ at, value, slope float64 }

// offEnds is the share of a bracket that a step into it stays off its ends: a cutting
// plane is often left within a twentieth of the way to the model's minimiser.
const offEnds = 0.03

// between is where the cubic through both ends has its minimum, J falling at lo and
// rising at hi; where that is not finite, the middle.
func between(lo, hi end) float64 {
	width := hi.at - lo.at
	bend := lo.slope + hi.slope - 3*(hi.value-lo.value)/width
	root := math.Sqrt(bend*bend - lo.slope*hi.slope)
	share := 1 - (hi.slope+root-bend)/(hi.slope-lo.slope+2*root)
	if math.IsNaN(share) {
		share = 0.5
	}
	return lo.at + min(max(share, offEnds), 1-offEnds)*width
}

// RiskAtOne returns the risk at k = 1, where the last search began.
func (r *Ray) RiskAtOne() float64 { return r.riskAtOne }

// evaluate sets r.here to J at k.
func (r *Ray) evaluate(k float64) {
	p := &r.here
	p.At = k
	parallel.Chunks(len(r.scores), pieceRows, func(_, lo, hi int) {
		change, scores := r.change[lo:hi], p.Scores[lo:hi]
		for i, v := range r.scores[lo:hi] {
			scores[i] = v + k*change[i]
		}
	})
	p.Risk = r.Risk.At(p.Slope, p.Scores)
	p.along = Dot(p.Slope, r.change)
	p.Objective = p.Risk + r.Lambda*(r.ww+k*(2*r.wd+k*r.dd))
	r.Evaluations++
}

// derivative is dJ/dk at a point.
func (r *Ray) derivative(p *Point) float64 { return p.along + 2*r.Lambda*(r.wd+p.At*r.dd) }
