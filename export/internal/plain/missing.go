package plain

import (
	"fmt"
	"math"
	"slices"

	"pairrank/internal/gaps"
	"pairrank/model"
)

// Substitutes are the values that stand for missing ones in the training, NaN for a feature whose missing values are
// refused; nil where those of all are.
func Substitutes(m *model.Model) []float64 {
	trained := m.Info.Substitutes()
	if trained == nil || m.Precomputed() {
		return nil
	}
	values := make([]float64, m.Features())
	for j := range values {
		v, filled := gaps.Value(trained, j)
		if values[j] = v; !filled {
			values[j] = math.NaN()
		}
	}
	if !slices.ContainsFunc(values, func(v float64) bool { return v == v }) {
		return nil
	}
	return values
}

// Levels are the features whose missing values have a level, and how many features come before those of the levels,
// which a target makes of the values that are missing.
func Levels(m *model.Model) (levels []int, given int) {
	levels = m.Info.Substitutes().Levels()
	return levels, m.Features() - len(levels)
}

// RefuseLevels returns a *fault.RefusedError for a model whose missing values have levels of their own, of a target
// that takes them for something else.
func RefuseLevels(target string, m *model.Model) error {
	if levels, _ := Levels(m); levels != nil {
		return refuse(target, "a level of its own for a missing value", "use go, js, sql, html or onnx, or train with "+
			"--missing mean or zero")
	}
	return nil
}

// ZeroForMissing is for a target where a missing value is 0. It returns a *fault.RefusedError for a model that takes
// another number for one, and a note for a model of a table that takes none.
func ZeroForMissing(target string, m *model.Model) (notes []string, err error) {
	if err := RefuseLevels(target, m); err != nil {
		return nil, err
	}
	values, names := Substitutes(m), m.Names
	for j, v := range values {
		if v != 0 && v == v {
			called := fmt.Sprintf("feature %d", j+1)
			if names != nil {
				called = fmt.Sprintf("feature %q", names[j])
			}
			return nil, refuse(target, fmt.Sprintf("a model that takes %g for a missing value of %s, since it takes 0", v,
				called), "use go, js, sql, html or onnx, or fill in the values before training and before scoring")
		}
	}
	return MissingNote(m), nil
}

// MissingNote is the note that a missing value is 0 of a model of a table that takes none.
func MissingNote(m *model.Model) []string {
	values := Substitutes(m)
	refuses := values == nil || slices.ContainsFunc(values, math.IsNaN)
	if m.Info.Schema() != nil && refuses && !m.Precomputed() {
		return []string{"a missing value counts as 0 there, and predict refuses it: give every row a value of each " +
			"feature"}
	}
	return nil
}
