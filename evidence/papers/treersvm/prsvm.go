package main

import (
	"context"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/linalg"
)

// prsvm minimises λ‖w‖² plus the mean squared hinge loss over pairs that it keeps, one
// by one, with the margin of each: the truncated Newton method of Chapelle and Keerthi
// 2010, Efficient algorithms for ranking with SVMs, section 3, which the paper runs as
// PRSVM. A Newton step is solved by conjugate gradients; the step along it is the least
// of J there, by Newton's method for one number. Every product with the Hessian is a
// pass over all pairs.
type prsvm struct {
	x      data.Matrix
	lambda float64
	pairs  []pair
	// margins are 1 − (f_above − f_below); a pair whose margin is positive has a loss.
	margins []float64

	w, gradient   []float64 // n
	scores, slope []float64 // m
	products      int
	evaluations   int // of the loss, or of what it is along a step
}

// pair is two rows; the upper row has the larger label.
type pair struct{ above, below int32 }

// pairBytes are those of a pair and its margin, which are most of what prsvm keeps.
const pairBytes = 8 + 8

// leastDecrement ends the training: the Newton decrement over J, as the paper's.
const leastDecrement = 1e-6

// mostNewtonSteps and mostLineSteps bound the training and one line search.
const mostNewtonSteps, mostLineSteps = 200, 50

// newPRSVM forms the pairs of one list.
func newPRSVM(x data.Matrix, y []float64, pairs int) *prsvm {
	m, n := x.Dims()
	p := &prsvm{x: x, pairs: make([]pair, 0, pairs), margins: make([]float64, pairs),
		w: make([]float64, n), gradient: make([]float64, n), scores: make([]float64, m), slope: make([]float64, m)}
	for i, a := range y {
		for j, b := range y {
			if a > b {
				p.pairs = append(p.pairs, pair{int32(i), int32(j)})
			}
		}
	}
	return p
}

// train takes Newton steps from w = 0 until the decrement is small. Gap bounds J − min J,
// as in package ranksvm.
func (p *prsvm) train(ctx context.Context, lambda float64) (*ranksvm.Fit, error) {
	p.lambda = lambda
	p.setMargins()
	direction := make([]float64, len(p.w))
	fit := &ranksvm.Fit{Lambda: lambda, Weights: p.w, Pairs: float64(len(p.pairs))}
	start := 0.0
	for {
		fit.Risk = p.gradientNow()
		fit.Objective = fit.Risk + lambda*linalg.Dot(p.w, p.w)
		length := linalg.Nrm2(p.gradient)
		fit.Gap = length * length / (4 * lambda)
		if fit.Iterations == 0 {
			start = length
		}
		if fit.Converged = fit.Converged || length == 0; fit.Converged || fit.Iterations == mostNewtonSteps {
			fit.Evaluations, fit.Products = p.evaluations, p.products
			return fit, nil
		}
		linalg.Scal(-1, p.gradient)
		clear(direction)
		_, err := krylov.CG(ctx, p, p.gradient, direction, krylov.Options{
			Tolerance: min(0.1, math.Sqrt(length/start)), MaxIterations: len(p.w) + 50, Direction: true})
		if err != nil {
			return nil, err
		}
		decrement := linalg.Dot(p.gradient, direction)
		p.search(direction)
		fit.Iterations++
		fit.Converged = decrement < leastDecrement*fit.Objective
	}
}

// setMargins finds scores and margins at w.
func (p *prsvm) setMargins() {
	p.x.MulVecTo(p.scores, p.w)
	for k, q := range p.pairs {
		p.margins[k] = 1 - (p.scores[q.above] - p.scores[q.below])
	}
}

// gradientNow sets the gradient of J, and returns the mean loss.
func (p *prsvm) gradientNow() (risk float64) {
	clear(p.slope)
	for k, q := range p.pairs {
		if t := p.margins[k]; t > 0 {
			risk += t * t
			p.slope[q.above] -= t
			p.slope[q.below] += t
		}
	}
	p.evaluations++
	linalg.Scal(p.weight(), p.slope)
	p.x.MulTransVecTo(p.gradient, p.slope)
	linalg.Axpy(2*p.lambda, p.w, p.gradient)
	return risk / float64(len(p.pairs))
}

// weight is what the derivative of a squared margin has before it.
func (p *prsvm) weight() float64 { return 2 / float64(len(p.pairs)) }

// MulTo sets dst to the product of the generalised Hessian with v.
func (p *prsvm) MulTo(dst, v []float64) {
	p.x.MulVecTo(p.scores, v)
	clear(p.slope)
	for k, q := range p.pairs {
		if p.margins[k] > 0 {
			t := p.scores[q.above] - p.scores[q.below]
			p.slope[q.above] += t
			p.slope[q.below] -= t
		}
	}
	linalg.Scal(p.weight(), p.slope)
	p.x.MulTransVecTo(dst, p.slope)
	linalg.Axpy(2*p.lambda, v, dst)
	p.products++
}

// search goes along the direction to where J is least: its slope there is piecewise
// linear, so that Newton's method ends where the active pairs no longer change. The
// slope falls to less than a millionth of what it is at first.
func (p *prsvm) search(direction []float64) {
	const enough = 1e-6
	change := p.scores
	p.x.MulVecTo(change, direction)
	along, square := 2*p.lambda*linalg.Dot(p.w, direction), 2*p.lambda*linalg.Dot(direction, direction)
	at, first := 0.0, 0.0
	for k := range mostLineSteps {
		slope, curvature := 0.0, 0.0
		for k, q := range p.pairs {
			d := change[q.above] - change[q.below]
			if t := p.margins[k] - at*d; t > 0 {
				slope -= t * d
				curvature += d * d
			}
		}
		p.evaluations++
		slope, curvature = along+at*square+p.weight()*slope, square+p.weight()*curvature
		if k == 0 {
			first = math.Abs(slope)
		}
		if math.Abs(slope) <= enough*first {
			break
		}
		at -= slope / curvature
	}
	for k, q := range p.pairs {
		p.margins[k] -= at * (change[q.above] - change[q.below])
	}
	linalg.Axpy(at, direction, p.w)
}

// same returns an error unless two fits of one problem are as near as the gaps of both
// allow, but for rounding.
func same(a, b *trained) error {
	const rounding = 1e-9
	if a.Objective-b.Objective > a.Gap+rounding || b.Objective-a.Objective > b.Gap+rounding {
		return fmt.Errorf("least J of %v with a gap of %v, and of %v with one of %v: both cannot be", a.Objective,
			a.Gap, b.Objective, b.Gap)
	}
	return nil
}
