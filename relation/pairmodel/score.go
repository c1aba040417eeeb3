package pairmodel

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

// part is a sum over terms of both nodes of a pair (d,t): ⟨a_d, b_t⟩, or where a
// factor is [x=z] one entry, a_d at the training node that t is, or b_t at the
// one that d is.
type part struct {
	a, b  data.Matrix
	known []int32
}

// parts are f but for a number for each row and each column node: in all
//
//	f(d,t) = rowOnly_d + colOnly_t + Σ parts(d,t)
type parts struct {
	list             []part
	rowOnly, colOnly []float64 // or nil
}

// ScoreBlockTo sets dst, r×c, to the scores of every pair of r row nodes and c
// column nodes. Over p₁ and p₂ training nodes it costs about
// min(r, c)·p₁·p₂ + r·c·max(p₁, p₂) multiplications, or with m edges
// min(r, c)·m in place of the first where that is less, and takes as much memory
// again as the values of one side. It runs on all cores, with the same bytes for
// any number of threads. It panics when the shapes do not fit, or the values are
// of another model.
func (p *Model) ScoreBlockTo(dst *data.Dense, rows, cols *Values) {
	if dst.Rows != rows.count || dst.Cols != cols.count {
		panic(fmt.Sprintf("pairmodel: ScoreBlockTo into %d×%d for %d and %d nodes", dst.Rows, dst.Cols, rows.count, cols.count))
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
	for _, q := range all.list {
		q.addTo(dst)
	}
	if all.rowOnly == nil && all.colOnly == nil {
		return
	}
	parallel.Chunks(dst.Rows, tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst.Row(i)
			for j := range out {
				out[j] += all.alone(i, j)
			}
		}
	})
}

// ScorePairsTo sets dst[k] to the score of row node row[k] and column node col[k], which
// count from 0 in rows and cols; dst, row and col have one length. Nodes that no pair
// names cost nothing. Where the pairs are at least an eighth of the block of the others
// it costs a ScoreBlockTo of these, with memory for the block, else each pair is scored
// by itself. It panics when the lengths differ or a number is out of range.
func (p *Model) ScorePairsTo(dst []float64, rows, cols *Values, row, col []int32) {
	if len(row) != len(dst) || len(col) != len(dst) {
		panic(fmt.Sprintf("pairmodel: ScorePairsTo into %d scores for %d rows and %d columns", len(dst), len(row), len(col)))
	}
	if len(dst) == 0 {
		return
	}
	if p.Kernel == Similarity && p.Rows.Precomputed() {
		p.entriesTo(dst, rows, cols, row, col)
		return
	}
	rows, row = rows.named(row)
	cols, col = cols.named(col)
	const many = 8 // an entry of a block costs that much less than a pair by itself
	if size := float64(rows.count) * float64(cols.count); size <= many*float64(len(dst)) {
		block := data.NewDense(rows.count, cols.count, nil)
		p.ScoreBlockTo(block, rows, cols)
		for k := range dst {
			dst[k] = block.Data[int(row[k])*block.Stride+int(col[k])]
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
			i, j := int(row[k]), int(col[k])
			sum := 0.0
			for _, q := range all.list {
				sum += q.at(i, j)
			}
			dst[k] = sum + all.alone(i, j)
		}
	})
}

// named is the values of the nodes that a list names, and the list in their
// numbers.
func (v *Values) named(list []int32) (*Values, []int32) {
	nodes, place := namedNodes(v.count, list)
	if len(nodes) == v.count {
		return v, list
	}
	w := &Values{count: len(nodes)}
	if v.x != nil {
		w.x = data.Select(v.x, nodes)
	}
	for _, i := range nodes {
		if v.known != nil {
			w.known = append(w.known, v.known[i])
		}
		if v.roots != nil {
			w.roots = append(w.roots, v.roots[i])
		}
	}
	return w, renumber(list, place)
}

// namedNodes are the nodes of n that stand in a list, ascending, and for every one
// of them its place among these.
func namedNodes(n int, list []int32) (named []int, place []int32) {
	place = make([]int32, n)
	for _, i := range list {
		place[i] = 1
	}
	for i, in := range place {
		if in == 1 {
			place[i] = int32(len(named))
			named = append(named, i)
		}
	}
	return named, place
}

func renumber(list, place []int32) []int32 {
	out := make([]int32, len(list))
	for e, i := range list {
		out[e] = place[i]
	}
	return out
}

// parts prepares so many pairs of nodes.
func (p *Model) parts(rows, cols *Values, pairs float64) *parts {
	p.checkValues(rows, cols)
	terms := p.terms()
	all := &parts{rowOnly: p.alone(terms, rows, pairwise.Row), colOnly: p.alone(terms, cols, pairwise.Col)}
	var both []pairwise.Term // of one factor of each node, none of them 1 or [x=z]
	for _, t := range terms {
		_, alone := t.Alone()
		switch {
		case alone || t.A.Of == t.B.Of:
		case t.B.As == pairwise.Same:
			all.list = append(all.list, part{a: p.between([]pairwise.Term{t}).half(rows.x, false), known: cols.known})
		case t.A.As == pairwise.Same:
			all.list = append(all.list, part{b: p.between([]pairwise.Term{t}).half(cols.x, true), known: rows.known})
		default:
			both = append(both, t)
		}
	}
	if both == nil {
		return all
	}
	b := p.between(both)
	if b.leads(rows.x, cols.x, pairs) {
		all.list = append(all.list, part{a: b.half(rows.x, false), b: cols.x})
	} else {
		all.list = append(all.list, part{a: rows.x, b: b.half(cols.x, true)})
	}
	return all
}

// checkValues panics when values are not of this model.
func (p *Model) checkValues(rows, cols *Values) {
	known := p.Kernel == pairwise.Cartesian
	if width(rows.x) != p.size(pairwise.Row) || width(cols.x) != p.size(pairwise.Col) || known != (rows.known != nil) || known != (cols.known != nil) {
		panic(fmt.Sprintf("pairmodel: values of nodes with %d and %d others for a %s model of %d×%d",
			width(rows.x), width(cols.x), p.Kernel, p.size(pairwise.Row), p.size(pairwise.Col)))
	}
}

// leads reports whether X₁ B comes first, and not X₂ Bᵀ: whether that is less
// work for so many pairs.
func (b *duals) leads(x1, x2 data.Matrix, pairs float64) bool {
	rows, _ := x1.Dims()
	cols, _ := x2.Dims()
	first, _ := b.cost(rows, data.Stored(x1), b.cols)
	second, _ := b.cost(cols, data.Stored(x2), b.rows)
	return first+pairs*float64(b.cols) <= second+pairs*float64(b.rows)
}

// alone is ofOne, which is kept with the values that the caller has, so that many
// blocks of the same columns cost it once.
func (p *Model) alone(terms []pairwise.Term, v *Values, at pairwise.End) []float64 {
	if v.of != p {
		return p.ofOne(terms, v.x, at)
	}
	v.once[at].Do(func() { v.alone[at] = p.ofOne(terms, v.x, at) })
	return v.alone[at]
}

// ofOne is the sum of the terms of one end alone, for every node there, or nil.
func (p *Model) ofOne(terms []pairwise.Term, x data.Matrix, at pairwise.End) []float64 {
	plain, squared, twice := p.termsOf(terms, at)
	if plain == nil && squared == nil && twice == nil {
		return nil
	}
	values := x.(*data.Dense)
	out := make([]float64, values.Rows)
	if plain != nil {
		values.MulVecTo(out, plain)
	}
	var h *data.Dense
	if twice != nil {
		h = p.between(twice).half(values, false)
	}
	parallel.Chunks(len(out), tile, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			if h != nil {
				out[i] += linalg.Dot(h.Row(i), values.Row(i))
			}
			for z, w := range squared {
				k := values.Row(i)[z]
				out[i] += w * k * k
			}
		}
	})
	return out
}

// termsOf is the terms of one end alone, Σ_z k(x,z) plain_z + k(x,z)² squared_z, and those
// that have both factors of its node.
func (p *Model) termsOf(terms []pairwise.Term, at pairwise.End) (plain, squared []float64, twice []pairwise.Term) {
	for _, t := range terms {
		l, alone := t.Alone()
		switch {
		case alone && l.Of == at && l.As == pairwise.Square:
			squared = p.addSum(squared, t.Weight, l.To)
		case alone && l.Of == at:
			plain = p.addSum(plain, t.Weight, l.To)
		case !alone && t.A.Of == at && t.B.Of == at:
			twice = append(twice, t)
		}
	}
	return plain, squared, twice
}

// addSum adds weight times the sums of an end to dst, nil for zeros.
func (p *Model) addSum(dst []float64, weight float64, to pairwise.End) []float64 {
	if dst == nil {
		dst = make([]float64, p.size(to))
	}
	linalg.Axpy(weight, p.sum(to), dst)
	return dst
}

// alone is what the nodes of a pair add by themselves.
func (all *parts) alone(i, j int) (sum float64) {
	if all.rowOnly != nil {
		sum += all.rowOnly[i]
	}
	if all.colOnly != nil {
		sum += all.colOnly[j]
	}
	return sum
}

// at is the part of one pair.
func (q *part) at(i, j int) float64 {
	switch {
	case q.known == nil:
		return dotRows(q.a, i, q.b, j)
	case q.a != nil:
		return q.a.(*data.Dense).Row(i)[q.known[j]]
	}
	return q.b.(*data.Dense).Row(j)[q.known[i]]
}

// addTo adds the part of every pair to dst.
func (q *part) addTo(dst *data.Dense) {
	a, denseA := q.a.(*data.Dense)
	b, denseB := q.b.(*data.Dense)
	if q.known == nil && denseA && denseB {
		linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*a), linalg.Mat(*b), 1, linalg.Mat(*dst))
		return
	}
	const rows = 8
	parallel.Chunks(dst.Rows, rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			out := dst.Row(i)
			for j := range out {
				out[j] += q.at(i, j)
			}
		}
	})
}
