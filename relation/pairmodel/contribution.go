package pairmodel

import (
	"fmt"

	"pairrank/data"
	"pairrank/model/contribution"
	"pairrank/relation/pairwise"
)

// Parting says what a score of a pair is taken apart into. Its zero value is by edge, or
// by feature pair where there are weights, and all parts.
type Parting struct {
	// By is contribution.Edge, RowNode or ColumnNode of a model of coefficients;
	// contribution.FeaturePair or Feature, of the column nodes, of one with Weights.
	By contribution.Kind
	// Top is how many parts are listed, the largest; the others are added up. 0 is all,
	// which for dense coefficients or weights is a part for each that is not 0.
	Top int
}

// Contribution returns the score of row node r and column node c as parts that add up to
// it, counted from 0 in rows and cols:
//
//	edge          c_e k((r,c), (d_e,t_e)) of a training edge e; Values is k
//	row node      what the training edges of a row node add together; Values is that too
//	column node   likewise of a column node
//	feature pair  x_i W_ij z_j of the features x of r and z of c; Values are x_i and z_j
//	feature       (Σ_i x_i W_ij) z_j, with the sum as the Weight; Values is z_j
//
// where features are those that the model takes: divided by their length where it
// normalises. With m edges it costs O(m) terms, with dense coefficients O(p₁p₂), with
// weights O(n₁n₂), and memory for the parts that are listed. It returns an error for a
// By that the model does not have, for Similarity, which has learnt nothing, and for a
// score that is not finite. It panics when the values are not of this model or a number
// is out of range.
func (p *Model) Contribution(parting Parting, rows, cols *Values, r, c int) (*contribution.Sum, error) {
	return p.explain(parting, rows, cols, r, c)
}

// ContributionBetween returns the score of row node r and column node a less that of r and
// column node b as parts: why a stands above b, given r. Each part is the difference of
// those of Contribution, and Values has those of a and of b, of a feature pair x_i, a_j
// and b_j. Cost, errors and panics are those of Contribution.
func (p *Model) ContributionBetween(parting Parting, rows, cols *Values, r, a, b int) (*contribution.Sum, error) {
	return p.explain(parting, rows, cols, r, a, b)
}

func (p *Model) explain(parting Parting, rows, cols *Values, r int, of ...int) (*contribution.Sum, error) {
	if p.Kernel == Similarity {
		return nil, fmt.Errorf("a %s model has learnt nothing: the score of a pair is the kernel of its nodes", Similarity)
	}
	p.checkValues(rows, cols)
	checkNode(r, rows.count)
	for _, c := range of {
		checkNode(c, cols.count)
	}
	by := parting.By
	if by == "" {
		by = contribution.Edge
		if p.Weights != nil {
			by = contribution.FeaturePair
		}
	}
	c := contribution.NewCollector(by, parting.Top)
	var scores []float64
	switch {
	case p.Weights != nil && by == contribution.FeaturePair:
		scores = p.explainWeights(c, rowOf(rows, r), rowsOf(cols, of))
	case p.Weights != nil && by == contribution.Feature:
		scores = p.explainFeatures(c, rowOf(rows, r), rowsOf(cols, of))
	case p.Weights == nil && by == contribution.Edge:
		scores = p.explainEdges(c, p.pairKernels(rows, cols, r, of))
	case p.Weights == nil && (by == contribution.RowNode || by == contribution.ColumnNode):
		scores = p.explainNodes(c, by, p.pairKernels(rows, cols, r, of))
	default:
		return nil, fmt.Errorf("the model has no parts by %s: %s", by, p.partings())
	}
	return c.Sum(scores...)
}

func checkNode(i, count int) {
	if i < 0 || i >= count {
		panic(fmt.Sprintf("pairmodel: node %d of %d", i, count))
	}
}

// partings says which there are.
func (p *Model) partings() string {
	if p.Weights != nil {
		return fmt.Sprintf("it has weights, of a %s or a %s of the columns", contribution.FeaturePair, contribution.Feature)
	}
	return fmt.Sprintf("it has coefficients, of an %s, a %s or a %s", contribution.Edge, contribution.RowNode, contribution.ColumnNode)
}

func rowOf(v *Values, i int) []float64 {
	out := make([]float64, width(v.x))
	v.x.RowTo(out, i)
	return out
}

func rowsOf(v *Values, of []int) (out [][]float64) {
	for _, i := range of {
		out = append(out, rowOf(v, i))
	}
	return out
}

// less is the only number, or the first less the second.
func less(values []float64) float64 {
	if len(values) == 1 {
		return values[0]
	}
	return values[0] - values[1]
}

// pairKernel is the pairwise kernel of one pair with training edges.
type pairKernel struct {
	terms  []pairwise.Term
	values [2][]float64 // kernel values of its nodes with the training nodes, by end
	known  [2]int32     // the training nodes that they are, for a cartesian kernel
}

// pairKernels are those of row node r with one or two column nodes.
func (p *Model) pairKernels(rows, cols *Values, r int, of []int) []pairKernel {
	out := make([]pairKernel, len(of))
	for k, c := range of {
		q := pairKernel{terms: p.terms()}
		q.values[pairwise.Row] = rows.x.(*data.Dense).Row(r)
		q.values[pairwise.Col] = cols.x.(*data.Dense).Row(c)
		if rows.known != nil {
			q.known = [2]int32{rows.known[r], cols.known[c]}
		}
		out[k] = q
	}
	return out
}

// at is the kernel with the edge from d to t.
func (q *pairKernel) at(d, t int32) (sum float64) {
	edge := [2]int32{d, t}
	for _, term := range q.terms {
		sum += term.Weight * q.factor(term.A, edge) * q.factor(term.B, edge)
	}
	return sum
}

func (q *pairKernel) factor(l pairwise.Link, edge [2]int32) float64 {
	to := edge[l.To]
	switch l.As {
	case pairwise.One:
		return 1
	case pairwise.Same:
		if q.known[l.Of] == to {
			return 1
		}
		return 0
	case pairwise.Square:
		return q.values[l.Of][to] * q.values[l.Of][to]
	}
	return q.values[l.Of][to]
}

// eachEdge calls f with every coefficient.
func (p *Model) eachEdge(f func(d, t int32, c float64)) {
	if p.Edges != nil {
		for e, c := range p.Edges.Value {
			f(p.Edges.Row[e], p.Edges.Col[e], c)
		}
		return
	}
	for d := range p.Coef.Rows {
		for t, c := range p.Coef.Row(d) {
			f(int32(d), int32(t), c)
		}
	}
}

func (p *Model) explainEdges(c *contribution.Collector, pairs []pairKernel) (scores []float64) {
	scores = make([]float64, len(pairs))
	values := make([]float64, len(pairs))
	p.eachEdge(func(d, t int32, coef float64) {
		for k := range pairs {
			values[k] = pairs[k].at(d, t)
			scores[k] += coef * values[k]
		}
		c.Add(coef*less(values), func() contribution.Part {
			return contribution.Part{
				Number: int(d) + 1, Name: p.Rows.ID[d], ColumnNumber: int(t) + 1, ColumnName: p.ColSide().ID[t],
				Weight: coef, Values: append([]float64(nil), values...),
			}
		})
	})
	return scores
}

// explainNodes adds the edges of each training node at one end up.
func (p *Model) explainNodes(c *contribution.Collector, by contribution.Kind, pairs []pairKernel) (scores []float64) {
	names, end := p.Rows.ID, pairwise.Row
	if by == contribution.ColumnNode {
		names, end = p.ColSide().ID, pairwise.Col
	}
	scores = make([]float64, len(pairs))
	sums := data.NewDense(len(names), len(pairs), nil)
	p.eachEdge(func(d, t int32, coef float64) {
		sum := sums.Row(int([2]int32{d, t}[end]))
		for k := range pairs {
			sum[k] += coef * pairs[k].at(d, t)
		}
	})
	for i, name := range names {
		values := sums.Row(i)
		for k, v := range values {
			scores[k] += v
		}
		c.Add(less(values), func() contribution.Part {
			return contribution.Part{Number: i + 1, Name: name, Values: values}
		})
	}
	return scores
}

// explainWeights takes x_i W_ij z_j of the features of both nodes.
func (p *Model) explainWeights(c *contribution.Collector, x []float64, of [][]float64) (scores []float64) {
	scores = make([]float64, len(of))
	values := make([]float64, len(of))
	for i, a := range x {
		if a == 0 {
			continue
		}
		for j, w := range p.Weights.Row(i) {
			for k := range of {
				values[k] = of[k][j]
				scores[k] += a * w * values[k]
			}
			c.Add(a*w*less(values), func() contribution.Part {
				return contribution.Part{
					Number: i + 1, Name: nameAt(p.Rows.Names, i), ColumnNumber: j + 1, ColumnName: nameAt(p.ColSide().Names, j),
					Weight: w, Values: append([]float64{a}, values...),
				}
			})
		}
	}
	return scores
}

// explainFeatures takes (Wᵀx)_j z_j: the linear scores of the columns, given a row node.
func (p *Model) explainFeatures(c *contribution.Collector, x []float64, of [][]float64) (scores []float64) {
	w := make([]float64, p.Weights.Cols)
	p.Weights.MulTransVecTo(w, x)
	scores = make([]float64, len(of))
	values := make([]float64, len(of))
	for j, weight := range w {
		for k := range of {
			values[k] = of[k][j]
			scores[k] += weight * values[k]
		}
		c.Add(weight*less(values), func() contribution.Part {
			return contribution.Part{Number: j + 1, Name: nameAt(p.ColSide().Names, j), Weight: weight, Values: append([]float64(nil), values...)}
		})
	}
	return scores
}

func nameAt(names []string, i int) string {
	if names == nil {
		return ""
	}
	return names[i]
}
