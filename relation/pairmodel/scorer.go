package pairmodel

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// Node is a row or column node by itself, for a Scorer.
type Node struct {
	// X is the features, in the order of training, or for a precomputed kernel
	// the kernel values of the node with the p training nodes, in their order.
	// Features behind the last one of X are zero.
	X []float64

	// ID is the name of the node. It says which training node a cartesian kernel
	// meets and a shift is of, and whose kernel with itself is known; others may
	// leave it out.
	ID string

	// Self is k(x,x) for a precomputed kernel that is normalised, above 0. Where it is
	// 0 it is that of the training node of the same name.
	Self float64
}

// Scorer scores one pair of nodes at a time: what a model needs of its training nodes and
// coefficients for that, prepared. It is only read after construction, and safe for
// concurrent use.
type Scorer struct {
	form    *Form
	ends    [2]*end
	scratch sync.Pool // *[2]oneNode
}

// oneNode is a Node as Nodes, and its values.
type oneNode struct {
	nodes  Nodes
	x      data.Dense
	id     [1]string
	self   [1]float64
	wide   []float64 // features of a node that lacks the last ones
	values Values
}

// NewScorer prepares a model. Of p₁ and p₂ training nodes with n features it copies
// O((p₁ + p₂)n) numbers and O(m) of m edges, or O(p₁p₂) for dense coefficients where the
// kernel is a sum of several products, in as many operations and O(p₁p₂) for each of
// these. The model must not change while the Scorer is used. It returns an error for a
// model whose parts do not fit, for training nodes whose kernel cannot be normalised, and
// for Similarity, which has learnt nothing: the kernel of two nodes is the score.
func NewScorer(p *Model) (*Scorer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Kernel == Similarity {
		return nil, fmt.Errorf("a %s model scores a pair by the kernel of its nodes, and has nothing to prepare", Similarity)
	}
	s := &Scorer{form: p.form()}
	for _, at := range []pairwise.End{pairwise.Row, pairwise.Col} {
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
	s.scratch.New = func() any {
		v := &[2]oneNode{}
		for at, e := range s.ends {
			v[at].wide = make([]float64, max(0, e.trained))
		}
		return v
	}
	return s, nil
}

// Score returns the score of a row node and a column node: what ScorePairsTo gives, but
// for the last bits. It costs O(p₁n₁ + p₂n₂) for the kernel values, and a multiplication
// or two for each edge, or for each of the p₁p₂ coefficients where these are dense; of
// weights n₁n₂. It runs on the caller's goroutine and, once it has run, allocates nothing,
// but for a kernel that is not of package kernel.
//
// It returns an error for a node that does not fit: more features than in training, or
// another number of kernel values; a name that a cartesian kernel does not know; a
// kernel with itself that is not known, or not above 0 and to be normalised.
func (s *Scorer) Score(row, col Node) (float64, error) {
	v := s.scratch.Get().(*[2]oneNode)
	defer s.scratch.Put(v)
	for at, n := range [2]Node{pairwise.Row: row, pairwise.Col: col} {
		if err := s.ends[at].fill(&v[at].values, v[at].of(n)); err != nil {
			return 0, fmt.Errorf("%s node: %w", pairwise.End(at), err)
		}
	}
	return s.form.of(&v[pairwise.Row].values, &v[pairwise.Col].values), nil
}

// of is the node as Nodes.
func (v *oneNode) of(n Node) *Nodes {
	if len(n.X) < len(v.wide) {
		clear(v.wide[copy(v.wide, n.X):])
		n.X = v.wide
	}
	v.x = data.Dense{Rows: 1, Cols: len(n.X), Stride: len(n.X), Data: n.X}
	v.id[0], v.self[0] = n.ID, n.Self
	v.nodes = Nodes{X: &v.x, ID: v.id[:], Self: v.self[:]}
	if n.Self == 0 {
		v.nodes.Self = nil
	}
	return &v.nodes
}

// of is the score of the only pair of two nodes.
func (f *Form) of(row, col *Values) float64 {
	a, b := row.x.(*data.Dense).Row(0), col.x.(*data.Dense).Row(0)
	sum := f.Ends[pairwise.Row].of(a) + f.Ends[pairwise.Col].of(b) + f.Both.at(a, b)
	if f.same != nil {
		sum += f.same.line(pairwise.Col, col.known[0], a) + f.same.line(pairwise.Row, row.known[0], b)
	}
	return sum
}

// of is the sum for the kernel values x of one node.
func (o *OwnTerms) of(x []float64) (sum float64) {
	if o.Plain != nil {
		sum = linalg.Dot(x, o.Plain)
	}
	for z, w := range o.Squared {
		sum += w * x[z] * x[z]
	}
	return sum + o.Twice.at(x, x)
}
