package table

import (
	"math"
	"strconv"
)

// powers of ten that a float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseShort reads a number of at most 15 digits without an exponent. Both the digits and the power
// of ten are exact then, so that the one division rounds as strconv.ParseFloat does (Clinger, 1990,
// How to read floating point numbers accurately). ok is false for other texts.
func parseShort(text string) (x float64, ok bool) {
	i := 0
	if text != "" && (text[0] == '-' || text[0] == '+') {
		i = 1
	}
	from, point, mantissa := i, -1, uint64(0)
	for ; i < len(text); i++ {
		if c := text[i] - '0'; c <= 9 {
			mantissa = 10*mantissa + uint64(c)
		} else if text[i] == '.' && point < 0 {
			point = i
		} else {
			return 0, false
		}
	}
	digits, fraction := i-from, 0
	if point >= 0 {
		digits, fraction = digits-1, i-point-1
	}
	if digits == 0 || digits >= len(powers) {
		return 0, false
	}
	if x = float64(mantissa) / powers[fraction]; text[0] == '-' {
		x = -x
	}
	return x, true
}

// parseNumber reads a finite decimal number.
func parseNumber(text string) (float64, bool) {
	if x, ok := parseShort(text); ok {
		return x, true
	}
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0)
}
