package relation

import (
	"context"
	"math/rand/v2"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/fault"
	"pairrank/relation/kron"
)

// Interval returns the 95 % interval of the error of the best point by cv.Halves, in O(1).
// Without Halves it is not Defined.
func (e *Estimated) Interval() cv.Interval {
	p := e.BestPoint()
	return e.Halves.Interval(p.Error, p.StdErr, 0)
}

// IntervalSource is where the variance of Interval comes from, "" without Halves.
func (e *Estimated) IntervalSource() cv.VarianceSource {
	if e.Halves == nil {
		return ""
	}
	p := e.BestPoint()
	_, source := e.Halves.Variance(p.Error, p.StdErr, 0)
	return source
}

// leastNodes is the number of nodes of each side that is split below which a half ranks
// few.
const leastNodes = 2 * cv.LeastUnits

// halve estimates by half-samples how much the chosen estimate varies, or notes why it
// does not.
func (p *problem) halve(ctx context.Context, e *Estimated) error {
	h := p.halving(e)
	h.Retrained, h.Work = e.Retrained, p.halvesWork(e)
	wanted, note, err := h.Wanted(p.o.Intervals)
	if note != "" {
		p.note.Add(Note{Code: NoteNoInterval, Text: note, Remedy: "Options.Intervals halves makes it"})
	}
	if err != nil {
		return fault.Optionf("Intervals", "%w", err)
	}
	if !wanted {
		return nil
	}
	tell, end := p.o.Monitor.Task("estimating halves", cv.HalfSplits)
	defer end()
	e.Halves, err = h.Sample(ctx, p.o.Seed, tell)
	if ctx.Err() == nil && err != nil {
		p.note.Note(NoteFailedInterval, "there is no 95 %% interval: %v", err)
	}
	return ctx.Err()
}

// halvesWork counts the multiplications of all halves: the eigenproblems, for each λ the
// products of its leave-outs, and what the pairs take that are left out.
func (p *problem) halvesWork(e *Estimated) float64 {
	rows, cols := float64(p.Rows.Len())/2, float64(p.cols.Len())/2
	switch p.o.Setting {
	case kron.Rows:
		cols *= 2
	case kron.Cols:
		rows *= 2
	}
	work := float64(len(e.Points)) * 5 * (rows*rows*cols + rows*cols*cols)
	if x := e.measured.exact; x != nil && e.measured.splits == nil {
		units := min(float64(halfSample(e)), rows*cols*cols)
		if p.o.Setting == kron.Cols {
			units = min(float64(halfSample(e)), cols*cols/2)
		}
		for _, lambda := range lambdasOf(e.Estimate) {
			work += units * x.paths[0].pairWork(lambda, p.o.Setting, int(rows), int(cols))
		}
	}
	return 2 * cv.HalfSplits * (factorWork*(rows*rows*rows+cols*cols*cols) + work)
}

// halfSample is how many pairs, or two columns, a half draws: so many that the error of drawing
// is a third of the standard error, and at least 500. A drawing is part of what a half varies by,
// so that few would widen the interval.
func halfSample(e *Estimated) int {
	const least, third = 500, 9
	p := e.BestPoint()
	if !p.StdErr.Defined || p.StdErr.Value == 0 {
		return least
	}
	return max(least, int(third*p.Error*(1-p.Error)/(p.StdErr.Value*p.StdErr.Value)))
}

// factorWork is the multiplications of an eigenproblem of p nodes over p³, with the products
// beside it.
const factorWork = 12

// halving is how half-samples are made: their value is the error at the λ that each half
// chooses, and their units the nodes that are split. The nodes of the rows are for leaving out rows, those of the
// columns for leaving out columns, and both, independently, for leaving out edges or
// both ends; of one domain the nodes are split once. A half has the edges both of
// whose ends it has. Values of λ that were given are scaled by what of the loss is in a
// half; else they are those of its own scale.
func (p *problem) halving(whole *Estimated) cv.Halving {
	g := p.graph()
	rows, cols := g.rows.Rows, g.cols.Rows
	one := g.rows == g.cols
	splitRows, splitCols := p.o.Setting != kron.Cols, p.o.Setting != kron.Rows
	units := min(rows, cols)
	switch {
	case one || !splitCols:
		units = rows
	case !splitRows:
		units = cols
	}
	draw := func(random *rand.Rand) [2][]int {
		inRow, inCol := halfOf(random, rows, one || splitRows), halfOf(random, cols, splitCols)
		if one {
			inCol = inRow
		}
		return g.halves(inRow, inCol)
	}
	estimate := func(ctx context.Context, edges []int) ([]float64, error) {
		half := g.part(edges)
		m := measuring{metric: p.o.Metric}
		if given := p.o.lambdas(); given != nil {
			share := half.lossShare(g)
			m.lambdas = slices.Clone(given)
			for l := range m.lambdas {
				m.lambdas[l] *= share
			}
		}
		if g.twoStep > 0 {
			half.twoStep *= float64(half.cols.Rows) / float64(cols)
		}
		s := p.o.scheme(whole.Method)
		s.auto, s.sample = false, halfSample(whole)
		if s.setting == kron.Cols {
			s.sample *= half.rows.Rows // pairs of two columns
		}
		e, err := half.estimate(ctx, s, m)
		if err != nil {
			return nil, err
		}
		return []float64{e.BestPoint().Error}, nil
	}
	// the standard error is over the nodes of the rows
	return cv.Halving{Units: units, Of: "node", Least: leastNodes, Given: !splitCols, Draw: draw, Estimate: estimate}
}

// halves are the edges both of whose ends each half has.
func (g *graph) halves(inRow, inCol []int) (halves [2][]int) {
	for e := range g.y {
		a, b := inRow[g.edges.Row[e]], inCol[g.edges.Col[e]]
		for half := range 2 {
			if (a == half || a == inBoth) && (b == half || b == inBoth) {
				halves[half] = append(halves[half], e)
			}
		}
	}
	return halves
}

// inBoth marks nodes that are in both halves.
const inBoth = 2

// halfOf is the half that each of n nodes is in.
func halfOf(random *rand.Rand, n int, split bool) []int {
	of := make([]int, n)
	if !split {
		for i := range of {
			of[i] = inBoth
		}
		return of
	}
	for place, i := range random.Perm(n) {
		of[i] = place % 2
	}
	return of
}

// lossShare is what of the loss of whole is in g: of its rows for two-step learning,
// of its edges for regression, of the edges less the rows that have any, the trace of
// L, for ranking.
func (g *graph) lossShare(whole *graph) float64 { return g.lossSize() / whole.lossSize() }

func (g *graph) lossSize() float64 {
	if g.twoStep > 0 {
		return float64(g.rows.Rows)
	}
	edges := float64(len(g.y))
	if g.learn.Loss == kron.Regression {
		return edges
	}
	seen := make([]bool, g.rows.Rows)
	for _, i := range g.edges.Row {
		if !seen[i] {
			seen[i] = true
			edges--
		}
	}
	return max(edges, 1)
}
