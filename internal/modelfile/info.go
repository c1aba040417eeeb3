package modelfile

import (
	"fmt"
	"math"
	"slices"

	"pairrank/model/training"
)

// CheckFacts returns why the facts of a training cannot be written.
func CheckFacts(f *training.Facts) error {
	texts := []string{f.Learner, f.Solver, f.Objective, f.Cost, f.Ties, f.QueryWeight, f.Loss}
	if s := f.Selection; s != nil && (!IsKey(s.Method) || !IsKey(s.Metric) || s.Count < 0) {
		return fmt.Errorf("the selection %+v is not a word for the method, a word for the metric and a count", *s)
	}
	for _, fact := range f.Further {
		if !IsKey(fact.Name) {
			return fmt.Errorf("%q is not the name of a fact, which is one word", fact.Name)
		}
		texts = append(texts, fact.Value)
	}
	for _, text := range texts {
		if !isLine(text) {
			return fmt.Errorf("%q is not one line of text without surrounding blanks", text)
		}
	}
	if f.Learner == "" {
		return fmt.Errorf("the model does not say which learner made it")
	}
	if f.Rows < 0 || f.Queries < 0 {
		return fmt.Errorf("a model of %d rows and %d queries", f.Rows, f.Queries)
	}
	numbers := []float64{f.Lambda, f.Pairs}
	if f.Selection != nil {
		numbers = append(numbers, f.Selection.Error)
	}
	if slices.ContainsFunc(numbers, NotFinite) {
		return fmt.Errorf("a training fact is not finite: λ %v, pairs %v, selection %+v",
			f.Lambda, f.Pairs, f.Selection)
	}
	return nil
}

// NotFinite reports whether v is NaN or infinite.
func NotFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
