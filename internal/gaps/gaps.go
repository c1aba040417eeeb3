// Package gaps has what rows of a model, and readers, do about missing values of features.
package gaps

import (
	"math"
	"strings"

	"pairrank/data"
)

// Of reports of each feature that has a level whether it is missing in row i of x: whether its level is the larger
// of the two numbers that it has in the rows of x, which normalising does not change. It returns nil for features
// without a level, and for levels that are one number in all rows.
func Of(x *data.Dense, levels []int, weights []float64) map[int][]bool {
	if len(levels) == 0 {
		return nil
	}
	gaps := make(map[int][]bool, len(levels))
	for k, j := range levels {
		column := x.Cols - len(levels) + k
		least, most := math.Inf(1), math.Inf(-1)
		for i := range x.Rows {
			if weights == nil || weights[i] > 0 {
				least, most = min(least, x.Row(i)[column]), max(most, x.Row(i)[column])
			}
		}
		if !(least < most) {
			continue
		}
		gaps[j] = make([]bool, x.Rows)
		for i := range x.Rows {
			gaps[j][i] = x.Row(i)[column] > least
		}
	}
	return gaps
}

// All returns the treatment of all n features, MissingError where they have several or none.
func All(f *data.Substitutes) data.Missing {
	if f == nil || len(f.By) != 1 {
		return data.MissingError
	}
	return f.By[0]
}

// Value returns what stands for a missing value of feature j, and whether anything does.
func Value(f *data.Substitutes, j int) (v float64, filled bool) {
	switch by := f.Of(j); {
	case by == data.MissingZero:
		return 0, true
	case by == data.MissingMean && j < len(f.Mean), by == data.MissingOwn && j < len(f.Mean) && f.Own != nil:
		return f.Mean[j], true
	case by == data.MissingMin && j < len(f.Least):
		return f.Least[j], true
	}
	return 0, false
}

// Resolve puts the treatment of the training in the place of MissingModel, for rows of a model. It returns an
// *OtherTreatmentError where another one is asked for, by which a row would have a second score. Refusing missing
// values is no other treatment.
func Resolve(f *data.Substitutes, by []data.Missing) error {
	for j, asked := range by {
		trained := f.Of(j)
		switch {
		case asked == data.MissingModel:
			by[j] = trained
		case asked != data.MissingError && asked != trained && trained != data.MissingError &&
			(trained != data.MissingOwn || f.Own != nil):
			return &data.OtherTreatmentError{Feature: j, Trained: trained, Asked: asked}
		}
	}
	return nil
}

// IsMissing reports whether a text denotes a missing value.
func IsMissing(text string) bool {
	switch text {
	case "", "NA", ".", "N/A", "#N/A", "<NA>":
		return true
	}
	return strings.EqualFold(text, "nan") || strings.EqualFold(text, "null")
}
