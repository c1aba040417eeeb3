package main

import (
	"math"

	"pairrank/eval/cv"
)

// trainJSON is the document of train --json.
type trainJSON struct {
	Learner    string          `json:"learner"`
	Solver     string          `json:"solver"`
	Kernel     string          `json:"kernel,omitempty"`
	Lambda     jsonNumber      `json:"lambda"` // null where outputs differ in it
	Objective  jsonNumber      `json:"objective"`
	Formula    string          `json:"formula"`
	Pairs      jsonNumber      `json:"pairs"`
	Iterations int             `json:"iterations"` // of solvers that iterate, else 0
	Gap        jsonNumber      `json:"gap"`
	Residual   *jsonNumber     `json:"residual,omitempty"`
	Precision  string          `json:"precision,omitempty"`
	Loss       string          `json:"loss,omitempty"`
	Planes     int             `json:"planes,omitempty"`
	Converged  *bool           `json:"converged,omitempty"`
	Rounds     int             `json:"rounds,omitempty"`
	Rows       int             `json:"rows"`
	Features   int             `json:"features"`
	Queries    int             `json:"queries"`
	Seconds    trainSeconds    `json:"seconds"`
	Method     string          `json:"method"`
	Valid      string          `json:"valid,omitempty"` // the file that chose
	Retrained  bool            `json:"retrained"`
	Metric     string          `json:"metric,omitempty"`
	Selection  []selectionJSON `json:"selection"`
	Outputs    []outputJSON    `json:"outputs,omitempty"` // where there are several
	Kernels    []kernelJSON    `json:"kernels,omitempty"`
	Model      string          `json:"model"`
}

type trainSeconds struct {
	Load  jsonNumber `json:"load"`
	Train jsonNumber `json:"train"`
}

// selectionJSON is the estimate for one λ, or for so many rounds.
type selectionJSON struct {
	Lambda jsonNumber  `json:"lambda"` // null for rankboost
	Rounds int         `json:"rounds,omitempty"`
	Error  jsonNumber  `json:"error"`
	StdErr jsonNumber  `json:"stderr"`
	Pairs  int64       `json:"pairs"`
	Value  *jsonNumber `json:"value,omitempty"` // of the metric
}

func (t *trained) json() trainJSON {
	p := t.problem
	out := trainJSON{
		Learner: p.plan.learner, Solver: p.plan.solver, Kernel: p.plan.kernel.String(), Lambda: jsonNumber(t.fit.lambda),
		Objective: jsonNumber(t.fit.objective), Formula: p.formula(), Pairs: jsonNumber(t.fit.pairs),
		Rows: p.rows(), Features: p.features(), Queries: p.queries.Len(), Method: "none", Model: p.plan.output,
		Seconds:   trainSeconds{jsonNumber(t.load.Seconds()), jsonNumber(t.train.Seconds())},
		Selection: []selectionJSON{},
	}
	if t.cg != nil {
		residual := jsonNumber(t.cg.Residual)
		out.Iterations, out.Gap, out.Residual = t.cg.Iterations, jsonNumber(math.NaN()), &residual
	}
	if t.svm != nil {
		out.Loss, out.Iterations, out.Gap = p.plan.loss, t.svm.Iterations, jsonNumber(t.svm.Gap)
		out.Planes, out.Converged, out.Precision = t.svm.Planes, &t.svm.Converged, p.plan.precision
	}
	if t.boost != nil {
		out.Kernel, out.Lambda, out.Gap, out.Rounds = "", jsonNumber(math.NaN()), jsonNumber(math.NaN()), len(t.boost.Stumps.Terms)
	}
	if t.estimate == nil {
		return out
	}
	out.Valid = p.plan.valid
	out.Method, out.Retrained = t.method.String(), t.estimate.Retrained
	if p.plan.metric != nil {
		out.Metric = p.plan.metric.String()
	}
	if p.outputs > 1 {
		for c, e := range t.choice.chosen().estimates {
			out.Outputs = append(out.Outputs, outputJSON{c + 1, jsonNumber(e.Points[e.Best].Lambda), p.selection(e)})
		}
		if out.Lambda == 0 {
			out.Lambda = jsonNumber(math.NaN())
		}
		return out
	}
	out.Selection = p.selection(t.estimate)
	if len(t.choice.judged) > 1 {
		for _, j := range t.choice.judged {
			out.Kernels = append(out.Kernels, kernelJSON{j.kernel.String(), p.selection(j.estimates[0])})
		}
	}
	return out
}

// kernelJSON is the estimate of one kernel of a grid.
type kernelJSON struct {
	Kernel    string          `json:"kernel"`
	Selection []selectionJSON `json:"selection"`
}

func (p *trainProblem) selection(e *cv.Estimate) []selectionJSON {
	out := []selectionJSON{}
	for _, point := range e.Points {
		out = append(out, p.plan.pointJSON(point))
	}
	return out
}

func (p *trainPlan) pointJSON(point cv.Point) selectionJSON {
	s := selectionJSON{Lambda: jsonNumber(point.Lambda), Error: jsonNumber(point.Error), StdErr: valueNumber(point.StdErr), Pairs: point.Pairs}
	if p.learner == rankBoost {
		s.Lambda, s.Rounds = jsonNumber(math.NaN()), int(point.Lambda)
	}
	if p.metric != nil {
		value := valueNumber(point.Metric)
		s.Value = &value
	}
	return s
}

func (p *trainProblem) features() int {
	if p.plan.precomputed {
		return 0
	}
	_, n := p.x.Dims()
	return n
}
