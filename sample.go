package pairrank

import (
	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/pick"
	"pairrank/internal/rows"
	"pairrank/pref"
)

// sample is what is learnt from: m rows, with everything that the learners compare. It does not change once it is
// prepared: others are made of it.
type sample struct {
	x          data.Matrix // nil for a given kernel matrix
	given      *data.Dense // the given kernel matrix, or nil
	y          []float64   // labels, m×outputs
	censored   []bool      // of times y; nil where labels are no times
	weights    []float64   // m weights of the rows, above 0; nil where each is 1
	outputs    int
	queries    *data.Partition
	groups     *data.Partition // rows that are left out together, or nil
	givenFolds *data.Partition // nil where none are given
	edges      []pref.Edge     // the pairs that teach, or nil
	offset     *offset         // subtracted from the rows, or nil
	valid      *data.Set       // rows for validation in the same form, or nil
}

// rows is m.
func (r *sample) rows() int { return len(r.y) / r.outputs }

// features is n, 0 for a given kernel matrix.
func (r *sample) features() int {
	if r.given != nil {
		return 0
	}
	_, n := r.x.Dims()
	return n
}

// part is the problem of some rows. A basis stays: its rows are points of the space, and their labels are not used.
func (t *trainer) part(some []int) *trainer {
	part := t.of(t.labelsOf(some), t.round)
	part.lowered, part.whole, part.within = t.lowered, t, some
	if t.onBasis() {
		return part
	}
	if t.k != nil {
		part.k = t.k.Submatrix(some, some)
	}
	if part.given != nil {
		part.given = part.k
	}
	if t.x != nil {
		part.x = data.Select(t.x, some)
	}
	return part
}

// partAnew is part, with the knots of splines, and the weights of sums of kernels, of its own rows.
func (t *trainer) partAnew(some []int) *trainer {
	if !mapped(t.o.Kernels) || random(t.o.Kernels) {
		return t.part(some).unweighed()
	}
	part := t.of(t.origin.labelsOf(some), t.round)
	part.whole, part.within, part.anew = t, some, true
	part.x = data.Select(t.origin.x, some)
	return part.explicit()
}

// labelsOf are the labels of some rows, with the features of all.
func (r *sample) labelsOf(some []int) *sample {
	y := make([]float64, 0, len(some)*r.outputs)
	for _, i := range some {
		y = append(y, r.y[i*r.outputs:(i+1)*r.outputs]...)
	}
	return &sample{x: r.x, given: r.given, y: y, censored: pick.Rows(r.censored, some),
		weights: pick.Rows(r.weights, some), outputs: r.outputs,
		queries: data.NewPartition(pick.Rows(r.queries.Of(), some), r.queries.Len()), groups: partOf(r.groups, some),
		givenFolds: partOf(r.givenFolds, some), edges: r.edges, offset: r.offset}
}

// relabelled is the same rows with other labels: of censored times those of holdout.Labels.Signed.
func (r *sample) relabelled(y []float64, outputs int) *sample {
	other := *r
	if other.y, other.outputs = y, outputs; r.censored != nil {
		other.y, other.censored = goals.Unsigned(y)
	}
	return &other
}

// withFeatures is the same rows, and those for validation, with other features, from which off was subtracted; nil is
// none.
func (r *sample) withFeatures(x data.Matrix, off *offset, valid *data.Set) *sample {
	other := *r
	other.x, other.offset, other.valid = x, off, valid
	return &other
}

// comparing is the same rows with other preferences.
func (r *sample) comparing(edges []pref.Edge) *sample {
	other := *r
	other.edges = edges
	return &other
}

// column is the labels of one output.
func (r *sample) column(output int) []float64 {
	y := make([]float64, r.rows())
	for i := range y {
		y[i] = r.y[i*r.outputs+output]
	}
	return y
}

// twoLabels reports whether an output has exactly two labels. Times are no labels.
func (r *sample) twoLabels(output int) bool {
	if r.censored != nil {
		return false
	}
	first, other := r.y[output], r.y[output]
	for at := output; at < len(r.y); at += r.outputs {
		switch y := r.y[at]; {
		case y == first || y == other:
		case other == first:
			other = y
		default:
			return false
		}
	}
	return other != first
}

// indices are the numbers from 0 to m−1.
func indices(m int) []int { return pick.All[int](m) }

// weighted returns the sum of the weights of the rows, 0 where they have none.
func (r *sample) weighted() float64 { return rows.Weighed(r.weights) }
