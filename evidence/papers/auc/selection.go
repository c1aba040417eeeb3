package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
)

// selectionLambda is the λ of the models of selected genes, fixed before any look at a label: about a quarter of the
// largest eigenvalue of a standardised gene over all pairs of 62 rows.
const selectionLambda = 1024

// mostSearched is the largest number of genes, times features, that are selected without each pair of a set. More are
// selected without folds.
const mostSearched = 45_000

// mostHalved is the largest number of genes, times features, whose estimate is made again on 120 halves.
const mostHalved = 2000

// selectionDraws is the number of draws of ten folds.
const selectionDraws = 3

// judgedSelection is an estimate of the AUC of models of a few genes.
type judgedSelection struct {
	how, interval, by string
	auc               float64
	seconds           float64
	again             *pairrank.Selection
}

// selection compares models of selected genes, with the selection inside the rounds that leave rows out and outside.
func selection(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("set", "%s", "genes", "%s", "selected inside: AUC", "%.3f", "95 % interval", "%s",
		"rounds", "%s", "CPU seconds", "digits", "wrong, selected outside: AUC", "%.3f", "95 % interval, wrong", "%s",
		"first genes and their share of rounds", "%s", "stability", "%.2f")
	err = s.eachMicroarray(ctx, func(c collection, set *data.Set) error {
		for _, genes := range []int{1, 5, 20} {
			if err := c.selectionRow(ctx, t, set, genes, s.seed); err != nil {
				return fmt.Errorf("%d genes: %w", genes, err)
			}
		}
		all, err := nestedOfAll(ctx, set, s.seed)
		if err == nil {
			t.Row(c.name, "all", all.auc, all.interval+all.by, all.how, all.seconds, nil, nil, nil, nil)
		}
		return err
	})
	found.Add(t)
	return found, err
}

// eachMicroarray calls do for each set of the section on chance, standardised.
func (s settings) eachMicroarray(ctx context.Context, do func(c collection, set *data.Set) error) error {
	for _, c := range s.chosenSets() {
		if !c.chance {
			continue
		}
		raw, err := c.load(ctx, s.dir)
		if err != nil {
			return err
		}
		set, err := standardised(raw)
		if err != nil {
			return err
		}
		if err := do(c, set); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// shuffledSelection compares the two over shuffled labels, where the AUC of every procedure is ½.
func shuffledSelection(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("set", "%s", "shufflings", "%.0f", "selected inside, five folds: mean AUC", "%.3f",
		"± standard error", "%.3f", "wrong, selected outside: mean AUC", "%.3f", "± standard error, wrong", "%.3f")
	err = s.eachMicroarray(ctx, func(c collection, set *data.Set) error { return c.shuffledSelections(ctx, t, set, s) })
	found.Add(t)
	return found, err
}

// selectionRow adds the row of a number of genes.
func (c collection) selectionRow(ctx context.Context, t *experiment.Table, set *data.Set, genes int,
	seed uint64) error {
	inside, err := selectedInside(ctx, set, genes, seed)
	if err != nil {
		return err
	}
	outside, err := selectedOutside(ctx, set, chosenGenes(inside.again))
	if err != nil {
		return err
	}
	lo, hi, ok := cv.AUCInterval(1-outside.Error, outside.StdErr.Value)
	wrong := "none"
	if ok && outside.StdErr.Defined {
		wrong = fmt.Sprintf("%.3f–%.3f *", lo, hi)
	}
	first, again := []string{}, inside.again
	for _, f := range again.Features[:min(5, genes)] {
		first = append(first, fmt.Sprintf("%d (%.0f %%)", f.Feature+1, 100*float64(f.Rounds)/float64(again.Rounds)))
	}
	t.Row(c.name, fmt.Sprint(genes), inside.auc, inside.interval+inside.by, inside.how, inside.seconds,
		1-outside.Error, wrong, strings.Join(first, ", "), again.Index.Value)
	return nil
}

// chosenGenes are the numbers of the selected features.
func chosenGenes(s *pairrank.Selection) (genes []int) {
	for _, f := range s.Features {
		genes = append(genes, f.Feature)
	}
	return genes
}

// selectedInside estimates with the selection made anew in every round. The first draw has the counts of genes.
func selectedInside(ctx context.Context, set *data.Set, genes int, seed uint64) (*judgedSelection, error) {
	_, n := set.X.Dims()
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone}
	o.Learner, o.Lambdas, o.Method = pairrank.Greedy{Features: genes}, []float64{selectionLambda}, &leavePairOut
	out, draws := &judgedSelection{how: "every pair"}, 1
	switch {
	case genes*n > mostSearched:
		o.Method, draws = &tenFold, selectionDraws
		out.how = fmt.Sprintf("ten folds, %d draws", draws)
	case genes*n <= mostHalved:
		o.Intervals = cv.IntervalsHalves
	}
	began, wrong, pairs := cpuSeconds(), 0.0, 0.0
	for draw := range draws {
		o.Seed = seed + uint64(draw)
		e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: set}, o)
		if err != nil {
			return nil, err
		}
		p := e.Choice.BestPoint(0, nil)
		wrong, pairs = wrong+p.Error*float64(p.Pairs), pairs+float64(p.Pairs)
		if draw > 0 {
			continue
		}
		if out.again, err = e.Selection(ctx); err != nil {
			return nil, err
		}
		if i := e.Interval(0).Complement(); i.Defined && e.Halves != nil {
			out.interval = fmt.Sprintf("%.3f–%.3f", i.Lo, i.Hi)
		} else if lo, hi, ok := cv.AUCInterval(1-p.Error, p.StdErr.Value); ok && draws == 1 && p.StdErr.Defined {
			out.interval, out.by = fmt.Sprintf("%.3f–%.3f", lo, hi), " *"
		} else {
			out.interval = "none"
		}
	}
	out.auc, out.seconds = 1-wrong/pairs, cpuSeconds()-began
	return out, nil
}

// selectedOutside is leave-pair-out of models of genes that all rows selected, also the pair that is left out.
func selectedOutside(ctx context.Context, set *data.Set, genes []int) (cv.Point, error) {
	x, whole := data.NewDense(len(set.Y), len(genes), nil), set.X.(*data.Dense)
	for i := range set.Y {
		for k, j := range genes {
			x.Row(i)[k] = whole.Row(i)[j]
		}
	}
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone}
	o.Lambdas, o.Method = []float64{selectionLambda}, &leavePairOut
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: &data.Set{X: x, Y: set.Y, Queries: set.Queries}}, o)
	if err != nil {
		return cv.Point{}, err
	}
	return e.Choice.BestPoint(0, nil), nil
}

// nestedOfAll is nested leave-pair-out of models of all genes, whose λ is chosen in every round.
func nestedOfAll(ctx context.Context, set *data.Set, seed uint64) (*judgedSelection, error) {
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsHalves, Nested: &leavePairOut}
	o.Seed = seed
	began := cpuSeconds()
	e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: set}, o)
	if err != nil {
		return nil, err
	}
	out := &judgedSelection{how: "every pair, nested", auc: 1 - e.Nested.Error, interval: "none"}
	if i := e.Nested.Interval.Complement(); i.Defined {
		out.interval = fmt.Sprintf("%.3f–%.3f", i.Lo, i.Hi)
	}
	out.seconds = cpuSeconds() - began
	return out, nil
}

// shuffledSelections adds the mean AUC of five genes over shuffled labels, which is ½ if the estimate is fair.
func (c collection) shuffledSelections(ctx context.Context, t *experiment.Table, set *data.Set, s settings) error {
	var inside, outside []float64
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone}
	o.Learner, o.Lambdas = pairrank.Greedy{Features: 5}, []float64{selectionLambda}
	o.Method = &cv.Method{Kind: cv.KFold, Folds: 5}
	random := rand.New(rand.NewPCG(s.seed, 0x73656c656374))
	for range s.shufflings {
		mixed := &data.Set{X: set.X, Y: make([]float64, len(set.Y)), Queries: set.Queries}
		for i, from := range random.Perm(len(set.Y)) {
			mixed.Y[i] = set.Y[from]
		}
		o.Seed = random.Uint64()
		e, err := pairrank.Estimate(ctx, pairrank.Problem{Set: mixed}, o)
		if err != nil {
			return err
		}
		again, err := e.Selection(ctx)
		if err != nil {
			return err
		}
		wrong, err := selectedOutside(ctx, mixed, chosenGenes(again))
		if err != nil {
			return err
		}
		inside, outside = append(inside, 1-e.Choice.Error), append(outside, 1-wrong.Error)
	}
	t.Row(c.name, s.shufflings, experiment.Mean(inside), experiment.StdErr(inside), experiment.Mean(outside),
		experiment.StdErr(outside))
	return nil
}

// cpuSeconds are the seconds of one core that the process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
