package pairrank

import (
	"pairrank/internal/rows"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
)

// RankSVM minimises
//
//	mean over pairs y_i > y_j of max(0, 1 − (f_i − f_j)), or of its square, + λ‖f‖²
//
// in O(ms + m log m) an iteration (Airola, Pahikkala and Salakoski 2011, Training
// linear ranking SVMs in linearithmic time using red-black trees). Kernels, and a
// Basis, go through the kernel map of the basis rows, of all rows where there is no
// Basis.
type RankSVM struct {
	// Loss is what a pair costs; "" is ranksvm.Hinge.
	Loss ranksvm.Loss
	// Weight is pref.Pairs or pref.Edges; "" is pref.Pairs.
	Weight pref.Weight
	// Counter is how pairs are counted; "" is the quickest way.
	Counter ranksvm.Counter
	// Epsilon is where the training stops: the gap to the optimum, or for the squared
	// loss the relative gradient; 0 is 1e-3.
	Epsilon float64
	// MaxIterations bounds the iterations for one λ; 0 is 10,000.
	MaxIterations int
	// Basis is the rows of the kernel map.
	Basis Basis
	// Start is the weights that the training begins with, n of them; nil is 0.
	Start []float64

	// Checkpoints are written by the training that makes the model, which goes on from the
	// one that it finds: of the same rows and λ, else it is refused. Estimates write none.
	Checkpoints ranksvm.Checkpoints
}

// Name is ranksvm.
func (RankSVM) Name() string { return "ranksvm" }

func (r RankSVM) rows() rows.Learner {
	return rows.RankSVM{Loss: r.Loss, Weight: r.Weight, Counter: r.Counter, Epsilon: r.Epsilon,
		MaxIterations: r.MaxIterations, Basis: rows.Basis(r.Basis), Start: r.Start, Checkpoints: r.Checkpoints}
}
