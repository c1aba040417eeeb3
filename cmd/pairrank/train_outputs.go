package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/learn/rls"
)

// planOutputs checks --labels, the labels of several outputs, against what else
// says what is compared.
func planOutputs(p *trainPlan) error {
	switch {
	case p.labels == "":
		return nil
	case p.preferences != "":
		return usagef("--labels and --preferences are two ways to say what is compared: give one of them")
	case p.goal.Ties != "include" && p.learner == rankRLS:
		return usagef("--labels needs tied pairs included: each output would compare other pairs")
	}
	return nil
}

// learnOutputs trains every output with the λ that is best for it, by one
// factorisation where there is one.
func (a *app) learnOutputs(t *trained) error {
	p, c := t.problem, t.choice
	lambdas := make([]float64, p.outputs)
	for k, e := range c.chosen().estimates {
		lambdas[k] = e.Points[e.Best].Lambda
	}
	if p.plan.factors() && c.best != len(c.judged)-1 {
		p.use(c.chosen().kernel)
		if err := p.factor(t.ctx, c); err != nil {
			return err
		}
	}
	t.doubt = c.doubt
	var coef *data.Dense
	objective := 0.0
	for k, lambda := range lambdas {
		if slices.Index(lambdas, lambda) < k {
			continue // it was trained with an output before
		}
		fit, err := a.fitOutputs(t.ctx, t, lambda)
		if err != nil {
			return err
		}
		if coef == nil {
			coef = data.NewDense(fit.Coef.Rows, p.outputs, nil)
		}
		costs, err := p.costs(fit)
		if err != nil {
			return err
		}
		for o := range p.outputs {
			if lambdas[o] == lambda {
				copyColumn(coef, fit.Coef, o)
				objective += costs[o]
			}
		}
	}
	t.fit = fitted{lambdas: lambdas, objective: objective, pairs: c.goal.Pairs, coef: coef}
	if t.fit.lambda = lambdas[0]; len(slices.Compact(slices.Clone(lambdas))) > 1 {
		t.fit.lambda = 0
	}
	return nil
}

// fitOutputs trains all outputs for one λ.
func (a *app) fitOutputs(ctx context.Context, t *trained, lambda float64) (*rls.Fit, error) {
	if t.problem.plan.solver == "cg" {
		return a.solveCG(t, t.choice.goal, lambda)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return t.choice.path.Refit(lambda)
}

// costs are the objective of each output at a fit: the cost of f = 0 less rᵀf.
func (p *trainProblem) costs(fit *rls.Fit) ([]float64, error) {
	scores, costs := fit.Predictions(), make([]float64, p.outputs)
	for o := range costs {
		one := *p
		one.y, one.outputs = make([]float64, p.rows()), 1
		for i := range one.y {
			one.y[i] = p.y[i*p.outputs+o]
		}
		goal, err := one.newGoal()
		if err != nil {
			return nil, err
		}
		costs[o] = goal.Constant
		for i, r := range goal.R {
			costs[o] -= r * scores.Row(i)[o]
		}
	}
	return costs, nil
}

func copyColumn(dst, from *data.Dense, c int) {
	for i := range dst.Rows {
		dst.Row(i)[c] = from.Row(i)[c]
	}
}

// outputJSON is the choice for one of several outputs.
type outputJSON struct {
	Output    int             `json:"output"`
	Lambda    jsonNumber      `json:"lambda"`
	Selection []selectionJSON `json:"selection"`
}

// lambdasText writes the λ of each output.
func lambdasText(lambdas []float64) string {
	texts := make([]string, len(lambdas))
	for k, v := range lambdas {
		texts[k] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(texts, " ")
}

// printOutputs writes a row for each output: its λ and the error of it.
func (t *trained) printOutputs(b *strings.Builder) {
	metric := t.problem.plan.metric
	fmt.Fprintf(b, "\n  %6s  %10s  %8s  %8s", "output", "lambda", "error", "stderr")
	if metric != nil {
		fmt.Fprintf(b, "  %8s", metric)
	}
	b.WriteString("\n")
	for c, e := range t.choice.chosen().estimates {
		best := e.Points[e.Best]
		fmt.Fprintf(b, "  %6d  %10s  %8.5f  %8s", c+1, power(best.Lambda), best.Error, numberText(valueNumber(best.StdErr)))
		if metric != nil {
			fmt.Fprintf(b, "  %8s", numberText(valueNumber(best.Metric)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}
