package main

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/relation/kron"
)

// halveRelation is halve of edges: the units are nodes.
func (a *app) halveRelation(p *relationProblem, o cv.RelationOptions, method cv.Method, e *cv.RelationEstimate, how string) (*estimatedHalves, error) {
	const leastNodes = 2 * leastUnits // of each side that is split: a half ranks few
	rows, cols := len(p.rows.id), len(p.cols.id)
	split := []int{rows, cols}
	switch {
	case p.rows == p.cols || o.Setting == kron.Rows:
		split = split[:1]
	case o.Setting == kron.Cols:
		split = split[1:]
	}
	fewest := min(split[0], split[len(split)-1])
	forced, reason := how == "halves", ""
	switch {
	case how == "none":
		return nil, nil
	case e.Retrained:
		reason = "each fold is trained again, and so would be those of the halves"
	case fewest < leastNodes:
		reason = fmt.Sprintf("%s are too few for halves of them", plural(fewest, "node"))
	case !forced && relationHalvesWork(rows, cols, len(e.Points), o) > intervalBudget:
		a.note("the 95 %% intervals are left out: their %d estimates on halves of the nodes take a while; --interval halves makes them", 2*cv.HalfSplits)
		return nil, nil
	}
	if reason != "" {
		if forced {
			return nil, usagef("--interval halves is not for this estimate: %s", reason)
		}
		return nil, nil
	}
	meter := a.progress("estimating halves", cv.HalfSplits)
	defer meter.End()
	o.Method, o.Progress = method, func(done, _ int) { meter.Set(int64(done)) }
	h, units, err := cv.RelationHalves(a.Ctx, p.relation(), o, cv.HalfSplits)
	switch {
	case a.Ctx.Err() != nil:
		return nil, a.Ctx.Err()
	case err != nil:
		a.note("there are no 95 %% intervals: %v", err)
		return nil, nil
	}
	return &estimatedHalves{Halves: h, units: units, what: "node"}, nil
}

// relationHalvesWork counts the multiplications of all halves: the eigenproblems, and
// for each λ the products of its leave-outs, or of every edge with row and column.
func relationHalvesWork(rows, cols, lambdas int, o cv.RelationOptions) float64 {
	p, r := float64(rows)/2, float64(cols)/2
	switch o.Setting {
	case kron.Rows:
		r *= 2
	case kron.Cols:
		p *= 2
	}
	products := 9.0
	if o.Setting == kron.Both {
		products = p * r
		if o.Sample > 0 {
			products = min(products, float64(o.Sample))
		}
	}
	return 2 * cv.HalfSplits * (12*(p*p*p+r*r*r) + float64(lambdas)*products*(p*p*r+p*r*r))
}

// intervals are those of the error and of the C-index of a point.
func (h *estimatedHalves) intervals(d *relationResult) {
	if h == nil {
		return
	}
	for k, v := range []struct {
		share jsonNumber
		to    **[2]jsonNumber
	}{{d.Error, &d.CI95}, {d.CIndex, &d.CIndexCI95}} {
		if i := h.interval(float64(v.share), k); i.Defined {
			*v.to = &[2]jsonNumber{jsonNumber(i.Lo), jsonNumber(i.Hi)}
		}
	}
}
