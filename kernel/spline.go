package kernel

import (
	"fmt"
	"math"
	"strings"

	"pairrank/data"
	"pairrank/internal/knots"
)

// maxKnots bounds the knots of a feature: a curve of more bends follows noise.
const maxKnots = knots.Most

// Spline stands for functions that are sums of curves, one a feature, each linear between its knots:
//
//	f(x) = Σ_j ( w_j x_j + Σ_k w_jk (x_j − t_jk)₊ )
//
// (Friedman and Silverman 1989, Flexible parsimonious smoothing and additive modeling, section 2; Hastie, Tibshirani
// and Friedman 2009, The elements of statistical learning, sections 5.2 and 9.1). A SplineMap has the knots t, which
// training takes from its rows. The norm of f is Σ_j w_j² + Bends Σ_jk w_jk²: a bend, the change w_jk of the slope at a
// knot, costs Bends times as much as a slope, and straight lines are the limit of large Bends.
type Spline struct {
	Knots int     // of a feature, at most: from 1 to maxKnots, or from 0 with In
	Bends float64 // the penalty of bends relative to that of slopes, > 0
	// In has other numbers of knots of single features, from 0, as age=6,dose=0: by the name of a feature, by that of a
	// column of categories, whose features are NAME=CATEGORY, or by a number from 1. Names ascend. One with a comma, a
	// plus, quotes, a backslash or other than printed characters stands in double quotes, as in Go.
	In string
}

// String is spline:knots=K,bends=B,in=NAME=K,NAME=K, without in where it is "".
func (k Spline) String() string {
	s := fmt.Sprintf("spline:knots=%d,bends=%s", k.Knots, shortest(k.Bends))
	if k.In != "" {
		s += ",in=" + k.In
	}
	return s
}

// Check returns why k is none, or nil.
func (k Spline) Check() error {
	in, err := knots.Parse(k.In)
	switch {
	case err != nil:
		return err
	case in.String() != k.In:
		return fmt.Errorf("knots of single features of a spline are %s in this form, not %s", in, k.In)
	case k.Knots < 0 || k.Knots < 1 && in == nil || k.Knots > maxKnots:
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
	count := v["knots"]
	if count != math.Trunc(count) || math.Abs(count) > maxKnots {
		return nil, fmt.Errorf("a spline has from 1 to %d knots a feature, not %v", maxKnots, count)
	}
	return Spline{Knots: int(count), Bends: v["bends"]}, nil
}

// splines are the splines of parameters, the last of which may be the knots of single features.
func (f family) splines(spec, rest string) ([]Kernel, error) {
	rest, in, single := strings.Cut(","+rest, ",in=") // names may have commas
	rest = strings.TrimPrefix(rest, ",")
	splines, err := f.grid(spec, rest, rest != "" || !single)
	if err != nil {
		return nil, err
	}
	list, err := knots.Parse(in)
	if err != nil {
		return nil, err
	}
	if single && list == nil {
		return nil, fmt.Errorf("in= of a spline has no NAME=K")
	}
	for i := range splines {
		k := splines[i].(Spline)
		k.In = list.String()
		if err := k.Check(); err != nil {
			return nil, err
		}
		splines[i] = k
	}
	return splines, nil
}
