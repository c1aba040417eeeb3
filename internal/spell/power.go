package spell

import (
	"math"
	"strconv"
)

// Power writes a number as a power of two where it is one, the exponent in halves, as
// 2^-3 and 2^14.5, else with six digits.
func Power(v float64) string {
	if v == 0 {
		return "0"
	}
	if exponent := math.Round(2*math.Log2(v)) / 2; math.Pow(2, exponent) == v {
		return "2^" + strconv.FormatFloat(exponent, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
