package ranksvm

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// NewPairs makes a solver for rows x, m×n, and a list of pairs in place of labels,
//
//	J(w) = (1/W) Σ_e w_e max(0, 1 − (f_i − f_j))^p + λ‖w‖²        W = Σ_e w_e
//
// over the edges e by which row i is preferred to row j: of positive magnitude I to J, of negative magnitude J to I.
// Magnitudes say no more, and edges of magnitude 0, ties, are left out. An iteration costs O(ms + edges). It keeps x
// and copies edges.
//
// It returns goals.ErrNothingToLearn without an edge that is no tie, the errors of goals.NewGraph for edges, and
// those of New for options; Weight, RowWeights and Counter are about labels, and an error. It panics when the lengths
// do not fit.
func NewPairs(x data.Matrix, edges []pref.Edge, o Options) (*Solver, error) {
	data.Check("ranksvm: x", x)
	m, n := x.Dims()
	if o.Start != nil && len(o.Start) != n {
		panic(fmt.Sprintf("ranksvm: %d features with a start of %d", n, len(o.Start)))
	}
	if o.Weight != "" && o.Weight != pref.Pairs || o.Counter != "" || o.RowWeights != nil {
		return nil, errors.New("query weights, counters and weights of rows are for labels, not for a list of pairs")
	}
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	if _, err := goals.NewGraph(m, edges); err != nil {
		return nil, err
	}
	r := &listed{squared: o.Loss == SquaredHinge}
	sum := 0.0
	for _, e := range edges {
		if e.Magnitude == 0 {
			continue
		}
		if e.Magnitude < 0 {
			e.I, e.J = e.J, e.I
		}
		r.pairs = append(r.pairs, listedPair{int32(e.I), int32(e.J), e.Weight, 0})
		sum += e.Weight
	}
	if len(r.pairs) == 0 {
		return nil, goals.ErrNothingToLearn
	}
	for e := range r.pairs {
		r.pairs[e].weight /= sum
	}
	return &Solver{o: o, x: x, risk: r, pairs: float64(len(r.pairs))}, nil
}

// listed is the risk of a list of pairs.
type listed struct {
	pairs   []listedPair
	squared bool
	factor  []float64 // of the last product
}

// listedPair is the preference of row i to row j. Its weight is a share of all; active is the weight where it has a
// loss at the last scores, else 0.
type listedPair struct {
	i, j           int32
	weight, active float64
}

func (r *listed) At(slope, scores []float64) float64 {
	clear(slope)
	value := 0.0
	for e := range r.pairs {
		p := &r.pairs[e]
		p.active = 0
		short := 1 - (scores[p.i] - scores[p.j])
		if short <= 0 {
			continue
		}
		p.active = p.weight
		pull := p.weight
		if r.squared {
			value += p.weight * short * short
			pull *= 2 * short
		} else {
			value += p.weight * short
		}
		slope[p.i] -= pull
		slope[p.j] += pull
	}
	return value
}

func (r *listed) hessianMulTo(dst, v []float64) {
	r.factor = append(r.factor[:0], v...) // dst and v may be the same slice
	v = r.factor
	clear(dst)
	for e := range r.pairs {
		p := &r.pairs[e]
		t := 2 * p.active * (v[p.i] - v[p.j])
		dst[p.i] += t
		dst[p.j] -= t
	}
}

func (r *listed) degreesTo(dst []float64) {
	clear(dst)
	for e := range r.pairs {
		p := &r.pairs[e]
		dst[p.i] += p.active
		dst[p.j] += p.active
	}
}

// A pass over the pairs is short, so that nothing is cut short.
func (r *listed) stopWith(context.Context) {}
func (r *listed) stopped() bool            { return false }
