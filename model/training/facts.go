// Package training has the facts of a training, which model files keep and results and documents
// show.
package training

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
)

// Facts are the facts of a training that its model keeps. They have no date and no time, so equal
// training gives equal bytes.
type Facts struct {
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
	Further     []Fact // in the order they are written
}

// Selection is how λ was chosen.
type Selection struct {
	Method string  // lqo, lpo, loo, kfold:10
	Metric string  // names Error: error, or another measure; see Facts.ChosenBy
	Error  float64 // of the chosen candidate
	Count  int     // candidates
}

// measures are the names of Error: the share of held-out pairs in the wrong order, and the squared
// error of sums over queries.
var measures = []string{"error", "relative-squared-error"}

// ChosenBy is the name of the fact of a metric that chose, "METRIC VALUE".
const ChosenBy = "chosen-by"

// SetChosenBy records the metric that chose the candidate, and its value; NaN is none.
func (f *Facts) SetChosenBy(metric string, value float64) {
	text := metric
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		text += " " + strconv.FormatFloat(value, 'g', -1, 64)
	}
	f.Further = append(f.Further, Fact{ChosenBy, text})
}

// ChosenBy returns the metric that chose the candidate, "" where the error did, and its value, NaN
// where the file has none: older files name the error of the selection by that metric. Cost
// O(facts).
func (f *Facts) ChosenBy() (metric string, value float64) {
	for _, fact := range f.Further {
		if fact.Name == ChosenBy {
			metric, number, _ := strings.Cut(fact.Value, " ")
			if value, err := strconv.ParseFloat(number, 64); err == nil {
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

// The names of facts in JSON: the columns of the table of the training, and the values that stood for missing ones.
const (
	ColumnsFact     = "columns"
	substitutesFact = "substitutes"
)

// firstIndex is the name of the fact of the index of the first feature.
const firstIndex = "first-index"

// SetZeroBased records that the indices in the text of the training start at 0, where they do.
func (f *Facts) SetZeroBased(is bool) {
	if is {
		f.Further = append(f.Further, Fact{firstIndex, "0"})
	}
}

// SetReading records how text was read whose rows are not in memory: whether indices began at 0, and whether missing
// values became 0, where missing is data.MissingZero. The rows of the model are read likewise.
func (f *Facts) SetReading(zeroBased bool, missing data.Missing) error {
	f.SetZeroBased(zeroBased)
	if missing != data.MissingZero {
		return nil
	}
	return f.SetSubstitutes(&data.Substitutes{By: []data.Missing{data.MissingZero}})
}

// First returns the index of the first feature in text: 0 where that of the training starts at 0, else 1, as for rows
// from elsewhere and for files of earlier versions. Cost O(facts).
func (f *Facts) First() int {
	if slices.Contains(f.Further, Fact{firstIndex, "0"}) {
		return 0
	}
	return 1
}

// SetSchema records the columns of the table that the rows come from; nil is none.
func (f *Facts) SetSchema(s *data.Schema) error { return record(f, ColumnsFact, s) }

// Schema returns the columns of the table of the training; nil where the rows do not come from one,
// or a file has none that can be read. Cost O(facts).
func (f *Facts) Schema() *data.Schema { return recorded[data.Schema](f, ColumnsFact) }

// SetSubstitutes records what stood for missing values; nil is none.
func (f *Facts) SetSubstitutes(v *data.Substitutes) error { return record(f, substitutesFact, v) }

// Substitutes returns how the training treated missing values, and what stood for them; nil where nothing is known. A
// file of an earlier version has no treatment: if it kept one kind of values, they stand for those of every feature.
// Cost O(facts).
func (f *Facts) Substitutes() *data.Substitutes {
	s := recorded[data.Substitutes](f, substitutesFact)
	switch {
	case s == nil || s.By != nil:
	case s.Mean != nil && s.Least == nil:
		s.By = []data.Missing{data.MissingMean}
	case s.Least != nil && s.Mean == nil:
		s.By = []data.Missing{data.MissingMin}
	}
	return s
}

// record adds a fact in JSON; nil is none.
func record[T any](f *Facts, name string, v *T) error {
	if v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err == nil {
		f.Further = append(f.Further, Fact{name, string(text)})
	}
	return err
}

// recorded is the fact of a name; nil where there is none that can be read.
func recorded[T any](f *Facts, name string) *T {
	for _, fact := range f.Further {
		if fact.Name == name {
			v := new(T)
			if json.Unmarshal([]byte(fact.Value), v) == nil {
				return v
			}
		}
	}
	return nil
}

// Fact is a further fact of the training. Name has no blanks and Value no line
// breaks.
type Fact struct{ Name, Value string }
