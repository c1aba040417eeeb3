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
	"pairrank/internal/fault"
	"pairrank/internal/parallel"
)

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
func factored(ctx context.Context, p *Problem, o *Options, shrink float64, place, c []float64, steps int) (*Board, error) {
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

// without trains again without some lines. Where the scores then have no finite optimum, it is one step of Newton from
// the board of all.
func (b *Board) without(ctx context.Context, lines []int) (rest *Board, err error) {
	p := b.p.Of(incidence.Others(len(b.p.Lines), lines))
	for _, steps := range []int{dense.MostSteps, 1} {
		rest, err = factored(ctx, p, b.o, b.factors.shrink, b.f.Place, b.factors.c, steps)
		if separated := new(SeparatedError); !errors.As(err, &separated) {
			break
		}
	}
	return rest, err
}

// marginOf is the margin of line c of a problem, NaN where the comparisons of the board do not connect its items.
func (b *Board) marginOf(p *Problem, c int) float64 {
	l := &p.Lines[c]
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
	if float64(sets)*steps*(e*e*e/3+perLine*float64(len(b.p.Lines))) <= mostRetraining {
		return nil
	}
	return fmt.Errorf("with factors of annotators the board is trained again without each %s, and %d are too many", what,
		sets)
}

// predictFactors is Predict of a board with factors, by training again without each set, with the same shrinkage. An
// annotator that is left out has the factor 1.
func (b *Board) predictFactors(ctx context.Context, u Unit, seed uint64) (*HeldOut, error) {
	sets, err := b.sets(u, seed)
	if u.Kind == "comparison" && err == nil {
		sets, err = b.p.singles()
	}
	if err == nil {
		err = b.retraining(len(sets), u.Kind)
	}
	if err != nil {
		return nil, fault.As(fault.Use, FaultFactors, err)
	}
	v, errs := newView(len(b.p.Lines)), make([]error, len(sets))
	parallel.For(len(sets), func(_, g int) {
		var rest *Board
		if rest, errs[g] = b.without(ctx, sets[g]); errs[g] == nil {
			for _, c := range sets[g] {
				v.set(c, rest.marginOf(b.p, c), 0)
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	h := &HeldOut{Unit: u, Sets: len(sets), Retrained: true, Margins: v.margins}
	b.measure(h, sets, []view{v})
	return h, nil
}

// placesWithout are the scores and covariates without each of some sets: by HoldOut, or with factors by training again.
func (b *Board) placesWithout(ctx context.Context, sets [][]int) ([][]float64, error) {
	places, errs := make([][]float64, len(sets)), make([]error, len(sets))
	parallel.For(len(sets), func(_, h int) {
		if b.factors == nil {
			places[h] = b.f.Without(sets[h], true).Place
			return
		}
		var rest *Board
		if rest, errs[h] = b.without(ctx, sets[h]); errs[h] == nil {
			places[h] = rest.f.Place
		}
	})
	return places, errors.Join(errs...)
}

// unvaried says why a board with factors has no intervals, where it has none: they come from leaving out units.
func (b *Board) unvaried(kind string, p *Problem) string {
	if b.factors == nil {
		return ""
	}
	if kind == "" {
		return fmt.Sprintf("with factors they come from leaving out each of %d annotators or more", FewUnits)
	}
	_, sets := p.Independent(LeastUnits)
	if err := b.retraining(len(sets), kind); err != nil {
		return err.Error()
	}
	return ""
}

// checkFactors refuses factors of annotators for boards that have none.
func (r *ranker) checkFactors() error {
	o, p := &r.o, r.Problem
	use := func(format string, args ...any) error {
		return &fault.Error{Kind: fault.Use, Code: FaultFactors, Option: "AnnotatorScale",
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
