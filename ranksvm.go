package pairrank

import (
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/rows"
	"pairrank/pref"
)

// RankSVM minimises
//
//	mean over pairs y_i > y_j of max(0, 1 − (f_i − f_j)), or of its square, + λ‖f‖²
//
// in O(ms + m log m) an iteration (Airola, Pahikkala and Salakoski 2011, Training linear ranking SVMs in
// linearithmic time using red-black trees). With kernels, or a Basis, it trains on the kernel map of the basis
// rows; without a Basis all rows are basis rows.
type RankSVM struct {
	// Loss is the loss of a pair; "" is ranksvm.Hinge.
	Loss ranksvm.Loss
	// Weight is pref.Pairs or pref.Edges; "" is pref.Pairs.
	Weight pref.Weight
	// Counter is the method of counting pairs; "" is the fastest.
	Counter ranksvm.Counter
	// Epsilon stops the training: at a gap to the optimum of Epsilon, or for the squared loss at a relative
	// gradient of Epsilon; 0 is 1e-3.
	Epsilon float64
	// MaxIterations bounds the iterations for one λ; 0 is 10,000.
	MaxIterations int
	// Basis has the rows of the kernel map.
	Basis Basis
	// Start has the n weights that the training starts from; nil is 0.
	Start []float64
}

// Name returns ranksvm.
func (RankSVM) Name() string { return "ranksvm" }

func (r RankSVM) rows() rows.Learner {
	return rows.RankSVM{Loss: r.Loss, Weight: r.Weight, Counter: r.Counter, Epsilon: r.Epsilon,
		MaxIterations: r.MaxIterations, Basis: rows.Basis(r.Basis), Start: r.Start}
}
