package cv

import (
	"context"
	"fmt"
	"math"

	"pairrank/eval/metric"
	"pairrank/internal/ostat"
	"pairrank/learn/rls"
)

// PairsAuto and PairsAll are values of Options.Pairs.
const (
	PairsAuto = 0
	PairsAll  = -1
)

// PairsBudget is the largest work of leave-pair-out, in multiplications, at which PairsAuto leaves
// out all pairs of a single list: some ten seconds of one core, without the factorisation.
const PairsBudget = 3.3e10

// countsPairs is a leavesPairsOut that counts the pairs of a single list without predicting all of
// them.
type countsPairs interface {
	leavesPairsOut
	PairCounter(y []float64) *rls.PairCounter
	Columns() int
	Dual() bool
}

// fewRows is the number of rows below which predicting all pairs is faster than sorting the rows.
const fewRows = 512

// pairWork decides, for the pairs of m rows and v outputs at one of several λ, whether to predict
// all pairs or only the near pairs, and how many of these to draw.
type pairWork struct {
	rows, outputs, lambdas, columns float64
	dual                            bool
	asked                           int64
	share                           float64 // of the near pairs for which products are computed
}

// near is the work for n near pairs, whose rows lie apart in memory. all is the work of predicting
// all pairs at once.
func (w pairWork) near(n float64) float64 { return n * (40 + w.share*(40+2.5*w.products())) }

func (w pairWork) all() float64 {
	const most = 200_000 // rows; panels of their predictions take 1.6 GB
	if w.rows > most {
		return math.Inf(1)
	}
	return w.rows * (w.rows - 1) / 2 * (80*w.outputs + w.products()/6)
}

// products is the multiplications of a pair.
func (w pairWork) products() float64 {
	if w.dual {
		return 2 * w.columns
	}
	return w.columns
}

// budget is the work for one λ that PairsAuto allows: a part of PairsBudget, and about the time of
// the factorisation.
func (w pairWork) budget() float64 {
	k := w.columns
	factor := 0.1*w.rows*k*k + 0.6*k*k*k
	return (PairsBudget + factor) / w.lambdas
}

// plan says whether to predict all pairs, and otherwise how many of size near pairs to draw, 0 for
// all.
func (w pairWork) plan(size int64) (all bool, draw int64) {
	near := w.near(float64(size))
	switch {
	case w.asked > 0:
		return false, int64(float64(w.asked) * max(1, w.outputs))
	case w.asked == PairsAll || min(near, w.all()) <= w.budget():
		return w.all() < near, 0
	}
	return false, int64(min(mostDrawn*w.outputs, float64(size)*ofDrawn*w.budget()/near))
}

// mostDrawn is the largest number of pairs to draw for each output. If all pairs were near and half
// of them changed their order, the standard error by drawing would be 0.0007.
const mostDrawn = 1 << 19

// enough is the largest number of near pairs to draw by default: with it the standard error by
// drawing is at most a tenth of that over the rows, estimated from the predictions with all rows in
// the loss, even if every pair changed its order. A pair changes a count of twice the pairs by at
// most 2, so that with n drawn pairs the error is at most size/(n^½ pairs). Few pairs change their
// order, and the error is far less.
func enough(size int64, rows Point) int64 {
	const least = 1 << 16 // which take a fraction of the time that sorting the rows does
	const part = 0.1
	if !rows.StdErr.Defined || rows.Pairs == 0 {
		return math.MaxInt64
	}
	root := float64(size) / (part * rows.StdErr.Value * float64(rows.Pairs))
	return int64(max(least, min(root*root, math.MaxInt64/2)))
}

// ofDrawn is the share of the budget for drawn pairs. A third has 1.7 times the standard error of
// the whole budget, still far below that over the rows.
const ofDrawn = 1.0 / 3

// countPairs estimates leave-pair-out of a single list from the pairs whose order may change when
// they are left out, or from a sample of them.
func countPairs(ctx context.Context, path countsPairs, counter *rls.PairCounter, labels Labels,
	o Options) ([]*Estimate, error) {
	m, v := labels.rows(), labels.outputs()
	work := pairWork{float64(m), float64(v), float64(len(o.Candidates)), float64(path.Columns()),
		path.Dual(), o.Pairs, 1}
	estimates, count, compared := newEstimates(labels, o), newPairCount(labels), make([][]int64, v)
	count.units = o.Units
	for c := range compared {
		compared[c] = make([]int64, m)
		ostat.NewConcordance(count.y[c]).PairsTo(compared[c])
	}
	err := counter.Each(o.Candidates, func(l int, near []*rls.NearPairs) error {
		lambda := o.Candidates[l]
		size, products := int64(0), 0.0
		for _, n := range near {
			size += n.Size()
			products += n.Share() * float64(n.Size())
		}
		work.share = products / max(1, float64(size))
		all, draw := work.plan(size)
		var err error
		if all {
			err = count.all(ctx, path, lambda, l, estimates, count.take)
		}
		for c, n := range near {
			if all || err != nil {
				break
			}
			own := int64(0) // all of them
			if draw > 0 {
				own = max(1, int64(float64(draw)*float64(n.Size())/float64(size)))
			}
			if draw > 0 && o.Pairs == PairsAuto {
				own = min(own, enough(n.Size(), pointOf(n.Signed(), 1, compared[c], count.alone[c], nil)))
			}
			estimates[c].Points[l], err = countedPoint(ctx, n, own, lambda, count.alone[c], compared[c], o)
		}
		if err == nil {
			err = checkPairs(estimates, l, o.Method)
		}
		if err == nil && o.Progress != nil {
			o.Progress(l+1, len(o.Candidates))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, e := range estimates {
		e.choose(nil)
	}
	return estimates, nil
}

// checkPairs refuses an output without pairs of different labels, by the points of a λ.
func checkPairs(estimates []*Estimate, l int, m Method) error {
	for c, e := range estimates {
		if e.Points[l].Pairs == 0 {
			return fmt.Errorf("output %d: all labels of a query are equal, so %s cannot estimate an error", c+1, m)
		}
	}
	return nil
}

// countedPoint is the estimate from draw near pairs, 0 for all. compared counts for each row the
// rows that it is compared with; alone is as in pairCount.
func countedPoint(ctx context.Context, near *rls.NearPairs, draw int64, lambda float64, alone bool, compared []int64,
	o Options) (Point, error) {
	counts, err := near.Count(ctx, draw, o.Seed)
	if err != nil {
		return Point{}, err
	}
	p := pointOf(counts.Signed, rls.PairUnit, compared, alone, counts)
	p.Candidate = lambda
	if o.Units && p.Pairs > 0 && p.Drawn == 0 {
		for i, n := range compared {
			p.Units = append(p.Units, metric.Term{Num: (float64(n) - float64(counts.Signed[i])/rls.PairUnit) / 2,
				Den: float64(n)})
		}
	}
	return p, nil
}

// pointOf is the estimate from Σ_j sgn(y_i − y_j) sgn(f_i − f_j) of each row, in the given unit of
// a pair. drawn, where it is not nil, has the variance by drawing. Drawing adds Var(h_i) to the
// square of a row; Var(e) d_i² of it comes from e.
func pointOf(signed []int64, unit float64, compared []int64, alone bool, drawn *rls.PairCounts) Point {
	total, sum := int64(0), int64(0)
	for i, n := range compared {
		total += n
		sum += signed[i]
	}
	p := Point{Pairs: total / 2}
	if total == 0 {
		return p
	}
	p.Error = (float64(total) - float64(sum)/unit) / 2 / float64(total)
	p.Metric = metric.Value{Value: p.Error, Defined: true}
	squares, ofDrawing := 0.0, 0.0
	if drawn != nil && drawn.Drawn < drawn.Near {
		p.Drawn = drawn.Drawn
		p.DrawErr = metric.Value{Value: math.Sqrt(drawn.Variance) / float64(total), Defined: true}
		squares, ofDrawing = -drawn.Noise/4, p.DrawErr.Value*p.DrawErr.Value
	}
	for i, n := range compared {
		d := (float64(n)-float64(signed[i])/unit)/2 - p.Error*float64(n)
		squares += d * d
	}
	if ofDrawing > 0 {
		for _, n := range compared {
			squares += float64(n) * float64(n) * ofDrawing
		}
	}
	p.StdErr = rowsError(squares, p.Pairs, alone)
	return p
}
