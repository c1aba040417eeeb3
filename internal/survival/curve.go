// Package survival estimates the share of rows that have had no event by a time, from times some of which are censored.
package survival

import (
	"cmp"
	"math"
	"slices"

	"pairrank/internal/ostat"
	"pairrank/internal/pick"
)

// Step is a time of an event.
type Step struct {
	Time     float64
	Survival float64 // from this time on
	StdErr   float64 // of Survival; NaN where it is 0
	Events   int     // until this time
}

// Curve is the Kaplan–Meier estimate (1958, Nonparametric estimation from incomplete observations).
type Curve struct {
	Steps []Step
	times []float64 // of all rows, ascending
}

// New estimates the curve of some rows in O(n log n). Of d events among the n rows whose time is not below theirs it
// takes a factor of 1 − d/n, and its standard error is Greenwood's (1926), S √(Σ d/(n(n−d))). It panics for a time of
// NaN, as Thirds for a score.
func New(times []float64, censored []bool, rows []int32) *Curve {
	order := sorted(rows, times)
	c := &Curve{times: make([]float64, len(order))}
	share, sum, events := 1.0, 0.0, 0
	for a := 0; a < len(order); {
		d, b := 0.0, a
		for ; b < len(order) && times[order[b]] == times[order[a]]; b++ {
			if c.times[b] = times[order[b]]; !censored[order[b]] {
				d++
			}
		}
		if n := float64(len(order) - a); d > 0 {
			share, sum, events = share*(1-d/n), sum+d/(n*(n-d)), events+int(d)
			c.Steps = append(c.Steps, Step{c.times[a], share, share * math.Sqrt(sum), events}) // 0 · ∞ is NaN
		}
		a = b
	}
	return c
}

// sorted are rows by ascending values.
func sorted(rows []int32, values []float64) []int32 {
	order := make([]int32, len(rows))
	var sort ostat.Argsorter
	if !sort.ArgsortTo(order, pick.Rows(values, rows)) {
		panic("survival: a value is NaN")
	}
	return pick.Rows(rows, order)
}

// At is the last step that is not after a time; before the first the survival is 1 and its standard error NaN.
func (c *Curve) At(time float64) Step {
	k, found := slices.BinarySearchFunc(c.Steps, time, func(s Step, t float64) int { return cmp.Compare(s.Time, t) })
	if found {
		k++
	}
	if k == 0 {
		return Step{Survival: 1, StdErr: math.NaN()}
	}
	return c.Steps[k-1]
}

// AtRisk is the number of rows whose time is not below a time.
func (c *Curve) AtRisk(time float64) int {
	k, _ := slices.BinarySearch(c.times, time)
	return len(c.times) - k
}

// Last is the longest time, 0 without rows.
func (c *Curve) Last() float64 {
	if len(c.times) == 0 {
		return 0
	}
	return c.times[len(c.times)-1]
}

// Interval is the 95 % interval on the scale of log(−log S), S^exp(±z σ/(S log S)) (Kalbfleisch and Prentice 1980, The
// statistical analysis of failure time data). It is not ok where the survival is 1 or 0.
func (s Step) Interval() (lo, hi float64, ok bool) {
	const z = 1.959963984540054
	if !(s.StdErr > 0) || s.Survival == 1 {
		return 0, 0, false
	}
	half := z * s.StdErr / (s.Survival * math.Log(s.Survival)) // below 0
	return math.Pow(s.Survival, math.Exp(-half)), math.Pow(s.Survival, math.Exp(half)), true
}

// Thirds are the rows with the lowest, the middle and the highest third of the scores within each of some parts, by the
// mean rank of equal scores, which stay together. It costs O(m log m).
func Thirds(scores []float64, parts [][]int32) (thirds [3][]int32) {
	for _, part := range parts {
		order := sorted(part, scores)
		for a, b := 0, 0; a < len(order); a = b {
			for b = a; b < len(order) && scores[order[b]] == scores[order[a]]; b++ {
			}
			third := 3 * (a + b) / (2 * len(order))
			thirds[third] = append(thirds[third], order[a:b]...)
		}
	}
	return thirds
}
