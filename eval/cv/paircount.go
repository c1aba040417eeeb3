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

// PairsBudget is the work of leave-pair-out, in multiplications, up to which PairsAuto
// leaves out all pairs of a single list: some ten seconds of one core, beside the time of the
// factorisation.
const PairsBudget = 3.3e10

// countsPairs is a leavesPairsOut that counts the pairs of a single list without the
// predictions of all.
type countsPairs interface {
	leavesPairsOut
	PairCounter(y []float64) *rls.PairCounter
	Columns() int
	Dual() bool
}

// fewRows is the number of rows below which the predictions of all pairs are at hand sooner
// than the order of the rows.
const fewRows = 512

// pairWork decides, for the pairs of m rows and v outputs at one of several λ, between all
// predictions and the near pairs, and how many of these are drawn.
type pairWork struct {
	rows, outputs, lambdas, columns float64
	dual                            bool
	asked                           int64
	share                           float64 // of the near pairs for which products are computed
}

// near is the work of n near pairs, whose rows lie apart in memory, and all that of the
// predictions of all pairs at once.
func (w pairWork) near(n float64) float64 { return n * (40 + w.share*(40+2.5*w.products())) }

func (w pairWork) all() float64 {
	const most = 200_000 // rows, of which the panels of predictions take 1.6 GB
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

// budget is the work for one λ that PairsAuto allows: part of PairsBudget, and about the
// time of the factorisation.
func (w pairWork) budget() float64 {
	k := w.columns
	factor := 0.1*w.rows*k*k + 0.6*k*k*k
	return (PairsBudget + factor) / w.lambdas
}

// plan says whether the predictions of all pairs are computed, and else how many of size
// near pairs are drawn, 0 for all.
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

// mostDrawn is how many pairs of each output are drawn at most. If all of them were near and
// half changed their order, they would leave an error of 0.0007.
const mostDrawn = 1 << 19

// enough is how many of size near pairs are drawn at most where their number is not asked for:
// as many as leave an error of drawing of a tenth of that of the rows, by the predictions with
// all rows in the loss, if every pair changed its order. A pair of which none is drawn adds 2
// at most to a count of twice the pairs, so that n drawn leave size/(n^½ pairs) at most. Few do
// change it, and the error is far less.
func enough(size int64, rows Point) int64 {
	const least = 1 << 16 // which take a fraction of the time that sorting the rows does
	const part = 0.1
	if !rows.StdErr.Defined || rows.Pairs == 0 {
		return math.MaxInt64
	}
	root := float64(size) / (part * rows.StdErr.Value * float64(rows.Pairs))
	return int64(max(least, min(root*root, math.MaxInt64/2)))
}

// ofDrawn is the part of the budget that drawn pairs take: a third errs by 1.7 times as much
// as all of it, and far less than there are rows to err by.
const ofDrawn = 1.0 / 3

// countPairs estimates by leave-pair-out of a single list from the pairs that may be ordered
// otherwise when they are left out, or from some of them that are drawn.
func countPairs(ctx context.Context, path countsPairs, counter *rls.PairCounter, labels Labels, o Options) ([]*Estimate, error) {
	m, v := labels.rows(), labels.outputs()
	work := pairWork{float64(m), float64(v), float64(len(o.Candidates)), float64(path.Columns()), path.Dual(), o.Pairs, 1}
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

// countedPoint is the estimate from so many drawn pairs, 0 for all, of rows that are each
// compared with some others; alone is that of pairCount.
func countedPoint(ctx context.Context, near *rls.NearPairs, draw int64, lambda float64, alone bool, compared []int64, o Options) (Point, error) {
	counts, err := near.Count(ctx, draw, o.Seed)
	if err != nil {
		return Point{}, err
	}
	p := pointOf(counts.Signed, rls.PairUnit, compared, alone, counts)
	p.Candidate = lambda
	if o.Units && p.Pairs > 0 && p.Drawn == 0 {
		for i, n := range compared {
			p.Units = append(p.Units, metric.Term{Num: (float64(n) - float64(counts.Signed[i])/rls.PairUnit) / 2, Den: float64(n)})
		}
	}
	return p, nil
}

// pointOf is the estimate from Σ_j sgn(y_i − y_j) sgn(f_i − f_j) of each row, in units of so
// much of a pair; drawn, where it is not nil, says how it varies by drawing. That adds Var(h_i)
// to the square of a row, of which Var(e) d_i² is in e itself.
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
