package pairmodel

import (
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/features"
	"pairrank/internal/linalg"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// scorerEnd is the training nodes at one end of the pairs, ready for one node at a time.
type scorerEnd struct {
	side *Side
	at   pairwise.End
	size int // numbers that the model takes of a node: kernel values, or features
	n    int // features, where there are

	rows  *kernel.Prepared // the training nodes; nil for a precomputed kernel and weights
	unit  *kernel.Prepared // the row 1, for ⟨x,x⟩ to become k(x,x)
	scale []float64        // 1/√k(z,z) of the training nodes; nil where it is 1
	place map[string]int32 // of the training nodes by name; nil where none is asked for

	plain, squared []float64 // Σ_z k(x,z) plain_z + k(x,z)² squared_z, or nil
	twice          *bilinear // of the values with themselves, or nil
}

// nodeValues is the memory that a node needs.
type nodeValues struct {
	all []float64  // what the model takes of it
	one [2]float64 // ⟨x,x⟩ and k(x,x)
}

// newScorerEnd prepares the side of an end, and the terms of it alone.
func newScorerEnd(p *Model, terms []pairwise.Term, at pairwise.End) (*scorerEnd, error) {
	s := p.side(at)
	e := &scorerEnd{side: s, at: at, size: p.size(at), n: s.features(at, p)}
	if s.Support != nil {
		e.rows = kernel.Prepare(s.Kernel, s.Support)
	}
	if s.Precomputed() && (s.Normalize || s.Shift != 0) || p.Kernel == pairwise.Cartesian {
		e.place = s.placeOf()
	}
	if err := e.prepareNorm(); err != nil {
		return nil, err
	}
	plain, squared, twice := p.termsOf(terms, at)
	e.plain, e.squared = plain, squared
	if twice != nil {
		e.twice = newBilinear(p.between(twice))
	}
	return e, nil
}

// prepareNorm prepares the division by √(k(x,x) k(z,z)), which of a Gaussian kernel is
// 1.
func (e *scorerEnd) prepareNorm() error {
	s := e.side
	if _, gaussian := s.Kernel.(kernel.Gaussian); gaussian || !s.Normalize {
		return nil
	}
	switch s.Kernel.(type) {
	case kernel.Linear, kernel.Polynomial:
		e.unit = kernel.Prepare(s.Kernel, data.NewDense(1, 1, []float64{1}))
	}
	if e.rows == nil && !s.Precomputed() {
		return nil // weights, of no training nodes
	}
	roots, err := s.roots(&Nodes{ID: s.ID, Self: s.Diag}, s.Support)
	if err != nil {
		return err
	}
	for k, root := range roots {
		roots[k] = 1 / root
	}
	e.scale = roots
	return nil
}

// values is what the model takes of a node, in v or as it is given.
func (e *scorerEnd) values(v *nodeValues, n *Node) ([]float64, error) {
	s, dst := e.side, v.all
	switch {
	case s.Precomputed() && len(n.X) != e.size:
		return nil, fmt.Errorf("%d kernel values, want one for each of the %d training nodes", len(n.X), e.size)
	case !s.Precomputed() && len(n.X) > e.n:
		return nil, features.Check(len(n.X), nil, e.n, nil)
	}
	out := n.X
	if e.rows != nil {
		e.rows.RowTo(dst, n.X)
		out = dst
	}
	if _, gaussian := s.Kernel.(kernel.Gaussian); s.Normalize && !gaussian {
		root, err := e.root(v, n)
		if err != nil {
			return nil, err
		}
		out = dst[:copy(dst, out)]
		scaleBy(1/root, e.scale, out)
	}
	if s.Shift != 0 {
		out = dst[:copy(dst, out)]
		if j, known := e.place[n.ID]; known {
			out[j] += s.Shift
		}
	}
	return out, nil
}

// scaleBy multiplies values by a factor and by scales of their own, nil where these are 1.
func scaleBy(factor float64, scales, values []float64) {
	if scales == nil {
		linalg.Scal(factor, values)
		return
	}
	scales = scales[:len(values)]
	for j, v := range values {
		values[j] = v * (factor * scales[j])
	}
}

// root is √k(x,x) of a node.
func (e *scorerEnd) root(v *nodeValues, n *Node) (float64, error) {
	self := n.Self
	switch {
	case e.side.Precomputed():
		if self == 0 {
			j, known := e.place[n.ID]
			if !known {
				return 0, errors.New("the kernel was normalised in training, and it is not known what the kernel of this node with itself is")
			}
			self = e.side.Diag[j]
		}
	case e.unit != nil:
		v.one[0] = linalg.Dot(n.X, n.X)
		e.unit.RowTo(v.one[1:], v.one[:1])
		self = v.one[1]
	default:
		self = selfValues(e.side.Kernel, data.Widen(data.NewDense(1, len(n.X), n.X), e.n))[0]
	}
	if notPositive(self) {
		return 0, fmt.Errorf("the kernel is normalised, and of this node with itself it is %v, not above 0", self)
	}
	return math.Sqrt(self), nil
}

// alone is what a node adds by itself, by its values.
func (e *scorerEnd) alone(values []float64) (sum float64) {
	if e.plain != nil {
		sum = linalg.Dot(values, e.plain)
	}
	for z, w := range e.squared {
		sum += w * values[z] * values[z]
	}
	if e.twice != nil {
		sum += e.twice.at(values, values)
	}
	return sum
}

// find is the training node that a node is.
func (e *scorerEnd) find(n *Node) (int32, error) {
	if j, known := e.place[n.ID]; known {
		return j, nil
	}
	_, err := e.side.find([]string{n.ID}, e.at)
	return 0, err
}
