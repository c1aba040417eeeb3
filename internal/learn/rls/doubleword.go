package rls

import "math"

// doubles are numbers as unevaluated sums hi + lo of two float64, about 32 digits, with
// hi the sum rounded to one. They are added by the algorithms of Joldes, Muller and
// Popescu (2017, Tight and rigorous error bounds for basic building blocks of double-word
// arithmetic, algorithms 4 and 6), whose relative errors are at most 2u² and 3u² + 13u³
// for u = 2⁻⁵³, the latter where the signs agree.
type doubles struct{ hi, lo []float64 }

func newDoubles(n int) doubles { return doubles{make([]float64, n), make([]float64, n)} }

// grow appends zeros up to a length of n.
func (d *doubles) grow(n int) {
	if more := n - len(d.hi); more > 0 {
		d.hi = append(d.hi, make([]float64, more)...)
		d.lo = append(d.lo, make([]float64, more)...)
	}
}

// slice is the part [lo,hi), which shares the memory.
func (d doubles) slice(lo, hi int) doubles { return doubles{d.hi[lo:hi], d.lo[lo:hi]} }

// addFloats adds x, of the same length.
func (d doubles) addFloats(x []float64) {
	hi, lo := d.hi[:len(x)], d.lo[:len(x)]
	for i, v := range x {
		s, e := twoSum(hi[i], v)
		e += lo[i]
		hi[i] = s + e
		lo[i] = e - (hi[i] - s)
	}
}

// add adds sign times x, of the same length, with sign 1 or −1. Where a subtraction leaves less
// than 2⁻⁹⁰ of the subtracted number, the rest is rounding and becomes 0. Where x has no lo, and
// sign is 1, lo is 0.
func (d doubles) add(sign float64, x doubles) {
	const rounding = 0x1p-90
	if x.lo == nil {
		d.addFloats(x.hi)
		return
	}
	hi, lo := d.hi[:len(x.hi)], d.lo[:len(x.hi)]
	for i, v := range x.hi {
		s, e := twoSum(hi[i], sign*v)
		t, f := twoSum(lo[i], sign*x.lo[i])
		e += t
		h := s + e
		f += e - (h - s)
		hi[i] = h + f
		lo[i] = f - (hi[i] - h)
		if sign < 0 && math.Abs(hi[i]) <= rounding*math.Abs(v) {
			hi[i], lo[i] = 0, 0
		}
	}
}

// twoSum is a + b as s + e with s the sum rounded, exactly (Knuth 1969, The art of
// computer programming, volume 2, section 4.2.2, theorem B).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}
