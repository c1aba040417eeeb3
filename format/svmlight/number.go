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
	negative, i := sign(line, i)
	from := i
	mantissa, i := digitsFrom(line, i, 0)
	digits, power := i-from, 0
	if i < len(line) && line[i] == '.' {
		i++
		from = i
		mantissa, i = digitsFrom(line, i, mantissa)
		power = from - i
		digits += i - from
	}
	if digits == 0 {
		return 0, i, false
	}
	if i < len(line) && !ends[line[i]] {
		e, after, ok := exponent(line, i)
		if !ok {
			return 0, after, false
		}
		power, i = power+e, after
	}
	// Up to 19 digits the mantissa has not overflowed.
	if digits <= 19 && mantissa <= 1<<53 && -22 <= power && power <= 22 {
		if x = scaled(mantissa, power); negative {
			x = -x
		}
		return x, i, true
	}
	x, err := strconv.ParseFloat(string(line[start:i]), 64)
	return x, i, err == nil && !math.IsInf(x, 0)
}

// sign reads a sign at line[i], where there is one, and returns where it ends.
func sign(line []byte, i int) (negative bool, end int) {
	if i < len(line) && (line[i] == '-' || line[i] == '+') {
		return line[i] == '-', i + 1
	}
	return false, i
}

// digitsFrom appends the digits at line[i] to mantissa, and returns where they end.
func digitsFrom(line []byte, i int, mantissa uint64) (uint64, int) {
	for i < len(line) && line[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(line[i]-'0')
		i++
	}
	return mantissa, i
}

// scaled is mantissa·10^power, for a power of at most 22.
func scaled(mantissa uint64, power int) float64 {
	if power < 0 {
		return float64(mantissa) / powers[-power]
	}
	return float64(mantissa) * powers[power]
}

// exponent reads e[+-]digits at line[i], up to the end of the field; an exponent past
// any float64 is cut, which leaves the number to strconv.
func exponent(line []byte, i int) (e, end int, ok bool) {
	if line[i]|0x20 != 'e' {
		return 0, i, false
	}
	i++
	negative, i := sign(line, i)
	from := i
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		if e < 100_000 {
			e = e*10 + int(line[i]-'0')
		}
	}
	if negative {
		e = -e
	}
	return e, i, i > from && (i == len(line) || ends[line[i]])
}
