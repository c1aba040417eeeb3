package pairmodel

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/pairterms"
	"pairrank/model/contribution"
)

// Parting selects the parts of the score of a pair. Its zero value takes all parts, by edge, or by feature pair
// if there are weights.
type Parting struct {
	// By is contribution.Edge, RowNode or ColumnNode for a model of coefficients; contribution.FeaturePair, or
	// Feature of the column nodes, for a model with Weights.
	By contribution.Kind
	// Top is how many parts are listed, the largest; the others are added up. 0 is all: every dense coefficient
	// or weight that is not 0 is a part.
	Top int
}

// Contribution decomposes the score of row node r and column node c, counted from 0 in rows and cols, into
// additive parts:
//
//	edge          c_e k((r,c), (d_e,t_e)) of a training edge e; Values is k
//	row node      the sum over the training edges of a row node; Values is the same
//	column node   the same for a column node
//	feature pair  x_i W_ij z_j of the features x of r and z of c; Values are x_i and z_j
//	feature       (Σ_i x_i W_ij) z_j, with the sum as the Weight; Values is z_j
//
// The features are those of the model: divided by their length if it normalises. With m edges it costs O(m)
// terms, with dense coefficients O(p₁p₂), with weights O(n₁n₂), and memory for the listed parts. It returns an
// error for a By that the model does not have, for Similarity, which has no coefficients, and for a score that
// is not finite. It panics when the values belong to another model or a number is out of range.
func (p *Model) Contribution(parting Parting, rows, cols *Values, r, c int) (*contribution.Sum, error) {
	return p.explain(parting, rows, cols, r, c)
}

// ContributionBetween decomposes the difference of the scores of column nodes a and b for row node r: why a
// stands above b, given r. Each part is the difference of parts of Contribution. Values has the values of a and
// of b; for a feature pair x_i, a_j and b_j. Cost, errors and panics are those of Contribution.
func (p *Model) ContributionBetween(parting Parting, rows, cols *Values, r, a, b int) (*contribution.Sum, error) {
	return p.explain(parting, rows, cols, r, a, b)
}

func (p *Model) explain(parting Parting, rows, cols *Values, r int, of ...int) (*contribution.Sum, error) {
	if p.Kernel == Similarity {
		return nil, fmt.Errorf("a %s model has learnt nothing: the score of a pair is the kernel of its nodes",
			Similarity)
	}
	p.checkValues(rows, cols)
	by := parting.By
	if by == "" {
		by = contribution.Edge
		if p.Weights != nil {
			by = contribution.FeaturePair
		}
	}
	x := &explanation{Model: p, Collector: contribution.NewCollector(by, parting.Top), terms: p.terms().all,
		values: make([]float64, len(of)), scores: make([]float64, len(of))}
	for _, c := range of {
		q := pair{values: [2][]float64{pairterms.Row: rowOf(rows, r), pairterms.Col: rowOf(cols, c)}}
		if rows.known != nil {
			q.known = [2]int32{rows.known[r], cols.known[c]}
		}
		x.pairs = append(x.pairs, q)
	}
	switch {
	case p.Weights != nil && by == contribution.FeaturePair:
		x.byFeaturePair()
	case p.Weights != nil && by == contribution.Feature:
		x.byFeature()
	case p.Weights != nil:
		return nil, fmt.Errorf("the model has no parts by %s: it has weights, of a %s or a %s of the columns",
			by, contribution.FeaturePair, contribution.Feature)
	case by == contribution.Edge:
		x.byEdge()
	case by == contribution.RowNode:
		x.byNode(p.Rows.ID, pairterms.Row)
	case by == contribution.ColumnNode:
		x.byNode(p.ColSide().ID, pairterms.Col)
	default:
		return nil, fmt.Errorf("the model has no parts by %s: it has coefficients, of an %s, a %s or a %s",
			by, contribution.Edge, contribution.RowNode, contribution.ColumnNode)
	}
	return x.Sum(x.scores...)
}

// rowOf returns the values of node i. It panics when i is out of range.
func rowOf(v *Values, i int) []float64 {
	if i < 0 || i >= v.count {
		panic(fmt.Sprintf("pairmodel: node %d of %d", i, v.count))
	}
	out := make([]float64, width(v.x))
	v.x.RowTo(out, i)
	return out
}

// explanation is the parts of the score of a pair, or of the difference of two.
type explanation struct {
	*Model
	*contribution.Collector
	terms          []pairterms.Term
	pairs          []pair
	values, scores []float64 // by pair: of the current part, and their sums so far
}

// pair is the values of two nodes, by end.
type pair struct {
	values [2][]float64
	known  [2]int32 // the training nodes that they are, for a cartesian kernel
}

// add adds the part coef · values; rest makes the other fields of the part, and what stands in Values before
// values.
func (x *explanation) add(coef float64, rest func() contribution.Part) {
	for k, v := range x.values {
		x.scores[k] += coef * v
	}
	x.Add(coef*less(x.values), func() contribution.Part {
		part := rest()
		part.Values = append(part.Values, x.values...)
		return part
	})
}

// less is the only number, or the first less the second.
func less(values []float64) float64 {
	if len(values) == 1 {
		return values[0]
	}
	return values[0] - values[1]
}

// eachEdge calls f with every coefficient, and sets values to the pairwise kernels of its edge.
func (x *explanation) eachEdge(f func(d, t int32, c float64)) {
	each := func(d, t int32, c float64) {
		for k := range x.pairs {
			x.values[k] = 0
			for _, term := range x.terms {
				x.values[k] += term.Weight * x.pairs[k].factor(term.A, d, t) * x.pairs[k].factor(term.B, d, t)
			}
		}
		f(d, t, c)
	}
	if x.Edges != nil {
		for e, c := range x.Edges.Value {
			each(x.Edges.Row[e], x.Edges.Col[e], c)
		}
		return
	}
	for d := range x.Coef.Rows {
		for t, c := range x.Coef.Row(d) {
			each(int32(d), int32(t), c)
		}
	}
}

// factor is the value of a link with the edge from d to t.
func (q *pair) factor(l pairterms.Link, d, t int32) float64 {
	to := d
	if l.To == pairterms.Col {
		to = t
	}
	switch l.As {
	case pairterms.One:
		return 1
	case pairterms.Same:
		if q.known[l.Of] == to {
			return 1
		}
		return 0
	case pairterms.Square:
		return q.values[l.Of][to] * q.values[l.Of][to]
	}
	return q.values[l.Of][to]
}

func (x *explanation) byEdge() {
	x.eachEdge(func(d, t int32, coef float64) {
		x.add(coef, func() contribution.Part {
			return contribution.Part{
				Number: int(d) + 1, Name: x.Rows.ID[d], ColumnNumber: int(t) + 1, ColumnName: x.ColSide().ID[t],
				Weight: coef,
			}
		})
	})
}

// byNode adds up the edges of each training node at one end.
func (x *explanation) byNode(names []string, end pairterms.End) {
	sums := data.NewDense(len(names), len(x.pairs), nil)
	x.eachEdge(func(d, t int32, coef float64) {
		sum := sums.Row(int([2]int32{d, t}[end]))
		for k, v := range x.values {
			sum[k] += coef * v
		}
	})
	for i, name := range names {
		copy(x.values, sums.Row(i))
		x.add(1, func() contribution.Part { return contribution.Part{Number: i + 1, Name: name} })
	}
}

// take sets values to feature j of the column nodes.
func (x *explanation) take(j int) {
	for k := range x.pairs {
		x.values[k] = x.pairs[k].values[pairterms.Col][j]
	}
}

// byFeaturePair adds the parts x_i W_ij z_j of the features of both nodes.
func (x *explanation) byFeaturePair() {
	for i, a := range x.pairs[0].values[pairterms.Row] {
		if a == 0 {
			continue
		}
		for j, w := range x.Weights.Row(i) {
			x.take(j)
			x.add(a*w, func() contribution.Part {
				return contribution.Part{
					Number: i + 1, Name: nameAt(x.Rows.Names, i), ColumnNumber: j + 1,
					ColumnName: nameAt(x.ColSide().Names, j),
					Weight:     w, Values: []float64{a},
				}
			})
		}
	}
}

// byFeature adds the parts (Wᵀx)_j z_j: the linear scores of the columns, given a row node.
func (x *explanation) byFeature() {
	w := make([]float64, x.Weights.Cols)
	x.Weights.MulTransVecTo(w, x.pairs[0].values[pairterms.Row])
	for j, weight := range w {
		x.take(j)
		x.add(weight, func() contribution.Part {
			return contribution.Part{Number: j + 1, Name: nameAt(x.ColSide().Names, j), Weight: weight}
		})
	}
}

func nameAt(names []string, i int) string {
	if names == nil {
		return ""
	}
	return names[i]
}
