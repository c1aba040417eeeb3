package cv

import (
	"math"

	"pairrank/internal/student"
)

// Difference compares two procedures by their errors over the same held-out pairs.
type Difference struct {
	// Error is the error of the first procedure less that of the second. The difference of their areas under the
	// ROC curve is −Error.
	Error float64
	// Pairs is the number of held-out pairs. Draws is the number of draws of nested folds that both procedures made, 1
	// for all other estimates.
	Pairs int64
	Draws int
	// Interval is the 95 % interval of Error. It is Defined if both procedures have Halves and their errors differ in
	// some half.
	Interval Interval
	// Halves are half-samples of the differences, nil unless both procedures have half-samples.
	Halves *Halves
}

// Minus returns the difference of the errors a and b of two procedures over the same pairs; k is the number of their
// value in the half-samples. The halves of both have the same units, so what the procedures share cancels. With the
// differences d₁ and d₂ of the two halves of a split, the interval is
//
//	V = max(H, 2B) · max of both factors of Variance        a − b ± t √V
//
// cut to [−1,1], with the 97.5 % quantile t of Student's distribution with units − 1 degrees of freedom. H is the mean
// of (d₁ − d₂)²/4, and B is Halves.Both of the differences. Without a signal both H and 2B estimate the variance, but H
// is proportional to the chance signal of these rows; for a mean over units B is 0. B is used only if both Halves are
// Given, with nothing drawn but the halves: drawn folds add half as much as 2B would. A split counts if it counts for
// both procedures. Either Halves may be nil. It costs O(splits).
func Minus(a, b Point, first, second *Halves, k int) Difference {
	return minus(a, b, first, second, k, first != nil && second != nil && first.Given && second.Given)
}

// minus is Minus, with B if nothing is drawn but the halves.
func minus(a, b Point, first, second *Halves, k int, alone bool) Difference {
	d := Difference{Error: a.Error - b.Error, Pairs: a.Pairs, Draws: 1}
	if first == nil || second == nil || first.Units != second.Units {
		return d
	}
	values := make([][2][]float64, min(len(first.values), len(second.values)))
	for s := range values {
		for half := range 2 {
			if x, y := first.values[s][half], second.values[s][half]; x != nil && y != nil {
				values[s][half] = []float64{x[k] - y[k]}
			}
		}
	}
	d.Halves = newHalves(values)
	d.Halves.Units, d.Halves.Of = first.Units, first.Of
	if 2*d.Halves.Splits < len(values) {
		d.Halves = nil
		return d
	}
	v := d.Halves.Half[0]
	if alone {
		v = max(v, 2*d.Halves.Both[0])
	}
	if v *= max(first.shrink(a.Error, k), second.shrink(b.Error, k)); v > 0 {
		half := student.Quantile975(d.Halves.Units-1) * math.Sqrt(v)
		d.Interval = Interval{Lo: max(-1, d.Error-half), Hi: min(1, d.Error+half), Defined: true}
	}
	return d
}

// MinusNested is Minus of two nested estimates, over the draws of the folds that both made. Their outer folds must be
// the same. It costs O(splits).
func MinusNested(a, b *NestedEstimate) Difference {
	draws := min(len(a.Draws), len(b.Draws))
	d := minus(OfDraws(a.Draws[:draws]), OfDraws(b.Draws[:draws]), a.Halves, b.Halves, 0,
		a.Outer.Kind == LeavePairOut || a.Outer.Kind == LeaveQueryOut)
	d.Draws = draws
	return d
}
