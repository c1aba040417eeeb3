package pairmodel

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

// part is a sum over terms of both nodes of a pair (d,t): ⟨a_d, b_t⟩. If a factor is [x=z] it is one entry: a_d
// at the training node t, or b_t at the training node d.
type part struct {
	a, b  data.Matrix
	known []int32
}

// parts are f without one number for each row and each column node: in all
//
//	f(d,t) = rowOnly_d + colOnly_t + Σ parts(d,t)
type parts struct {
	list             []part
	rowOnly, colOnly []float64 // both or neither: a kernel has terms of each node alone, or none
}

// ScoreBlockTo sets dst, r×c, to the scores of every pair of r row nodes and c column nodes. Over p₁ and p₂
// training nodes it costs about min(r, c)·p₁·p₂ + r·c·max(p₁, p₂) multiplications. With m edges the first term
// is min(r, c)·m if that is less. It takes as much memory as the values of one side. It runs on all cores, with
// the same bytes for any number of threads. It panics when the shapes do not fit, or the values belong to
// another model.
func (p *Model) ScoreBlockTo(dst *data.Dense, rows, cols *Values) {
	if dst.Rows != rows.count || dst.Cols != cols.count {
		panic(fmt.Sprintf("pairmodel: ScoreBlockTo into %d×%d for %d and %d nodes",
			dst.Rows, dst.Cols, rows.count, cols.count))
	}
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	if p.Kernel == Similarity {
		p.similarityTo(dst, rows, cols)
		return
	}
	all := p.parts(rows, cols, float64(dst.Rows)*float64(dst.Cols))
	for i := range dst.Rows {
		clear(dst.Row(i))
	}
	all.list = slices.DeleteFunc(all.list, func(q part) bool { return q.multiplied(dst) })
	if len(all.list) == 0 && all.rowOnly == nil {
		return
	}
	const rowsPerPiece = 8
	parallel.Chunks(dst.Rows, rowsPerPiece, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst.Row(i)
			for j := range out {
				out[j] = all.addTo(out[j], i, j)
			}
		}
	})
}

// ScorePairsTo sets dst[k] to the score of row node row[k] and column node col[k], which count from 0 in rows
// and cols; dst, row and col have one length. Nodes without a pair cost nothing. If the pairs are at least an
// eighth of the block of the other nodes, it costs a ScoreBlockTo of these, with memory for the block; else it
// scores each pair alone. It panics when the lengths differ or a number is out of range.
func (p *Model) ScorePairsTo(dst []float64, rows, cols *Values, row, col []int32) {
	if len(row) != len(dst) || len(col) != len(dst) {
		panic(fmt.Sprintf("pairmodel: ScorePairsTo into %d scores for %d rows and %d columns",
			len(dst), len(row), len(col)))
	}
	if len(dst) == 0 {
		return
	}
	if p.Kernel == Similarity && p.Rows.Precomputed() {
		x := rectangleOf(rows, cols)
		for k, i := range row {
			dst[k] = x.Row(int(i))[col[k]]
			if rows.roots != nil {
				dst[k] /= rows.roots[i] * cols.roots[col[k]]
			}
		}
		return
	}
	rows, row = rows.named(row)
	cols, col = cols.named(col)
	const many = 8 // an entry of a block costs an eighth of a single pair
	if size := float64(rows.count) * float64(cols.count); size <= many*float64(len(dst)) {
		block := data.NewDense(rows.count, cols.count, nil)
		p.ScoreBlockTo(block, rows, cols)
		for k, i := range row {
			dst[k] = block.Row(int(i))[col[k]]
		}
		return
	}
	if p.Kernel == Similarity {
		p.similarPairsTo(dst, rows, cols, row, col)
		return
	}
	all := p.parts(rows, cols, float64(len(dst)))
	const pairs = 1024
	parallel.Chunks(len(dst), pairs, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			dst[k] = all.addTo(0, int(row[k]), int(col[k]))
		}
	})
}

// named returns the values of the nodes in a list, and the list in their new numbers.
func (v *Values) named(list []int32) (*Values, []int32) {
	place := make([]int32, v.count)
	for _, i := range list {
		place[i] = 1
	}
	var nodes []int
	for i, in := range place {
		if in == 1 {
			place[i] = int32(len(nodes))
			nodes = append(nodes, i)
		}
	}
	if len(nodes) == v.count {
		return v, list
	}
	numbers := make([]int32, len(list))
	for k, i := range list {
		numbers[k] = place[i]
	}
	return v.some(nodes), numbers
}

// some returns the values of some of the nodes.
func (v *Values) some(nodes []int) *Values {
	w := &Values{count: len(nodes), x: data.Select(v.x, nodes)}
	for _, i := range nodes {
		if v.known != nil {
			w.known = append(w.known, v.known[i])
		}
		if v.roots != nil {
			w.roots = append(w.roots, v.roots[i])
		}
	}
	return w
}

// parts prepares so many pairs of nodes.
func (p *Model) parts(rows, cols *Values, pairs float64) *parts {
	p.checkValues(rows, cols)
	t := p.terms()
	all := &parts{rowOnly: p.alone(t.own, rows, pairterms.Row), colOnly: p.alone(t.own, cols, pairterms.Col)}
	if c := p.between(t.same); c != nil {
		all.list = append(all.list,
			part{a: c.half(rows.x, false), known: cols.known}, part{b: c.half(cols.x, true), known: rows.known})
	}
	switch b := p.between(t.both); {
	case b == nil:
	case b.leads(rows.x, cols.x, pairs):
		all.list = append(all.list, part{a: b.half(rows.x, false), b: cols.x})
	default:
		all.list = append(all.list, part{a: rows.x, b: b.half(cols.x, true)})
	}
	return all
}

// checkValues panics when values are not of this model.
func (p *Model) checkValues(rows, cols *Values) {
	known := p.Kernel == pairwise.Cartesian
	if width(rows.x) != p.size(pairterms.Row) || width(cols.x) != p.size(pairterms.Col) ||
		known != (rows.known != nil) || known != (cols.known != nil) {
		panic(fmt.Sprintf("pairmodel: values of nodes with %d and %d others for a %s model of %d×%d",
			width(rows.x), width(cols.x), p.Kernel, p.size(pairterms.Row), p.size(pairterms.Col)))
	}
}

// alone returns the own terms of each node of an end, nil for none. The caller's values keep them, so that many
// blocks of the same columns compute them once.
func (p *Model) alone(own [2][]pairterms.Term, v *Values, at pairterms.End) (sums []float64) {
	if len(own[at]) == 0 {
		return nil
	}
	if v.of != p {
		return p.own(own[at]).ofEach(v.x.(*data.Dense))
	}
	v.once[at].Do(func() { v.alone[at] = p.own(own[at]).ofEach(v.x.(*data.Dense)) })
	return v.alone[at]
}

// ofEach returns the sum for each row of kernel values.
func (o OwnTerms) ofEach(values *data.Dense) []float64 {
	out := make([]float64, values.Rows)
	if o.Plain != nil {
		values.MulVecTo(out, o.Plain)
	}
	var h *data.Dense
	if o.Twice != nil {
		h = o.Twice.half(values, false)
	}
	parallel.Chunks(len(out), tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if h != nil {
				out[i] += linalg.Dot(h.Row(i), values.Row(i))
			}
			for z, w := range o.Squared {
				k := values.Row(i)[z]
				out[i] += w * k * k
			}
		}
	})
	return out
}

// addTo adds all terms of one pair to sum.
func (all *parts) addTo(sum float64, i, j int) float64 {
	for k := range all.list {
		sum += all.list[k].at(i, j)
	}
	if all.rowOnly != nil {
		sum += all.rowOnly[i] + all.colOnly[j]
	}
	return sum
}

// at is the part for one pair.
func (q *part) at(i, j int) float64 {
	switch {
	case q.known == nil:
		return dotRows(q.a, i, q.b, j)
	case q.a != nil:
		return q.a.(*data.Dense).Row(i)[q.known[j]]
	}
	return q.b.(*data.Dense).Row(j)[q.known[i]]
}

// multiplied adds the part of every pair to dst, if it is a product of dense matrices.
func (q *part) multiplied(dst *data.Dense) bool {
	a, denseA := q.a.(*data.Dense)
	b, denseB := q.b.(*data.Dense)
	if q.known != nil || !denseA || !denseB {
		return false
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*a), linalg.Mat(*b), 1, linalg.Mat(*dst))
	return true
}
