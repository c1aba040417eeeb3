package large

import (
	"context"
	"errors"
	"math"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/krylov"
	"pairrank/internal/laplacian"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
)

// MulTo is the product with H.
func (l *System) MulTo(dst, x []float64) {
	n := l.Items
	l.graph.MulTo(dst[:n], x[:n], l.diagonal)
	for j, b := range l.cross {
		linalg.Axpy(x[n+j], b, dst[:n])
		dst[n+j] = linalg.Dot(b, x[:n]) + linalg.Dot(l.corner.Row(j), x[n:])
	}
}

// By the diagonal, conjugate gradients have tried steps. They go on, to most steps, where they are on the way to the
// tolerance by then, and take the factor otherwise. It costs as much as most of them, where random comparisons need
// some 15 steps, and those of neighbours thousands.
const (
	triedDiagonal = 30
	mostDiagonal  = 120
	mostFactored  = 1000
	factorSeed    = 1
)

// solve improves x towards H⁻¹b, to a residual of at most tolerance times ‖b‖. The factor of an earlier system may
// stay: it preconditions this one less well.
func (l *System) solve(ctx context.Context, b, x []float64, tolerance float64) (krylov.Result, error) {
	corner := l.corner.Clone()
	if _, ok := linalg.Cholesky(linalg.Lower, corner); !ok {
		return krylov.Result{}, ErrSingular
	}
	o := krylov.Options{Tolerance: tolerance, Precondition: l.preconditioner(corner), Progress: l.progress(b)}
	if l.factor == nil {
		for _, o.MaxIterations = range []int{triedDiagonal, mostDiagonal} {
			r, err := krylov.CG(ctx, l, b, x, o)
			if err != nil || r.Converged {
				return r, err
			}
			if triedDiagonal*math.Log(tolerance) < mostDiagonal*math.Log(r.Residual) {
				break
			}
		}
		if err := l.factorize(ctx); err != nil {
			return krylov.Result{}, err
		}
	}
	o.MaxIterations = mostFactored
	return krylov.CG(ctx, l, b, x, o)
}

// Factored reports whether solves have needed a factor.
func (l *System) Factored() bool { return l.factor != nil }

// factorize makes the factor of the Laplacian at this place.
func (l *System) factorize(ctx context.Context) (err error) {
	l.factor, err = laplacian.Factorize(ctx, &l.graph, l.Loss.Penalty(l.Lambda), factorSeed)
	return err
}

// progress reports residuals of a solve with the right side b beside that of the start.
func (l *System) progress(b []float64) func(int, float64) {
	if l.Progress == nil || l.start == 0 {
		return nil
	}
	share := linalg.Nrm2(b) / l.start
	return func(_ int, residual float64) { l.Progress(residual * share) }
}

// preconditioner solves a system near H: the diagonal, or the factor, of L + pen I, and D apart.
func (l *System) preconditioner(corner linalg.Mat) func(z, r []float64) {
	n := l.Items
	return func(z, r []float64) {
		if l.factor != nil {
			l.factor.SolveTo(z[:n], r[:n])
			incidence.Centre(z[:n], l.parts)
		} else {
			for i, d := range l.diagonal {
				if z[i] = 0; d > 0 {
					z[i] = r[i] / d
				}
			}
		}
		copy(z[n:], r[n:])
		if rest := z[n:]; len(rest) > 0 {
			linalg.CholeskySolve(linalg.Lower, corner, linalg.Column(rest))
		}
	}
}

// unsettled is a step of Newton's after which the gradient may vanish only where there is no finite optimum.
const unsettled = 0.5

// Fitted is how a training ended. Residual is the norm of the gradient over that at scores of 0.
type Fitted struct {
	Objective  float64
	Iterations int
	Residual   float64
}

// mostSteps is the largest number of steps of a training.
const mostSteps = 200

// Train improves a place, of all dimensions, to the optimum of the lines that stay: one linear system and its
// refinement for the squared loss, Newton's method for the logistic one, each step solved as far as it is worth.
func (l *System) Train(ctx context.Context, place, margins []float64) (Fitted, error) {
	d := &descent{System: l, place: place, margins: margins, now: l.at(place, margins), last: math.Inf(1)}
	d.gradient = l.curve(place, margins, d.now)
	ended, err := d.ended()
	if ended || err != nil {
		return d.out, err
	}
	d.out.Iterations, err = linesearch.Newton(ctx, d, mostSteps)
	if d.stands {
		d.out.Iterations--
	}
	if errors.Is(err, linesearch.ErrSteps) {
		err = nil
	}
	return d.out, err
}

// descent is a training of a large board.
type descent struct {
	*System
	place, margins, gradient, delta []float64
	now                             totals
	last                            float64 // the residual before
	at, moved                       float64 // the share that was moved by, and how far the last step was
	stands                          bool    // no share of a step lowers the objective
	out                             Fitted
}

// ended reports whether the optimum is reached, as far as it can be. It returns ErrSeparated where curvatures
// vanish on the way.
func (d *descent) ended() (bool, error) {
	norm := linalg.Nrm2(d.gradient)
	if d.start == 0 { // of the training of all, which starts at 0
		d.start = norm
	}
	d.out.Objective, d.out.Residual = d.now.objective, 0
	if norm > 0 {
		d.out.Residual = norm / d.start
	}
	reached := d.out.Residual <= d.Tolerance
	if d.moved > unsettled && reached && d.Loss != outcome.Squared && d.Lambda == 0 {
		return true, ErrSeparated
	}
	return reached || d.Loss == outcome.Squared && d.out.Residual > d.last/2, nil
}

// Direct solves for a step as far as it is worth.
func (d *descent) Direct(ctx context.Context) (share float64, err error) {
	d.last = d.out.Residual
	least := d.Tolerance / 2 / d.last
	if d.Loss != outcome.Squared {
		least = max(least, min(0.01, d.last/10))
	}
	d.delta, d.at = make([]float64, len(d.place)), 0
	if _, err := d.solve(ctx, d.gradient, d.delta, min(least, 0.5)); err != nil {
		return 0, err
	}
	incidence.Centre(d.delta[:d.Items], d.parts)
	if d.moved = linalg.MaxAbs(d.delta); d.Loss == outcome.Squared {
		return 1, nil
	}
	return min(1, outcome.MostMove/(2*d.moved)), nil
}

// Move moves by a share of the step.
func (d *descent) Move(share float64) (falls bool, err error) {
	linalg.Axpy(share-d.at, d.delta, d.place)
	d.at, d.now = share, d.System.at(d.place, d.margins)
	return d.Loss == outcome.Squared || d.now.objective <= linesearch.NoRise(d.out.Objective), nil
}

// Moved makes the system at the new place. Where no share of the step lowers the objective, the place stands.
func (d *descent) Moved(share float64, falls bool) (last bool, err error) {
	switch {
	case !falls:
		d.stands = true
		linalg.Axpy(-share, d.delta, d.place)
		d.now = d.System.at(d.place, d.margins)
		return true, nil
	case d.Loss == outcome.Squared: // whose system is that of every place
		image := make([]float64, len(d.delta))
		d.MulTo(image, d.delta)
		linalg.Axpy(-1, image, d.gradient)
	case linalg.MaxAbs(d.margins) > outcome.MostMargin:
		return false, ErrSeparated
	default:
		d.gradient = d.curve(d.place, d.margins, d.now)
	}
	return d.ended()
}

// undetermined is a pivot beside its diagonal below which the comparisons do not determine a coefficient.
const undetermined = 1e-9

// Determined returns ErrSingular where the comparisons do not determine the rest beside the scores: a pivot of the
// Schur complement D − Bᵀ(L + pen I)⁻¹B is small beside D. It takes a solve for each of the rest.
func (l *System) Determined(ctx context.Context) error {
	n, r := l.Items, l.rest
	if r == 0 {
		return nil
	}
	only := *l
	only.rest, only.eta, only.cross, only.corner = 0, -1, nil, linalg.NewMat(0, 0)
	schur := l.corner.Clone()
	for j, b := range l.cross {
		x := make([]float64, n)
		if _, err := only.solve(ctx, b, x, 1e-7); err != nil { // whose square is the error of the pivot
			return err
		}
		for i := range r {
			schur.Row(i)[j] -= linalg.Dot(l.cross[i], x)
		}
	}
	diagonal := make([]float64, r)
	for j := range r {
		diagonal[j] = l.corner.Row(j)[j]
	}
	l.factor = only.factor
	if _, ok := linalg.Cholesky(linalg.Lower, schur); !ok {
		return ErrSingular
	}
	for j := range r {
		if d := schur.Row(j)[j]; d*d < undetermined*diagonal[j] {
			return ErrSingular
		}
	}
	return nil
}

// Without is the system without a fold of the lines, which shares memory with l: train it, and then settle l.
func (l *System) Without(fold []int32, out int) *System {
	rest := *l
	rest.fold, rest.out = fold, int32(out)
	rest.connect()
	return &rest
}

// Settle makes the system that of a place again, with its margins.
func (l *System) Settle(place, margins []float64) { l.curve(place, margins, l.at(place, margins)) }
