package textline

import (
	"math"
	"strconv"
	"strings"
)

// ExactInteger bounds the whole numbers that a float64 holds exactly: from it on some are missing.
const ExactInteger = 1 << 53

// RoundedName says what a number is for which LostDigits holds.
const RoundedName = "a number that has lost digits: as a float two names may have become one"

// LostDigits reports whether a name is a number that a program wrote as a float, with a point or an exponent, and that
// is so large that a float does not hold all whole numbers: two names may have become one. Whole numbers in digits
// alone are names as they stand.
func LostDigits(name string) bool {
	if !strings.Contains(name, ".") && !strings.Contains(name, "+") {
		return false
	}
	x, err := strconv.ParseFloat(name, 64)
	return err == nil && math.Abs(x) >= ExactInteger && !math.IsInf(x, 0)
}
