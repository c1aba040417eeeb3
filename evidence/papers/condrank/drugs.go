package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/relation"
	"pairrank/relation/edge"
)

// λ of the drugs: products of two eigenvalues are between 0 and about 10^5. What
// trains again tries every second one.
var (
	drugLambdas   = experiment.Powers(-10, 6, 2)
	coarseLambdas = experiment.Powers(-10, 6, 4)
)

// learner is a column of the tables.
type learner struct {
	name    string
	loss    edge.Loss
	twoStep bool
	folds   int // 0: exact
}

var learners = []learner{
	{"exact: regression", edge.Regression, false, 0},
	{"exact: ranking", edge.Ranking, false, 0},
	{"exact: two-step", edge.Regression, true, 0},
	{"folds: regression", edge.Regression, false, 10},
	{"folds: ranking", edge.Ranking, false, 10},
}

// situations are the four settings, drugs being rows.
var situations = []struct {
	setting edge.Setting
	name    string
}{{edge.Pairs, "1: the pair"}, {edge.Rows, "2: the drug"}, {edge.Cols, "3: the target"}, {edge.Both, "4: both"}}

// drugs is the four settings on drugs and targets.
func drugs(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := readDrugs(s)
	if err != nil {
		return found, err
	}
	found.Add(describeDrugs(all))
	pairs, folds := drugTable(), foldsTable()
	for _, b := range all {
		for _, at := range situations {
			row, byFold := []any{b.name, at.name}, []any{b.name, at.name}
			for _, l := range learners {
				began := time.Now()
				best, err := b.estimate(ctx, l, at.setting, s)
				if err != nil {
					return found, fmt.Errorf("%s, %s, %s: %w", b.name, at.name, l.name, err)
				}
				row = append(row, best.cells()...)
				if l.folds > 0 {
					byFold = append(byFold, best.foldCells()...)
				}
				tell("drugs: %s, %s, %s: %.3f after %.1f s", b.name, at.name, l.name, 1-best.error,
					time.Since(began).Seconds())
			}
			pairs.Row(row...)
			folds.Row(byFold...)
		}
	}
	found.Text("The order of the targets of one drug, at the best λ:")
	found.Add(pairs)
	found.Text("The same by fold, at that λ, with standard errors over drugs and targets:")
	found.Add(folds)
	return found, conditional(ctx, &found, shown(all))
}

// readDrugs reads the sets that the settings name.
func readDrugs(s settings) (all []*interactions, err error) {
	for _, name := range strings.Split(s.drugs, ",") {
		read := readYamanishi
		if name == "davis" {
			read = func(dir, _ string) (*interactions, error) { return readDavis(dir) }
		}
		b, err := read(s.dir, name)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// shown is the set whose busiest drug is shown: gpcr, or the first set.
func shown(all []*interactions) *interactions {
	for _, b := range all {
		if b.name == "gpcr" {
			return b
		}
	}
	return all[0]
}

// drugTable is a table with a value, its standard error and its λ for each learner.
func drugTable() *experiment.Table {
	heads := []string{"data", "%s", "left out", "%s"}
	for _, l := range learners {
		heads = append(heads, l.name, "%.3f", "±", "%.3f", "λ", "%s")
	}
	return experiment.NewTable(heads...)
}

// foldsTable is a table of what folds rank: each measure with its standard error.
func foldsTable() *experiment.Table {
	heads := []string{"data", "%s", "left out", "%s"}
	for _, loss := range []string{"regression", "ranking"} {
		for _, of := range []string{"AUC of a drug", "of a target", "of a fold", "precision of a fold"} {
			heads = append(heads, loss+": "+of, "%.3f", "±", "%.3f")
		}
	}
	return experiment.NewTable(heads...)
}

func describeDrugs(all []*interactions) *experiment.Table {
	t := experiment.NewTable("data", "%s", "drugs", "%.0f", "targets", "%.0f", "label", "%s", "known", "%.0f",
		"mean label", "%.3g", "similarity of targets", "%s",
		"least eigenvalue: drugs", "%.2g", "targets", "%.2g", "folds", "%.0f")
	for _, b := range all {
		label, known := "0/1", any(math.Round(experiment.Mean(b.y.Data)*float64(len(b.y.Data))))
		if !b.binary {
			label, known = "−log10 Kd", nil
		}
		t.Row(b.name, b.y.Rows, b.y.Cols, label, known, experiment.Mean(b.y.Data), b.about, b.smallest[0],
			b.smallest[1], b.folds(10))
	}
	return t
}

// folds are fewer where there are many edges.
func (b *interactions) folds(n int) int {
	if len(b.y.Data) > 40_000 {
		return min(n, 5)
	}
	return n
}

// estimate is the error at the λ that is best for it: of pairs of edges that are left out
// together, of drugs that are left out, or within folds.
func (b *interactions) estimate(ctx context.Context, l learner, setting edge.Setting, s settings) (best chosen,
	err error) {
	o := relation.EstimateOptions{Options: relation.Options{Loss: l.loss, Tolerance: 1e-4, MaxIterations: 200,
		Setting: setting, Lambdas: drugLambdas, Seed: s.seed}, Intervals: cv.IntervalsNone}
	if l.folds > 0 {
		o.Method, o.Lambdas = &cv.Method{Kind: cv.KFold, Folds: b.folds(l.folds)}, coarseLambdas
	}
	steps := []float64{0} // λ of the columns of a two-step learner
	if l.twoStep {
		o.Learner, o.Lambdas, steps = relation.TwoStep, coarseLambdas, coarseLambdas
	}
	for k, step := range steps {
		o.LambdaCols = step
		e, err := relation.Estimate(ctx, b.problem(), o)
		if err != nil {
			return best, err
		}
		if at := e.Choice.Point(); k == 0 || at.Error < best.error {
			best = chosen{at.Error, at.StdErr.Value, at.Candidate, step, e.Folds}
		}
	}
	return best, nil
}

// problem is the interactions with the similarities of drugs and of targets.
func (b *interactions) problem() relation.Problem {
	return relation.Problem{
		Rows:  &relation.Nodes{ID: b.drugs, Similarity: b.rows},
		Cols:  &relation.Nodes{ID: b.targets, Similarity: b.cols},
		Edges: everyPair(b.y.Rows, b.y.Cols), Y: b.y.Data,
	}
}

// chosen is the least error with its λ.
type chosen struct {
	error, stderr, lambda, step float64
	folds                       *relation.Measures
}

// cells are 1 less the error, its standard error and its λ in a table.
func (c chosen) cells() []any {
	lambda := figure.Power(c.lambda)
	if c.step > 0 {
		lambda += ", " + figure.Power(c.step)
	}
	return []any{1 - c.error, c.stderr, lambda}
}

// foldCells are the measures of folds, nothing where there are none.
func (c chosen) foldCells() (cells []any) {
	of := c.folds.CIndex
	for _, m := range []relation.MeanOf{of.Row, of.Col, of.Fold, c.folds.AUPR.Fold} {
		mean, stderr := any(nil), any(nil)
		if m.Mean.Defined {
			mean, stderr = m.Mean.Value, m.StdErr.Value
		}
		cells = append(cells, mean, stderr)
	}
	return cells
}

// conditional is the targets of one drug in the order that the ranking loss learns
// from all other drugs.
func conditional(ctx context.Context, found *experiment.Result, b *interactions) error {
	e, err := relation.Estimate(ctx, b.problem(),
		relation.EstimateOptions{Options: relation.Options{Setting: edge.Rows, Method: &cv.Method{Kind: cv.LeaveOneOut},
			Lambdas: drugLambdas}, Intervals: cv.IntervalsNone, HeldOut: true})
	if err != nil {
		return err
	}
	drug := b.busiest()
	known, scores := b.y.Row(drug), e.HeldOut[drug*b.y.Cols:(drug+1)*b.y.Cols]
	order := count(0, len(scores))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	all := 0.0
	for _, v := range known {
		all += v
	}
	found.Text("Targets of drug %s of %s, which has the most known ones, %.0f of %d, in the order learnt without it "+
		"(ranking, λ = %s):",
		b.drugs[drug], b.name, all, len(known), figure.Power(e.Choice.Point().Candidate))
	t := experiment.NewTable("", "%.0f", "target", "%s", "score", "digits", "known", "%s")
	for k, j := range order[:min(10, len(order))] {
		t.Row(k+1, b.targets[j], scores[j], map[bool]string{true: "yes"}[known[j] == 1])
	}
	found.Add(t)
	return nil
}
