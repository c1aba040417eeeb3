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
	MissingOwn                  // stay NaN, for Set.GiveLevels or another caller that gives the row a part of its own
	MissingModel                // do as the training of the model did, which Substitutes know
)

var missingNames = []string{"error", "zero", "mean", "min", "own", "model"}

// String returns the name that ParseMissing reads.
func (p Missing) String() string {
	if p < 0 || int(p) >= len(missingNames) {
		return fmt.Sprintf("Missing(%d)", int(p))
	}
	return missingNames[p]
}

// MarshalText returns the name of p.
func (p Missing) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads any name that String returns.
func (p *Missing) UnmarshalText(text []byte) error {
	k := slices.Index(missingNames, string(text))
	if k < 0 {
		return fmt.Errorf("unknown treatment of missing values %q", text)
	}
	*p = Missing(k)
	return nil
}

// ParseMissing reads "error", "zero", "mean", "min" or "own". It returns an error for any other
// name.
func ParseMissing(s string) (Missing, error) {
	if p := slices.Index(missingNames[:MissingModel], s); p >= 0 {
		return Missing(p), nil
	}
	return 0, fmt.Errorf("unknown treatment of missing values %q, want error, zero, mean, min or own", s)
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

// Substitutes are the treatment of missing values of n features, and the values that stand for them. A model keeps
// those of its training, so that every program that scores a row gives it one score, whatever rows are beside it.
type Substitutes struct {
	// By has the treatment of each feature, or one that is that of all. It is nil for a model of an earlier version.
	By    []Missing `json:"by,omitempty"`
	Mean  []float64 `json:"mean,omitempty"`  // of the values that are there; nil where no feature is filled by it
	Least []float64 `json:"least,omitempty"` // likewise
	// Own are the features whose missing values have a level, see Levels; nil where MissingOwn is for items.
	Own []int `json:"own,omitempty"`
	// Missing is the number of values that were missing where they were taken, and that are not filled by 0.
	Missing int `json:"-"`
}

// SubstitutesOf returns what Fill takes for the n features of x by the policies of by, nil where none is filled. A
// feature without a value has 0. Means are compensated sums, as those of FillMissing. It costs two passes over the
// stored values, and panics where by has another length, or x does not fit.
func SubstitutesOf(x Matrix, by []Missing) *Substitutes {
	Check("data: SubstitutesOf: x", x)
	rows, cols := x.Dims()
	if len(by) != cols {
		panic(fmt.Sprintf("data: SubstitutesOf: %d policies for %d features", len(by), cols))
	}
	if !slices.ContainsFunc(by, func(p Missing) bool { return p != MissingError && p != MissingOwn }) {
		return nil
	}
	f := Substitutes{By: slices.Clone(by)}
	if len(slices.Compact(f.By)) == 1 {
		f.By = f.By[:1]
	} else {
		copy(f.By, by)
	}
	if slices.Contains(by, MissingMean) {
		f.Mean = meansOfPresent(x, rows, cols)
	}
	if slices.Contains(by, MissingMin) {
		f.Least = minsOfPresent(x, rows, cols)
	}
	eachStored(x, func(vals []float64, k, j int) {
		if math.IsNaN(vals[k]) && (by[j] == MissingMean || by[j] == MissingMin) {
			f.Missing++
		}
	})
	return &f
}

// Of returns what the training did with a missing value of feature j: it was an error where nothing is known.
func (f *Substitutes) Of(j int) Missing {
	switch {
	case f == nil || len(f.By) == 0:
		return MissingError
	case len(f.By) == 1:
		return f.By[0]
	case j < 0 || j >= len(f.By):
		return MissingError
	}
	return f.By[j]
}

// OtherTreatmentError is about missing values that are to be treated in another way than in training.
type OtherTreatmentError struct {
	Feature        int // from 0
	Trained, Asked Missing
}

// Error says which treatment the model has.
func (e *OtherTreatmentError) Error() string {
	return fmt.Sprintf("the model was trained with %s for missing values, and %s would give other scores", e.Trained,
		e.Asked)
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
	case MissingOwn:
		return "the value is missing, and no row of the training lacked it, so that the model has no level for it"
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
