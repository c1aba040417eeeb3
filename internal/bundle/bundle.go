package bundle

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
	"pairrank/internal/parallel"
)

// Operator is an m×n matrix X, known by its products.
type Operator interface {
	// Dims returns m and n.
	Dims() (rows, cols int)
	// MulVecTo sets dst = Xw.
	MulVecTo(dst, w []float64)
	// MulTransVecTo sets dst = Xᵀv.
	MulTransVecTo(dst, v []float64)
}

// Options are the options of Minimise.
type Options struct {
	// Epsilon is the gap J(w) − bound at which the solver stops; 0 is 1e-3.
	Epsilon float64
	// MaxIterations bounds the planes that are added; 0 is 10,000.
	MaxIterations int
	// NoLineSearch takes the plane at the minimiser of the model, as in
	// Algorithm 1 of Airola et al. 2011.
	NoLineSearch bool
	// Progress is called after every iteration, when it is not nil.
	Progress func(Progress)
}

// Progress is the state of a solve after an iteration.
type Progress struct {
	Iteration int
	Objective float64 // J of the best solution so far
	Gap       float64 // J less the lower bound
	Planes    int
}

// Solution is the best weights found for one λ.
type Solution struct {
	W         []float64
	Scores    []float64 // Xw
	Risk      float64   // R(Xw)
	Objective float64   // J(w)
	Gap       float64   // J(w) less a lower bound on min J
	Converged bool      // Gap < Epsilon

	Iterations  int // of this solve
	Evaluations int // of the risk; the one at the start counts to the first solve
	Planes      int // at the end
}

// ErrNotFinite is returned where the risk or its slope is not a finite number.
var ErrNotFinite = errors.New("the risk is not a finite number: the weights or the features are too large")

// Solver minimises J for one λ after another. The planes bound R for every λ, so the Solver keeps
// them, and starts from the last best solution. It is not safe for concurrent use.
type Solver struct {
	x     Operator
	ray   linesearch.Ray
	n     int
	best  Solution  // Objective and Gap of the last λ
	slope []float64 // of the risk at the best scores
	model planes

	w, scores         []float64 // minimiser of the model
	direction, change []float64 // there from the best
	point, pointSlope []float64 // where a plane is added
	overflow          bool      // a plane was not finite
}

// searchEvaluations bounds the evaluations of one line search.
const searchEvaluations = 6

// New makes a solver that starts at w = 0, or at a copy of start, n weights, where
// that is not nil. It costs a risk and a product with Xᵀ. x and risk are kept.
func New(x Operator, risk linesearch.Risk, start []float64) *Solver {
	m, n := x.Dims()
	rows := func() []float64 { return make([]float64, m) }
	s := &Solver{x: x, ray: linesearch.Ray{Risk: risk, MaxEvaluations: searchEvaluations}, n: n,
		w: make([]float64, n), direction: make([]float64, n),
		scores: rows(), change: rows(), slope: rows(), point: rows(), pointSlope: rows()}
	s.best.W, s.best.Scores = make([]float64, n), rows()
	if start != nil {
		copy(s.best.W, start)
		x.MulVecTo(s.best.Scores, s.best.W)
	}
	s.model.cut(make([]float64, n), 0) // no risk is negative
	s.best.Risk = s.evaluate(s.slope, s.best.Scores)
	s.cut(s.best.Scores, s.slope, s.best.Risk)
	return s
}

// evaluate is the risk at given scores.
func (s *Solver) evaluate(slope, scores []float64) float64 {
	s.ray.Evaluations++
	return s.ray.Risk.At(slope, scores)
}

// cut adds the plane at given scores, where the risk and its slope are known. A plane that is not
// finite ends the solve.
func (s *Solver) cut(scores, slope []float64, risk float64) {
	a := s.model.slope(s.n)
	s.x.MulTransVecTo(a, slope)
	b := risk - linesearch.Dot(slope, scores)
	if size := linalg.Dot(a, a) + math.Abs(b); math.IsNaN(size) || math.IsInf(size, 0) {
		s.overflow = true
		return
	}
	s.model.cut(a, b)
}

// Minimise minimises J for one λ > 0. An iteration costs a product with X, one with
// Xᵀ and up to eight risks, and O(tn + t²) more for t planes.
//
// On cancellation, at MaxIterations, and where rounding ends the progress, it returns the best
// solution so far, with its gap; on cancellation with the error of ctx. The slices of the solution are
// copies. It returns ErrNotFinite, and the best so far, where the risk or a slope is not finite. It panics
// unless λ is positive and finite.
func (s *Solver) Minimise(ctx context.Context, lambda float64, o Options) (*Solution, error) {
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		panic(fmt.Sprintf("bundle: λ is positive and finite, not %v", lambda))
	}
	o = o.resolved()
	s.best.Objective = s.best.Risk + lambda*linalg.Dot(s.best.W, s.best.W)
	s.best.Iterations = 0
	s.ray.Lambda = lambda
	bound := 0.0
	recent := progress{objective: s.best.Objective}
	for {
		model := s.model.minimiseTo(s.w, lambda, o.Epsilon/1000)
		bound = max(bound, model)
		s.setGap(bound)
		if err := s.notFinite(ctx); err != nil {
			return s.solution(o), err
		}
		if o.Progress != nil {
			o.Progress(Progress{s.best.Iterations, s.best.Objective, s.best.Gap, len(s.model.slopes)})
		}
		err := ctx.Err()
		if err != nil || o.converged(s.best.Gap) || s.best.Iterations == o.MaxIterations ||
			recent.stalled(s.best.Objective, bound) {
			return s.solution(o), err
		}
		s.best.Iterations++
		s.x.MulVecTo(s.scores, s.w)
		if o.NoLineSearch {
			s.cutAtModel(lambda)
		} else {
			s.cutBeyondBest(model - lambda*linalg.Dot(s.w, s.w))
		}
		s.model.age()
	}
}

// resolved is o with its defaults.
func (o Options) resolved() Options {
	if o.Epsilon == 0 {
		o.Epsilon = 1e-3
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 10_000
	}
	return o
}

// converged reports whether a gap is small enough; below zero it is rounding.
func (o Options) converged(gap float64) bool { return gap >= 0 && gap < o.Epsilon }

// setGap sets the gap from a lower bound, 0 where it is negative by rounding alone.
func (s *Solver) setGap(bound float64) {
	s.best.Gap = s.best.Objective - bound
	if rounding := 1e-12 * s.best.Objective; s.best.Gap < 0 && s.best.Gap > -rounding {
		s.best.Gap = 0
	}
}

// notFinite is the error of a plane or a gap that is not finite. Where ctx has ended it is the
// error of ctx, since a risk may then be NaN.
func (s *Solver) notFinite(ctx context.Context) error {
	if err := ctx.Err(); err != nil && s.overflow {
		return err
	}
	if s.overflow || math.IsNaN(s.best.Gap) {
		return ErrNotFinite
	}
	return nil
}

// progress counts the iterations since the objective or the bound last moved.
type progress struct {
	objective, bound float64
	idle             int
}

// patience is the number of iterations without progress, to twelve digits, after
// which rounding is taken to have ended it.
const patience = 100

// stalled counts another iteration, and reports whether there were too many.
func (p *progress) stalled(objective, bound float64) bool {
	const digits = 1e-12
	if objective < p.objective-digits*math.Abs(p.objective) || bound > p.bound+digits*math.Abs(p.objective) {
		p.objective, p.bound, p.idle = objective, bound, 0
		return false
	}
	p.idle++
	return p.idle > patience
}

// solution copies the best.
func (s *Solver) solution(o Options) *Solution {
	out := s.best
	out.W, out.Scores = append([]float64(nil), s.best.W...), append([]float64(nil), s.best.Scores...)
	out.Converged = o.converged(out.Gap)
	out.Evaluations, out.Planes = s.ray.Evaluations, len(s.model.slopes)
	s.ray.Evaluations = 0
	return &out
}

// cutAtModel adds the plane at the minimiser of the model, which becomes the best
// where it is better.
func (s *Solver) cutAtModel(lambda float64) {
	risk := s.evaluate(s.pointSlope, s.scores)
	s.cut(s.scores, s.pointSlope, risk)
	if j := risk + lambda*linalg.Dot(s.w, s.w); j < s.best.Objective {
		copy(s.best.W, s.w)
		copy(s.best.Scores, s.scores)
		copy(s.slope, s.pointSlope)
		s.best.Risk, s.best.Objective = risk, j
	}
}

// beyond is how far from the best solution towards the minimiser of the model
// the next plane is added (μ of Franc and Sonnenburg 2009, section 3.1).
const beyond = 0.1

// cutShare is the part of the cut of Algorithm 1 that the plane beyond the best
// solution has to make; one that cuts less may leave the model's minimiser where
// it is.
const cutShare = 0.1

// cutBeyondBest searches from the best solution towards the minimiser of the model,
// and adds the plane a little beyond the better solution found, or at the minimiser,
// where no plane cuts more, if that one cuts too little. value is the model's there.
func (s *Solver) cutBeyondBest(value float64) {
	for j, v := range s.best.W {
		s.direction[j] = s.w[j] - v
	}
	parallel.Chunks(len(s.change), pieceSize, func(_, lo, hi int) {
		for i, v := range s.best.Scores[lo:hi] {
			s.change[lo+i] = s.scores[lo+i] - v
		}
	})
	s.ray.Set(s.best.W, s.best.Scores, s.direction, s.change)
	start := linesearch.Point{Objective: s.best.Objective, Slope: s.slope}
	if p, _, ok := s.ray.Search(start); ok {
		linalg.Axpy(p.At, s.direction, s.best.W)
		s.best.Scores, p.Scores = p.Scores, s.best.Scores
		s.slope, p.Slope = p.Slope, s.slope
		s.best.Risk, s.best.Objective = p.Risk, p.Objective
	}
	parallel.Chunks(len(s.point), pieceSize, func(_, lo, hi int) {
		for i, v := range s.best.Scores[lo:hi] {
			s.change[lo+i] = s.scores[lo+i] - v
			s.point[lo+i] = v + beyond*s.change[lo+i]
		}
	})
	risk := s.evaluate(s.pointSlope, s.point)
	atModel := risk + (1-beyond)*linesearch.Dot(s.pointSlope, s.change)
	if cut, most := atModel-value, s.ray.RiskAtOne()-value; cut >= cutShare*most {
		s.cut(s.point, s.pointSlope, risk)
		return
	}
	s.cut(s.scores, s.pointSlope, s.evaluate(s.pointSlope, s.scores))
}
