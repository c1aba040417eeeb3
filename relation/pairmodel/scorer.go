package pairmodel

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
)

// Scorer scores one pair of nodes at a time, with prepared training nodes and coefficients. It does not change
// after construction, and is safe for concurrent use.
type Scorer struct {
	form    *Form
	ends    [2]*end
	scratch sync.Pool // *[2]Values
}

// NewScorer prepares a model. For p₁ and p₂ training nodes with n features it copies O((p₁ + p₂)n) numbers, and
// O(m) for m edges. For dense coefficients with a kernel that is a sum of several products it takes as many
// operations, and O(p₁p₂) for each product. The model must not change while the Scorer is used. NewScorer
// returns an error for a model whose parts do not fit, for training nodes whose kernel cannot be normalised,
// and for Similarity, whose score is the kernel of the two nodes.
func NewScorer(p *Model) (*Scorer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Kernel == Similarity {
		return nil, fmt.Errorf("a %s model scores a pair by the kernel of its nodes, and has nothing to prepare",
			Similarity)
	}
	s := &Scorer{form: p.form()}
	for _, at := range []pairterms.End{pairterms.Row, pairterms.Col} {
		e, err := p.end(at)
		if err != nil {
			return nil, err
		}
		if s.ends[at] = e; e.Support != nil {
			e.rows = kernel.Prepare(e.Kernel, e.Support)
		}
		for _, root := range e.roots {
			e.scale = append(e.scale, 1/root)
		}
	}
	for _, b := range []**Bilinear{&s.form.Both, &s.form.same, &s.form.Ends[0].Twice, &s.form.Ends[1].Twice} {
		*b = (*b).forOnePair()
	}
	s.scratch.New = func() any { return &[2]Values{} }
	return s, nil
}

// Score returns the score of a row node and a column node, each the only one of its Nodes. It equals that of
// ScorePairsTo up to the last bits. It costs O(p₁n₁ + p₂n₂) for the kernel values, and a multiplication or two
// for each edge, or for each of the p₁p₂ dense coefficients; for weights n₁n₂. It runs on the caller's
// goroutine. After the first call it allocates nothing for dense nodes with all features, or all kernel values
// in the order of training, unless the kernel comes from outside package kernel.
//
// It returns the errors of RowValues and ColValues, and panics when these do, or when there is not exactly one
// node.
func (s *Scorer) Score(row, col *Nodes) (float64, error) {
	v := s.scratch.Get().(*[2]Values)
	defer s.scratch.Put(v)
	for at, n := range [2]*Nodes{pairterms.Row: row, pairterms.Col: col} {
		if count := n.count(); count != 1 {
			panic(fmt.Sprintf("pairmodel: Score of %d %s nodes", count, pairterms.End(at)))
		}
		if err := s.ends[at].fill(&v[at], n); err != nil {
			return 0, fmt.Errorf("%s nodes: %w", pairterms.End(at), err)
		}
	}
	return s.form.of(&v[pairterms.Row], &v[pairterms.Col]), nil
}

// of returns the score of the only pair of two nodes.
func (f *Form) of(row, col *Values) float64 {
	a, b := data.ToDense(row.x).Row(0), data.ToDense(col.x).Row(0)
	sum := f.Ends[pairterms.Row].of(a) + f.Ends[pairterms.Col].of(b) + f.Both.at(a, b)
	if f.same != nil {
		sum += f.same.line(pairterms.Col, col.known[0], a) + f.same.line(pairterms.Row, row.known[0], b)
	}
	return sum
}

// of returns the sum for the kernel values x of one node.
func (o *OwnTerms) of(x []float64) (sum float64) {
	if o.Plain != nil {
		sum = linalg.Dot(x, o.Plain)
	}
	for z, w := range o.Squared {
		sum += w * x[z] * x[z]
	}
	return sum + o.Twice.at(x, x)
}
