package comparison

import (
	"context"
	"math"
	"slices"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/codes"
	"pairrank/internal/linalg"
	"pairrank/internal/student"
)

// FeatureTest is the test of features against scores of the items' own.
type FeatureTest struct {
	// Statistic is χ², and Freedom its degrees of freedom. Rest are those of the variance of an outcome by which it is
	// divided with the squared loss, 0 for the logistic one.
	Statistic     float64
	Freedom, Rest int
	// P is the probability of a statistic at least as large where the features explain the scores.
	P float64
}

// TestFeatures tests scores that are linear in the features, at λ = 0, against scores of the items' own: by Rao's score
// test gᵀA⁻¹g with the gradient and the curvature of these at the linear scores (Rao 1948, Large sample tests of
// statistical hypotheses concerning several parameters), for the squared loss by F. The likelihood ratio failed 15 % of
// true boards with 10 comparisons an item at 5 %. It takes outcomes as independent. It is nil without features, with
// weights, where outcomes of the logistic loss lie between wins and losses, and where features leave no degree of
// freedom. It costs a fit, and returns its errors.
func TestFeatures(ctx context.Context, p *Problem, o Options) (*FeatureTest, error) {
	between := o.Loss == Logistic && incidence.Graded(p.source())
	if p.Features == nil || between || p.uneven() || p.source().At(0).OutcomeWeight() != 1 {
		return nil, nil
	}
	linear := *p
	linear.Residual = 0
	o.Lambda, o.BiasReduced, o.Progress = 0, false, nil
	b, err := Fit(ctx, &linear, o)
	if err != nil {
		return nil, err
	}
	o = *b.o
	own := dense.New(p.WithoutFeatures().InRows().dense(&o))
	if own.Pins == nil {
		return nil, nil
	}
	t := &FeatureTest{Freedom: len(p.Items) - own.Pins.Parts.Len() - p.Features.Cols}
	if t.Freedom < 1 {
		return nil, nil
	}
	sum, loss, outcomes := make([]float64, own.Dims()), 0.0, 0.0
	all := make([]outcome.Terms, p.count())
	for c := range p.count() {
		all[c], _ = o.loss().Line(p.source().At(c), b.Margins[c], b.eta())
		loss, outcomes = loss+all[c].Loss, outcomes+p.source().At(c).Count()
		if own.Row(c).Axpy(all[c].G[0], sum); own.EtaAt >= 0 {
			sum[own.EtaAt] += all[c].G[1]
		}
	}
	a := own.Gram(own.Every(), func(c int) [3]float64 { return all[c].V })
	if err := own.Factor(a, own.Pins); err != nil {
		return nil, err
	}
	delta := slices.Clone(sum)
	linalg.CholeskySolve(linalg.Lower, a, linalg.Column(delta))
	if t.Statistic = linalg.Dot(sum, delta); o.Loss == Logistic {
		t.P = student.ChiSquareAbove(t.Statistic, float64(t.Freedom))
		return t, nil
	}
	t.Rest = int(outcomes) - t.Freedom - p.Features.Cols - own.Rest
	rest := loss - t.Statistic // that of the items' own scores
	if t.Rest < 1 || rest <= equal*equal {
		return nil, nil
	}
	t.Statistic *= float64(t.Rest) / rest
	t.P = student.FAbove(t.Statistic/float64(t.Freedom), float64(t.Freedom), float64(t.Rest))
	return t, nil
}

// testFeatures tests whether features explain the scores, where they can be tested.
func (r *ranker) testFeatures(ctx context.Context) error {
	test, err := TestFeatures(ctx, r.Problem, r.Options)
	if err != nil || test == nil {
		return ctx.Err()
	}
	const level = 0.05
	if r.Features = test; test.P <= level && r.Problem.Residual == 0 {
		r.journal.Warn(codes.NoteFeaturesLack,
			"the features do not explain the scores (p = %.2g): intervals and sets of ranks "+
				"take for granted that they do, and are too narrow", test.P)
	}
	return nil
}

// dispersion says whether outcomes of one line depend on one another.
type dispersion struct {
	// Ratio is Pearson's statistic of the lines over its degrees of freedom: how many times as much lines vary as
	// independent outcomes would.
	Ratio   float64
	Freedom int
	P       float64 // of a statistic at least as large
}

// leastVaried is the least variance of the number of wins of a line that counts in dispersion: less is no χ².
const leastVaried = 1

// dispersion is Pearson's test of the sums of residuals of lines beside their variance by independent outcomes: of
// p(1 − p) each, for the squared loss of the variance within lines. Lines of few outcomes do not count. It takes the
// scores as true, so that lack of fit counts as well. It is nil where that leaves no degree of freedom, and where
// outcomes lie between wins and losses, whose variance is not p(1 − p). Cost O(C).
func (b *Board) dispersion() *dispersion {
	s := b.s
	within, free := 1.0, 0.0
	if b.o.Loss == Logistic && incidence.Graded(b.p.source()) {
		return nil
	}
	if b.o.Loss == Squared {
		within = 0
		for c := range b.p.count() {
			l := b.p.source().At(c)
			sum, squares := 0.0, 0.0
			for k, n := range l.Counts() {
				z := outcome.Target(l.WinMagnitude(), outcome.Kind(k))
				sum, squares = sum+n*z, squares+n*z*z
			}
			within, free = within+squares-sum*sum/l.Count(), free+l.Count()-1
		}
		within /= free
	}
	statistic, lines := 0.0, 0
	for c := range b.p.count() {
		t, _ := s.Loss.Line(b.p.source().At(c), b.Margins[c], b.eta())
		w := b.p.source().At(c).OutcomeWeight()
		v := w * t.V[0] * within // w² times the variance of the sum
		if varied := t.V[0] / w; varied < leastVaried || !(v > 0) {
			continue
		}
		statistic, lines = statistic+t.G[0]*t.G[0]/v, lines+1
	}
	d := &dispersion{Freedom: lines - s.Unknowns()}
	if s.Pins != nil {
		d.Freedom += s.Pins.Parts.Len()
	}
	if d.Freedom < 1 || math.IsNaN(statistic) {
		return nil
	}
	d.Ratio = statistic / float64(d.Freedom)
	d.P = student.ChiSquareAbove(statistic, float64(d.Freedom))
	return d
}
