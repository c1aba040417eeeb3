package relation

import (
	"fmt"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/kernelsum"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/relation/edge"
)

// leastNodes is the least number of nodes on each side that is split. With fewer a half ranks few.
const leastNodes = 2 * holdout.LeastUnits

// Parts are halves of the nodes that the setting leaves out: of the rows, of the columns, or, for leaving out
// edges or both ends, of both, independently. In one domain the nodes are split once. A half has the edges with
// both ends in it.
func (s *source) Parts(c *procedure.Choice) procedure.Parts {
	g, setting := s.g, s.p.o.Setting
	rows, cols := g.rows.Rows, g.cols.Rows
	one := g.rows == g.cols
	splitRows, splitCols := setting != edge.Cols, setting != edge.Rows
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
	of := "node"
	switch setting {
	case edge.Rows:
		of = "row node"
	case edge.Cols:
		of = "column node"
	}
	few := fmt.Sprintf("no 95 %% interval: %s, %d are needed", spell.Plural(units, of), leastNodes)
	return procedure.Parts{Halving: holdout.Halving{Units: units, Of: of, Least: leastNodes, Given: true, Few: few,
		Drawn: c.Method.Kind == cv.KFold || c.Drawn(), Work: s.halvesWork(c), Draw: draw}}
}

// halvesWork estimates the multiplications of all halves: the trainings of folds; or the eigenproblems, for
// each λ the products for its leave-outs, and the pairs that are left out.
func (s *source) halvesWork(c *procedure.Choice) float64 {
	p := s.p
	rows, cols := float64(p.Rows.Len())/2, float64(p.cols.Len())/2
	switch p.o.Setting {
	case edge.Rows:
		cols *= 2
	case edge.Cols:
		rows *= 2
	}
	lambdas := float64(len(c.Chosen().Candidates))
	if c.Retrained {
		return 2 * holdout.HalfSplits * lambdas * s.g.foldsWork(p.o.Setting, c.Method.Folds, int(rows), int(cols))
	}
	work := lambdas * 5 * (rows*rows*cols + rows*cols*cols)
	if x := s.exact; x != nil && s.splits == nil {
		units := min(float64(halfSample(c)), rows*cols*cols)
		if p.o.Setting == edge.Cols {
			units = min(float64(halfSample(c)), cols*cols/2)
		}
		for _, lambda := range c.Chosen().Candidates {
			work += units * x.paths[0].pairWork(lambda, p.o.Setting, int(rows), int(cols))
		}
	}
	factors := 1.0
	if s.g.sums != nil {
		factors += kernelsum.MostSteps
	}
	return 2 * holdout.HalfSplits * (factors*factorWork*(rows*rows*rows+cols*cols*cols) + work)
}

// factorWork is the multiplications of an eigenproblem of p nodes, and the products that go with it, over p³.
const factorWork = 12

// halves are the edges with both ends in each half.
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

// halfOf draws the half of each of n nodes.
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

// lossShare is the share of g in the loss of whole: in its rows for two-step learning, in its edges for
// regression, in the edges less the rows that have any, the trace of L, for ranking.
func (g *graph) lossShare(whole *graph) float64 { return g.lossSize() / whole.lossSize() }

func (g *graph) lossSize() float64 {
	if g.inTwoSteps() {
		return float64(g.rows.Rows)
	}
	edges := float64(len(g.y))
	if g.learn.Loss == edge.Regression {
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
