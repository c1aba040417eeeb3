package comparison

import "pairrank/comparison/internal/outcome"

// Options says how scores are learnt.
type Options struct {
	Loss   Loss    // "" is Squared
	Ties   Ties    // of the logistic loss; "" is Half
	Lambda float64 // λ ≥ 0
	// BiasReduced solves Firth's score instead of that of the logistic loss, at λ = 0 (Firth 1993, Bias
	// reduction of maximum likelihood estimates). Its scores are finite, also of items that only win. Outcomes between
	// wins and losses are refused: their bias is smaller by as much as their variance, so that Firth's score draws scores
	// too far together. Intervals by their residuals held in 89 to 93 % where that variance is p(1 − p)/10, in 70 to 84 %
	// where it is p(1 − p)/50, of 300 boards of 6 and of 20 items with 6, 12 and 40 comparisons an item.
	BiasReduced bool
	// Progress, where it is not nil, receives the relative residual after each iteration of a large board.
	Progress func(residual float64)

	dense     int     // the largest number of items with dense matrices; 0 is mostDense
	tolerance float64 // of large boards; 0 is Tolerance
}

// Loss is the loss of an outcome.
type Loss string

const (
	Squared  Loss = "squared"
	Logistic Loss = "logistic"
)

// Mean is what the mean loss of an outcome is called.
func (l Loss) Mean() string {
	if l == Logistic {
		return "log-loss"
	}
	return "squared error"
}

// Ties is the treatment of a tie in the logistic loss.
type Ties string

const (
	Half     Ties = "half"     // half a win of either side
	Drop     Ties = "drop"     // nothing
	Davidson Ties = "davidson" // an outcome of its own, with the parameter ν
)

// mostDense is the largest number of items of a board without features that has a dense inverse. With 100,000
// comparisons 4,000 items take 11 processor seconds and 0.9 GB, with intervals and ranks of all; times grow with
// the cube of the items, memory with the square. A large board fits faster, but takes a solve for the variance of each
// item, 0.65 s for 100 of 4,100, and sets of ranks of all need all variances: the inverse has these for less.
const mostDense = 4000

// large reports whether a board is fitted without dense matrices.
func (o *Options) large(p *Problem) bool {
	most := mostDense
	if o.dense > 0 {
		most = o.dense
	}
	return p.Features == nil && !o.BiasReduced && len(p.Items) > most
}

// loss is the loss with what it does with ties.
func (o *Options) loss() outcome.Loss {
	if o.Loss != Logistic {
		return outcome.Squared
	}
	switch o.Ties {
	case Drop:
		return outcome.Drop
	case Davidson:
		return outcome.Davidson
	}
	return outcome.Half
}
