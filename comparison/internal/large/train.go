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
	"pairrank/internal/parallel"
)

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

// totals are the objective at a place, and the derivatives of the rest.
type totals struct {
	objective float64
	gradient  []float64
	corner    linalg.Mat
}

// at fills in the margins at a place, and returns the objective and the derivatives of the rest.
func (l *System) at(place, margins []float64) totals {
	n, r := l.Items, l.rest
	eta := 0.0
	if l.eta >= 0 {
		eta = place[l.eta]
	}
	pieces := make([]totals, (l.Lines.Len()+sizeOfPiece-1)/sizeOfPiece)
	parallel.For(len(pieces), func(_, q int) {
		t := &pieces[q]
		t.gradient, t.corner = make([]float64, r), linalg.NewMat(r, r)
		own := make([]float64, r)
		lo, hi := q*sizeOfPiece, min((q+1)*sizeOfPiece, l.Lines.Len())
		l.marginsTo(margins, place, lo, hi)
		for c := lo; c < hi; c++ {
			if !l.stays(c) {
				continue
			}
			line, x, f := l.Lines.At(c), incidence.Covariates(l.X, c), margins[c]
			terms, _ := l.Loss.Line(line, f, eta)
			t.objective += terms.Loss
			if l.slopes != nil {
				l.slopes[c] = slope{terms.G[0], terms.V[0]}
			}
			if r == 0 {
				continue
			}
			l.restOf(own, &terms, x)
			for i, v := range x {
				t.gradient[i] += terms.G[0] * v
				linalg.Axpy(v, own, t.corner.Row(i))
			}
			if l.eta >= 0 {
				t.gradient[r-1] += terms.G[1]
				linalg.Axpy(1, l.lastOf(own, &terms, x), t.corner.Row(r-1))
			}
		}
	})
	all := totals{gradient: make([]float64, r), corner: linalg.NewMat(r, r)}
	for _, t := range pieces {
		all.objective += t.objective
		linalg.Axpy(1, t.gradient, all.gradient)
		linalg.Axpy(1, t.corner.Data, all.corner.Data)
	}
	for _, v := range place[:n] {
		all.objective += l.Lambda * v * v
	}
	return all
}

// marginsTo sets the margins of some lines at a place. Scores are far away: nothing stands between their reads, so that
// these do not wait for one another.
func (l *System) marginsTo(margins, place []float64, lo, hi int) {
	for c := lo; c < hi; c++ {
		left, right := l.Lines.Items(c)
		f := place[left] - place[right]
		for j, v := range incidence.Covariates(l.X, c) {
			f += v * place[l.Items+j]
		}
		margins[c] = f
	}
}

// termsOf are the derivatives of a line at the place that at was called with.
func (l *System) termsOf(c int, margin, eta float64) (t outcome.Terms) {
	if l.slopes != nil {
		t.G[0], t.V[0] = l.slopes[c].g, l.slopes[c].v
		return t
	}
	t, _ = l.Loss.Line(l.Lines.At(c), margin, eta)
	return t
}

// restOf sets dst to the second derivatives of a line by its margin and each of the rest.
func (l *System) restOf(dst []float64, t *outcome.Terms, x []float64) {
	for j, v := range x {
		dst[j] = t.V[0] * v
	}
	if l.eta >= 0 {
		dst[len(x)] = t.V[1]
	}
}

// lastOf sets dst to those by η and each of the rest.
func (l *System) lastOf(dst []float64, t *outcome.Terms, x []float64) []float64 {
	for j, v := range x {
		dst[j] = t.V[1] * v
	}
	dst[len(x)] = t.V[2]
	return dst
}

// curve fills in the system at a place with its margins, and returns −∂J over all dimensions, half of it for the
// squared loss. rest is what at returned. Cost O(C p).
func (l *System) curve(place, margins []float64, rest totals) []float64 {
	n, pen := l.Items, l.Loss.Penalty(l.Lambda)
	gradient := make([]float64, l.dims())
	eta := 0.0
	if l.eta >= 0 {
		eta = place[l.eta]
	}
	parallel.Chunks(n, sizeOfPiece, func(_, lo, hi int) {
		own := make([]float64, l.rest)
		for i := lo; i < hi; i++ {
			weights := l.graph.Weight[l.graph.Bounds[i]:l.graph.Bounds[i+1]]
			clear(weights)
			for _, b := range l.cross {
				b[i] = 0
			}
			g, at := 0.0, -1
			for _, e := range l.lines.Row(i) {
				if e.First() {
					at++
				}
				c := e.Line()
				if !l.stays(c) {
					continue
				}
				sign := 1.0
				if e.Right() {
					sign = -1
				}
				if l.rest == 0 {
					weights[at] += l.slopes[c].v
					g += sign * l.slopes[c].g
					continue
				}
				t := l.termsOf(c, margins[c], eta)
				weights[at] += t.V[0]
				l.restOf(own, &t, incidence.Covariates(l.X, c))
				g += sign * t.G[0]
				for j, v := range own {
					l.cross[j][i] += sign * v
				}
			}
			gradient[i] = g - pen*place[i]
		}
	})
	copy(gradient[n:], rest.gradient)
	l.corner = rest.corner
	l.graph.DegreesTo(l.diagonal)
	for i := range l.diagonal {
		l.diagonal[i] += pen
	}
	return gradient
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
		d.start, d.Null = norm, d.now.objective
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
