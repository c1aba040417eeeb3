package model

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/kernel"
)

// Model is what was learnt and how. Exactly one of Linear, Kernel, Stumps and
// Pairwise is set.
type Model struct {
	Info       Info
	Names      []string         // feature names, length n, or nil
	Normalizer *data.Normalizer // what the training rows went through, or nil
	Linear     *Linear
	Kernel     *Kernel
	Stumps     *Stumps
	Pairwise   *Pairwise // Names and Normalizer are nil with it
}

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
	Rows        int     // training rows m; of a Pairwise the training edges
	Queries     int     // training queries q; of a Pairwise the row nodes with edges
	Pairs       float64 // compared pairs; they can be more than an int64 holds
	Selection   *Selection
	Facts       []Fact // further facts, in the order they are written
}

// Selection is how λ was chosen.
type Selection struct {
	Method string  // lqo, lpo, loo, kfold:10
	Metric string  // what was compared
	Error  float64 // of the chosen candidate
	Count  int     // candidates
}

// Fact is a further fact of the training. Name has no blanks and Value no line
// breaks.
type Fact struct{ Name, Value string }

// Linear scores W x.
type Linear struct {
	Weights *data.Dense // v × n
}

// Kernel scores Σ_i c_i k(x_i, x) over the b support rows x_i.
type Kernel struct {
	Kernel      kernel.Kernel
	Support     data.Matrix // b × n, dense or CSR; nil for a precomputed kernel
	SupportRows []int       // training rows, 1-based and ascending, for a precomputed kernel; else nil
	Coef        *data.Dense // b × v
}

// Features is the number of columns that Score wants: the features n, for a
// precomputed kernel the training rows; 0 for a Pairwise, which scores no rows.
func (m *Model) Features() int {
	switch {
	case m.Linear != nil:
		return m.Linear.Weights.Cols
	case m.Stumps != nil:
		return m.Stumps.Features
	case m.Pairwise != nil:
		return 0
	case m.Kernel.Support != nil:
		_, n := m.Kernel.Support.Dims()
		return n
	}
	return m.Info.Rows
}

// Outputs is the number of scores v of a row, or 1 of a pair of nodes.
func (m *Model) Outputs() int {
	switch {
	case m.Linear != nil:
		return m.Linear.Weights.Rows
	case m.Stumps != nil, m.Pairwise != nil:
		return 1
	}
	return m.Kernel.Coef.Cols
}

// Precomputed reports whether the model scores rows of a kernel matrix, not
// rows of features.
func (m *Model) Precomputed() bool { return m.Kernel != nil && m.Kernel.Support == nil }

// KernelSpec is the kernel in the form that kernel.Parse reads, "" for stumps,
// which have none, and for a Pairwise, which has one for each side.
func (m *Model) KernelSpec() string {
	switch {
	case m.Linear != nil:
		return kernel.Linear{}.String()
	case m.Stumps != nil, m.Pairwise != nil:
		return ""
	}
	return m.Kernel.Kernel.String()
}

// check tells why the model cannot be written or score.
func (m *Model) check() error {
	if err := m.checkScorer(); err != nil {
		return err
	}
	if n := m.Features(); m.Names != nil && len(m.Names) != n {
		return fmt.Errorf("%d names for %d features", len(m.Names), n)
	}
	if m.Precomputed() && m.Normalizer != nil {
		return fmt.Errorf("a precomputed kernel has no features to normalise")
	}
	return m.Info.check()
}

// checkScorer checks the one that is set of Linear, Kernel, Stumps and Pairwise.
func (m *Model) checkScorer() error {
	set := 0
	for _, is := range []bool{m.Linear != nil, m.Kernel != nil, m.Stumps != nil, m.Pairwise != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		return fmt.Errorf("a model is linear, a kernel expansion, stumps or pairwise, exactly one")
	}
	switch {
	case m.Linear != nil:
		return m.Linear.check()
	case m.Kernel != nil:
		return m.Kernel.check(m.Info.Rows)
	case m.Stumps != nil:
		return m.Stumps.check()
	}
	if m.Names != nil || !idle(m.Normalizer) {
		return fmt.Errorf("a pairwise model has the names of its features at its sides, and no normalizer")
	}
	return m.Pairwise.check()
}

func (l *Linear) check() error {
	if w := l.Weights; w == nil || w.Rows < 1 {
		return fmt.Errorf("the linear model has no weights")
	}
	if l.Weights.Cols > math.MaxInt32 {
		return fmt.Errorf("%d features are more than %d", l.Weights.Cols, math.MaxInt32)
	}
	return nil
}

func (k *Kernel) check(rows int) error {
	if k.Kernel == nil || k.Coef == nil || k.Coef.Cols < 1 {
		return fmt.Errorf("the kernel model has no kernel or no coefficients")
	}
	_, precomputed := k.Kernel.(kernel.Precomputed)
	if precomputed != (k.Support == nil) || precomputed != (k.SupportRows != nil) {
		return fmt.Errorf("a precomputed kernel has support row numbers, any other has support rows")
	}
	b := len(k.SupportRows)
	if !precomputed {
		b, _ = k.Support.Dims()
	}
	if b != k.Coef.Rows {
		return fmt.Errorf("%d support rows with %d coefficients", b, k.Coef.Rows)
	}
	for i, row := range k.SupportRows {
		if row < 1 || row > rows || i > 0 && row <= k.SupportRows[i-1] {
			return fmt.Errorf("support row %d of %d training rows, at place %d, where they ascend", row, rows, i+1)
		}
	}
	return nil
}

func (f *Info) check() error {
	texts := []string{f.Learner, f.Solver, f.Objective, f.Cost, f.Ties, f.QueryWeight, f.Loss}
	if s := f.Selection; s != nil && (!isKey(s.Method) || !isKey(s.Metric) || s.Count < 0) {
		return fmt.Errorf("the selection %+v is not a word for the method, a word for the metric and a count", *s)
	}
	for _, fact := range f.Facts {
		if !isKey(fact.Name) {
			return fmt.Errorf("%q is no name of a fact: it is a word", fact.Name)
		}
		texts = append(texts, fact.Value)
	}
	for _, text := range texts {
		if !isLine(text) {
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
	if slices.ContainsFunc(numbers, notFinite) {
		return fmt.Errorf("a training fact is not finite: λ %v, pairs %v, selection %+v", f.Lambda, f.Pairs, f.Selection)
	}
	return nil
}

func notFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
