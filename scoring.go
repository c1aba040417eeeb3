package pairrank

import (
	"fmt"
	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
	"pairrank/model"
)

// CheckScoring returns an error where the scores of the m rows of x by a model, m×v, or
// the vectors of features that scoring takes, do not fit into the memory that is free: an
// *Error of kind Memory where the features are too many. The cost is O(1). It is for
// programs that score what they do not know the size of.
func CheckScoring(trained *model.Model, x data.Matrix) error {
	m, _ := x.Dims()
	need := 8 * float64(m) * float64(trained.Outputs())
	if free, is := memory.Beyond(need); is {
		return fmt.Errorf("%d scores for each of %d rows would take about %s of memory, and %s are free",
			trained.Outputs(), m, memory.Size(need), memory.Size(free))
	}
	vectors := 0.0
	if trained.Normalizer != nil {
		vectors = data.NormalizerVectors(trained.Normalizer.Kind, x)
	}
	_, expands := trained.Scorer.(*model.Kernel)
	if _, sparse := x.(*data.CSR); sparse && expands {
		vectors += float64(parallel.Workers()) // a row of each thread is spread out
	}
	if f, random := trained.Scorer.(*model.Fourier); random {
		vectors += float64(f.Kernel.Features) / 2 // the frequencies
	}
	return rows.CheckWidth(x, vectors)
}
