package svmlight

import (
	"math"
	"strconv"
)

// powers of ten that float64 holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// ends marks the bytes that end a field.
var ends = [256]bool{' ': true, '\t': true, '#': true}

// number reads the decimal number that starts at line[i] and returns it with
// the index after it. ok is false when the field that starts at i is not
// [+-]digits[.digits][e[+-]digits], with at least one digit before the
// exponent, or is too large for a float64. The result is the float64 nearest to
// the decimal number, the one strconv.ParseFloat returns.
//
// A number whose digits fit in 53 bits and whose power of ten is at most 22 is
// one exact multiplication or division (Clinger, 1990, How to read floating
// point numbers accurately); the others go to strconv.
func number(line []byte, i int) (x float64, end int, ok bool) {
	start := i
	negative := false
	if i < len(line) && (line[i] == '-' || line[i] == '+') {
		negative = line[i] == '-'
		i++
	}
	var mantissa uint64
	from := i
	for i < len(line) && line[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(line[i]-'0')
		i++
	}
	digits, power := i-from, 0
	if i < len(line) && line[i] == '.' {
		i++
		from = i
		for i < len(line) && line[i]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(line[i]-'0')
			i++
		}
		power = from - i
		digits += i - from
	}
	if digits == 0 {
		return 0, i, false
	}
	if i < len(line) && line[i]|0x20 == 'e' {
		exponent, after, found := exponent(line, i+1)
		if !found {
			return 0, after, false
		}
		power, i = power+exponent, after
	}
	if i < len(line) && !ends[line[i]] {
		return 0, i, false
	}
	// Up to 19 digits the mantissa has not overflowed.
	if digits <= 19 && mantissa <= 1<<53 && -22 <= power && power <= 22 {
		x = float64(mantissa)
		if power < 0 {
			x /= powers[-power]
		} else {
			x *= powers[power]
		}
		if negative {
			x = -x
		}
		return x, i, true
	}
	x, err := strconv.ParseFloat(string(line[start:i]), 64)
	return x, i, err == nil && !math.IsInf(x, 0)
}

// exponent reads [+-]digits at line[i]; an exponent past any float64 is cut,
// which leaves the number to strconv.
func exponent(line []byte, i int) (e, end int, ok bool) {
	negative := false
	if i < len(line) && (line[i] == '-' || line[i] == '+') {
		negative = line[i] == '-'
		i++
	}
	from := i
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		if e < 100_000 {
			e = e*10 + int(line[i]-'0')
		}
	}
	if negative {
		e = -e
	}
	return e, i, i > from
}
