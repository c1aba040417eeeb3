package data

import (
	"fmt"
	"math"
	"slices"
)

// Missing says how a reader treats a missing feature value: NULL, NaN or an empty field. An index
// that a sparse row leaves out is zero, not missing.
type Missing int

const (
	MissingError Missing = iota // refuse the input; the default
	MissingZero                 // take 0
	MissingMean                 // take the mean of the feature's other values
	MissingMin                  // take the least of the feature's other values
	MissingOwn                  // stay NaN: the caller gives the row a part of its own
)

var missingNames = []string{"error", "zero", "mean", "min", "own"}

// String returns the name that ParseMissing reads.
func (p Missing) String() string {
	if p < 0 || int(p) >= len(missingNames) {
		return fmt.Sprintf("Missing(%d)", int(p))
	}
	return missingNames[p]
}

// ParseMissing reads "error", "zero", "mean" or "min". It returns an error for any other
// name.
func ParseMissing(s string) (Missing, error) {
	if p := slices.Index(missingNames[:MissingOwn], s); p >= 0 {
		return Missing(p), nil
	}
	return 0, fmt.Errorf("unknown treatment of missing values %q, want error, zero, mean or min", s)
}

// FillMissing replaces every NaN of x, m×n, in place, by zero, or by the mean or the
// least of the feature's values that are not NaN. Entries that a sparse matrix leaves out
// count as the value 0, so that the result does not depend on the storage. A feature with
// no value at all becomes 0. Means are compensated sums (Neumaier 1974,
// Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54). It
// costs two passes over the stored values and O(n) memory. It panics when policy is
// MissingError, or x does not fit.
func FillMissing(x Matrix, policy Missing) {
	Check("data: FillMissing: x", x)
	_, cols := x.Dims()
	if policy == MissingError {
		panic("data: FillMissing with policy " + policy.String())
	}
	by := make([]Missing, cols)
	for j := range by {
		by[j] = policy
	}
	FillColumns(x, by)
}

// FillColumns is FillMissing with a policy for each of the n features of x, of which MissingOwn leaves
// NaN. A feature with MissingError must have no missing value: it panics where one has.
func FillColumns(x Matrix, by []Missing) {
	Check("data: FillColumns: x", x)
	rows, cols := x.Dims()
	if len(by) != cols {
		panic(fmt.Sprintf("data: FillColumns: %d policies for %d features", len(by), cols))
	}
	var mean, least []float64
	if slices.Contains(by, MissingMean) {
		mean = meansOfPresent(x, rows, cols)
	}
	if slices.Contains(by, MissingMin) {
		least = minsOfPresent(x, rows, cols)
	}
	eachStored(x, func(vals []float64, k, j int) {
		if !math.IsNaN(vals[k]) {
			return
		}
		switch by[j] {
		case MissingZero:
			vals[k] = 0
		case MissingMean:
			vals[k] = mean[j]
		case MissingMin:
			vals[k] = least[j]
		case MissingOwn:
		default:
			panic(fmt.Sprintf("data: FillColumns: feature %d has a missing value, and policy %s", j+1, by[j]))
		}
	})
}

// eachStored calls visit for every stored value vals[k], of feature j, row by
// row in ascending order.
func eachStored(x Matrix, visit func(vals []float64, k, j int)) {
	switch x := x.(type) {
	case *Dense:
		for i := range x.Rows {
			row := x.Row(i)
			for j := range row {
				visit(row, j, j)
			}
		}
	case *CSR:
		for i := range x.Rows {
			cols, vals := x.Row(i)
			for k, j := range cols {
				visit(vals, k, int(j))
			}
		}
	default:
		panic(unknownMatrix(x))
	}
}

// meansOfPresent returns, per feature, the mean of the values that are not NaN.
func meansOfPresent(x Matrix, rows, cols int) []float64 {
	sum, correction := make([]float64, cols), make([]float64, cols)
	present := make([]int, cols)
	for j := range present {
		present[j] = rows
	}
	eachStored(x, func(vals []float64, k, j int) {
		v := vals[k]
		if math.IsNaN(v) {
			present[j]--
			return
		}
		t := sum[j] + v
		if math.Abs(sum[j]) >= math.Abs(v) {
			correction[j] += (sum[j] - t) + v
		} else {
			correction[j] += (v - t) + sum[j]
		}
		sum[j] = t
	})
	for j := range sum {
		if present[j] == 0 {
			sum[j] = 0
			continue
		}
		sum[j] = (sum[j] + correction[j]) / float64(present[j])
	}
	return sum
}

// minsOfPresent returns, per feature, the least value that is not NaN.
func minsOfPresent(x Matrix, rows, cols int) []float64 {
	least := make([]float64, cols)
	stored, missing := make([]int, cols), make([]int, cols)
	for j := range least {
		least[j] = math.Inf(1)
	}
	eachStored(x, func(vals []float64, k, j int) {
		stored[j]++
		if v := vals[k]; math.IsNaN(v) {
			missing[j]++
		} else {
			least[j] = min(least[j], v)
		}
	})
	for j := range least {
		switch {
		case missing[j] == rows:
			least[j] = 0
		case stored[j] < rows:
			least[j] = min(least[j], 0)
		}
	}
	return least
}
