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
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// Scaling is what is known of the factors of annotators: a line of annotator k has the margin c_k (s_a − s_b) + xᵀγ, so
// the advantage of a side, and other covariates, have no factor. The objective is J + γ Σ (c_k − 1)² over c whose mean,
// weighted by the outcomes of each annotator, is 1: scores are those of the mean annotator, and so is a line without
// one. With γ = σ²/τ², σ² = ½ for the logistic loss and the mean squared residual of the board without factors for the
// squared loss, the penalty is that of normal factors of standard deviation τ about 1.
type Scaling struct {
	// Spread is the τ with the least held-out loss, 0 for no factors, and Shrink its γ, then infinite.
	Spread, Shrink float64
	// Factors are the c of Problem.Annotators, and SE their standard errors, 1/√(curvature/σ²): with the scores as known
	// and outcomes as independent. Both are NaN for annotators without an outcome, SE is also without factors.
	Factors, SE []float64
	// Tried are the values of τ that were chosen from, by Folds folds of Of: lines or clusters.
	Tried []TriedSpread
	Folds int
	Of    string
	// Change is the held-out loss with the chosen factors less that without, and StdErr its standard error over
	// annotators.
	Change, StdErr metric.Value
}

// TriedSpread is a τ with the mean loss of a held-out outcome, infinite where the scores have no finite optimum, and
// the share of held-out wins that it orders wrongly.
type TriedSpread struct{ Spread, Loss, Error float64 }

// Without is the held-out loss without factors.
func (s *Scaling) Without() float64 { return s.Tried[0].Loss }

// With is the held-out loss with the chosen factors.
func (s *Scaling) With() float64 {
	return s.Tried[slices.Index(spreads, s.Spread)].Loss
}

// spreads are the values of τ to choose from, and scaleFolds the folds that choose.
var spreads = []float64{0, 0.125, 0.25, 0.5, 1, 2}

const scaleFolds = 5

// checkFactors refuses factors of annotators for boards that have none.
func (r *ranker) checkFactors() error {
	o, p := &r.o, r.Problem
	use := func(format string, args ...any) error {
		return &fault.Error{Kind: fault.Use, Code: codes.FaultFactors, Option: "AnnotatorScale",
			Err: fmt.Errorf(format, args...)}
	}
	switch {
	case !o.AnnotatorScale:
	case len(p.Annotators) < 2:
		return use("needs two annotators or more")
	case r.large:
		return use("fits boards of up to %d items, and this one has %d", mostDense, len(p.Items))
	case o.Ties == Davidson || o.BiasReduced || p.Features != nil || len(o.Lambdas) > 1:
		return use("takes neither Davidson's ties nor reduced bias, neither features nor several values of lambda")
	case o.Cycles || o.Next > 0:
		return use("goes neither with Cycles nor with Next, which know no factors")
	case o.Variance != "" && o.Variance != automatic && o.Variance != ByJackknife:
		return use("has intervals by leaving out units alone")
	}
	return nil
}

// fitAndPredict fits the scores, with the best of several λ and τ, or with factors of annotators where they are asked
// for, and leaves out what is asked.
func (r *ranker) fitAndPredict(ctx context.Context, g *grid) (err error) {
	if err := r.checkFactors(); err != nil {
		return err
	}
	if len(g.lambdas)*len(g.residuals) > 1 {
		return r.chooseFrom(ctx, g)
	}
	if r.Board, err = Fit(ctx, r.Problem, r.Options); err == nil && r.o.AnnotatorScale {
		err = r.scaleAnnotators(ctx, g.tell)
	}
	if err == nil && r.o.HoldOut != nil {
		if r.HeldOut, err = r.Board.Predict(ctx, g.unit, g.seed); err == nil {
			r.tellSteps("the error of what is left out", r.HeldOut.Stepped, r.HeldOut.Sets)
		}
	}
	return err
}

// scaleAnnotators fits factors of annotators, of the spread with the least held-out loss, of equal ones the least.
func (r *ranker) scaleAnnotators(ctx context.Context, tell func(done, total int)) (err error) {
	b, p := r.Board, r.Problem
	unknown := slices.Repeat([]float64{math.NaN()}, len(p.Annotators))
	s, variance := &Scaling{Factors: unknown, SE: slices.Clone(unknown)}, 0.5
	if b.o.Loss == Squared {
		weight := 0.0
		for c := range p.count() {
			l := p.source().At(c)
			weight += l.Count() * l.OutcomeWeight()
		}
		variance = b.Objective / weight
	}
	tries, err := r.trySpreads(ctx, s, variance, tell)
	if err != nil {
		return err
	}
	for separated := new(SeparatedError); ; {
		best := s.best()
		s.Spread = spreads[best]
		s.Shrink = variance / (s.Spread * s.Spread)
		if r.Board, err = b.withFactors(ctx, s.Shrink); err == nil {
			s.compare(tries[best], tries[0])
			break
		} else if !errors.As(err, &separated) {
			return err
		}
		s.Tried[best].Loss = math.Inf(1)
	}
	r.plain, r.Board.Scaling = b, s
	for c := range p.count() {
		if k, f := p.source().At(c).Annotator, r.Board.factors; k >= 0 && f != nil {
			s.Factors[k], s.SE[k] = f.c[k], math.Sqrt(b.s.Loss.Penalty(variance)/f.curvature[k])
		} else if k >= 0 {
			s.Factors[k] = 1
		}
	}
	r.tellFactors(s)
	return nil
}

// tellFactors says what was chosen, and who runs against the board.
func (r *ranker) tellFactors(s *Scaling) {
	loss := r.Options.Loss.Mean()
	by := fmt.Sprintf("by the %s of %d held-out folds of %s", loss, s.Folds, s.Of)
	if s.Spread == 0 {
		r.journal.Note(noteScale, "factors of annotators do not help, %s: none are fitted", by)
		return
	}
	r.journal.Note(noteScale, "factors of annotators have the spread %v, chosen %s: %.5f, and without factors %.5f",
		s.Spread, by, s.With(), s.Without())
	var against []string
	least := 0.0 // of one
	for k, c := range s.Factors {
		if c < 0 {
			against, least = append(against, r.Problem.Annotators[k]), c
		}
	}
	switch n := len(against); {
	case n == 1:
		r.journal.Warn(noteAgainst, "annotator %q votes against the board: scale %.2f", against[0], least)
	case n > 1:
		r.journal.Warn(noteAgainst, "%s vote against the board, with scales below 0: %s", spell.Plural(n, "annotator"),
			spell.First(against))
	}
}

// trial is what one spread predicts of the held-out outcomes of an annotator.
type trial struct{ loss, weight, wrong, wins float64 }

// best is the number of the spread with the least held-out loss, of equal ones the least.
func (s *Scaling) best() (best int) {
	for t := range s.Tried {
		if s.Tried[t].Loss < s.Tried[best].Loss {
			best = t
		}
	}
	return best
}

// trySpreads fills in Tried, and returns what each spread predicts of the outcomes of each annotator; the last are
// those without one. A spread without a finite optimum has an infinite loss.
func (r *ranker) trySpreads(ctx context.Context, s *Scaling, variance float64, tell func(done, total int)) ([][]trial,
	error) {
	p := r.Problem
	sets := p.byLine()
	if s.Of = "lines"; len(p.Clusters) > 0 {
		sets, s.Of = p.byCluster(), "clusters"
	}
	s.Folds = scaleFolds
	fold, err := holdout.Deal(len(sets), s.Folds, r.o.Seed, 0x7363616c65, s.Of)
	if err != nil {
		return nil, err
	}
	out := together(sets, fold, s.Folds)
	tries := make([][][]trial, s.Folds)
	for g := range out { // each uses all processors
		if tries[g], err = r.tryFold(ctx, out[g], variance); err != nil {
			if separated := new(SeparatedError); errors.As(err, &separated) {
				separated.Sets, separated.Fold = nil, g+1
			}
			return nil, err
		}
		tell(g+1, s.Folds)
	}
	all := make([][]trial, len(spreads))
	for t := range spreads {
		all[t] = make([]trial, len(p.Annotators)+1)
		var sum trial
		for g := range tries {
			if tries[g][t] == nil {
				sum.loss = math.Inf(1)
			}
			for k, x := range tries[g][t] {
				all[t][k].add(x)
				sum.add(x)
			}
		}
		s.Tried = append(s.Tried, TriedSpread{spreads[t], sum.loss / sum.weight, sum.wrong / sum.wins})
	}
	return all, nil
}

func (t *trial) add(x trial) {
	t.loss, t.weight, t.wrong, t.wins = t.loss+x.loss, t.weight+x.weight, t.wrong+x.wrong, t.wins+x.wins
}

// compare fills in the change of the held-out loss by the chosen factors.
func (s *Scaling) compare(with, without []trial) {
	var terms []metric.Term
	var times []float64
	for k, x := range with {
		if x.weight > 0 {
			terms, times = append(terms, metric.Term{Num: x.loss - without[k].loss, Den: x.weight}), append(times, 1)
		}
	}
	s.Change = metric.Value{Value: s.With() - s.Without(), Defined: true}
	s.StdErr, _ = ratio.CountedError(terms, times)
}

// tryFold trains without a fold for each spread, and returns what it predicts of the outcomes of each annotator, nil
// where the fit has no finite optimum.
func (r *ranker) tryFold(ctx context.Context, out []int, variance float64) ([][]trial, error) {
	p, o := r.Problem, r.Options
	o.Progress = nil
	plain, err := Fit(ctx, p.Of(incidence.Others(p.count(), out)), o)
	if err != nil {
		return nil, err
	}
	tries, errs := make([][]trial, len(spreads)), make([]error, len(spreads))
	parallel.For(len(spreads), func(_, t int) {
		b, err := plain.withFactors(ctx, variance/(spreads[t]*spreads[t]))
		if separated := new(SeparatedError); errors.As(err, &separated) {
			return
		} else if errs[t] = err; err != nil {
			return
		}
		tries[t] = make([]trial, len(p.Annotators)+1)
		for _, c := range out {
			if f := b.marginOf(p, c); !math.IsNaN(f) {
				l := p.source().At(c)
				k := l.Annotator
				if k < 0 {
					k = len(p.Annotators)
				}
				tries[t][k].see(b, l, f)
			}
		}
	})
	return tries, errors.Join(errs...)
}

// see adds the outcomes of a line that are predicted by a margin.
func (t *trial) see(b *Board, l *Line, f float64) {
	for k, n := range l.Counts() {
		if w := n * l.OutcomeWeight(); w > 0 && !b.s.Loss.Silent(outcome.Kind(k)) {
			t.loss, t.weight = t.loss+w*b.s.Loss.Of(l, f, 0, outcome.Kind(k)).Loss, t.weight+w
			if outcome.Kind(k) != outcome.Tied {
				t.wrong, t.wins = t.wrong+w*wrongly(f, outcome.Kind(k), b.least()), t.wins+w
			}
		}
	}
}

// factors are those that a board was fitted with.
type factors struct {
	c, curvature []float64
	shrink       float64
}

// withFactors fits the scores with factors, from those of b and factors of 1; an infinite shrinkage is b.
func (b *Board) withFactors(ctx context.Context, shrink float64) (*Board, error) {
	if math.IsInf(shrink, 1) {
		return b, nil
	}
	return factored(ctx, b.p, b.o, shrink, b.f.Place, slices.Repeat([]float64{1}, len(b.p.Annotators)), dense.MostSteps)
}

// factored fits a problem with factors, from a place and factors.
func factored(ctx context.Context, p *Problem, o *Options, shrink float64, place, c []float64, steps int) (*Board,
	error) {
	f, err := dense.New(p.dense(o)).TrainFactors(ctx, len(c), shrink, place, c, steps)
	if errors.Is(err, large.ErrSeparated) {
		return nil, &SeparatedError{}
	} else if err != nil {
		return nil, err
	}
	b := &Board{p: p, o: o, factors: &factors{f.C, f.Curvature, shrink}}
	b.take(f.Fit)
	return b, nil
}

// eachWithout calls f for each set with the board that is trained again without it. Where scores then have no finite
// optimum, they are one step of Newton from the board of all: stepped counts these.
func (b *Board) eachWithout(ctx context.Context, sets [][]int, f func(g int, rest *Board)) (stepped int, err error) {
	errs, separated := make([]error, len(sets)), make([]bool, len(sets))
	parallel.For(len(sets), func(_, g int) {
		p := b.p.Of(incidence.Others(b.p.count(), sets[g]))
		again := func(steps int) (rest *Board) {
			rest, errs[g] = factored(ctx, p, b.o, b.factors.shrink, b.f.Place, b.factors.c, steps)
			return rest
		}
		rest, e := again(dense.MostSteps), new(SeparatedError)
		if separated[g] = errors.As(errs[g], &e); separated[g] {
			rest = again(1)
		}
		if errs[g] == nil {
			f(g, rest)
		}
	})
	for _, is := range separated {
		if is {
			stepped++
		}
	}
	return stepped, errors.Join(errs...)
}

// tellSteps warns of scores that eachWithout stepped to.
func (r *ranker) tellSteps(what string, stepped, of int) {
	if stepped > 0 {
		r.journal.Warn(noteStep, "%s: without %d of %d units left out the scores have no finite optimum, and are one step "+
			"of Newton from those of all", what, stepped, of)
	}
}

// marginOf is the margin of line c of a problem, NaN where the comparisons of the board do not connect its items.
func (b *Board) marginOf(p *Problem, c int) float64 {
	l := p.source().At(c)
	if h := b.s.Pins; h != nil && h.Parts.Of()[l.Left] != h.Parts.Of()[l.Right] {
		return math.NaN()
	}
	f := b.Scores[l.Left] - b.Scores[l.Right]
	if b.factors != nil && l.Annotator >= 0 {
		f *= b.factors.c[l.Annotator]
	}
	for j, x := range p.covariates(c) {
		f += x * b.Gamma[j]
	}
	return f
}

// mostRetraining bounds the products of trainings with factors, without each of some sets: about half a minute.
const mostRetraining = 1e11

// retraining is the error of leaving out too many sets.
func (b *Board) retraining(sets int, what string) error {
	e := float64(b.s.Dims())
	const steps, perLine = 5, 60
	if float64(sets)*steps*(e*e*e/3+perLine*float64(b.p.count())) <= mostRetraining {
		return nil
	}
	return fmt.Errorf("with factors of annotators the board is trained again without each %s, and %d are too many", what,
		sets)
}
