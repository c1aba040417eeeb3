package ranksvm

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/ostat"
	"pairrank/internal/parallel"
	"pairrank/internal/student"
	"pairrank/pref"
)

// risk is the mean loss over the pairs, as a function of the scores. It keeps the graph of the
// active pairs, those with a loss, at the last scores.
type risk interface {
	// At sets slope to the gradient, or a subgradient, of the risk at scores.
	At(slope, scores []float64) float64
	// hessianMulTo sets dst = 2Lv at the scores of the last At: a generalised
	// Hessian of the squared loss.
	hessianMulTo(dst, v []float64)
	// degreesTo fills dst with the diagonal of L at the scores of the last At.
	degreesTo(dst []float64)
	// stopWith makes counts of all pairs end with ctx. stopped reports whether a count was cut
	// short; its value is then NaN, and slopes and products are undefined.
	stopWith(ctx context.Context)
	stopped() bool
}

// counted is the risk of the pairs that labels make, counted without enumerating them.
type counted struct {
	margins *ostat.Margins
	weights []float64 // of a pair, for each query
	squared bool
	product []float64 // Laplacian times scores, for the squared loss
}

// newRisk makes the risk of labels y, and returns the number of pairs.
func newRisk(y []float64, queries *data.Partition, o Options) (r *counted, pairs float64, err error) {
	margins, err := ostat.NewMargins(y, queries.Rows, queries.Bounds, o.Counter)
	if err != nil {
		return nil, 0, err
	}
	if o.RowWeights != nil {
		margins.SetWeights(student.Moderate(o.RowWeights))
	}
	lists, weight := 0.0, 0.0
	for l := range margins.Lists() {
		pairs, weight = pairs+margins.Pairs(l), weight+margins.PairWeights(l)
		if margins.Pairs(l) > 0 {
			lists++
		}
	}
	if pairs == 0 {
		return nil, 0, goals.ErrNothingToLearn
	}
	r = &counted{margins: margins, weights: make([]float64, margins.Lists()), squared: o.Loss == SquaredHinge}
	for l := range r.weights {
		switch n := margins.PairWeights(l); {
		case o.Weight == pref.Edges && n > 0:
			r.weights[l] = 1 / (lists * n)
		case o.Weight != pref.Edges:
			r.weights[l] = 1 / weight
		}
	}
	if r.squared {
		r.product = make([]float64, len(y))
	}
	return r, pairs, nil
}

func (r *counted) stopWith(ctx context.Context) {
	r.margins.Stop = func() bool { return ctx.Err() != nil }
}

func (r *counted) stopped() bool { return r.margins.Stopped() }

// At is that of risk. With the counts c and d, A and L the adjacency and the Laplacian of the active pairs, the hinge
// loss is Σ_i ((c_i − d_i) f_i + c_i) with slope c − d (Airola et al. 2011, lemmas 1 and 2). The
// squared loss has slope 2(c − d + Lf), and equals the hinge loss plus (c − d)ᵀf + fᵀLf, since
// (1−t)² = (1−t) − t(1−t).
func (r *counted) At(slope, scores []float64) float64 {
	if !r.margins.Sort(scores) {
		return math.NaN()
	}
	r.margins.Count()
	if r.stopped() {
		return math.NaN()
	}
	value := r.margins.HingeTo(slope, r.weights)
	if !r.squared {
		return value
	}
	r.margins.LaplacianMulTo(r.product, scores, r.weights)
	if r.stopped() {
		return math.NaN()
	}
	value += r.margins.Inner(slope, scores) + r.margins.Inner(r.product, scores)
	parallel.Chunks(len(slope), pieceRows, func(_, lo, hi int) {
		for i, v := range r.product[lo:hi] {
			slope[lo+i] = 2 * (slope[lo+i] + v)
		}
	})
	return value
}

func (r *counted) hessianMulTo(dst, v []float64) {
	r.margins.LaplacianMulTo(dst, v, r.weights)
	parallel.Chunks(len(dst), pieceRows, func(_, lo, hi int) { linalg.Scal(2, dst[lo:hi]) })
}

func (r *counted) degreesTo(dst []float64) { r.margins.DegreesTo(dst, r.weights) }

// pieceRows is the number of rows below which a loop is not worth a goroutine.
const pieceRows = 1 << 14
