package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Axis is an axis of a Plot. Its range covers the data and Include, with some room around them.
type Axis struct {
	Label   string
	Powers  bool // of two, as of λ: all values are greater than 0
	Include []float64
	Within  *[2]float64 // bounds of the range, such as those of a share; nil is none
	Tick    Tick        // nil is Short
	Ticks   []float64   // nil is round numbers of the range
}

// Ticks are the multiples from 0 to hi of the least round step of which there are at most so many.
func Ticks(hi float64, most int) (ticks []float64) {
	step := roundStep(hi / float64(most))
	for k := 0.0; k*step <= hi; k++ {
		ticks = append(ticks, k*step)
	}
	return ticks
}

// scale is an axis of some length over a range.
type scale struct {
	lo, hi, length float64
	powers         bool
	ticks          []float64
	texts          []string
}

// mostLabels is how many ticks an axis of a Plot has at most.
const mostLabels = 8

// newScale returns the scale of values, ignoring NaN, with at most so many ticks.
func (a *Axis) newScale(values []float64, length float64, most int) scale {
	s := scale{lo: math.Inf(1), hi: math.Inf(-1), length: length, powers: a.Powers}
	for _, list := range [][]float64{values, a.Include} {
		for _, v := range list {
			if v = s.coordinate(v); !math.IsNaN(v) && !math.IsInf(v, 0) {
				s.lo, s.hi = min(s.lo, v), max(s.hi, v)
			}
		}
	}
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1
	}
	s.widen(a.Within)
	if a.Ticks != nil {
		s.ticks, s.texts = a.Ticks, texts(a.Ticks)
		if a.Tick != nil {
			for k, v := range a.Ticks {
				s.texts[k] = a.Tick(v)
			}
		}
		return s
	}
	s.setTicks(a.Tick, float64(most))
	return s
}

// coordinate is a value, or the exponent of a power of two.
func (s *scale) coordinate(v float64) float64 {
	if s.powers {
		return math.Log2(v)
	}
	return v
}

// widen leaves some room at the ends, but not beyond within.
func (s *scale) widen(within *[2]float64) {
	const share = 0.06
	room := share * (s.hi - s.lo)
	if room <= math.Abs(s.hi)*1e-9 { // a single value
		room = max(math.Abs(s.hi)*share, share)
		if s.powers {
			room = 1
		}
	}
	lo, hi := s.lo, s.hi
	s.lo, s.hi = lo-room, hi+room
	if within != nil {
		s.lo, s.hi = max(s.lo, min(within[0], lo)), min(s.hi, max(within[1], hi))
	}
}

// setTicks sets round ticks: of powers of two whole exponents.
func (s *scale) setTicks(tick Tick, most float64) {
	step := roundStep((s.hi - s.lo) / most)
	if s.powers {
		step = max(1, math.Ceil((s.hi-s.lo)/mostLabels))
	}
	const near = 1e-9
	for k := math.Ceil(s.lo/step - near); k <= s.hi/step+near && float64(len(s.ticks)) <= most; k++ {
		v := k*step + 0 // not −0
		s.ticks = append(s.ticks, v)
		switch {
		case s.powers && tick != nil:
			s.texts = append(s.texts, tick(math.Exp2(v)))
		case s.powers:
			s.texts = append(s.texts, Power(math.Exp2(v)))
		case tick != nil:
			s.texts = append(s.texts, tick(v))
		default:
			s.texts = append(s.texts, decimals(v, step))
		}
	}
}

// texts are those of given ticks, by their distance.
func texts(ticks []float64) []string {
	out := make([]string, len(ticks))
	for k, v := range ticks {
		out[k] = decimals(v, ticks[min(1, len(ticks)-1)]-ticks[0])
	}
	return out
}

// roundStep is 1, 2 or 5 times a power of ten, the least that is not below.
func roundStep(least float64) float64 {
	if !(least > 0) || math.IsInf(least, 0) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(least)))
	for _, n := range []float64{1, 2, 5} {
		if n*ten >= least*(1-closeness) {
			return n * ten
		}
	}
	return 10 * ten
}

// decimals writes a multiple of a step with the decimals that the step has.
func decimals(v, step float64) string {
	if v == 0 {
		return "0"
	}
	if digits := -int(math.Floor(math.Log10(step) + closeness)); digits <= 6 && math.Abs(v) < 1e6 {
		return minus(strconv.FormatFloat(v, 'f', max(0, digits), 64))
	}
	return Short(v)
}

// at is where a value is on the scale.
func (s *scale) at(v float64) float64 { return s.place(s.coordinate(v)) }

func (s *scale) place(v float64) float64 { return s.length * (v - s.lo) / (s.hi - s.lo) }

// crowded reports whether the labels of the ticks of an axis of x meet.
func (s *scale) crowded() bool {
	const gap = 8
	for k := 1; k < len(s.ticks); k++ {
		if s.place(s.ticks[k])-s.place(s.ticks[k-1]) < (width(s.texts[k])+width(s.texts[k-1]))/2+gap {
			return true
		}
	}
	return false
}

// Short writes a number with four digits and a minus sign (−).
func Short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return minus(strconv.FormatFloat(v, 'g', 4, 64))
}

func minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// Power is 2⁻³ for a power of two with a whole exponent, 2^14.5 for one in halves, else
// the number with six digits.
func Power(v float64) string {
	exponent := math.Round(2*math.Log2(v)) / 2
	switch {
	case math.Exp2(exponent) != v:
		return minus(strconv.FormatFloat(v, 'g', 6, 64))
	case exponent != math.Trunc(exponent):
		return fmt.Sprintf("2^%g", exponent)
	}
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	text := "2"
	for _, r := range strconv.Itoa(int(exponent)) {
		if r == '-' {
			text += "⁻"
		} else {
			text += string(digits[r-'0'])
		}
	}
	return text
}
