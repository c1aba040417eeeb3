package jsonrows

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// number reads a number as JSON writes it; it stands at the present place.
func (s *scanner) number() (float64, bool) {
	if v, ok := s.short(); ok {
		return v, true
	}
	first := s.at
	negative := s.at < len(s.text) && s.text[s.at] == '-'
	if negative {
		s.at++
	}
	d := decimal{whole: true}
	if !s.integer(&d) || !s.fraction(&d) || !s.exponent(&d) {
		return 0, false
	}
	if !d.whole {
		return parse(s.text[first:s.at])
	}
	v, sure := d.value(s.powers)
	if !sure {
		return parse(s.text[first:s.at])
	}
	if negative {
		v = -v
	}
	return v, true
}

// far is the largest number of characters that short reads: a sign, eight digits, a point, three
// times eight digits, and the next character.
const far = 1 + 8 + 1 + 24 + 1

// short reads a number of up to seven digits before the point and nineteen in all, without an
// exponent and not near the end of the text; most numbers are such. It leaves any other in place.
func (s *scanner) short() (float64, bool) {
	if len(s.text)-s.at < far {
		return 0, false
	}
	t := (*[far]byte)(s.text[s.at:])
	i := 0
	if t[0] == '-' {
		i = 1
	}
	w, k := uint64(t[i]-'0'), 1
	if w > 9 || t[i+1] != '.' {
		w, k = eight(binary.LittleEndian.Uint64(t[i:]))
	}
	if k == 0 || k == 8 || t[i] == '0' && k > 1 {
		return 0, false
	}
	count := 0
	if i += k; t[i] == '.' {
		var whole bool
		if w, count, whole = behind(w, t, i+1); count == 0 || !whole {
			return 0, false
		}
		i += 1 + count
	}
	if goesOn(t[i]) {
		return 0, false
	}
	v, sure := decimal{w: w, e: -count}.value(s.powers)
	if sure {
		s.at += i
	}
	if t[0] == '-' {
		v = -v
	}
	return v, sure
}

// behind puts up to 24 digits, from place i on, behind w, and returns how many they are and
// whether w has a place for all.
func behind(w uint64, t *[far]byte, i int) (all uint64, count int, whole bool) {
	for range 3 {
		v, k := eight(binary.LittleEndian.Uint64(t[i+count:]))
		if k < 8 {
			return w*wholeTens[k] + v, count + k, w < room[k]
		}
		if w >= room[8] {
			return 0, count, false
		}
		w = w*1e8 + v
		count += 8 // a constant, so that the next eight do not wait for these
	}
	return w, count, true
}

// parse reads by strconv the numbers that the fast paths leave.
func parse(text []byte) (float64, bool) {
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// decimal is w·10^e.
type decimal struct {
	w     uint64
	e     int
	whole bool // all digits are in w
}

// add puts k ≤ 8 further digits of value v behind w.
func (d *decimal) add(v uint64, k int) {
	if d.w >= room[k] {
		d.whole = false
		return
	}
	d.w = d.w*wholeTens[k] + v
}

// wholeTens are the first powers of ten.
var wholeTens = [9]uint64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// tens are powers of ten that a float64 holds.
var tens = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// room[k] is where w begins to have no place for k further digits.
var room = [9]uint64{math.MaxUint64, 1e18, 1e17, 1e16, 1e15, 1e14, 1e13, 1e12, 1e11}

// integer reads the digits before the point: 0, or some that do not begin with 0.
func (s *scanner) integer(d *decimal) bool {
	if s.at < len(s.text) && s.text[s.at] == '0' {
		s.at++
		return true
	}
	return s.digits(d) > 0
}

// fraction reads the point and the digits behind it, if there is a point.
func (s *scanner) fraction(d *decimal) bool {
	if s.at >= len(s.text) || s.text[s.at] != '.' {
		return true
	}
	s.at++
	count := s.digits(d)
	d.e = -count
	return count > 0
}

// exponent reads e and a whole number, if there is an e.
func (s *scanner) exponent(d *decimal) bool {
	if s.at >= len(s.text) || s.text[s.at]|0x20 != 'e' {
		return true
	}
	s.at++
	sign := 1
	if s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
		if s.text[s.at] == '-' {
			sign = -1
		}
		s.at++
	}
	const most = 10_000 // past every exponent of a number that fits
	first, e := s.at, 0
	for ; s.at < len(s.text) && isDigit(s.text[s.at]); s.at++ {
		e = min(most, 10*e+int(s.text[s.at]-'0'))
	}
	if e == most {
		d.whole = false
	}
	d.e += sign * e
	return s.at > first
}

// goesOn reports whether a number that ends before c ends too early.
func goesOn(c byte) bool { return isDigit(c) || c|0x20 == 'e' }

func isDigit(c byte) bool { return c-'0' <= 9 }

// digits reads digits, eight at a time where there are as many characters, and returns
// their number.
func (s *scanner) digits(d *decimal) (count int) {
	for s.at+8 <= len(s.text) {
		v, k := eight(binary.LittleEndian.Uint64(s.text[s.at:]))
		d.add(v, k)
		s.at += k
		count += k
		if k < 8 {
			return count
		}
	}
	for ; s.at < len(s.text) && isDigit(s.text[s.at]); s.at++ {
		d.add(uint64(s.text[s.at]-'0'), 1)
		count++
	}
	return count
}

// eight is how many of eight characters, the first in the lowest byte, are digits before
// the first that is none, and their value: pairs of digits are added up, then pairs of
// pairs, then these (Lemire 2021, section 5).
func eight(chars uint64) (value uint64, k int) {
	chars ^= 0x3030303030303030 // digits are 0 to 9 now, all others more
	other := (chars + 0x7676767676767676) | chars
	k = bits.TrailingZeros64(other&0x8080808080808080) / 8
	if k == 0 {
		return 0, 0
	}
	chars <<= 64 - 8*k // zeros before the digits
	chars = chars * 2561 >> 8
	chars = (chars & 0x00FF00FF00FF00FF) * 6553601 >> 16
	return (chars & 0x0000FFFF0000FFFF) * 42949672960001 >> 32, k
}

// value is the float64 nearest to the number, if a short way gives it.
func (d decimal) value(table *[2*widest + 1]power) (float64, bool) {
	if v, sure := d.exact(); sure {
		return v, true
	}
	return d.nearest(table)
}

// exact is the number where one floating-point operation on exact numbers gives it.
func (d decimal) exact() (float64, bool) {
	if d.w >= 1<<53 || d.e < -22 || d.e > 22 {
		return 0, d.w == 0
	}
	if d.e < 0 {
		return float64(d.w) / tens[-d.e], true
	}
	return float64(d.w) * tens[d.e], true
}
