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
	by := slices.Repeat([]Missing{policy}, cols)
	if err := SubstitutesOf(x, by).Fill(x, by); err != nil {
		panic("data: FillMissing: " + err.Error())
	}
}

// Substitutes are the values that stand for missing ones of n features. A model keeps those of its training, so
// that the score of a row does not depend on the rows beside it.
type Substitutes struct {
	Mean  []float64 `json:"mean,omitempty"`  // of the values that are there; nil where no feature is filled by it
	Least []float64 `json:"least,omitempty"` // likewise
	// Missing is the number of values that were missing where they were taken, and that are not filled by 0.
	Missing int `json:"-"`
}

// SubstitutesOf returns what Fill takes for the n features of x by the policies of by, nil where that is 0 only. A
// feature without a value has 0. Means are compensated sums, as those of FillMissing. It costs two passes over the
// stored values, and panics where by has another length, or x does not fit.
func SubstitutesOf(x Matrix, by []Missing) *Substitutes {
	Check("data: SubstitutesOf: x", x)
	rows, cols := x.Dims()
	if len(by) != cols {
		panic(fmt.Sprintf("data: SubstitutesOf: %d policies for %d features", len(by), cols))
	}
	var f Substitutes
	if slices.Contains(by, MissingMean) {
		f.Mean = meansOfPresent(x, rows, cols)
	}
	if slices.Contains(by, MissingMin) {
		f.Least = minsOfPresent(x, rows, cols)
	}
	if f.Mean == nil && f.Least == nil {
		return nil
	}
	eachStored(x, func(vals []float64, k, j int) {
		if math.IsNaN(vals[k]) && (by[j] == MissingMean || by[j] == MissingMin) {
			f.Missing++
		}
	})
	return &f
}

// Fill replaces every NaN of x by the policy of its feature: by 0, or by a value of f. It returns an *UnfilledError
// about the first feature that f has no value for, and leaves its NaN. Features beyond by are left.
func (f *Substitutes) Fill(x Matrix, by []Missing) error {
	var mean, least []float64
	if f != nil {
		mean, least = f.Mean, f.Least
	}
	unfilled := -1
	eachStored(x, func(vals []float64, k, j int) {
		if !math.IsNaN(vals[k]) || j >= len(by) || by[j] == MissingOwn {
			return
		}
		switch {
		case by[j] == MissingZero:
			vals[k] = 0
		case by[j] == MissingMean && j < len(mean):
			vals[k] = mean[j]
		case by[j] == MissingMin && j < len(least):
			vals[k] = least[j]
		case unfilled < 0 || j < unfilled:
			unfilled = j
		}
	})
	if unfilled >= 0 {
		return &UnfilledError{unfilled, by[unfilled]}
	}
	return nil
}

// UnfilledError is about a missing value for which a training left none.
type UnfilledError struct {
	Feature int // from 0
	By      Missing
}

// Error says why the value is not filled.
func (e *UnfilledError) Error() string {
	switch e.By {
	case MissingMean:
		return "the value is missing, and the training did not keep the mean of its feature"
	case MissingMin:
		return "the value is missing, and the training did not keep the least value of its feature"
	}
	return "the value is missing"
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
