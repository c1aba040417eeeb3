package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
	"pairrank/internal/memory"
)

// Tolerance bounds the norm of the gradient of a large board, over that at scores of 0.
const Tolerance = krylov.DefaultTolerance

// denseBytes is what a fit with dense matrices takes for each entry of one: five of them.
const denseBytes = 40

// stop is the tolerance.
func (o *Options) stop() float64 {
	if o.tolerance > 0 {
		return o.tolerance
	}
	return Tolerance
}

// Board has the scores of the items, and answers questions about them.
type Board struct {
	Scores []float64 // of the items
	Gamma  []float64 // of the covariates
	Nu     float64   // of Davidson's ties; 0 for others
	// Margins are those of the lines.
	Margins []float64
	// Objective is J at the optimum, without Firth's term.
	Objective  float64
	Iterations int
	// Residual is the norm of the gradient of a large board over that at scores of 0: above Tolerance, rounding or the
	// limit of iterations ended the training. It is 0 for other boards.
	Residual float64

	s       *system
	unknown []float64
	form    form // of the system at the optimum
}

// SeparatedError reports that the scores have no finite optimum: some items, or the left side of a hyperplane
// of features, only win against others.
type SeparatedError struct {
	// Sets are the items by the sets of Problem.separated; nil where features or covariates separate.
	Sets [][]string
	// Fold, from 1, is the one without which a large board has no finite scores; 0 is none.
	Fold int
}

func (e *SeparatedError) Error() string {
	if e.Fold > 0 {
		return fmt.Sprintf("without fold %d the scores have no finite optimum", e.Fold)
	}
	if e.Sets == nil {
		return "the scores have no finite optimum: features or covariates predict outcomes without fault"
	}
	return fmt.Sprintf("the scores have no finite optimum: the comparisons fall into %d sets of which one only wins "+
		"against another", len(e.Sets))
}

// mostSteps is the largest number of steps of a training, mostReduced where bias is reduced: these steps shorten by a
// factor that is near 1 on boards which are almost a tree.
const mostSteps, mostReduced = 200, 20_000

// Fit learns the scores: by one step and a step of refinement for the squared loss, by Newton's method for the logistic
// one. A step costs O(C p² + E³) for E items, covariates and ν, and O(N²n) with features. Boards of more than 4,000
// items without features are large, unless bias is reduced: conjugate gradients solve their systems to Tolerance, in
// O(C) an iteration, without an inverse. It returns the error of Problem.Check, a *SeparatedError, an error where the
// comparisons do not determine all coefficients, and the error of ctx.
func Fit(ctx context.Context, p *Problem, o Options) (*Board, error) {
	if o.Loss == "" {
		o.Loss = Squared
	}
	if o.Ties == "" {
		o.Ties = Half
	}
	if err := o.check(p); err != nil {
		return nil, err
	}
	if len(p.Lines) > incidence.Most {
		return nil, fmt.Errorf("%d lines of comparisons are more than %d", len(p.Lines), incidence.Most)
	}
	b := &Board{s: newSystem(p, &o)}
	if n := float64(len(p.Items)); n > mostDense && !b.Large() {
		if err := memory.Ask(denseBytes*n*n, fmt.Sprintf("the matrices of %d items", len(p.Items))); err != nil {
			return nil, err
		}
	}
	b.unknown = make([]float64, b.s.unknowns())
	b.Margins = make([]float64, len(p.Lines))
	train := b.train
	if b.Large() {
		train = b.trainLarge
	}
	if err := train(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

func (o *Options) check(p *Problem) error {
	if err := p.Check(); err != nil {
		return err
	}
	switch {
	case o.Loss != Squared && o.Loss != Logistic:
		return fmt.Errorf("%q is no loss: squared or logistic", o.Loss)
	case o.Ties != Half && o.Ties != Drop && o.Ties != Davidson:
		return fmt.Errorf("%q is no treatment of ties: half, drop or davidson", o.Ties)
	case !(o.Lambda >= 0) || math.IsInf(o.Lambda, 0):
		return fmt.Errorf("λ is %v", o.Lambda)
	case o.BiasReduced && (o.Loss != Logistic || o.Lambda > 0 || o.Ties == Davidson):
		return errors.New("bias is reduced in the logistic loss at λ = 0, with ties that are half or dropped")
	}
	return o.checkOptimum(p)
}

// checkOptimum returns why no finite numbers are the best.
func (o *Options) checkOptimum(p *Problem) error {
	if o.Loss == Logistic && o.Ties != Half {
		if err := p.checkTies(o.Ties); err != nil {
			return err
		}
	}
	if o.Loss != Logistic || o.Lambda > 0 || o.BiasReduced || p.Features != nil {
		return nil
	}
	return p.checkSeparated(o)
}

// checkTies returns an error where Davidson's ν has no finite optimum above 0, since there are no ties, or only ties;
// and where all comparisons are ties that are dropped.
func (p *Problem) checkTies(ties Ties) error {
	wins, tied := 0.0, 0.0
	for c := range p.Lines {
		wins, tied = wins+p.Lines[c].Wins+p.Lines[c].Losses, tied+p.Lines[c].Ties
	}
	if ties == Drop && wins == 0 {
		return errors.New("all comparisons are ties, which are dropped")
	}
	if ties == Davidson && (outcome.Tied == 0 || wins == 0) {
		return fmt.Errorf("ties as Davidson's need wins and ties: there are %v wins and %v ties", wins, tied)
	}
	return nil
}

// checkSeparated returns a *SeparatedError where no finite scores are the best, whatever the covariates say.
func (p *Problem) checkSeparated(o *Options) error {
	says := func(c int) bool { return o.loss().Says(&p.Lines[c]) }
	parts, sets := p.connected(says), incidence.Separated(p.Lines, len(p.Items), o.Ties != Drop)
	if sets.Len() == parts.Len() {
		return nil
	}
	e := &SeparatedError{}
	for g := range sets.Len() {
		var names []string
		for _, i := range sets.Part(g) {
			names = append(names, p.Items[i])
		}
		e.Sets = append(e.Sets, names)
	}
	return e
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
func (b *Board) train(ctx context.Context) error {
	at, err := b.at(b.unknown)
	if err != nil {
		return err
	}
	d, most := &descent{Board: b, at: at, last: math.Inf(1)}, mostSteps
	if b.s.o.BiasReduced {
		most = mostReduced
	}
	steps, err := linesearch.Newton(ctx, d, most)
	if errors.Is(err, linesearch.ErrSteps) {
		return &SeparatedError{}
	} else if err != nil {
		return err
	}
	b.Iterations = steps - 1
	return b.finish(d.at)
}

// descent is the training of a board.
type descent struct {
	*Board
	at, next    *step
	from, delta []float64
	moved, size float64 // the step, and the place that it starts at
	last        float64 // how far the step before moved
}

// Direct solves for a step.
func (d *descent) Direct(context.Context) (float64, error) {
	s := d.s
	d.from, d.delta = slices.Clone(d.unknown), slices.Clone(d.at.gradient)
	linalg.CholeskySolve(linalg.Lower, d.at.factor, linalg.Mat{Rows: len(d.delta), Cols: 1, Stride: 1, Data: d.delta})
	step := s.expand(d.delta)
	d.moved, d.size = linalg.MaxAbs(step), linalg.MaxAbs(s.expand(d.unknown))
	return min(1, outcome.MostMove/s.largestMargin(step)), nil
}

// Move moves by a share of the step. It returns a *SeparatedError where curvatures vanish, which they did not at the
// start.
func (d *descent) Move(share float64) (falls bool, err error) {
	for j, v := range d.delta {
		d.unknown[j] = d.from[j] + share*v
	}
	if d.next, err = d.Board.at(d.unknown); errors.Is(err, errSingular) && d.s.o.Loss == Logistic {
		return false, &SeparatedError{}
	} else if err != nil {
		return false, err
	}
	return d.next.objective <= linesearch.NoRise(d.at.objective), nil
}

// Moved reports whether the step has settled.
func (d *descent) Moved(share float64, _ bool) (last bool, err error) {
	if d.at = d.next; linalg.MaxAbs(d.Margins) > outcome.MostMargin {
		return false, &SeparatedError{}
	}
	d.moved *= share
	last = d.moved <= d.s.settled()*(1+d.size) || d.moved <= nearly*(1+d.size) && d.moved > 0.9*d.last
	d.last = d.moved
	return last, nil
}

// nearly is a step that settles, too, if it is hardly shorter than the step before, so that it is rounding.
const nearly = 1e-7

// largestMargin is the largest margin of the lines at a place, and of η.
func (s *system) largestMargin(place []float64) float64 {
	most := 0.0
	for c := range s.p.Lines {
		most = max(most, math.Abs(s.rowOf(c).dot(place)))
	}
	if s.eta >= 0 {
		most = max(most, math.Abs(place[s.eta]))
	}
	return most
}

// settled is the step after which there is no further one: after one of Newton's the error is its square, the steps
// of Firth's score shorten by a factor.
func (s *system) settled() float64 {
	if s.o.BiasReduced {
		return 1e-13
	}
	return 1e-8
}

// at computes the step at unknowns.
func (b *Board) at(unknown []float64) (*step, error) {
	s := b.s
	place := s.expand(unknown)
	eta := 0.0
	if s.eta >= 0 {
		eta = place[s.eta]
	}
	out := &step{terms: make([]outcome.Terms, len(s.p.Lines))}
	s.eachLine(func(c int) {
		b.Margins[c] = s.rowOf(c).dot(place)
		out.terms[c], _ = s.loss.Line(&s.p.Lines[c], b.Margins[c], eta)
	})
	lines := s.every()
	for c := range lines {
		out.objective += out.terms[c].Loss
	}
	a := s.reduce(s.gram(lines, func(c int) [3]float64 { return out.terms[c].V }))
	if err := s.factor(a, s.pins); err != nil {
		return nil, err
	}
	out.factor = a
	if s.o.BiasReduced {
		if err := b.reduceBias(out, lines); err != nil {
			return nil, err
		}
	}
	sum := make([]float64, s.dims())
	for c := range out.terms {
		s.rowOf(c).axpy(out.terms[c].G[0], sum)
		if s.eta >= 0 {
			sum[s.eta] += out.terms[c].G[1]
		}
	}
	out.gradient = s.reduceVector(sum)
	pen := s.loss.Penalty(s.o.Lambda)
	for j, v := range unknown[:s.k] {
		out.gradient[j] -= pen * v
		out.objective += s.o.Lambda * v * v
	}
	return out, nil
}

// reduceBias adds Firth's term to the gradients of the lines, h (½ − p) with the leverage h, and to the
// objective −½ log det A. The step is then by the curvature of the outcomes and the h that they stand for: by
// that of the outcomes alone it may overshoot for ever.
func (b *Board) reduceBias(at *step, lines []int) error {
	s := b.s
	at.inverse = s.inverse(at.factor)
	for j := range at.factor.Rows {
		at.objective -= math.Log(at.factor.Row(j)[j])
	}
	v := make([]float64, len(lines))
	s.eachLine(func(c int) {
		t, p := s.rowOf(c), outcome.Logistic(b.Margins[c])
		h := at.terms[c].V[0] * product(at.inverse, t, t)
		at.terms[c].G[0] += h * (0.5 - p)
		v[c] = at.terms[c].V[0] + h*p*(1-p)
	})
	at.factor = s.reduce(s.gram(lines, func(c int) [3]float64 { return [3]float64{v[c]} }))
	return s.factor(at.factor, s.pins)
}

// finish keeps the optimum.
func (b *Board) finish(at *step) error {
	s := b.s
	place := s.expand(b.unknown)
	b.set(place)
	for c := range at.terms {
		b.Objective += at.terms[c].Loss
	}
	for _, v := range b.unknown[:s.k] {
		b.Objective += s.o.Lambda * v * v
	}
	inverse := at.inverse
	if inverse.Rows == 0 {
		inverse = s.inverse(at.factor)
	}
	b.form = (*dense)(&inverse)
	return nil
}

// set keeps the scores, the coefficients and ν.
func (b *Board) set(place []float64) {
	s := b.s
	b.Scores = place[:s.items:s.items]
	b.Gamma = place[s.items : s.items+len(s.p.Covariates)]
	if s.eta >= 0 {
		b.Nu = math.Exp(place[s.eta])
	}
}

// trainLarge fits a large board.
func (b *Board) trainLarge(ctx context.Context) error {
	s := b.s
	l := large.New(large.Problem{Items: s.items, Lines: s.p.Lines, X: s.p.X, Loss: s.loss, Lambda: s.o.Lambda,
		Tolerance: s.o.stop(), Progress: s.o.Progress})
	b.form = &sparse{l, s.items}
	out, err := l.Train(ctx, b.unknown, b.Margins)
	if err == nil {
		err = l.Determined(ctx)
	}
	if errors.Is(err, large.ErrSeparated) {
		return &SeparatedError{}
	} else if err != nil {
		return err
	}
	incidence.Centre(b.unknown[:s.items], l.Parts())
	b.set(append([]float64(nil), b.unknown...))
	b.Objective, b.Iterations, b.Residual = out.Objective, out.Iterations, out.Residual
	return nil
}
