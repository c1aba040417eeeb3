package dense

import (
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
)

// Factored is a board at an optimum of scores and of a factor c for each annotator on the differences of scores: a line
// of annotator k has the margin
//
//	f = c_k (s_a − s_b) + xᵀγ
//
// and a line without an annotator the factor 1. The objective is J + P Σ (c_k − 1)². The mean of the c, weighted by the
// outcomes of each annotator, is 1, which fixes the scale of the scores.
type Factored struct {
	*Fit
	C []float64
	// Curvature is that of the objective by each c_k alone, half of it for the squared loss.
	Curvature []float64
}

// TrainFactors finds the scores and the factors of n annotators, with P > 0, by Newton's method from the place and the
// factors given, or for nil from scores of 0 and factors of 1. J is not convex in both: each step lowers it, and the
// optimum is the one in whose valley the start is. A step solves H = (A B; Bᵀ D) by what the factors leave of the
// curvature of the scores, and costs O(C p + Σ m_k² + E³) for the m_k items of annotator k, since D is diagonal. Where
// H is not positive definite, the step is that of Gauss and Newton, whose H is. It takes at most so many steps, one for
// a board that is one step from the start, else MostSteps. It takes no features and no ties of Davidson. It returns
// ErrSeparated, ErrSingular, and the error of ctx.
func (s *System) TrainFactors(ctx context.Context, n int, shrink float64, place, c []float64, most int) (*Factored,
	error) {
	d := newFactoring(s, n, shrink, place, c)
	steps, err := linesearch.Newton(ctx, d, most)
	if errors.Is(err, linesearch.ErrSteps) && most == mostSteps {
		err = large.ErrSeparated
	}
	if err != nil && !errors.Is(err, linesearch.ErrSteps) {
		return nil, err
	}
	d.Steps = steps
	factor, err := d.curved(false)
	if err != nil { // short of the optimum
		if factor, err = d.curved(true); err != nil {
			return nil, err
		}
	}
	d.Objective, d.Unknown = d.at.objective, d.Place
	d.form = whole(s.inverse(factor))
	return &Factored{Fit: d.Fit, C: d.c, Curvature: d.d}, nil
}

// MostSteps is the largest number of steps of a training.
const MostSteps = mostSteps

// factoring is the training of a board with factors, as a Descent.
type factoring struct {
	*Fit
	by        [][]int   // the lines of each annotator
	weight    []float64 // of the factors in their mean; their sum is 1
	penalty   float64   // 2 P, or P for the squared loss: that of the gradient
	shrink    float64   // P
	c         []float64
	at, next  joint
	d         []float64 // D
	b         []Row     // the columns of B
	newton    bool      // the last step was Newton's, not that of Gauss and Newton
	from, ofC []float64 // where a step starts
	step      []float64 // of the scores and covariates
	stepC     []float64
	moved     float64
	last      float64
}

// joint is an objective and its negative gradient, by scores and covariates, and by factors.
type joint struct {
	objective float64
	terms     []outcome.Terms
	place, c  []float64
}

func newFactoring(s *System, n int, shrink float64, place, c []float64) *factoring {
	d := &factoring{Fit: &Fit{System: s, Place: make([]float64, s.Dims()), Margins: make([]float64, len(s.Lines))},
		by: make([][]int, n), weight: make([]float64, n), penalty: s.Loss.Penalty(shrink), shrink: shrink,
		c: slices.Repeat([]float64{1}, n), d: make([]float64, n), b: make([]Row, n), last: math.Inf(1)}
	sum := 0.0
	for i := range s.Lines {
		l := &s.Lines[i]
		if k := l.Annotator; k >= 0 && s.Loss.Says(l) {
			d.by[k], d.b[k].at = append(d.by[k], i), append(d.b[k].at, s.Row(i).at...)
			w := l.Count() * l.OutcomeWeight()
			d.weight[k], sum = d.weight[k]+w, sum+w
		}
	}
	for k := range d.b {
		b := &d.b[k]
		slices.Sort(b.at)
		b.at = slices.Compact(b.at)
		b.val = make([]float64, len(b.at))
	}
	linalg.Scal(1/max(sum, math.SmallestNonzeroFloat64), d.weight)
	if place != nil {
		copy(d.Place, place)
		copy(d.c, c)
		d.normalise()
	}
	d.at = d.look()
	return d
}

// normalise makes the mean of the factors 1, and leaves the margins of annotators as they are.
func (d *factoring) normalise() {
	mean := linalg.Dot(d.weight, d.c)
	for k := range d.c {
		if d.weight[k] == 0 {
			d.c[k] = 1
		} else if mean > 0 {
			d.c[k] /= mean
		}
	}
	if mean > 0 {
		linalg.Scal(mean, d.Place[:d.Items])
	}
}

// difference is that of the scores of a line.
func (d *factoring) difference(c int, place []float64) float64 {
	return place[d.Lines[c].Left] - place[d.Lines[c].Right]
}

// factor multiplies the row of each line by the factor of its annotator.
func (d *factoring) factor() {
	for k, lines := range d.by {
		for _, c := range lines {
			r := d.Row(c)
			r.val[0], r.val[1] = d.c[k], -d.c[k]
		}
	}
}

// look computes the objective and its gradient at the place.
func (d *factoring) look() joint {
	d.factor()
	at := joint{terms: make([]outcome.Terms, len(d.Lines)), place: make([]float64, d.Dims()), c: make([]float64, len(d.c))}
	d.EachLine(func(c int) {
		d.Margins[c] = d.Row(c).Dot(d.Place)
		at.terms[c], _ = d.Loss.Line(&d.Lines[c], d.Margins[c], 0)
	})
	for c := range at.terms {
		at.objective += at.terms[c].Loss
		d.Row(c).Axpy(at.terms[c].G[0], at.place)
	}
	pen := d.Loss.Penalty(d.Lambda)
	for j, v := range d.Place[:d.Items] {
		at.place[j] -= pen * v
		at.objective += d.Lambda * v * v
	}
	for k, lines := range d.by {
		for _, c := range lines {
			at.c[k] += at.terms[c].G[0] * d.difference(c, d.Place)
		}
		at.c[k] -= d.penalty * (d.c[k] - 1)
		at.objective += d.shrink * (d.c[k] - 1) * (d.c[k] - 1)
	}
	return at
}

// curved factors S, with the second derivatives of Newton, or as Gauss and Newton without that by c_k and s_a, whose
// mean is 0, and fills in D and B. With the weights w of the factors in their mean, which a step does not move, it is
//
//	S = A − B D⁻¹ Bᵀ + u uᵀ / wᵀD⁻¹w        u = B D⁻¹ w
func (d *factoring) curved(gauss bool) (linalg.Mat, error) {
	a := d.Gram(d.Every(), func(c int) [3]float64 { return d.at.terms[c].V })
	column, u, sum := make([]float64, d.Dims()), make([]float64, d.Dims()), 0.0
	for k, lines := range d.by {
		b := &d.b[k]
		d.d[k] = d.penalty
		for _, c := range lines {
			t, r, f := &d.at.terms[c], d.Row(c), d.difference(c, d.Place)
			d.d[k] += t.V[0] * f * f
			r.Axpy(t.V[0]*f, column)
			if !gauss {
				column[r.at[0]] -= t.G[0]
				column[r.at[1]] += t.G[0]
			}
		}
		for j, i := range b.at {
			b.val[j], column[i] = column[i], 0
		}
		addTo(a, *b, *b, -1/d.d[k])
		b.Axpy(d.weight[k]/d.d[k], u)
		sum += d.weight[k] * d.weight[k] / d.d[k]
	}
	if sum > 0 {
		for i, v := range u {
			linalg.Axpy(v/sum, u, a.Row(i))
		}
	}
	return a, d.Factor(a, d.Pins)
}

// held takes what moves the mean of the factors from a gradient by these, and divides it by D.
func (d *factoring) held(c []float64) []float64 {
	sum, all := 0.0, 0.0
	for k, w := range d.weight {
		sum, all = sum+w*c[k]/d.d[k], all+w*w/d.d[k]
	}
	out := make([]float64, len(c))
	for k, w := range d.weight {
		out[k] = (c[k] - w*sum/max(all, math.SmallestNonzeroFloat64)) / d.d[k]
	}
	return out
}

// Direct solves for a step that keeps the mean of the factors.
func (d *factoring) Direct(context.Context) (float64, error) {
	factor, err := d.curved(false)
	if d.newton = err == nil; err != nil {
		if factor, err = d.curved(true); err != nil && d.Loss != outcome.Squared && !math.IsInf(d.last, 1) {
			return 0, large.ErrSeparated // curvatures vanish, which they did not at the start
		} else if err != nil {
			return 0, err
		}
	}
	d.step = slices.Clone(d.at.place)
	for k, v := range d.held(d.at.c) {
		d.b[k].Axpy(-v, d.step)
	}
	linalg.CholeskySolve(linalg.Lower, factor, linalg.Mat{Rows: len(d.step), Cols: 1, Stride: 1, Data: d.step})
	d.stepC = slices.Clone(d.at.c)
	for k := range d.stepC {
		d.stepC[k] -= d.b[k].Dot(d.step)
	}
	d.stepC = d.held(d.stepC)
	d.from, d.ofC = slices.Clone(d.Place), slices.Clone(d.c)
	d.moved = max(linalg.MaxAbs(d.step), linalg.MaxAbs(d.stepC))
	most := d.largestMargin(d.step)
	for k, lines := range d.by {
		for _, c := range lines {
			most = max(most, math.Abs(d.stepC[k]*d.difference(c, d.Place)))
		}
	}
	return min(1, outcome.MostMove/most), nil
}

// Move moves by a share of the step.
func (d *factoring) Move(share float64) (falls bool, err error) {
	for j, v := range d.step {
		d.Place[j] = d.from[j] + share*v
	}
	for k, v := range d.stepC {
		d.c[k] = d.ofC[k] + share*v
	}
	d.next = d.look()
	return d.next.objective <= linesearch.NoRise(d.at.objective), nil
}

// Moved reports whether the step has settled: the error after one of Newton is its square.
func (d *factoring) Moved(share float64, _ bool) (last bool, err error) {
	d.at = d.next
	if d.Loss != outcome.Squared && linalg.MaxAbs(d.Margins) > outcome.MostMargin {
		return false, large.ErrSeparated
	}
	settled, size := 1e-12, 1+linalg.MaxAbs(d.Place)+linalg.MaxAbs(d.c)
	if d.newton {
		settled = d.settled()
	}
	d.moved *= share
	last = d.moved <= settled*size || d.moved <= nearly*size && d.moved > 0.9*d.last
	d.last = d.moved
	return last, nil
}
