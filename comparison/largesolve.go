package comparison

import (
	"context"
	"errors"
	"math"

	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/laplacian"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
)

// MulTo is the product with H.
func (l *sparse) MulTo(dst, x []float64) {
	n := l.s.items
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
func (l *sparse) solve(ctx context.Context, b, x []float64, tolerance float64) (krylov.Result, error) {
	corner := l.corner.Clone()
	if _, ok := linalg.Cholesky(linalg.Lower, corner); !ok {
		return krylov.Result{}, errSingular
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

// factorize makes the factor of the Laplacian at this place.
func (l *sparse) factorize(ctx context.Context) (err error) {
	l.factor, err = laplacian.Factorize(ctx, &l.graph, l.s.penalty(), factorSeed)
	return err
}

// progress reports residuals of a solve with the right side b beside that of the start.
func (l *sparse) progress(b []float64) func(int, float64) {
	if l.s.o.Progress == nil || l.start == 0 {
		return nil
	}
	share := linalg.Nrm2(b) / l.start
	return func(_ int, residual float64) { l.s.o.Progress(residual * share) }
}

// preconditioner solves a system near H: the diagonal, or the factor, of L + pen I, and D apart.
func (l *sparse) preconditioner(corner linalg.Mat) func(z, r []float64) {
	n := l.s.items
	return func(z, r []float64) {
		if l.factor != nil {
			l.factor.SolveTo(z[:n], r[:n])
			centreAll(z[:n], l.parts)
		} else {
			for i, d := range l.diagonal {
				if z[i] = 0; d > 0 {
					z[i] = r[i] / d
				}
			}
		}
		copy(z[n:], r[n:])
		if rest := z[n:]; len(rest) > 0 {
			linalg.CholeskySolve(linalg.Lower, corner, linalg.Mat{Rows: len(rest), Cols: 1, Stride: 1, Data: rest})
		}
	}
}

// centreAll takes the mean of each component from its scores.
func centreAll(scores []float64, parts *data.Partition) {
	if parts == nil {
		return
	}
	mean := make([]float64, parts.Len())
	for i, g := range parts.Of() {
		mean[g] += scores[i]
	}
	for g := range mean {
		mean[g] /= float64(len(parts.Part(g)))
	}
	for i, g := range parts.Of() {
		scores[i] -= mean[g]
	}
}

// unsettled is a step of Newton's after which the gradient may vanish only where there is no finite optimum.
const unsettled = 0.5

// fitted is how a training ended.
type fitted struct {
	objective  float64
	iterations int
	residual   float64
}

// train improves a place, of all dimensions, to the optimum of the lines that stay: one linear system and its
// refinement for the squared loss, Newton's method for the logistic one, each step solved as far as it is worth.
func (l *sparse) train(ctx context.Context, place, margins []float64) (fitted, error) {
	d := &sparseDescent{sparse: l, place: place, margins: margins, now: l.at(place, margins), last: math.Inf(1)}
	d.gradient = l.curve(place, margins, d.now)
	ended, err := d.ended()
	if ended || err != nil {
		return d.out, err
	}
	d.out.iterations, err = linesearch.Newton(ctx, d, mostSteps)
	if d.stands {
		d.out.iterations--
	}
	if errors.Is(err, linesearch.ErrSteps) {
		err = nil
	}
	return d.out, err
}

// sparseDescent is a training of a large board.
type sparseDescent struct {
	*sparse
	place, margins, gradient, delta []float64
	now                             totals
	last                            float64 // the residual before
	at, moved                       float64 // the share that was moved by, and how far the last step was
	stands                          bool    // no share of a step lowers the objective
	out                             fitted
}

// ended reports whether the optimum is reached, as far as it can be. It returns a *SeparatedError where curvatures
// vanish on the way.
func (d *sparseDescent) ended() (bool, error) {
	norm := linalg.Nrm2(d.gradient)
	if d.start == 0 { // of the training of all, which starts at 0
		d.start = norm
	}
	d.out.objective, d.out.residual = d.now.objective, 0
	if norm > 0 {
		d.out.residual = norm / d.start
	}
	reached := d.out.residual <= d.s.o.stop()
	if d.moved > unsettled && reached && d.s.o.Loss == Logistic && d.s.o.Lambda == 0 {
		return true, &SeparatedError{}
	}
	return reached || d.s.o.Loss == Squared && d.out.residual > d.last/2, nil
}

// Direct solves for a step as far as it is worth.
func (d *sparseDescent) Direct(ctx context.Context) (share float64, err error) {
	d.last = d.out.residual
	least := d.s.o.stop() / 2 / d.last
	if d.s.o.Loss == Logistic {
		least = max(least, min(0.01, d.last/10))
	}
	d.delta, d.at = make([]float64, len(d.place)), 0
	if _, err := d.solve(ctx, d.gradient, d.delta, min(least, 0.5)); err != nil {
		return 0, err
	}
	centreAll(d.delta[:d.s.items], d.parts)
	if d.moved = largest(d.delta); d.s.o.Loss == Squared {
		return 1, nil
	}
	return min(1, outcome.MostMove/(2*d.moved)), nil
}

// Move moves by a share of the step.
func (d *sparseDescent) Move(share float64) (falls bool, err error) {
	linalg.Axpy(share-d.at, d.delta, d.place)
	d.at, d.now = share, d.sparse.at(d.place, d.margins)
	return d.s.o.Loss == Squared || d.now.objective <= noRise(d.out.objective), nil
}

// Moved makes the system at the new place. Where no share of the step lowers the objective, the place stands.
func (d *sparseDescent) Moved(share float64, falls bool) (last bool, err error) {
	switch {
	case !falls:
		d.stands = true
		linalg.Axpy(-share, d.delta, d.place)
		d.now = d.sparse.at(d.place, d.margins)
		return true, nil
	case d.s.o.Loss == Squared: // whose system is that of every place
		image := make([]float64, len(d.delta))
		d.MulTo(image, d.delta)
		linalg.Axpy(-1, image, d.gradient)
	case largest(d.margins) > outcome.MostMargin:
		return false, &SeparatedError{}
	default:
		d.gradient = d.curve(d.place, d.margins, d.now)
	}
	return d.ended()
}

// determined returns errSingular where the comparisons do not determine the rest beside the scores: a pivot of the
// Schur complement D − Bᵀ(L + pen I)⁻¹B is small beside D. It takes a solve for each of the rest.
func (l *sparse) determined(ctx context.Context) error {
	n, r := l.s.items, l.s.rest
	if r == 0 {
		return nil
	}
	only := *l
	s := *l.s
	s.rest, s.eta, s.p = 0, -1, &Problem{Items: s.p.Items}
	only.s, only.cross, only.corner = &s, nil, linalg.NewMat(0, 0)
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
	largest := make([]float64, r)
	for j := range r {
		largest[j] = l.corner.Row(j)[j]
	}
	l.factor = only.factor
	if _, ok := linalg.Cholesky(linalg.Lower, schur); !ok {
		return errSingular
	}
	for j := range r {
		if d := schur.Row(j)[j]; d*d < undetermined*largest[j] {
			return errSingular
		}
	}
	return nil
}

// trainLarge fits a large board.
func (b *Board) trainLarge(ctx context.Context) error {
	s := b.s
	l := newSparse(s)
	b.form = l
	out, err := l.train(ctx, b.unknown, b.Margins)
	if err == nil {
		err = l.determined(ctx)
	}
	if err != nil {
		return err
	}
	centreAll(b.unknown[:s.items], l.parts)
	b.set(append([]float64(nil), b.unknown...))
	b.Objective, b.Iterations, b.Residual = out.objective, out.iterations, out.residual
	return nil
}

// settle makes the system that of the optimum of all lines, which folds have left.
func (l *sparse) settle(b *Board) {
	l.curve(b.unknown, b.Margins, l.at(b.unknown, b.Margins))
}
