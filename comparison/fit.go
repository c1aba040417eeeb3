package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/krylov"
	"pairrank/internal/memory"
	"pairrank/internal/pick"
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
	// Trusted says how votes of a judge corrected Scores; nil where no line is trusted. Margins stay those of people.
	Trusted *Trusted
	// Scaling is what is known of factors of annotators; nil where these were not asked for.
	Scaling *Scaling

	p *Problem
	o *Options
	s *dense.System // without rows where the board is large
	f *dense.Fit    // nil where the board is large
	l *large.System // nil where it is not
	// parts are Components of a large board, which takes long to find them.
	parts *data.Partition
	// factors are those of the annotators, nil without.
	factors *factors
	// unknown are the coefficients of the basis, of the covariates, and η.
	unknown []float64
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
	if p.count() > incidence.Most {
		return nil, fmt.Errorf("%d lines of comparisons are more than %d", p.count(), incidence.Most)
	}
	b := &Board{p: p, o: &o}
	if o.large(p) {
		return b, b.trainLarge(ctx)
	}
	p = p.InRows()
	b.p = p
	if n := float64(len(p.Items)); n > mostDense {
		if err := memory.Ask(denseBytes*n*n, fmt.Sprintf("the matrices of %d items", len(p.Items))); err != nil {
			return nil, err
		}
	}
	fit, err := dense.New(p.dense(&o)).Train(ctx)
	if errors.Is(err, large.ErrSeparated) {
		err = &SeparatedError{}
	}
	if err != nil {
		return nil, err
	}
	b.take(fit)
	return b, nil
}

// dense is the problem without names.
func (p *Problem) dense(o *Options) dense.Problem {
	return dense.Problem{Items: len(p.Items), Lines: p.Lines, X: p.X, Features: p.Features, Own: p.Own,
		Residual: p.Residual, Loss: o.loss(), Lambda: o.Lambda, BiasReduced: o.BiasReduced}
}

// take keeps a fit.
func (b *Board) take(f *dense.Fit) {
	b.s, b.f, b.unknown, b.Margins = f.System, f, f.Unknown, f.Margins
	b.Objective, b.Iterations = f.Objective, f.Steps
	b.set(f.Place, f.Nu)
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
	case incidence.Graded(p.source()):
		if err := o.checkGraded(); err != nil {
			return err
		}
	}
	return o.checkOptimum(p)
}

// checkGraded refuses what is of wins, losses and ties alone, beside outcomes between.
func (o *Options) checkGraded() error {
	switch {
	case o.BiasReduced:
		return fault.Optionf("BiasReduced", "is for wins, losses and ties, and an outcome is between: such outcomes vary "+
			"less, so that Firth's score draws scores further together than their bias, and intervals miss them")
	case o.loss() == outcome.Davidson:
		return errors.New("ties as Davidson's need wins, losses and ties, and an outcome is between: ties half take it")
	}
	return nil
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
	for c := range p.count() {
		l := p.source().At(c)
		wins, tied = wins+l.Wins+l.Losses, tied+l.Ties
	}
	if ties == Drop && wins == 0 {
		return errors.New("all comparisons are ties, which are dropped")
	}
	if ties == Davidson && (tied == 0 || wins == 0) {
		return fmt.Errorf("ties as Davidson's need wins and ties: there are %v wins and %v ties", wins, tied)
	}
	return nil
}

// checkSeparated returns a *SeparatedError where no finite scores are the best, whatever the covariates say.
func (p *Problem) checkSeparated(o *Options) error {
	parts, sets := p.connected(o.loss()), incidence.Separated(p.source(), len(p.Items), o.Ties != Drop)
	if sets.Len() == parts.Len() {
		return nil
	}
	e := &SeparatedError{}
	for g := range sets.Len() {
		e.Sets = append(e.Sets, pick.Rows(p.Items, sets.Part(g)))
	}
	return e
}

// set keeps the scores, the coefficients and ν.
func (b *Board) set(place []float64, nu float64) {
	n := len(b.p.Items)
	b.Scores, b.Gamma, b.Nu = place[:n:n], place[n:n+len(b.p.Covariates)], nu
}

// trainLarge fits a large board.
func (b *Board) trainLarge(ctx context.Context) error {
	p, o := b.p, b.o
	b.s = dense.Shape(p.dense(o))
	b.l = large.New(large.Problem{Items: b.s.Items, Lines: p.source(), X: p.X, Loss: b.s.Loss, Lambda: o.Lambda,
		Tolerance: o.stop(), Progress: o.Progress})
	b.unknown, b.Margins = make([]float64, b.s.Dims()), make([]float64, p.count())
	out, err := b.l.Train(ctx, b.unknown, b.Margins)
	if err == nil {
		err = b.l.Determined(ctx)
	}
	if errors.Is(err, large.ErrSeparated) {
		return &SeparatedError{}
	} else if err != nil {
		return err
	}
	incidence.Centre(b.unknown[:b.s.Items], b.l.Parts())
	if b.parts = b.l.Parts(); b.parts == nil {
		b.parts = b.Components()
	}
	b.set(slices.Clone(b.unknown), b.s.Nu(b.unknown))
	b.Objective, b.Iterations, b.Residual = out.Objective, out.Iterations, out.Residual
	return nil
}
