package main

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/model"
)

// checkWidth refuses so many vectors of the features of x.
func checkWidth(x data.Matrix, vectors float64) error {
	_, n := x.Dims()
	need := 8 * vectors * float64(n)
	if free, is := memory.Beyond(need); is {
		return manyFeatures(x, need, free)
	}
	return nil
}

// manyFeatures is the error of features that are counted up to their largest
// index.
func manyFeatures(x data.Matrix, need, free float64) error {
	_, n := x.Dims()
	return withHint(fmt.Errorf("vectors of %d features would take about %s of memory, and %s are free", n, memory.Size(need), memory.Size(free)),
		"features are counted up to the largest index in the data: number those that there are from 1")
}

// checkScoring refuses scores, and rows, that do not fit into memory.
func checkScoring(m *model.Model, x data.Matrix) error {
	rows, _ := x.Dims()
	need := 8 * float64(rows) * float64(m.Outputs())
	if free, is := memory.Beyond(need); is {
		return fmt.Errorf("%d scores for each of %d rows would take about %s of memory, and %s are free", m.Outputs(), rows, memory.Size(need), memory.Size(free))
	}
	vectors := 0.0
	if m.Normalizer != nil {
		vectors = data.NormalizerVectors(m.Normalizer.Kind, x)
	}
	_, expands := m.Scorer.(*model.Kernel)
	if _, sparse := x.(*data.CSR); sparse && expands {
		vectors += float64(parallel.Workers())
	}
	return checkWidth(x, vectors)
}
