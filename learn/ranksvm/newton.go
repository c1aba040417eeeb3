package ranksvm

import (
	"context"
	"errors"
	"math"

	"pairrank/data"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
)

// newton minimises J for the squared hinge loss, which is once differentiable, by Newton steps with
// the generalised Hessian H = 2XᵀLX + 2λI of the currently active pairs, those with a loss.
// Conjugate gradients solve a step to a tolerance that falls with the gradient; an iteration costs
// a product with X, one with Xᵀ and one with L. A line search follows, after which J has not risen.
type newton struct {
	o    Options
	x    data.Matrix
	risk risk
	ray  linesearch.Ray

	w, gradient, direction []float64 // n
	scores, slope, change  []float64 // m
	rows                   []float64
	atZero                 []float64 // gradient of the risk at w = 0
	value                  float64   // risk at w
	lambda                 float64
	products               int
	preconditioner         *preconditioner

	fit     *Fit
	before  float64 // the least J of the steps so far
	stalled int     // steps since then
	ok      bool    // the last step lowered J
}

// mostStalled is the number of steps without a lower J after which training ends; in these steps
// the gradient may still get shorter.
const mostStalled = 20

// searchEvaluations bounds the evaluations of one line search.
const searchEvaluations = 10

func newNewton(x data.Matrix, r risk, o Options) *newton {
	m, n := x.Dims()
	rows, cols := func() []float64 { return make([]float64, m) }, func() []float64 { return make([]float64, n) }
	s := &newton{o: o, x: x, risk: r, ray: linesearch.Ray{Risk: r, MaxEvaluations: searchEvaluations},
		w: cols(), gradient: cols(), direction: cols(), atZero: cols(),
		scores: rows(), slope: rows(), change: rows(), rows: rows()}
	s.evaluate()
	x.MulTransVecTo(s.atZero, s.slope)
	if o.Start != nil {
		copy(s.w, o.Start)
		x.MulVecTo(s.scores, s.w)
		s.evaluate()
	}
	s.preconditioner = newPreconditioner(x)
	return s
}

// evaluate finds value and slope at the scores, and the graph there.
func (s *newton) evaluate() {
	s.value = s.risk.At(s.slope, s.scores)
	s.ray.Evaluations++
}

// train takes Newton steps at one λ until the gradient is short enough, ctx ends, or rounding ends
// the progress. There is no fit where the start was not yet evaluated.
func (s *newton) train(ctx context.Context, lambda, pairs float64) (*Fit, error) {
	s.lambda, s.ray.Lambda, s.products = lambda, lambda, 0
	s.stalled, s.before = 0, math.Inf(1)
	if linalg.Nrm2(s.atZero) == 0 { // no weights are better than none
		clear(s.w)
		clear(s.scores)
		s.evaluate()
	}
	s.fit, s.ok = &Fit{Lambda: lambda, Pairs: pairs}, true
	last, err := s.look()
	if !last && err == nil {
		_, err = linesearch.Newton(ctx, s, s.o.MaxIterations)
	}
	if errors.Is(err, ErrNumerical) {
		return nil, err
	}
	return s.finish(s.fit), ctx.Err()
}

// look measures the fit at w, and reports whether it is the last.
func (s *newton) look() (last bool, err error) {
	if s.risk.stopped() { // the fit is that of the iterate before, or of the last evaluation
		return true, nil
	}
	if err := s.measure(s.fit); err != nil {
		return false, err
	}
	s.tell(s.fit)
	if s.stalled++; s.fit.Objective < s.before {
		s.stalled, s.before = 0, s.fit.Objective
	}
	return s.fit.Converged || s.stalled == mostStalled, nil
}

// Moved looks at the place of a step, unless J does not fall any more.
func (s *newton) Moved(float64, bool) (last bool, err error) {
	if !s.ok {
		return true, nil
	}
	s.fit.Iterations++
	return s.look()
}

// tell calls Options.Progress.
func (s *newton) tell(fit *Fit) {
	if s.o.Progress != nil {
		s.o.Progress(Progress{Lambda: s.lambda, Iteration: fit.Iterations, Objective: fit.Objective, Gap: fit.Gap,
			Left: fit.Left})
	}
}

// measure sets Objective, Gap and Left of the fit from the gradient at w. It returns ErrNumerical where one is not
// finite.
func (s *newton) measure(fit *Fit) error {
	s.gradientNow()
	length, start := linalg.Nrm2(s.gradient), linalg.Nrm2(s.atZero)
	fit.Risk, fit.Objective = s.value, s.value+s.lambda*linalg.Dot(s.w, s.w)
	fit.Gap = min(length*length/(4*s.lambda), fit.Objective)
	if fit.Left = 0; start > 0 {
		fit.Left = length / start
	}
	fit.Converged = fit.Left < s.o.Epsilon
	if math.IsNaN(fit.Objective) || math.IsNaN(length) || math.IsInf(length, 0) {
		return ErrNumerical
	}
	return nil
}

// finish sets the final numbers of the fit.
func (s *newton) finish(fit *Fit) *Fit {
	fit.Weights = append([]float64(nil), s.w...)
	fit.Evaluations, fit.Products = s.ray.Evaluations, s.products
	s.ray.Evaluations = 0
	return fit
}

// Direct finds a step.
func (s *newton) Direct(ctx context.Context) (share float64, err error) {
	clear(s.direction)
	for j := range s.gradient {
		s.gradient[j] = -s.gradient[j]
	}
	s.preconditioner.set(s.risk, s.lambda)
	tolerance := min(0.1, math.Sqrt(s.fit.Left))
	// CG stops at the tolerance or when ctx ends; its last iterate is a descent
	// direction in both cases.
	_, _ = krylov.CG(ctx, s, s.gradient, s.direction, krylov.Options{
		Tolerance: tolerance, MaxIterations: len(s.w) + 50, Precondition: s.preconditioner.solveTo, Direction: true,
	})
	if linalg.Nrm2(s.direction) == 0 && ctx.Err() == nil && !s.risk.stopped() { // no product is finite
		return 0, ErrNumerical
	}
	return 1, nil
}

// Move searches along the step, whatever the share. It is not ok when J does not fall any more, or the direction is
// made of products that ended early.
func (s *newton) Move(float64) (falls bool, err error) {
	if s.ok = !s.risk.stopped() && linalg.Nrm2(s.direction) > 0; !s.ok {
		return true, nil
	}
	s.x.MulVecTo(s.change, s.direction)
	if size := linalg.Nrm2(s.change); math.IsNaN(size) || math.IsInf(size, 0) {
		return false, ErrNumerical
	}
	fit := s.fit
	s.ray.Set(s.w, s.scores, s.direction, s.change)
	p, last, ok := s.ray.Search(linesearch.Point{Objective: fit.Objective, Slope: s.slope})
	if !ok {
		s.ok = s.polish(fit)
		return true, nil
	}
	linalg.Axpy(p.At, s.direction, s.w)
	s.scores, p.Scores = p.Scores, s.scores
	s.slope, p.Slope = p.Slope, s.slope
	s.value = p.Risk
	fit.Risk, fit.Objective = p.Risk, p.Objective // the gap bounds that of a lower J, too
	if !last {
		s.evaluate()
	}
	return true, nil
}

// polish takes the full step where J no longer falls beyond rounding. It keeps the step when the
// gradient, which is still exact, gets shorter and J agrees to twelve digits.
func (s *newton) polish(fit *Fit) (ok bool) {
	linalg.Axpy(1, s.direction, s.w)
	linalg.Axpy(1, s.change, s.scores)
	s.evaluate()
	s.gradientNow()
	same := s.value+s.lambda*linalg.Dot(s.w, s.w) <= fit.Objective*(1+1e-12)
	if same && linalg.Nrm2(s.gradient) < fit.Left*linalg.Nrm2(s.atZero) {
		return true
	}
	linalg.Axpy(-1, s.direction, s.w)
	linalg.Axpy(-1, s.change, s.scores)
	s.evaluate()
	return false
}

// gradientNow sets the gradient of J at w.
func (s *newton) gradientNow() {
	s.x.MulTransVecTo(s.gradient, s.slope)
	linalg.Axpy(2*s.lambda, s.w, s.gradient)
}

// MulTo sets dst = Hv.
func (s *newton) MulTo(dst, v []float64) {
	s.x.MulVecTo(s.rows, v)
	s.risk.hessianMulTo(s.rows, s.rows)
	s.x.MulTransVecTo(dst, s.rows)
	linalg.Axpy(2*s.lambda, v, dst)
	s.products++
}
