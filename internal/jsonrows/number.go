package jsonrows

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// number reads a number as JSON writes it; it stands at the present place.
func (s *scanner) number() (float64, bool) {
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

// far is the largest number of characters that short looks at: a sign, eight digits, a point and three
// times eight digits.
const far = 1 + 8 + 1 + 24

// short reads a number of up to seven digits before the point and nineteen in all, without an
// exponent, and returns how many characters it takes; most numbers are such. It returns 0 for some
// others, and of all others a part, which no comma or bracket follows. Sign, number of digits and
// rounding take no branches: they differ from number to number, and a branch that is not foreseen
// costs as much as sixteen digits.
func short(t *[far]byte, powers *[2*widest + 1]power) (v float64, length int) {
	minus := (uint64(t[0]^'-') - 1) >> 63
	i := int(minus)
	w, k := uint64(t[i]-'0'), 1
	if w > 9 || t[i+1] != '.' {
		w, k = eight(binary.LittleEndian.Uint64(t[i:]))
		if k == 0 || k == 8 || t[i] == '0' && k > 1 {
			return 0, 0
		}
	}
	count := 0
	if i += k; t[i] == '.' {
		i++
		if w, count = behind(w, (*[24]byte)(t[i:])); count == 0 {
			return 0, 0
		}
		i += count
	}
	d := decimal{w: w, e: -count}
	const many = 15 // from so many digits on, most numbers are no quotient of exact ones
	sure := false
	if count > many && w > 0 {
		v, sure = d.nearest(powers)
	} else {
		v, sure = d.value(powers)
	}
	if !sure {
		return 0, 0
	}
	return math.Float64frombits(math.Float64bits(v) | minus<<63), i
}

// behind puts up to 23 digits behind w, and returns how many they are: 0 too where w has no place
// for all.
func behind(w uint64, t *[24]byte) (all uint64, count int) {
	digits, others := split(binary.LittleEndian.Uint64(t[:]))
	if others == 0 {
		w = w*1e8 + joined(digits)
		digits, others = split(binary.LittleEndian.Uint64(t[8:]))
		count = 8
		if others == 0 {
			if w >= room[8] {
				return 0, 0
			}
			w = w*1e8 + joined(digits)
			digits, others = split(binary.LittleEndian.Uint64(t[16:]))
			count = 16
		}
	}
	if others == 0 {
		return 0, 0
	}
	v, k := begin(digits, others)
	if w >= room[k] {
		return 0, 0
	}
	return w*wholeTens[k] + v, count + k
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
// the first that is none, and their value.
func eight(chars uint64) (value uint64, k int) {
	digits, others := split(chars)
	if others == 0 {
		return joined(digits), 8
	}
	return begin(digits, others)
}

// split is the digits of eight characters, each in its byte, and the highest bit of the bytes of those that
// are none. Behind the first that is none a byte may be wrong.
func split(chars uint64) (digits, others uint64) {
	digits = chars ^ 0x3030303030303030 // 0 to 9 now, all others more
	return digits, ((digits + 0x7676767676767676) | digits) & 0x8080808080808080
}

// begin is the value of the digits before the first that is none, and how many they are, from 0 to 7.
func begin(digits, others uint64) (value uint64, k int) {
	end := bits.TrailingZeros64(others) & 63
	return joined(digits << (63 - end) << 8), end / 8 // zeros before the digits
}

// joined is the value of eight digits: pairs of digits are added up, then pairs of pairs, then
// these (Lemire 2021, section 5).
func joined(digits uint64) uint64 {
	digits = digits * 2561 >> 8
	digits = (digits & 0x00FF00FF00FF00FF) * 6553601 >> 16
	return (digits & 0x0000FFFF0000FFFF) * 42949672960001 >> 32
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
