package main

import (
	"context"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/pref"
)

// intervalNames are the ways to an interval of the chosen estimate.
var intervalNames = []string{"auto", "halves", "none"}

// intervalBudget is the work, in multiplications as halvesWork counts them, up to
// which auto takes half-samples: some ten seconds of one core at most.
const intervalBudget = 2e10

// leastUnits is the number of rows or queries below which a half has too few to
// estimate anything.
const leastUnits = 8

// estimatedHalves are the half-samples of an estimate.
type estimatedHalves struct {
	*cv.Halves
	units int
	what  string // row, query or node
}

// interval is that of value k, a share.
func (h *estimatedHalves) interval(share float64, k int) cv.Interval {
	if h == nil {
		return cv.Interval{}
	}
	return cv.ShareInterval(share, h.Variance[k], h.units)
}

// halve estimates by half-samples how much the chosen estimate varies, or tells why
// it does not.
func (a *app) halve(v *validated) error {
	p, chosen := v.problem, v.choice.chosen()
	units := p.queries.Len()
	what, draw := "query", cv.SplitQueries(units)
	rows := func(some []int) []int { return cv.RowsOfQueries(p.queries, some) }
	if units == 1 {
		units, what, rows = p.rows(), "row", func(some []int) []int { return some }
		draw = cv.SplitRows(p.firstLabels())
	}
	forced := v.plan.interval == "halves"
	reason := ""
	switch {
	case v.plan.interval == "none":
		return nil
	case chosen.estimates[0].Retrained:
		reason = "each fold is trained again, and so would be those of the halves"
	case p.edges != nil:
		reason = "preferences do not come in halves of rows"
	case units < leastUnits:
		reason = plural(units, what) + " are too few for halves of them"
	case !forced && v.halvesWork() > intervalBudget:
		a.note("the 95 %% interval is left out: its %d estimates on halves of the %s take a while; --interval halves makes it", 2*cv.HalfSplits, plural(units, what))
		return nil
	}
	if reason != "" {
		if forced {
			return usagef("--interval halves is not for this estimate: %s", reason)
		}
		return nil
	}
	meter := a.progress("estimating halves", cv.HalfSplits)
	defer meter.End()
	weight := pref.Trace(v.choice.goal.L)
	h, err := cv.HalfSamples(a.Ctx, cv.HalfSplits, p.plan.seed, draw,
		func(ctx context.Context, some []int) ([]float64, error) {
			return p.estimateHalf(ctx, rows(some), weight)
		},
		func(done, _ int) { meter.Set(int64(done)) })
	switch {
	case a.Ctx.Err() != nil:
		return a.Ctx.Err()
	case err != nil:
		a.note("there is no 95 %% interval: %v", err)
		return nil
	}
	v.halves = &estimatedHalves{Halves: h, units: units, what: what}
	return nil
}

// firstLabels are the labels by which rows are dealt to halves: those of the only
// output; of several none, since each has its own.
func (p *trainProblem) firstLabels() []float64 {
	if p.outputs == 1 {
		return p.y
	}
	return make([]float64, p.rows())
}

// estimateHalf makes every choice on some rows alone, and gives the estimate of each
// output at its best. A λ that was asked for is multiplied by the share that the half
// has of the weight of all compared pairs.
func (p *trainProblem) estimateHalf(ctx context.Context, rows []int, weight float64) ([]float64, error) {
	whole := *p
	plan := *p.plan
	whole.plan = &plan
	whole.use(plan.kernels[0])
	part, _ := whole.part(rows)
	if plan.lambdas != nil {
		goal, err := part.newGoal()
		if err != nil {
			return nil, err
		}
		share := pref.Trace(goal.L) / weight
		plan.lambdas = make([]float64, len(p.plan.lambdas))
		for l, lambda := range p.plan.lambdas {
			plan.lambdas[l] = lambda * share
		}
	}
	c, err := part.judge(ctx, func(int, int, cv.Method) func(int, int) { return nil })
	if err != nil {
		return nil, err
	}
	values := make([]float64, p.outputs)
	for o := range values {
		values[o] = c.bestPoint(o, plan.metric).Error
	}
	return values, nil
}

// halvesWork counts the multiplications of all halves: a factorisation, and each λ
// over the pairs or groups that are left out.
func (v *validated) halvesWork() float64 {
	p := v.problem
	m := float64(p.rows()) / 2
	k, factor := m, 12*m*m*m
	switch p.plan.solver {
	case "primal":
		_, n := p.x.Dims()
		k = float64(n)
		factor = m*k*k + 12*k*k*k
	case "sparse":
		k = float64(len(p.basis))
		factor = 2*m*k*k + 12*k*k*k
	default:
		if p.x != nil {
			_, n := p.x.Dims()
			factor += m * m * float64(n) * data.Density(p.x)
		}
	}
	lambdas := float64(p.plan.candidates())
	outputs := float64(p.outputs)
	estimate := lambdas * m * m * (1.5*k + 40*outputs) // every pair
	if method := v.choice.chosen().method; method.Kind != cv.LeavePairOut {
		groups := m
		switch {
		case method.Kind == cv.KFold:
			groups = float64(method.Folds)
		case p.queries.Len() > 1 && method.Kind == cv.LeaveQueryOut:
			groups = float64(p.queries.Len()) / 2
		}
		rows := m / groups
		estimate = groups * min(k*k*k+lambdas*outputs*(k*k+rows*k), lambdas*(rows*rows*k+8*rows*k*outputs+rows*rows*rows))
	}
	return 2 * cv.HalfSplits * float64(len(p.plan.kernels)) * (factor + estimate)
}
