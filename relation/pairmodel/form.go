package pairmodel

import (
	"cmp"
	"fmt"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
	"pairrank/internal/parallel"
	"pairrank/relation/pairwise"
)

// Form is a Model as plain sums. Let a be the p₁ kernel values of a row node with the training nodes and b the
// p₂ of a column node, or with weights their features. Then
//
//	f(d,t) = aᵀ B b + Σ_i plain_i a_i + squared_i a_i² + Σ_ij a_i T_ij a_j + the same of b
//
// B is Both, and plain, squared and T are the fields of Ends, by pairterms.Row and pairterms.Col.
type Form struct {
	Both *Bilinear // or nil
	Ends [2]OwnTerms

	// same is C of a cartesian kernel, or nil. It adds Σ_i a_i C_it + Σ_j C_dj b_j if the nodes are the
	// training nodes d and t.
	same *Bilinear
}

// OwnTerms are the terms of the node at one end alone; nil fields are zero.
type OwnTerms struct {
	Plain, Squared []float64
	Twice          *Bilinear
}

// Form multiplies out the pairwise kernel, in O(p₁p₂) for every product of dense coefficients or O(m) for m
// edges. The result may share memory with the model; do not change it. Form returns an error for a model whose
// parts do not fit together, and for a model whose sums do not consist of kernel values alone: cartesian, which
// asks whether nodes are the same, and Similarity.
func (p *Model) Form() (*Form, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Kernel == Similarity || p.Kernel == pairwise.Cartesian {
		return nil, fmt.Errorf("a %s model is no sum of kernel values of two nodes", p.Kernel)
	}
	return p.form(), nil
}

// form is Form for any model with coefficients or weights.
func (p *Model) form() *Form {
	t := p.terms()
	f := &Form{Both: p.between(t.both), same: p.between(t.same)}
	for at := range f.Ends {
		f.Ends[at] = p.own(t.own[at])
	}
	return f
}

// terms are the terms of the kernel, with A a factor of the scored row node and B one of the scored column
// node. If both factors have the same node, A compares it with the row node of the training edge.
type terms struct {
	all  []pairterms.Term
	both []pairterms.Term    // with a value of each node
	own  [2][]pairterms.Term // with values of one node alone, by its end
	same []pairterms.Term    // one of the terms with [x=z], which all have the same coefficients
}

// terms sorts the terms of the kernel by the scored nodes in them.
func (p *Model) terms() (s terms) {
	for _, t := range pairterms.TermsOf(p.Kernel) {
		l, alone := t.Alone()
		if !alone && (t.A.Of > t.B.Of || t.A.Of == t.B.Of && t.A.To > t.B.To) {
			t.A, t.B = t.B, t.A
		}
		s.all = append(s.all, t)
		switch {
		case alone || t.A.Of == t.B.Of:
			s.own[l.Of] = append(s.own[l.Of], t)
		case t.A.As == pairterms.Same || t.B.As == pairterms.Same:
			s.same = []pairterms.Term{t}
		default:
			s.both = append(s.both, t)
		}
	}
	return s
}

// own adds up the coefficients of terms of one node.
func (p *Model) own(terms []pairterms.Term) (o OwnTerms) {
	var twice []pairterms.Term
	for _, t := range terms {
		l, alone := t.Alone()
		switch {
		case !alone:
			twice = append(twice, t)
		case l.As == pairterms.Square:
			o.Squared = p.addSum(o.Squared, t.Weight, l.To)
		default:
			o.Plain = p.addSum(o.Plain, t.Weight, l.To)
		}
	}
	o.Twice = p.between(twice)
	return o
}

// addSum adds weight times the sums of an end to dst, nil for zeros.
func (p *Model) addSum(dst []float64, weight float64, to pairterms.End) []float64 {
	if dst == nil {
		dst = make([]float64, p.size(to))
	}
	linalg.Axpy(weight, p.sum(to), dst)
	return dst
}

// size is the number of training nodes at an end of the edges, or of features if there are weights.
func (p *Model) size(e pairterms.End) int {
	if w := p.Weights; w != nil {
		return [2]int{w.Rows, w.Cols}[e]
	}
	return len(p.side(e).ID)
}

// sum returns for every training node of an end the sum of the coefficients of its edges.
func (p *Model) sum(e pairterms.End) []float64 {
	out := make([]float64, p.size(e))
	if p.Edges != nil {
		for k, i := range p.Edges.at(e) {
			out[i] += p.Edges.Value[k]
		}
		return out
	}
	for i := range p.Coef.Rows {
		if e == pairterms.Row {
			out[i] = linalg.Sum(p.Coef.Row(i))
		} else {
			linalg.Axpy(1, p.Coef.Row(i), out)
		}
	}
	return out
}

// at is the nodes of the edges at an end.
func (e *EdgeCoef) at(end pairterms.End) []int32 { return [2][]int32{e.Row, e.Col}[end] }

// between sums the coefficients over terms of two factors, nil if there are none: c of edge e counts at (A.To,
// B.To) of the edge. Terms that compare with only one node of the edge, whose sums are on the diagonal, come
// last.
func (p *Model) between(terms []pairterms.Term) *Bilinear {
	if len(terms) == 0 {
		return nil
	}
	first := terms[0]
	b := &Bilinear{Rows: p.size(first.A.To), Cols: p.size(first.B.To)}
	c := cmp.Or(p.Coef, p.Weights)
	if c != nil && len(terms) == 1 && first.Weight == 1 && first.A.To == pairterms.Row && first.B.To == pairterms.Col {
		b.Dense = c
		return b
	}
	if c != nil {
		b.Dense = data.NewDense(b.Rows, b.Cols, nil)
	}
	for _, t := range terms {
		if t.A.To != t.B.To {
			b.place(t, c, p.Edges)
		}
	}
	for _, t := range terms {
		if t.A.To == t.B.To {
			b.placeDiagonal(t.Weight, p.sum(t.A.To))
		}
	}
	return b
}

// placeDiagonal adds weight times the sums of an end to the diagonal.
func (b *Bilinear) placeDiagonal(weight float64, sums []float64) {
	for i, v := range sums {
		if b.Dense != nil {
			b.Dense.Row(i)[i] += weight * v
		} else {
			b.Row, b.Col, b.Value = append(b.Row, int32(i)), append(b.Col, int32(i)), append(b.Value, weight*v)
		}
	}
}

// place adds the coefficients of a term: c, or those of edges.
func (b *Bilinear) place(t pairterms.Term, c *data.Dense, edges *EdgeCoef) {
	switch {
	case c == nil:
		b.Row, b.Col = append(b.Row, edges.at(t.A.To)...), append(b.Col, edges.at(t.B.To)...)
		for _, v := range edges.Value {
			b.Value = append(b.Value, t.Weight*v)
		}
	case t.A.To == pairterms.Col:
		addTransposed(b.Dense, t.Weight, c)
	default:
		parallel.Chunks(c.Rows, tile, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				linalg.Axpy(t.Weight, c.Row(i), b.Dense.Row(i))
			}
		})
	}
}
