package report

import (
	"fmt"
	"math"
	"strconv"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// Number is a number of a document. NaN and infinities, which JSON does not have, are null.
type Number float64

// MarshalJSON writes the shortest text that reads back exactly, or null. A whole number of up to fifteen digits
// has no point and no exponent.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	v := float64(n)
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(nil, v, 'f', -1, 64), nil
	}
	return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
}

// UnmarshalJSON reads a number, or null as NaN. It returns an error for anything else.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%.40s is not a number", text)
	}
	*n = Number(v)
	return nil
}

// valueNumber is the number of a value, NaN if it is undefined.
func valueNumber(v metric.Value) Number {
	if !v.Defined {
		return Number(math.NaN())
	}
	return Number(v.Value)
}

// Range is a 95 % interval.
type Range [2]Number

// newRange is the range of an interval, nil if it is not defined.
func newRange(i cv.Interval) *Range {
	if !i.Defined {
		return nil
	}
	return &Range{Number(i.Lo), Number(i.Hi)}
}

// complement is the interval of 1 minus the quantity.
func (r *Range) complement() *Range {
	if r == nil {
		return nil
	}
	return &Range{1 - r[1], 1 - r[0]}
}
