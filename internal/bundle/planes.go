package bundle

import (
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// planes are the cutting planes of a risk, with their dual.
type planes struct {
	dual
	slopes [][]float64 // a_t
	idle   []int       // iterations since a plane was last in the support
	free   [][]float64 // memory of planes that were dropped
}

const (
	// idleLimit is the number of iterations out of the support after which a
	// plane is dropped.
	idleLimit = 50
	// pieceSize is the number of multiplications below which a piece of work is
	// not worth a goroutine.
	pieceSize = 1 << 15
)

// slope is memory for another plane.
func (p *planes) slope(n int) []float64 {
	if last := len(p.free) - 1; last >= 0 {
		s := p.free[last]
		p.free = p.free[:last]
		return s
	}
	return make([]float64, n)
}

// cut adds the plane ⟨a, w⟩ + b and keeps a.
func (p *planes) cut(a []float64, b float64) {
	p.slopes, p.idle = append(p.slopes, a), append(p.idle, 0)
	products := make([]float64, len(p.slopes))
	parallel.Chunks(len(products), 1+pieceSize/(1+len(a)), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			products[i] = linalg.Dot(p.slopes[i], a)
		}
	})
	p.add(products, b)
}

// minimiseTo sets w to the minimiser of λ‖w‖² + max_t (⟨a_t,w⟩ + b_t) and
// returns the dual value, which is a lower bound on that minimum, whatever the
// slack left by solve.
func (p *planes) minimiseTo(w []float64, lambda, slack float64) (bound float64) {
	p.solve(lambda, slack)
	total := 0.0
	for _, i := range p.support {
		total += p.alpha[i]
	}
	for _, i := range p.support {
		p.alpha[i] /= total
	}
	p.combineTo(w, -1/(2*lambda))
	for _, i := range p.support {
		bound += p.alpha[i] * p.b[i]
	}
	return bound - lambda*linalg.Dot(w, w)
}

// combineTo sets w = scale Σ α_i a_i, added in the order of the support.
func (p *planes) combineTo(w []float64, scale float64) {
	parallel.Chunks(len(w), 1+pieceSize/(1+len(p.support)), func(_, lo, hi int) {
		clear(w[lo:hi])
		for _, i := range p.support {
			linalg.Axpy(scale*p.alpha[i], p.slopes[i][lo:hi], w[lo:hi])
		}
	})
}

// age counts another iteration and drops planes that were idle for too long.
func (p *planes) age() {
	for i := range p.idle {
		p.idle[i]++
	}
	for _, i := range p.support {
		p.idle[i] = 0
	}
	keep := make([]bool, len(p.idle))
	next := 0
	for i, idle := range p.idle {
		if keep[i] = idle <= idleLimit; !keep[i] {
			p.free = append(p.free, p.slopes[i])
			continue
		}
		p.slopes[next], p.idle[next] = p.slopes[i], p.idle[i]
		next++
	}
	if next == len(keep) {
		return
	}
	clear(p.slopes[next:])
	p.slopes, p.idle = p.slopes[:next], p.idle[:next]
	p.keep(keep)
}
