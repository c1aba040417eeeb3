package relation

import (
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/internal/procedure"
	"pairrank/relation/kron"
)

// leastNodes is the number of nodes of each side that is split below which a half ranks
// few.
const leastNodes = 2 * cv.LeastUnits

// Parts are halves of the nodes that the setting leaves out: those of the rows, those of the
// columns, or, for leaving out edges or both ends, both, independently; of one domain the nodes are split once. A
// half has the edges both of whose ends it has.
func (s *source) Parts(c *procedure.Choice) procedure.Parts {
	g, setting := s.g, s.p.o.Setting
	rows, cols := g.rows.Rows, g.cols.Rows
	one := g.rows == g.cols
	splitRows, splitCols := setting != kron.Cols, setting != kron.Rows
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
	// the standard error is over the nodes of the rows
	return procedure.Parts{Halving: cv.Halving{Units: units, Of: "node", Least: leastNodes, Given: !splitCols,
		Work: s.halvesWork(c), Draw: draw}}
}

// halvesWork counts the multiplications of all halves: those of the trainings of folds, or the eigenproblems,
// for each λ the products of its leave-outs, and what the pairs take that are left out.
func (s *source) halvesWork(c *procedure.Choice) float64 {
	p := s.p
	rows, cols := float64(p.Rows.Len())/2, float64(p.cols.Len())/2
	switch p.o.Setting {
	case kron.Rows:
		cols *= 2
	case kron.Cols:
		rows *= 2
	}
	lambdas := float64(len(c.Chosen().Candidates))
	if c.Retrained {
		return 2 * cv.HalfSplits * lambdas * s.g.foldsWork(p.o.Setting, c.Method.Folds, int(rows), int(cols))
	}
	work := lambdas * 5 * (rows*rows*cols + rows*cols*cols)
	if x := s.exact; x != nil && s.splits == nil {
		units := min(float64(halfSample(c)), rows*cols*cols)
		if p.o.Setting == kron.Cols {
			units = min(float64(halfSample(c)), cols*cols/2)
		}
		for _, lambda := range c.Chosen().Candidates {
			work += units * x.paths[0].pairWork(lambda, p.o.Setting, int(rows), int(cols))
		}
	}
	return 2 * cv.HalfSplits * (factorWork*(rows*rows*rows+cols*cols*cols) + work)
}

// factorWork is the multiplications of an eigenproblem of p nodes over p³, with the products
// beside it.
const factorWork = 12

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
	if g.inTwoSteps() {
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
