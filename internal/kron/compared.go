package kron

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Compared is two edges of one row, to columns A and B, that are to be ordered.
type Compared struct{ Row, A, B int32 }

// rounding is the size of a difference, relative to the numbers it is made of, below which it is taken for
// rounding: 2⁻⁴², as for held-out scores of rows. With it all 20,025 ties of 3000 random graphs were ties, and every
// other pair agreed with training in extended precision to 6e-9 of the scores.
const rounding = 0x1p-42

// offBy bounds the error of the eigenvalues of a kernel of this size, relative to λ.
func offBy(size, lambda float64) float64 { return 0x1p-51 * size / lambda }

// MarginsTo sets dst to the difference f'(Row,A) − f'(Row,B) of each of some pairs. It returns the error of
// ctx, and panics when a pair is not in the graph or dst has another length.
type MarginsTo func(ctx context.Context, dst []float64, pairs []Compared) error

// Margins returns a function that compares two edges of a row without what the setting calls new in both: f' is
// trained without the two edges (Pairs), the row (Rows), the two columns (Cols), or the row and the two columns
// (Both). This is leave-pair-out of edges: both scores come from one training (Pahikkala, Airola, Boberg and
// Salakoski 2008, Exact and efficient leave-pair-out cross-validation for ranking RLS, section 3). With Q = (L
// − LSL)/λ, S the smoother of f = SLy, and residuals e = L(y − f) it solves
//
//	λQ_HH δ = e_H    f'(Row,A) − f'(Row,B) = y_A − δ_A − (y_B − δ_B)
//
// for the left-out edges H (Pahikkala et al. 2009, section 3.4). A difference that is rounding compared with
// the numbers it is made of is set to 0. Those numbers are scores; for Both they are labels, which are much
// larger than scores if λ is many times the largest eigenvalue.
//
// For a graph with p rows and r columns it costs some products, O(p²r + pr²). For few pairs of edges it costs two of
// O(p²r), one of which relabelled paths share. Each pair costs O(r) for Pairs; for Cols O(p), and O(pr) for each two
// columns that follow one another in pairs; for Both the BothWork.
// Margins returns a *NotExactError unless the relation is Arbitrary, and panics unless λ is positive and finite
// and there is such a setting. The function is not safe for concurrent use.
func (p *Path) Margins(lambda float64, s Setting) (MarginsTo, error) {
	checkLambda(lambda)
	s = resolved(s)
	if p.o.Relation != Arbitrary {
		return nil, p.Exact(s)
	}
	var to MarginsTo
	switch s {
	case Pairs:
		to = p.marginsOfEdges(lambda)
	case Cols:
		to = p.marginsOfCols(lambda)
	case Both:
		to = p.marginsOfBoth(lambda)
	default:
		f, err := p.HoldOut(lambda, Rows)
		if err != nil {
			return nil, err
		}
		to = marginsWithin(f, p.bound(lambda, p.isLearnt(lambda), linalg.Mat(*f), linalg.Mat(*p.y)))
	}
	return to.checked(p.y.Rows, p.y.Cols), nil
}

// checked panics at pairs that are not in a graph.
func (to MarginsTo) checked(rows, cols int) MarginsTo {
	return func(ctx context.Context, dst []float64, pairs []Compared) error {
		if len(pairs) != len(dst) {
			panic(fmt.Sprintf("kron: %d margins of %d pairs", len(dst), len(pairs)))
		}
		for _, c := range pairs {
			if min(c.Row, c.A, c.B) < 0 || int(c.Row) >= rows || int(max(c.A, c.B)) >= cols {
				panic(fmt.Sprintf("kron: margin of pair %v of %d×%d", c, rows, cols))
			}
		}
		return to(ctx, dst, pairs)
	}
}

// marginsWithin returns the differences of scores of one training, whose rounding is below bound.
func marginsWithin(f *data.Dense, bound float64) MarginsTo {
	return func(ctx context.Context, dst []float64, pairs []Compared) error {
		for h, c := range pairs {
			row := f.Row(int(c.Row))
			dst[h] = orTied(row[c.A]-row[c.B], bound)
		}
		return ctx.Err()
	}
}

// widest is the largest absolute entry.
func widest(m linalg.Mat) float64 {
	largest := 0.0
	for i := range m.Rows {
		for _, v := range m.Row(i) {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// orTied is a margin, or 0 if it is within rounding.
func orTied(margin, bound float64) float64 {
	if math.Abs(margin) <= bound {
		return 0
	}
	return margin
}

// bound bounds the rounding of scores f with residuals e. It is relative to the scores. If the scores are
// labels minus residuals, the last bits of the labels are added. The error of the eigenvalues is relative to
// the size of the kernels, which is large if the kernels are nearly constant.
func (p *Path) bound(lambda float64, learnt bool, f, e linalg.Mat) float64 {
	return p.boundOf(lambda, learnt, widest(f), widest(e))
}

// boundOf is bound for scores and residuals of these sizes.
func (p *Path) boundOf(lambda float64, learnt bool, f, e float64) float64 {
	least := rounding*f + offBy(p.rows.size*p.cols.size, lambda)*e
	if !learnt {
		least += rounding * lastBits * widest(linalg.Mat(*p.y))
	}
	return least
}

// isLearnt reports whether S is summed; see Leverage.
func (p *Path) isLearnt(lambda float64) bool {
	_, greatest := p.Extent()
	return lambda > greatest
}

// centredLabels are the labels; for ranking less the mean of their row.
func (p *Path) centredLabels() linalg.Mat {
	y := linalg.NewMat(p.y.Rows, p.y.Cols)
	for i := range y.Rows {
		p.centreTo(y.Row(i), i)
	}
	return y
}

// centreTo sets dst to row i of centredLabels.
func (p *Path) centreTo(dst []float64, i int) {
	mean := p.mean(i)
	for j, y := range p.y.Row(i) {
		dst[j] = y - mean
	}
}

// mean is the mean of the labels of row i, which the ranking loss takes off; 0 for regression.
func (p *Path) mean(i int) float64 {
	if p.o.Loss != Ranking {
		return 0
	}
	return linalg.Sum(p.y.Row(i)) / float64(p.y.Cols)
}

// shareOf returns the part of E that stays in the residuals, or with learnt the learnt part, and the size of
// what stays, in the eigenvectors of the rows.
func (p *Path) shareOf(lambda float64, learnt bool) (w linalg.Mat, sizes []float64) {
	w, sizes = p.e.Clone(), make([]float64, p.e.Rows)
	for k, dk := range p.rows.d {
		sum := 0.0
		row := w.Row(k)
		for l, e := range row {
			d := dk * p.cols.d[l]
			sum += e * e * part(d, lambda, false)
			row[l] = e * part(d, lambda, learnt)
		}
		sizes[k] = math.Sqrt(sum)
	}
	return w, sizes
}

// marginsOfEdges leaves out both edges of each pair. The sums for a row are over the squares of its entries in
// the eigenvectors of the rows. They are made edge by edge, until the pairs of all calls are so many that products of
// matrices for every edge of the graph are faster.
func (p *Path) marginsOfEdges(lambda float64) MarginsTo {
	learnt := p.isLearnt(lambda)
	w, sizes := p.shareOf(lambda, learnt)
	size := slices.Repeat([]float64{linalg.Nrm2(sizes)}, p.y.Rows)
	every := sync.OnceValue(func() *spans {
		s := p.newSpans(lambda, learnt, p.weights.of(p, lambda, learnt), p.centredLabels(), p.turnBack(w))
		s.size = size
		return s
	})
	some := sync.OnceValue(func() *spans {
		s := p.newFewSpans(lambda, learnt, p.weights.of(p, lambda, learnt), w)
		s.size = size
		return s
	})
	seen := 0 // pairs
	return func(ctx context.Context, dst []float64, pairs []Compared) error {
		const share = 8 // one pair for eight edges of the graph takes as long edge by edge as by products
		s := some
		if seen += len(pairs); share*seen > p.y.Rows*p.y.Cols {
			s = every
		}
		made, scratch := s(), make([][]float64, parallel.Workers())
		const each = 256
		parallel.Chunks(len(pairs), each, func(worker, lo, hi int) {
			if ctx.Err() != nil {
				return
			}
			if scratch[worker] == nil {
				scratch[worker] = make([]float64, made.weight.Cols)
			}
			made.margins(dst[lo:hi], pairs[lo:hi], scratch[worker])
		})
		return ctx.Err()
	}
}

// margins sets the margins of pairs of edges. Pairs with the same first edge that follow one another share it and its
// weighted eigenvectors.
func (s *spans) margins(dst []float64, pairs []Compared, weighted []float64) {
	var first edge
	last := Compared{Row: -1}
	for h, c := range pairs {
		i, a, b := int(c.Row), int(c.A), int(c.B)
		if c.Row != last.Row || c.A != last.A {
			v := s.v.Row(a)
			for l, w := range s.weight.Row(i) {
				weighted[l] = w * v[l]
			}
			first = s.edge(i, a)
		}
		last = c
		dst[h] = orTied(s.margin(i, a, b, first, s.edge(i, b), linalg.Dot(weighted, s.v.Row(b))))
	}
}

// colsBatch is the number of pairs of columns left out at once, so that their sums and margins are products of
// matrices.
const colsBatch = 256

// marginsOfCols leaves out both columns of each pair. In each eigenvector of the rows they are a system of two
// unknowns; the solutions are transformed back to the rows.
func (p *Path) marginsOfCols(lambda float64) MarginsTo {
	learnt := p.isLearnt(lambda)
	w, sizes := p.shareOf(lambda, learnt)
	s := p.newSpans(lambda, learnt, p.parts(lambda, always(learnt)), p.projected.left().Clone(),
		w.Mul(p.cols.u))
	s.size = sizes
	columns := [3]linalg.Mat{s.own.T(), s.f.T(), s.e.T()}
	rows, by := p.rows.u.T(), len(p.rows.d)
	products, cross, least := linalg.NewMat(colsBatch, s.v.Cols), linalg.NewMat(colsBatch, by), make([]float64,
		colsBatch)
	return func(ctx context.Context, dst []float64, pairs []Compared) error {
		starts := startsOfCols(pairs)
		for from := 0; from+1 < len(starts); from += colsBatch {
			if err := ctx.Err(); err != nil {
				return err
			}
			bounds := starts[from:min(from+colsBatch+1, len(starts))]
			n := len(bounds) - 1
			parallel.Chunks(n, 16, func(_, lo, hi int) {
				for g := lo; g < hi; g++ {
					c, row := pairs[bounds[g]], products.Row(g)
					copy(row, s.v.Row(int(c.A)))
					for l, v := range s.v.Row(int(c.B)) {
						row[l] *= v
					}
				}
			})
			linalg.Gemm(linalg.NoTrans, linalg.T, 1, first(products, n), s.weight, 0, first(cross, n))
			parallel.Chunks(n, 4, func(_, lo, hi int) {
				for g := lo; g < hi; g++ {
					c := pairs[bounds[g]]
					least[g] = s.ofCols(columns, cross.Row(g), int(c.A), int(c.B))
				}
			})
			turn(pairs, bounds, first(cross, n), p.rows.u, rows, func(h, g int, margin float64) {
				dst[h] = orTied(margin, least[g])
			})
		}
		return nil
	}
}

// turn calls emit with the margin of each pair of a batch of columns, whose pairs begin at bounds. It
// transforms margins in the eigenvectors of the rows: by one product of matrices if most rows are needed, else
// by one product of vectors for each pair. rows are those of u transposed.
func turn(pairs []Compared, bounds []int, by, u, rows linalg.Mat, emit func(h, g int, margin float64)) {
	const many = 4 // a product of matrices is four times as fast as products of vectors
	var all linalg.Mat
	if (bounds[by.Rows]-bounds[0])*many >= by.Rows*rows.Rows {
		all = by.Mul(u)
	}
	parallel.Chunks(by.Rows, 4, func(_, lo, hi int) {
		for g := lo; g < hi; g++ {
			for h := bounds[g]; h < bounds[g+1]; h++ {
				i := int(pairs[h].Row)
				if all.Rows > 0 {
					emit(h, g, all.Row(g)[i])
				} else {
					emit(h, g, linalg.Dot(rows.Row(i), by.Row(g)))
				}
			}
		}
	})
}

// startsOfCols returns the places at which the columns of the pairs change, and the end.
func startsOfCols(pairs []Compared) []int {
	starts := []int{0}
	for h := 1; h < len(pairs); h++ {
		if pairs[h].A != pairs[h-1].A || pairs[h].B != pairs[h-1].B {
			starts = append(starts, h)
		}
	}
	if len(pairs) > 0 {
		starts = append(starts, len(pairs))
	}
	return starts
}

// ofCols turns the sums of the products of columns a and b, in the eigenvectors of the rows, into the margins
// in them. A row is a unit vector, so the root of the sum of squares bounds the rounding. columns are own, f
// and e with a row for each column.
func (s *spans) ofCols(columns [3]linalg.Mat, cross []float64, a, b int) (bound float64) {
	var of [6][]float64
	for c, m := range columns {
		of[2*c], of[2*c+1] = m.Row(a)[:len(cross)], m.Row(b)[:len(cross)]
	}
	sum := 0.0
	for k, v := range cross {
		var one float64
		ofA, ofB := edge{of[0][k], of[2][k], of[4][k]}, edge{of[1][k], of[3][k], of[5][k]}
		cross[k], one = s.margin(k, a, b, ofA, ofB, v)
		sum += one * one
	}
	return math.Sqrt(sum)
}
