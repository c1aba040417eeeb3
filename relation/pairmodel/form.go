package pairmodel

import (
	"fmt"

	"pairrank/data"
	"pairrank/relation/pairwise"
)

// Form is a Model as plain sums. With a the p₁ kernel values of a row node with the training
// nodes and b the p₂ of a column node, or where there are weights their features,
//
//	f(d,t) = aᵀ B b + Σ_i plain_i a_i + squared_i a_i² + Σ_ij a_i T_ij a_j + the same of b
//
// B is Both, and plain, squared and T are of Ends, by pairwise.Row and pairwise.Col.
type Form struct {
	Both *Bilinear // or nil
	Ends [2]OwnTerms
}

// OwnTerms are those of the node at one end alone; what is nil is zero.
type OwnTerms struct {
	Plain, Squared []float64
	Twice          *Bilinear
}

// Bilinear is the matrix of a sum Σ_ij a_i B_ij b_j: Dense, or Σ_e Value_e at the places
// (Row_e, Col_e), of which some may stand more than once.
type Bilinear struct {
	Rows, Cols int
	Dense      *data.Dense // or nil
	Row, Col   []int32
	Value      []float64
}

// Form multiplies the pairwise kernel out, in O(p₁p₂) for every product of dense coefficients
// or O(m) of m edges. What it returns may share memory with the model, and is not to be
// changed. It returns an error for a model whose parts do not fit together, and for
// one whose sums are not of kernel values alone: cartesian, which asks whether nodes are the
// same, and Similarity.
func (p *Model) Form() (*Form, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Kernel == Similarity || p.Kernel == pairwise.Cartesian {
		return nil, fmt.Errorf("a %s model is no sum of kernel values of two nodes", p.Kernel)
	}
	terms := p.terms()
	f := &Form{}
	for _, at := range []pairwise.End{pairwise.Row, pairwise.Col} {
		plain, squared, twice := p.termsOf(terms, at)
		f.Ends[at] = OwnTerms{Plain: plain, Squared: squared}
		if twice != nil {
			f.Ends[at].Twice = p.between(twice).form()
		}
	}
	var both []pairwise.Term
	for _, t := range terms {
		if _, alone := t.Alone(); !alone && t.A.Of != t.B.Of {
			both = append(both, t)
		}
	}
	if both != nil {
		f.Both = p.between(both).form()
	}
	return f, nil
}

func (b *duals) form() *Bilinear {
	return &Bilinear{Rows: b.rows, Cols: b.cols, Dense: b.dense, Row: b.i, Col: b.j, Value: b.v}
}
