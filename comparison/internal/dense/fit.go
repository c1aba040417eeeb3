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

// Fit is a board at its optimum.
type Fit struct {
	*System
	Unknown []float64
	Place   []float64 // scores, covariates and η
	Nu      float64   // of Davidson's ties; 0 for others
	Margins []float64 // of the lines
	// Objective is J, without Firth's term.
	Objective float64
	Steps     int // but for the last one
	form      form
	factor    linalg.Mat // of the squared loss, while it trains
}

// Eta is log ν, 0 for losses without it.
func (b *Fit) Eta() float64 { return b.EtaOf(b.Place) }

// mostSteps is the largest number of steps of a training, mostReduced where bias is reduced: these steps shorten by a
// factor that is near 1 on boards which are almost a tree.
const mostSteps, mostReduced = 200, 20_000

// Train finds the optimum: by one step and a step of refinement for the squared loss, by Newton's method for the
// logistic one. It returns ErrSeparated and ErrSingular of package large, and the error of ctx.
func (s *System) Train(ctx context.Context) (*Fit, error) {
	b := &Fit{System: s, Unknown: make([]float64, s.Unknowns()), Margins: make([]float64, len(s.Lines))}
	return b, b.train(ctx)
}

// step is what a step knows: the objective, the gradient, and the terms of the lines.
type step struct {
	objective float64 // half of it for the squared loss
	gradient  []float64
	terms     []outcome.Terms
	factor    linalg.Mat
	inverse   linalg.Mat // only where bias is reduced
}

// train takes steps until they move nothing.
func (b *Fit) train(ctx context.Context) error {
	at, err := b.at(b.Unknown)
	if err != nil {
		return err
	}
	d, most := &descent{Fit: b, at: at, last: math.Inf(1)}, mostSteps
	if b.BiasReduced {
		most = mostReduced
	}
	steps, err := linesearch.Newton(ctx, d, most)
	if errors.Is(err, linesearch.ErrSteps) {
		return large.ErrSeparated
	} else if err != nil {
		return err
	}
	b.Steps = steps - 1
	return b.finish(d.at)
}

// descent is the training of a board.
type descent struct {
	*Fit
	at, next    *step
	from, delta []float64
	moved, size float64 // the step, and the place that it starts at
	last        float64 // how far the step before moved
}

// Direct solves for a step.
func (d *descent) Direct(context.Context) (float64, error) {
	s := d.System
	d.from, d.delta = slices.Clone(d.Unknown), slices.Clone(d.at.gradient)
	linalg.CholeskySolve(linalg.Lower, d.at.factor, linalg.Column(d.delta))
	step := s.expand(d.delta)
	d.moved, d.size = linalg.MaxAbs(step), linalg.MaxAbs(s.expand(d.Unknown))
	return min(1, outcome.MostMove/s.largestMargin(step)), nil
}

// Move moves by a share of the step. It returns ErrSeparated where curvatures vanish, which they did not at the
// start.
func (d *descent) Move(share float64) (falls bool, err error) {
	for j, v := range d.delta {
		d.Unknown[j] = d.from[j] + share*v
	}
	if d.next, err = d.Fit.at(d.Unknown); errors.Is(err, large.ErrSingular) && d.Loss != outcome.Squared {
		return false, large.ErrSeparated
	} else if err != nil {
		return false, err
	}
	return d.next.objective <= linesearch.NoRise(d.at.objective), nil
}

// Moved reports whether the step has settled.
func (d *descent) Moved(share float64, _ bool) (last bool, err error) {
	if d.at = d.next; linalg.MaxAbs(d.Margins) > outcome.MostMargin {
		return false, large.ErrSeparated
	}
	d.moved *= share
	last = d.moved <= d.settled()*(1+d.size) || d.moved <= nearly*(1+d.size) && d.moved > 0.9*d.last
	d.last = d.moved
	return last, nil
}

// nearly is a step that settles, too, if it is hardly shorter than the step before, so that it is rounding.
const nearly = 1e-7

// largestMargin is the largest margin of the lines at a place, and of η.
func (s *System) largestMargin(place []float64) float64 {
	most := 0.0
	for c := range s.Lines {
		most = max(most, math.Abs(s.Row(c).Dot(place)))
	}
	if s.EtaAt >= 0 {
		most = max(most, math.Abs(place[s.EtaAt]))
	}
	return most
}

// settled is the step after which there is no further one: after one of Newton's the error is its square, the steps
// of Firth's score shorten by a factor.
func (s *System) settled() float64 {
	if s.BiasReduced {
		return 1e-13
	}
	return 1e-8
}

// at computes the step at unknowns.
func (b *Fit) at(unknown []float64) (*step, error) {
	s := b.System
	place := s.expand(unknown)
	eta := s.EtaOf(place)
	out := &step{terms: make([]outcome.Terms, len(s.Lines))}
	s.EachLine(func(c int) {
		b.Margins[c] = s.Row(c).Dot(place)
		out.terms[c], _ = s.Loss.Line(&s.Lines[c], b.Margins[c], eta)
	})
	lines := s.Every()
	for c := range lines {
		out.objective += out.terms[c].Loss
	}
	if out.factor = b.factor; out.factor.Rows == 0 {
		out.factor = s.reduce(s.Gram(lines, func(c int) [3]float64 { return out.terms[c].V }))
		if err := s.Factor(out.factor, s.Pins); err != nil {
			return nil, err
		}
	}
	if s.Loss == outcome.Squared {
		b.factor = out.factor // the same at every place
	}
	if s.BiasReduced {
		if err := b.reduceBias(out, lines); err != nil {
			return nil, err
		}
	}
	sum := make([]float64, s.Dims())
	for c := range out.terms {
		s.Row(c).Axpy(out.terms[c].G[0], sum)
		if s.EtaAt >= 0 {
			sum[s.EtaAt] += out.terms[c].G[1]
		}
	}
	out.gradient = s.reduceVector(sum)
	pen := s.Loss.Penalty(s.Lambda)
	for j, v := range unknown[:s.k] {
		out.gradient[j] -= pen * v
		out.objective += s.Lambda * v * v
	}
	return out, nil
}

// reduceBias adds Firth's term to the gradients of the lines, h (½ − p) with the leverage h, and to the
// objective −½ log det A. The step is then by the curvature of the outcomes and the h that they stand for: by
// that of the outcomes alone it may overshoot for ever.
func (b *Fit) reduceBias(at *step, lines []int) error {
	s := b.System
	at.inverse = s.inverse(at.factor)
	for j := range at.factor.Rows {
		at.objective -= math.Log(at.factor.Row(j)[j])
	}
	v := make([]float64, len(lines))
	s.EachLine(func(c int) {
		t, p := s.Row(c), outcome.Logistic(b.Margins[c])
		h := at.terms[c].V[0] * Product(at.inverse, t, t)
		at.terms[c].G[0] += h * (0.5 - p)
		v[c] = at.terms[c].V[0] + h*p*(1-p)
	})
	at.factor = s.reduce(s.Gram(lines, func(c int) [3]float64 { return [3]float64{v[c]} }))
	return s.Factor(at.factor, s.Pins)
}

// inverse is RA⁻¹Rᵀ, in the dimensions of rows, of a factor A = LLᵀ: (L⁻¹Rᵀ)ᵀ(L⁻¹Rᵀ).
func (s *System) inverse(factor linalg.Mat) linalg.Mat {
	n, e := s.Unknowns(), s.Dims()
	if s.Basis.Rows == 0 && n >= ManyUnknowns {
		return inverseOf(factor)
	}
	half := linalg.NewMat(n, e) // Rᵀ
	if s.Basis.Rows == 0 {
		for j := range e {
			half.Row(j)[j] = 1
		}
	} else {
		for i := range s.Items {
			for j, v := range s.Basis.Row(i) {
				half.Row(j)[i] = v
			}
		}
		for j := range s.Rest {
			half.Row(s.k + j)[s.Items+j] = 1
		}
	}
	linalg.Trsm(linalg.Left, linalg.Lower, linalg.NoTrans, 1, factor, half)
	out := linalg.NewMat(e, e)
	linalg.Syrk(linalg.Lower, linalg.T, 1, half, 0, out)
	linalg.Symmetrize(linalg.Lower, out)
	return out
}

// inverseOf is A⁻¹ of a factor A = LLᵀ, in 2n³/3 operations: by strips of L⁻¹, which is triangular, too.
func inverseOf(factor linalg.Mat) linalg.Mat {
	const strip = 256
	n := factor.Rows
	half, out := linalg.NewMat(n, n), linalg.NewMat(n, n)
	for lo := 0; lo < n; lo += strip {
		hi := min(lo+strip, n)
		for j := lo; j < hi; j++ {
			half.Row(j)[j] = 1
		}
		linalg.Trsm(linalg.Left, linalg.Lower, linalg.NoTrans, 1, factor.Slice(lo, n, lo, n), half.Slice(lo, n, lo, hi))
	}
	for lo := 0; lo < n; lo += strip {
		hi := min(lo+strip, n)
		linalg.Syrk(linalg.Lower, linalg.T, 1, half.Slice(lo, hi, 0, hi), 1, out.Slice(0, hi, 0, hi))
	}
	linalg.Symmetrize(linalg.Lower, out)
	return out
}

// finish keeps the optimum.
func (b *Fit) finish(at *step) error {
	s := b.System
	b.factor, b.Place = linalg.Mat{}, s.expand(b.Unknown)
	if b.Nu = s.Nu(b.Place); b.Nu > 0 {
		b.Place[s.EtaAt] = math.Log(b.Nu)
	}
	for c := range at.terms {
		b.Objective += at.terms[c].Loss
	}
	for _, v := range b.Unknown[:s.k] {
		b.Objective += s.Lambda * v * v
	}
	inverse := at.inverse
	if inverse.Rows == 0 {
		inverse = s.inverse(at.factor)
	}
	b.form = whole(inverse)
	return nil
}
