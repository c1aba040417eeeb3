package pairmodel

import (
	"fmt"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
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
	model   *Model
	ends    [2]*scorerEnd
	both    *bilinear    // of the values of both nodes, or nil
	same    [2]*bilinear // of the values of the node at an end, at the training node that the other is; or nil
	scratch sync.Pool    // *[2]nodeValues
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
	s := &Scorer{model: p}
	terms := p.terms()
	for _, at := range []pairwise.End{pairwise.Row, pairwise.Col} {
		e, err := newScorerEnd(p, terms, at)
		if err != nil {
			return nil, fmt.Errorf("%s nodes: in training: %w", at, err)
		}
		s.ends[at] = e
	}
	var both []pairwise.Term // of one factor of each node, none of them 1 or [x=z]
	for _, t := range terms {
		_, alone := t.Alone()
		switch {
		case alone || t.A.Of == t.B.Of:
		case t.B.As == pairwise.Same:
			s.same[pairwise.Row] = newBilinear(p.between([]pairwise.Term{t}))
		case t.A.As == pairwise.Same:
			s.same[pairwise.Col] = newBilinear(p.between([]pairwise.Term{t}))
		default:
			both = append(both, t)
		}
	}
	if both != nil {
		s.both = newBilinear(p.between(both))
	}
	s.scratch.New = func() any {
		return &[2]nodeValues{{all: make([]float64, s.ends[0].size)}, {all: make([]float64, s.ends[1].size)}}
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
	v := s.scratch.Get().(*[2]nodeValues)
	defer s.scratch.Put(v)
	first, second := s.ends[pairwise.Row], s.ends[pairwise.Col]
	a, err := first.values(&v[pairwise.Row], &row)
	if err != nil {
		return 0, fmt.Errorf("%s node: %w", pairwise.Row, err)
	}
	b, err := second.values(&v[pairwise.Col], &col)
	if err != nil {
		return 0, fmt.Errorf("%s node: %w", pairwise.Col, err)
	}
	sum := first.alone(a) + second.alone(b)
	if s.both != nil {
		sum += s.both.at(a, b)
	}
	if s.same[pairwise.Row] == nil {
		return sum, nil
	}
	d, err := first.find(&row)
	if err != nil {
		return 0, fmt.Errorf("%s node: %w", pairwise.Row, err)
	}
	t, err := second.find(&col)
	if err != nil {
		return 0, fmt.Errorf("%s node: %w", pairwise.Col, err)
	}
	return sum + s.same[pairwise.Row].atColumn(a, t) + s.same[pairwise.Col].atRow(d, b), nil
}

// bilinear is aᵀ B b for kernel values a and b of two nodes.
type bilinear struct {
	dense *data.Dense
	i, j  []int32
	v     []float64
}

// edgeCost is about how many entries of a dense B cost as much as one edge, which fetches
// from two places.
const edgeCost = 4

// newBilinear spreads edges over a matrix where they are many for its size.
func newBilinear(d *duals) *bilinear {
	if d.dense == nil && float64(d.rows)*float64(d.cols) <= edgeCost*float64(len(d.v)) {
		return &bilinear{dense: d.spread()}
	}
	return &bilinear{dense: d.dense, i: d.i, j: d.j, v: d.v}
}

// at is aᵀ B b. What a and b lack is zero.
func (q *bilinear) at(a, b []float64) (sum float64) {
	if q.dense == nil {
		return q.overEdges(a, b)
	}
	for i, x := range a {
		sum += x * linalg.Dot(b, q.dense.Row(i))
	}
	return sum
}

// overEdges is at for edges, in four sums that do not wait for one another.
func (q *bilinear) overEdges(a, b []float64) float64 {
	i, j, v := q.i, q.j, q.v
	var s0, s1, s2, s3 float64
	for len(i) >= 4 && len(j) >= 4 && len(v) >= 4 {
		s0 += v[0] * a[i[0]] * b[j[0]]
		s1 += v[1] * a[i[1]] * b[j[1]]
		s2 += v[2] * a[i[2]] * b[j[2]]
		s3 += v[3] * a[i[3]] * b[j[3]]
		i, j, v = i[4:], j[4:], v[4:]
	}
	for e := range v {
		s0 += v[e] * a[i[e]] * b[j[e]]
	}
	return s0 + s1 + (s2 + s3)
}

// atColumn is aᵀ B at one column.
func (q *bilinear) atColumn(a []float64, j int32) (sum float64) {
	if q.dense == nil {
		for e, to := range q.j {
			if to == j {
				sum += q.v[e] * a[q.i[e]]
			}
		}
		return sum
	}
	for i, x := range a {
		sum += x * q.dense.Row(i)[j]
	}
	return sum
}

// atRow is one row of B b.
func (q *bilinear) atRow(i int32, b []float64) (sum float64) {
	if q.dense != nil {
		return linalg.Dot(b, q.dense.Row(int(i)))
	}
	for e, from := range q.i {
		if from == i {
			sum += q.v[e] * b[q.j[e]]
		}
	}
	return sum
}
