package figure

import (
	"fmt"
	"math"
	"slices"
)

// axis has a length in points and runs from lo to hi, logarithmic or linear.
type axis struct {
	lo, hi, length float64
	linear         bool
	ticks          []float64
}

// mostTicks is how many labels an axis has room for.
const mostTicks = 10

// tickRoom is how far apart labels of values are at least.
const tickRoom = 12

// newAxis is an axis for positive values. Its ticks are the values themselves,
// or round numbers, at which it then begins and ends; fewer where they are many.
func newAxis(values []float64, length float64, rounded bool) axis {
	lo, hi := slices.Min(values), slices.Max(values)
	a := axis{length: length}
	if rounded {
		a.setRound(lo, hi)
	} else {
		const margin = 1.15
		a.lo, a.hi = lo/margin, hi*margin
		for _, v := range slices.Sorted(slices.Values(values)) {
			if n := len(a.ticks); n == 0 || a.at(v)-a.at(a.ticks[n-1]) > tickRoom {
				a.ticks = append(a.ticks, v)
			}
		}
	}
	for len(a.ticks) > mostTicks {
		for k := 0; 2*k < len(a.ticks); k++ {
			a.ticks[k] = a.ticks[2*k]
		}
		a.ticks = a.ticks[:(len(a.ticks)+1)/2]
	}
	return a
}

// newLinear is a linear axis from one multiple of 1, 2 or 5 times a power of ten to
// another, with ticks at those between.
func newLinear(values []float64, length float64) axis {
	const steps = 6 // at most
	lo, hi := slices.Min(values), slices.Max(values)
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	first, _ := around(coarse, (hi-lo)/steps, (hi-lo)/steps)
	step := round(coarse, first)
	for (hi-lo)/step > steps {
		first++
		step = round(coarse, first)
	}
	a := axis{length: length, linear: true}
	for k := math.Floor(lo/step + closeness); ; k++ {
		a.ticks = append(a.ticks, k*step)
		if k*step >= hi-closeness*step {
			break
		}
	}
	a.lo, a.hi = a.ticks[0], a.ticks[len(a.ticks)-1]
	return a
}

// coarse and fine are the round numbers of a decade.
var (
	coarse = []float64{1, 2, 5}
	fine   = []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}
)

// round returns the k-th of the round numbers of all decades; number 0 is 1.
func round(of []float64, k int) float64 {
	decade := int(math.Floor(float64(k) / float64(len(of))))
	return of[k-len(of)*decade] * math.Pow(10, float64(decade))
}

// setRound sets the ends to round numbers around lo and hi, with ticks at all round numbers
// between. Where those are too many, only powers of ten are ticks; where they are few, ends and
// ticks use the finer ones.
func (a *axis) setRound(lo, hi float64) {
	among := coarse
	first, last := around(coarse, lo, hi)
	a.lo, a.hi = round(coarse, first), round(coarse, last)
	if steps := last - first; steps+1 > mostTicks {
		among = coarse[:1]
	} else if steps <= 2 {
		among = fine
		first, last = around(fine, lo, hi)
		a.lo, a.hi = round(fine, first), round(fine, last)
	}
	for k := len(among) * int(math.Floor(math.Log10(a.lo)-closeness)); round(among, k) <= a.hi*(1+closeness); k++ {
		if v := round(among, k); v >= a.lo*(1-closeness) {
			a.ticks = append(a.ticks, v)
		}
	}
}

// around is the numbers of the last round number up to lo, and of the first from
// hi on.
func around(of []float64, lo, hi float64) (first, last int) {
	first = len(of) * int(math.Floor(math.Log10(lo)))
	for round(of, first+1) <= lo {
		first++
	}
	last = first + 1
	for round(of, last) < hi {
		last++
	}
	return first, last
}

// closeness is the relative difference up to which round numbers are equal.
const closeness = 1e-9

// at is where a value is on the axis.
func (a axis) at(v float64) float64 {
	if a.linear {
		return a.length * (v - a.lo) / (a.hi - a.lo)
	}
	return a.length * math.Log(v/a.lo) / math.Log(a.hi/a.lo)
}

// in writes a value in the largest unit that does not exceed it.
func in(v float64, units []unit) string {
	for _, u := range units {
		if v >= u.size*(1-closeness) {
			return Plain(v/u.size) + " " + u.name
		}
	}
	last := units[len(units)-1]
	return Plain(v/last.size) + " " + last.name
}

type unit struct {
	size float64
	name string
}

// Tick writes the value at a tick of an axis.
type Tick func(v float64) string

// Seconds is 20 ms for 0.02.
func Seconds(v float64) string { return in(v, []unit{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}}) }

// Bytes is 20 MB for 2e7.
func Bytes(v float64) string { return in(v, []unit{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}) }

// Thousands is 512k for 512000, and a whole number below 1000.
func Thousands(v float64) string {
	if v >= 1000 && math.Mod(v, 1000) == 0 {
		return fmt.Sprintf("%.0fk", v/1000)
	}
	return fmt.Sprintf("%.0f", v)
}

// Plain is three digits, or a whole number from 1000 on.
func Plain(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
