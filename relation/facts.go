package relation

import (
	"math"
	"strconv"

	"pairrank/model/training"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// addFacts gives the model the facts of its training.
func (p *problem) addFacts(r *Result) {
	i := pairmodel.Info{Learner: string(p.o.Learner), Solver: r.Solver, Objective: p.o.Formula(),
		Lambda: r.Lambda, Rows: len(p.Y)}
	edges := map[int32]float64{} // of each row
	for _, row := range p.Edges.Row {
		edges[row]++
	}
	i.Queries = len(edges)
	if p.o.Learner.ofEdges() {
		i.Loss = string(p.o.Loss)
		if p.o.Loss == edge.Ranking {
			for _, l := range edges {
				i.Pairs += l * (l - 1) / 2
			}
		}
	}
	fact := func(name, value string) { i.Further = append(i.Further, training.Fact{Name: name, Value: value}) }
	number := func(name string, v float64) { fact(name, strconv.FormatFloat(v, 'g', -1, 64)) }
	if e := &r.Choice; e.Measured() {
		best := e.Point()
		i.Selection = &training.Selection{Method: e.Method.String(), Metric: "error", Error: best.Error}
		i.Selection.Count = len(e.Points())
		if m := p.o.Metric; m != nil {
			value := math.NaN()
			if best.Metric.Defined {
				value = best.Metric.Value
			}
			i.SetChosenBy(m.String(), value)
		}
		fact("setting", string(e.Setting))
	}
	i.Further = append(i.Further, p.Facts...)
	if p.o.Learner.inTwoSteps() {
		number("lambda-cols", p.o.LambdaCols)
	}
	switch {
	case r.Stopped != nil:
		fact("iterations", strconv.Itoa(r.Stopped.Iteration))
		number("early-stop-error", r.Stopped.Error)
	case r.Fit != nil:
		fact("iterations", strconv.Itoa(r.Fit.Iterations))
		if off := r.Fit.ScoreError; off > 0 {
			fact("score-error", strconv.FormatFloat(off, 'g', 3, 64))
		}
	}
	r.Model.Info = i
}
