package kernel

import (
	"fmt"
	"math"

	"pairrank/data"
)

// maxKnots bounds the knots of a feature: a curve of more bends follows noise.
const maxKnots = 64

// Spline stands for functions that are sums of curves, one a feature, each linear between its knots:
//
//	f(x) = Σ_j ( w_j x_j + Σ_k w_jk (x_j − t_jk)₊ )
//
// (Friedman and Silverman 1989, Flexible parsimonious smoothing and additive modeling, section 2; Hastie, Tibshirani
// and Friedman 2009, The elements of statistical learning, sections 5.2 and 9.1). A SplineMap has the knots t, which
// training takes from its rows. The norm of f is Σ_j w_j² + Bends Σ_jk w_jk²: a bend, the change w_jk of the slope at a
// knot, costs Bends times as much as a slope, and straight lines are the limit of large Bends.
type Spline struct {
	Knots int     // of a feature, at most: from 1 to MaxKnots
	Bends float64 // the penalty of bends relative to that of slopes, > 0
}

// String is spline:knots=K,bends=B.
func (k Spline) String() string {
	return fmt.Sprintf("spline:knots=%d,bends=%s", k.Knots, shortest(k.Bends))
}

// Check returns why k is none, or nil.
func (k Spline) Check() error {
	switch {
	case k.Knots < 1 || k.Knots > maxKnots:
		return fmt.Errorf("a spline has from 1 to %d knots a feature, not %d", maxKnots, k.Knots)
	case !(k.Bends > 0) || math.IsInf(k.Bends, 0):
		return fmt.Errorf("bends of a spline is positive, not %v", k.Bends)
	}
	return nil
}

// MatrixTo panics: the knots are those of rows of training, see SplineMap.
func (k Spline) MatrixTo(*data.Dense, data.Matrix, data.Matrix) {
	panic("kernel: a spline has knots of rows of training: see SplineMap")
}

func makeSpline(v map[string]float64) (Kernel, error) {
	knots := v["knots"]
	if knots != math.Trunc(knots) || math.Abs(knots) > maxKnots {
		return nil, fmt.Errorf("a spline has from 1 to %d knots a feature, not %v", maxKnots, knots)
	}
	k := Spline{Knots: int(knots), Bends: v["bends"]}
	return k, k.Check()
}
