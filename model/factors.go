package model

import (
	"fmt"
	"sync"

	"pairrank/data"
)

// FactorError reports a row whose features of a factor contradict each other: a row has one text of a column, whose
// feature is 1, and those of other texts are 0.
type FactorError struct {
	Row    int // from 0
	Column string
	Levels []string // the first two texts that the row has, or one whose feature is neither 0 nor 1
	Value  float64  // of the feature of the last one
}

// Error says which texts the row has.
func (e *FactorError) Error() string {
	if len(e.Levels) == 1 {
		return fmt.Sprintf("row %d has %g for the text %q of column %q, want 0 or 1", e.Row+1, e.Value, e.Levels[0],
			e.Column)
	}
	return fmt.Sprintf("row %d has two texts of column %q, %q and %q: a row has one", e.Row+1, e.Column, e.Levels[0],
		e.Levels[1])
}

// factors are the factors of the training, found once.
type factors struct {
	once sync.Once
	all  []data.Factor
	of   []int32 // the factor of each feature, or -1
}

// find finds the features of the factors.
func (f *factors) find(m *Model) {
	schema := m.Info.Schema()
	if schema == nil || schema.Factors == nil || m.Names == nil {
		return
	}
	at := make(map[string]int32, len(m.Names))
	for k, factor := range schema.Factors {
		for _, level := range factor.Levels {
			at[factor.FeatureName(level)] = int32(k)
		}
	}
	f.all, f.of = schema.Factors, make([]int32, len(m.Names))
	for j, name := range m.Names {
		k, is := at[name]
		if f.of[j] = k; !is {
			f.of[j] = -1
		}
	}
}

// checkFactors returns a *FactorError about the first row with contradicting features.
func (m *Model) checkFactors(x data.Matrix) error {
	_, err := m.Untold(x)
	return err
}

// Untold returns how many rows of x have, of each factor, none of the texts of the training, where the rows of the
// training all had one. It returns a *FactorError about the first row with two. It costs a pass over the stored values
// of a model with factors, else O(1).
func (m *Model) Untold(x data.Matrix) (untold map[string]int, err error) {
	m.factors.once.Do(func() { m.factors.find(m) })
	f := &m.factors
	if f.of == nil {
		return nil, nil
	}
	untold = map[string]int{}
	rows, _ := x.Dims()
	first := make([]int, len(f.all)) // the feature that the row has of each factor, from 1; 0 for none
	for i := 0; i < rows && err == nil; i++ {
		clear(first)
		data.Each(x, i, func(j int, v float64) {
			if v == 0 || j >= len(f.of) || f.of[j] < 0 || err != nil {
				return
			}
			k := f.of[j]
			e := &FactorError{Row: i, Column: f.all[k].Column, Value: v}
			switch {
			case first[k] > 0:
				e.Levels = []string{f.level(m, first[k]-1), f.level(m, j)}
				err = e
			case v != 1:
				e.Levels = []string{f.level(m, j)}
				err = e
			}
			first[k] = j + 1
		})
		for k, j := range first {
			if j == 0 && !f.all[k].Open {
				untold[f.all[k].Column]++
			}
		}
	}
	return untold, err
}

// level is the text of a feature.
func (f *factors) level(m *Model, j int) string { return m.Names[j][len(f.all[f.of[j]].Column)+1:] }
