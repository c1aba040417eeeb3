package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pairrank/eval/cv"
	"pairrank/experiments/internal/experiment"
	"pairrank/relation"
	"pairrank/relation/kron"
)

// λ of the drugs: products of two eigenvalues are between 0 and about 10^5. What
// trains again, or leaves pairs out one by one, tries every second one.
var (
	drugLambdas   = experiment.Powers(-10, 6, 2)
	coarseLambdas = experiment.Powers(-10, 6, 4)
)

// learner is a column of the tables.
type learner struct {
	name    string
	loss    kron.Loss
	twoStep bool
	folds   int // 0: exact
}

var learners = []learner{
	{"exact: regression", kron.Regression, false, 0},
	{"exact: ranking", kron.Ranking, false, 0},
	{"exact: two-step", kron.Regression, true, 0},
	{"folds: regression", kron.Regression, false, 10},
	{"folds: ranking", kron.Ranking, false, 10},
}

// situations are the four settings, drugs being rows.
var situations = []struct {
	setting kron.Setting
	name    string
}{{kron.Pairs, "1: the pair"}, {kron.Rows, "2: the drug"}, {kron.Cols, "3: the target"}, {kron.Both, "4: both"}}

// drugs is the four settings on drugs and targets.
func drugs(ctx context.Context, s settings) (string, error) {
	var all []*interactions
	for _, name := range []string{"nr", "gpcr", "ic", "e"} {
		b, err := readYamanishi(s.dir, name)
		if err != nil {
			return "", err
		}
		all = append(all, b)
	}
	b, err := readDavis(s.dir)
	if err != nil {
		return "", err
	}
	all = append(all, b)
	text := describeDrugs(all)
	var inDrug, overAll strings.Builder
	for _, table := range []*strings.Builder{&inDrug, &overAll} {
		table.WriteString("| data | left out |")
		for _, l := range learners {
			table.WriteString(" " + l.name + " |")
		}
		table.WriteString("\n|---|---|" + strings.Repeat("---|", len(learners)) + "\n")
	}
	for _, b := range all {
		for _, at := range situations {
			fmt.Fprintf(&inDrug, "| %s | %s |", b.name, at.name)
			fmt.Fprintf(&overAll, "| %s | %s |", b.name, at.name)
			for _, l := range learners {
				began := time.Now()
				row, all, err := b.estimate(ctx, l, at.setting, s)
				if err != nil {
					return "", fmt.Errorf("%s, %s, %s: %w", b.name, at.name, l.name, err)
				}
				inDrug.WriteString(" " + row + " |")
				overAll.WriteString(" " + all + " |")
				tell("drugs: %s, %s, %s: %s after %.1f s", b.name, at.name, l.name, row, time.Since(began).Seconds())
			}
			inDrug.WriteString("\n")
			overAll.WriteString("\n")
		}
	}
	ranking, err := conditional(ctx, all[1])
	return fmt.Sprintf("%s\nTargets of one drug in their order (λ in brackets):\n\n%s\nAll pairs together:\n\n%s\n%s", text, inDrug.String(), overAll.String(), ranking), err
}

func describeDrugs(all []*interactions) string {
	text := "| data | drugs | targets | label | known, or mean | similarity of targets | least eigenvalue: drugs | targets | folds |\n|---|---|---|---|---|---|---|---|---|\n"
	for _, b := range all {
		label, sum := "0/1", fmt.Sprintf("%.0f", mean(b.y.Data)*float64(len(b.y.Data)))
		if !b.binary {
			label, sum = "−log10 Kd", fmt.Sprintf("%.2f", mean(b.y.Data))
		}
		text += fmt.Sprintf("| %s | %d | %d | %s | %s | %s | %.2g | %.2g | %d |\n", b.name, b.y.Rows, b.y.Cols, label, sum, b.about, b.smallest[0], b.smallest[1], b.folds(10))
	}
	return text
}

// folds are fewer where there are many edges.
func (b *interactions) folds(n int) int {
	if len(b.y.Data) > 40_000 {
		return min(n, 5)
	}
	return n
}

// estimate is the AUC or C-index within the rows, and over all pairs, each with the
// λ that is best for it.
func (b *interactions) estimate(ctx context.Context, l learner, setting kron.Setting, s settings) (inRow, overAll string, err error) {
	if l.folds == 0 && l.loss == kron.Ranking && setting == kron.Both {
		return "not exact", "not exact", nil
	}
	if l.folds == 0 && !l.twoStep && setting == kron.Both {
		row, all, err := b.leaveBothOut(ctx, s)
		return row.String(), all.String(), err
	}
	o := relation.Options{Loss: l.loss, Tolerance: 1e-4, MaxIterations: 200,
		Setting: setting, Method: cv.Method{Kind: cv.LeaveOneOut}, Lambdas: drugLambdas, Seed: s.seed, Intervals: relation.IntervalsNone}
	if l.folds > 0 {
		o.Method, o.Lambdas = cv.Method{Kind: cv.KFold, Folds: b.folds(l.folds)}, coarseLambdas
	}
	steps := []float64{0} // λ of the columns of a two-step learner
	if l.twoStep {
		o.Learner, o.Lambdas, steps = relation.TwoStep, coarseLambdas, coarseLambdas
	}
	var row, all chosen
	for _, step := range steps {
		o.LambdaCols = step
		e, err := relation.Estimate(ctx, b.problem(), o)
		if err != nil {
			return "", "", err
		}
		for _, p := range e.Points {
			row.take(1-p.Error, p.Candidate, step)
			all.take(1-p.Pooled.Value, p.Candidate, step)
		}
	}
	return row.String(), all.String(), nil
}

// problem is the interactions with the similarities of drugs and of targets.
func (b *interactions) problem() relation.Problem {
	return relation.Problem{
		Rows:  &relation.Nodes{ID: b.drugs, Similarity: b.rows},
		Cols:  &relation.Nodes{ID: b.targets, Similarity: b.cols},
		Edges: everyPair(b.y.Rows, b.y.Cols), Y: b.y.Data,
	}
}

// chosen is the best value so far with its λ.
type chosen struct{ value, lambda, step float64 }

func (c *chosen) take(value, lambda, step float64) {
	if value > c.value {
		*c = chosen{value, lambda, step}
	}
}

func (c chosen) String() string {
	lambda := power(c.lambda)
	if c.step > 0 {
		lambda += ", " + power(c.step)
	}
	return fmt.Sprintf("%.3f (%s)", c.value, lambda)
}

// conditional is the targets of one drug in the order that the ranking loss learns
// from all other drugs.
func conditional(ctx context.Context, b *interactions) (string, error) {
	e, err := relation.Estimate(ctx, b.problem(), relation.Options{Setting: kron.Rows, Method: cv.Method{Kind: cv.LeaveOneOut}, Lambdas: drugLambdas, Intervals: relation.IntervalsNone})
	if err != nil {
		return "", err
	}
	lambda := e.Points[e.Best].Candidate
	path, err := kron.Factor(ctx, b.rows, b.cols, b.y, kron.Options{Loss: kron.Ranking})
	if err != nil {
		return "", err
	}
	f, err := path.HoldOut(lambda, kron.Rows)
	if err != nil {
		return "", err
	}
	drug := b.busiest()
	known, scores := b.y.Row(drug), f.Row(drug)
	order := count(0, len(scores))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	all := 0.0
	for _, v := range known {
		all += v
	}
	text := fmt.Sprintf("Targets of drug %s of %s, which has the most known ones, %.0f of %d, in the order learnt without it (ranking, λ = %s):\n\n| | target | score | known |\n|---|---|---|---|\n", b.drugs[drug], b.name, all, len(known), power(lambda))
	for k, j := range order[:10] {
		yes := ""
		if known[j] == 1 {
			yes = "yes"
		}
		text += fmt.Sprintf("| %d | %s | %s | %s |\n", k+1, b.targets[j], experiment.Digits(scores[j]), yes)
	}
	return text, nil
}
