package modelfile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Info is the facts of the training. It has no date and no time, so that equal
// training gives equal bytes.
type Info struct {
	Learner     string  // rankrls, rls, ranksvm, rankboost
	Solver      string  // primal, dual, …
	Objective   string  // the formula that was minimised, one line
	Lambda      float64 // λ of the objective
	Cost        string  // of a pair: magnitude, unit, relative; "" where the learner has none
	Ties        string  // include or exclude, "" where the learner has none
	QueryWeight string  // pairs, size, edges, "" where the learner has none
	Loss        string  // hinge, squared-hinge, "" where the learner has one loss only
	Rows        int     // training rows m; of a model of pairs the training edges
	Queries     int     // training queries q; of a model of pairs the row nodes with edges
	Pairs       float64 // compared pairs; they can be more than an int64 holds
	Selection   *Selection
	Facts       []Fact // further facts, in the order they are written
}

// Selection is how λ was chosen.
type Selection struct {
	Method string  // lqo, lpo, loo, kfold:10
	Metric string  // what Error is: error, or another measure of the error; see Info.ChosenBy
	Error  float64 // of the chosen candidate
	Count  int     // candidates
}

// measures are the names of Error: the share of held-out pairs in the wrong order, and the squared
// error of sums over queries.
var measures = []string{"error", "relative-squared-error"}

// ChosenBy is the name of the fact of a metric that chose, "METRIC VALUE".
const ChosenBy = "chosen-by"

// SetChosenBy says that the candidate was chosen by a metric, with its value there; NaN is none.
func (f *Info) SetChosenBy(metric string, value float64) {
	text := metric
	if !NotFinite(value) {
		text += " " + string(AppendNumber(nil, value))
	}
	f.Facts = append(f.Facts, Fact{ChosenBy, text})
}

// ChosenBy is the metric that chose the candidate, "" where the error did, and its value there, NaN
// where the file has none: a selection that names the error by the metric that chose, as files once
// did. Cost O(facts).
func (f *Info) ChosenBy() (metric string, value float64) {
	for _, fact := range f.Facts {
		if fact.Name == ChosenBy {
			metric, number, _ := strings.Cut(fact.Value, " ")
			if value, err := ParseNumber(number); err == nil {
				return metric, value
			}
			return metric, math.NaN()
		}
	}
	if s := f.Selection; s != nil && !slices.Contains(measures, s.Metric) {
		return s.Metric, math.NaN()
	}
	return "", math.NaN()
}

// Fact is a further fact of the training. Name has no blanks and Value no line
// breaks.
type Fact struct{ Name, Value string }

// Check tells why the facts cannot be written.
func (f *Info) Check() error {
	texts := []string{f.Learner, f.Solver, f.Objective, f.Cost, f.Ties, f.QueryWeight, f.Loss}
	if s := f.Selection; s != nil && (!IsKey(s.Method) || !IsKey(s.Metric) || s.Count < 0) {
		return fmt.Errorf("the selection %+v is not a word for the method, a word for the metric and a count", *s)
	}
	for _, fact := range f.Facts {
		if !IsKey(fact.Name) {
			return fmt.Errorf("%q is no name of a fact: it is a word", fact.Name)
		}
		texts = append(texts, fact.Value)
	}
	for _, text := range texts {
		if !IsLine(text) {
			return fmt.Errorf("%q is not one line of text without blanks at its ends", text)
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
		return fmt.Errorf("a training fact is not finite: λ %v, pairs %v, selection %+v", f.Lambda, f.Pairs, f.Selection)
	}
	return nil
}

// NotFinite reports whether v is NaN or infinite.
func NotFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
