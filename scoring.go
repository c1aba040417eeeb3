package pairrank

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
	"pairrank/model"
)

// CheckScoring returns an error if the scores of the m rows of x, m×v, or the feature vectors that scoring
// needs do not fit into the free memory: an *Error of kind Memory if the features are too many. It costs O(1).
// Call it before you score data of unknown size.
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
		vectors += float64(parallel.Workers()) // each thread expands one row
	}
	if f, random := trained.Scorer.(*model.Fourier); random {
		vectors += float64(f.Kernel.Features) / 2 // the frequencies
	}
	return rows.CheckWidth(x, vectors)
}
