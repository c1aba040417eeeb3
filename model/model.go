package model

import (
	"fmt"
	"unicode/utf8"

	"pairrank/data"
	"pairrank/internal/modelfile"
	"pairrank/model/training"
)

// Model is a trained ranker with the facts of its training.
type Model struct {
	Info       Info
	Names      []string         // feature names, length n, or nil
	Normalizer *data.Normalizer // that of the training rows, or nil
	Scorer     Scorer           // a *Linear, a *Kernel, a *Stumps, a *Fourier or a *Spline

	row     prepared // for scoring single rows, made for the first one
	factors factors  // likewise
}

// Scorer scores rows: a *Linear, a *Kernel, a *Stumps, a *Fourier or a *Spline. There are no others, since
// each has a form in the file.
type Scorer interface {
	// ScoreTo sets dst, m×v row by row, to the scores of the rows of x. It
	// runs on all cores, with the same bytes for any number of threads. It
	// panics when the shapes do not fit.
	ScoreTo(dst []float64, x data.Matrix)

	// scoreRow is the score of a normalised row of n features, of one output.
	scoreRow(p *prepared, x []float64) float64
	shape() (features, outputs int)
	// spec is the kernel in the form that kernel.Parse reads, or "".
	spec() string
	// check reports why it cannot be written or score; rows is how many were in training.
	check(rows int) error
	// finite reports why a file cannot hold its numbers.
	finite() error
	// version is the version of the format that can hold the scorer.
	version() int
	write(w *modelfile.Writer)
}

// Info is the facts of the training.
type Info = training.Facts

// Selection is how λ was chosen.
type Selection = training.Selection

// Fact is a further fact of the training.
type Fact = training.Fact

// Features returns the number of columns n that Score expects: the features, or for a
// precomputed kernel the training rows. Cost O(1).
func (m *Model) Features() int {
	if m.Precomputed() {
		return m.Info.Rows
	}
	n, _ := m.Scorer.shape()
	return n
}

// Outputs returns the number of scores v of a row, in O(1).
func (m *Model) Outputs() int {
	_, v := m.Scorer.shape()
	return v
}

// Precomputed reports whether the model scores rows of a kernel matrix instead of rows of
// features, in O(1).
func (m *Model) Precomputed() bool {
	k, is := m.Scorer.(*Kernel)
	return is && k.Support == nil
}

// KernelSpec is the kernel in the form that kernel.Parse reads, "" for stumps,
// which have none.
func (m *Model) KernelSpec() string { return m.Scorer.spec() }

// check reports why the model cannot be written or score.
func (m *Model) check() error {
	if m.Scorer == nil {
		return fmt.Errorf("the model has no scorer: weights, a kernel expansion or stumps")
	}
	if err := m.Scorer.check(m.Info.Rows); err != nil {
		return err
	}
	if n := m.Features(); m.Names != nil && len(m.Names) != n {
		return fmt.Errorf("%d names for %d features", len(m.Names), n)
	}
	if m.Precomputed() && m.Normalizer != nil {
		return fmt.Errorf("a precomputed kernel has no features to normalise")
	}
	return modelfile.CheckFacts(&m.Info)
}

// Check returns why the model cannot be written and read back, or exported: parts that are
// missing or whose lengths do not fit together, numbers that are not finite, texts that are
// not UTF-8 or not one line. It costs a pass over the numbers.
func (m *Model) Check() error {
	if err := m.check(); err != nil {
		return err
	}
	for j, name := range m.Names {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name of feature %d is not UTF-8: %q", j+1, name)
		}
	}
	if err := checkNormalizer(m.Normalizer, m.Features()); err != nil {
		return err
	}
	return m.Scorer.finite()
}
