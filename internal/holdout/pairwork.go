package holdout

import (
	"cmp"
	"math"

	"pairrank/eval/cv"
)

// PairsBudget is the largest work of leave-pair-out, in multiplications, at which PairsAuto leaves
// out all pairs of a single list: some ten seconds of one core, without the factorisation.
const PairsBudget = 3.3e10

// pairWork decides, for the pairs of m rows and v outputs at one of several λ, whether to predict
// all pairs or only the near pairs, and how many of these to draw.
type pairWork struct {
	rows, outputs, lambdas, columns float64
	look                            bool // to see which λ can be the best, by fewer pairs
	known                           bool // the error by drawing is small already
	rough                           bool // the look needs few pairs
	asked                           int64
	share                           float64 // of the near pairs for which products are computed
	part                            float64 // of PairsBudget that may be taken; 0 is 1
}

// near is the work for n near pairs, whose rows lie apart in memory. all is the work of predicting
// all pairs at once.
func (w pairWork) near(n float64) float64 { return n * (40 + w.share*(40+2.5*w.columns)) }

func (w pairWork) all() float64 {
	const most = 200_000 // rows; panels of their predictions take 1.6 GB
	if w.rows > most {
		return math.Inf(1)
	}
	return w.rows * (w.rows - 1) / 2 * (80*w.outputs + w.columns/6)
}

// budget is the work for one λ that PairsAuto allows: a part of PairsBudget, and of the time of the
// factorisation. To look at a λ it allows a tenth of that, but at least as much as four sorts. Where
// the error by drawing is far below that over the rows, it allows a sixteenth.
func (w pairWork) budget() float64 {
	const looks, known = 10, 16
	k := w.columns
	factor := 0.1*w.rows*k*k + 0.6*k*k*k
	all := (cmp.Or(w.part, 1)*PairsBudget + factor/4) / w.lambdas
	switch {
	case w.look && w.rough:
		return 4 * w.sort()
	case w.look:
		return max(all/looks, 4*w.sort())
	case w.known:
		return all / known
	}
	return all
}

// sort is the work of sorting the rows, for each output.
func (w pairWork) sort() float64 { return 16 * w.outputs * w.rows * math.Log2(w.rows+1) }

// plan says whether to predict all pairs, and otherwise how many of size near pairs to draw, 0 for
// all.
func (w pairWork) plan(size int64) (all bool, draw int64) {
	near := w.near(float64(size))
	budget := w.budget()
	switch {
	case w.asked > 0:
		return false, int64(float64(w.asked) * max(1, w.outputs))
	case w.asked == cv.PairsAll || min(near, w.all()) <= budget:
		return w.all() < near, 0
	}
	drawn := min(mostDrawn*w.outputs, float64(size)*ofDrawn*budget/near)
	switch {
	case w.look && w.rough:
		drawn = leastLook * w.outputs
	case w.look:
		if w.columns > wideColumns {
			drawn /= ofDrawn
		}
		drawn = max(leastLook*w.outputs, min(mostLook*w.outputs, drawn))
	}
	return false, int64(drawn)
}

// leastLook and mostLook are how many near pairs are drawn to look at a λ.
const leastLook, mostLook = 1 << 12, 1 << 14

// wideColumns is the number of columns above which a look draws more: it leaves fewer λ to count, whose products take
// longer than the draws.
const wideColumns = 256

// mostDrawn is the largest number of pairs to draw for each output. If all pairs were near and half
// of them changed their order, the standard error by drawing would be 0.0007.
const mostDrawn = 1 << 19

// enough is the largest number of near pairs to draw by default: with it the standard error by
// drawing is at most a tenth of that over the rows, estimated from the predictions with all rows in
// the loss, even if every pair changed its order. A pair changes a count of twice the pairs by at
// most 2, so that with n drawn pairs the error is at most size/(n^½ pairs). Few pairs change their
// order, and the error is far less.
func enough(size int64, rows cv.Point) int64 {
	if !rows.StdErr.Defined || rows.Pairs == 0 {
		return math.MaxInt64
	}
	root := float64(size) / (drawnPart * rows.StdErr.Value * float64(rows.Pairs))
	return int64(max(leastEnough, min(root*root, math.MaxInt64/2)))
}

// enoughAfter is the number of pairs that are enough by the error of those drawn for a look, with half as many again,
// since that is an estimate.
func enoughAfter(look cv.Point) int64 {
	if look.Drawn == 0 || !look.StdErr.Defined {
		return math.MaxInt64
	}
	ratio := look.DrawErr.Value / (drawnPart * look.StdErr.Value)
	return max(leastEnough, int64(min(1.5*ratio*ratio*float64(look.Drawn), math.MaxInt64/2)))
}

// drawnPart is the share of the standard error over the rows to which that by drawing is reduced.
// knownPart is the share below which counting all pairs may take only a part of the budget.
const drawnPart, knownPart = 0.1, 0.01

// suffices reports whether the error of drawn pairs is known to a part of what its rows allow.
func suffices(p cv.Point, part float64) bool {
	return p.Drawn > 0 && p.StdErr.Defined && p.DrawErr.Value <= part*p.StdErr.Value
}

// leastEnough are pairs that take a fraction of the time that sorting the rows does.
const leastEnough = 1 << 16

// ofDrawn is the share of the budget for drawn pairs. A third has 1.7 times the standard error of
// the whole budget, still far below that over the rows.
const ofDrawn = 1.0 / 3
