// Package ratio has standard errors of ratios over independent units, and says over how many units they are.
package ratio

import (
	"fmt"
	"math"
	"strings"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// LeastUnits is the number of independent units below which nothing has a standard error or an interval.
const LeastUnits = 3

// fewEffective is the number of effective units below which they are told.
const fewEffective = 5

// rounding is far more than that of Effective, and uneven what it lacks of a whole number where the units are nearly
// alike, as folds of a number of rows that they do not divide.
const rounding, uneven = 1e-9, 1e-2

// StandardError is the standard error of a share over some independent units, from its square. It is not Defined over
// fewer than LeastUnits units, nor where it is 0 but for rounding: units that all agree do not say how others vary.
func StandardError(variance float64, units int) metric.Value {
	const zero = 0x1p-98 // a share is rounded by some 2⁻⁵³
	if units < LeastUnits || !(variance > zero) || math.IsInf(variance, 1) {
		return metric.Value{}
	}
	return metric.Value{Value: math.Sqrt(variance), Defined: true}
}

// Few reports whether the units are too few for a standard error, or one has nearly all of the weight.
func Few(o metric.Over) bool { return o.N > 0 && Counting(o) < LeastUnits || RarelySeen(o) }

// RarelySeen reports whether one of two labels has too few rows.
func RarelySeen(o metric.Over) bool { return o.Rarer > 0 && o.Rarer < LeastUnits }

// Counting is the number of units that an interval may count on: the whole part of Effective where that is less than
// fewEffective, else N.
func Counting(o metric.Over) int {
	if Weighs(o) {
		return int(o.Effective + uneven)
	}
	return o.N
}

// Weighs reports whether the effective units are fewer than fewEffective.
func Weighs(o metric.Over) bool { return o.Effective > 0 && o.Effective < fewEffective-rounding }

// Freedom is the degrees of freedom of a variance over the units: one less than their number, or than the nearest to
// Effective where these are fewer than fewEffective, but no less than those of LeastUnits units.
func Freedom(o metric.Over) int {
	n := o.N
	if Weighs(o) {
		n = min(n, max(LeastUnits, int(math.Round(o.Effective))))
	}
	return n - 1
}

// Text counts the units, with the effective ones where these are few.
func Text(o metric.Over) string {
	all := spell.Plural(o.N, o.Of)
	if !Weighs(o) || o.Effective > float64(o.N)-rounding {
		return all
	}
	return fmt.Sprintf("%.1f effective %s of %d", o.Effective, strings.TrimPrefix(spell.Plural(2, o.Of), "2 "), o.N)
}

// Doubt says over what a standard error is and why that is doubtful, "" where it is not, and where there is none. Few
// units that are alike have a standard error that is itself uncertain: of three, Student's interval is in the median
// 1.8 times as wide as one over many, and in one of twenty samples less than half as wide. If few of the units have
// most of the weight, it is mostly theirs.
func Doubt(o metric.Over) string {
	const alike = 0.9 // as many by weight as by number
	switch {
	case o.N < LeastUnits:
		return ""
	case Weighs(o) && o.Effective < alike*float64(o.N):
		return Text(o) + ": few have most of the weight, so that an interval may be too narrow"
	case o.N < fewEffective:
		return spell.Plural(o.N, o.Of) + ": over so few a standard error is itself uncertain, so that an interval is " +
			"mostly too wide and may be much too narrow"
	}
	return ""
}

// Error returns the standard error of e = Σ Num / Σ Den over independent units, by leaving out each of n units
// with Den > 0 (the jackknife: Quenouille 1956, Tukey 1958; Efron and Stein 1981, The jackknife estimate of variance),
//
//	√((n−1)/n Σ_g (e_(g) − e)²)        e_(g) = (Σ Num − Num_g)/(Σ Den − Den_g)
//
// For units of equal Den it is √(n/(n−1) Σ_g (Num_g − e Den_g)²) / Σ Den. It follows StandardError. Cost O(units).
func Error(units []metric.Term) (metric.Value, metric.Over) { return CountedError(units, nil) }

// CountedError is RatioError of units of which there are so many alike; nil is one of each. Cost O(units).
func CountedError(units []metric.Term, times []float64) (metric.Value, metric.Over) {
	var all metric.Term
	for k, t := range units {
		n := countOf(times, k)
		all.Num, all.Den = all.Num+n*t.Num, all.Den+n*t.Den
	}
	variance, over := leavingEach(all, units, times)
	return StandardError(variance, over.N), over
}

// CrossedError is the standard error of all.Num/all.Den by leaving out each unit of one or more ways to group its
// pairs, whose variances are added: as row nodes and column nodes group those of edges. A pair may be in several units
// of a way, as in both of its columns. For k pairs a unit each this is within (n−1)/(n−2) of the linear formula
// √(n/(n−1) Σ_g (Num_g − e Den_g)²) / all.Den, which is too small for few units. It is not Defined where a way has
// fewer than LeastUnits units or one is in all pairs, and follows StandardError. Cost O(units).
func CrossedError(all metric.Term, ways ...[]metric.Term) metric.Value {
	variance, least := 0.0, math.MaxInt
	for _, units := range ways {
		v, over := leavingEach(all, units, nil)
		variance, least = variance+v, min(least, over.N)
	}
	return StandardError(variance, least)
}

// leavingEach is the variance of all.Num/all.Den by leaving out each unit, (n−1)/n Σ_g (e_(g) − e)²; it is infinite
// where a unit is in all pairs. Over.Effective counts the pairs of a unit as its alone.
func leavingEach(all metric.Term, units []metric.Term, times []float64) (variance float64, over metric.Over) {
	n, den, squares, sum := 0.0, 0.0, 0.0, 0.0
	for k, t := range units {
		if t.Den == 0 {
			continue
		}
		c := countOf(times, k)
		n, den, squares = n+c, den+c*t.Den, squares+c*t.Den*t.Den
		apart := (t.Num - all.Num/all.Den*t.Den) / (all.Den - t.Den) // e − e_(g)
		if t.Den == all.Den {
			apart = math.Inf(1)
		}
		sum += c * apart * apart
	}
	if n == 0 {
		return 0, over
	}
	over.N, over.Effective = int(math.Ceil(n)), den*den/squares
	return (n - 1) / n * sum, over
}

// countOf is times[k], 1 without any.
func countOf(times []float64, k int) float64 {
	if times == nil {
		return 1
	}
	return times[k]
}
