package main

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/kernel"
	"pairrank/model"
)

// beyond tells that work would take more memory than is free, and how much is. Up
// to 256 MB nothing is asked.
func beyond(need float64) (free float64, is bool) {
	const small = 1 << 28
	if need <= small {
		return 0, false
	}
	free = memory.Free()
	return free, need > free
}

// checkWidth refuses so many vectors of the features of x.
func checkWidth(x data.Matrix, vectors float64) error {
	_, n := x.Dims()
	need := 8 * vectors * float64(n)
	if free, is := beyond(need); is {
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

// normalizing is how many vectors of features are at work when kind is fitted or
// applied to x: of query-minmax bounds for each thread, where x is sparse.
func normalizing(kind string, x data.Matrix) float64 {
	_, sparse := x.(*data.CSR)
	switch {
	case kind == data.NormalizeNone, kind == data.NormalizeQueryMinMax && !sparse:
		return 0
	case kind == data.NormalizeQueryMinMax:
		return 3 * float64(parallel.Workers())
	}
	return 16
}

// checkFeatures refuses features so many that vectors of them do not fit into
// memory where the plan makes some before it has a solver, which counts its own.
func (p *trainPlan) checkFeatures(x data.Matrix) error {
	vectors := normalizing(p.normalize, x)
	if p.precision == "float32" {
		vectors += 4
	}
	if p.names != "" {
		vectors += 2
	}
	if _, sparse := x.(*data.CSR); sparse && p.kernel != (kernel.Linear{}) {
		vectors += float64(parallel.Workers()) // a row of each thread is spread out
	}
	return checkWidth(x, vectors)
}

// checkScoring refuses scores, and rows, that do not fit into memory.
func checkScoring(m *model.Model, x data.Matrix) error {
	rows, _ := x.Dims()
	need := 8 * float64(rows) * float64(m.Outputs())
	if free, is := beyond(need); is {
		return fmt.Errorf("%d scores for each of %d rows would take about %s of memory, and %s are free", m.Outputs(), rows, memory.Size(need), memory.Size(free))
	}
	vectors := 0.0
	if m.Normalizer != nil {
		vectors = normalizing(m.Normalizer.Kind, x)
	}
	_, expands := m.Scorer.(*model.Kernel)
	if _, sparse := x.(*data.CSR); sparse && expands {
		vectors += float64(parallel.Workers())
	}
	return checkWidth(x, vectors)
}
