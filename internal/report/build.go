package report

import (
	"math"
	"slices"
	"time"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// About has the facts of a run that its result does not hold.
type About struct {
	Model string // the file of the model
	// Moments is the file of the sums that it was trained from, or "".
	Moments string
	Valid   string // the file of rows for validation, or ""
	Load    time.Duration
	Work    time.Duration
	// Stream has the facts of rows that were not in memory, else nil.
	Stream *Stream
	// Columns are the columns of a table of rows, else nil.
	Columns *Columns
	// Metric is the metric that chose, or nil.
	Metric *metric.Metric
	// Compared is the number of lines of comparisons, or of preferences, in place of labels.
	Compared int
	// Study has the facts of a study of patients, or is nil.
	Study *Study
	// Beside is the comparison of held-out scores with those of another tool, or nil.
	Beside *Comparisons
}

// metric is the name of the metric that chose, "" for the error.
func (a *About) metric() string {
	if a.Metric == nil {
		return ""
	}
	return a.Metric.String()
}

// NewTraining is the document of a result.
func NewTraining(r *pairrank.Result, about About) *Training {
	t := &r.Training
	d := &Training{
		Kind: KindTraining,
		Facts: Facts{Learner: t.Learner, Solver: t.Solver, Why: t.Why, Kernel: t.Kernel.String(),
			Formula: t.Objective},
		Choice:    Choice{Lambda: Number(t.Lambda)},
		Objective: Number(t.Minimum),
		Data:      Data{t.Rows, t.Features, t.Queries, Number(t.Pairs), Number(t.Weight)},
		Method:    "none", Model: about.Model, Moments: about.Moments,
		Seconds: TrainSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
		Stream:  about.Stream, Columns: about.Columns, Selection: []Candidate{}, Compared: about.Compared,
		Beside: about.Beside,
		Told:   newTold(r.Notes),
	}
	if t.Outputs > 1 {
		d.Labels = t.Outputs
	}
	switch {
	case !math.IsNaN(t.Residual):
		if t.ScoreError > 0 {
			d.ScoreError = new(Number(t.ScoreError))
		}
		d.Iterations, d.Gap, d.Residual = t.Iterations, Number(math.NaN()), new(Number(t.Residual))
	case !math.IsNaN(t.Gap):
		d.Loss, d.Iterations, d.Gap, d.Planes, d.Converged = t.Loss, t.Iterations, Number(t.Gap), t.Planes, &t.Converged
	case t.Parameter == cv.Features:
		d.Choice.Selected, d.Gap = len(t.Chosen), Number(math.NaN())
	case t.Parameter == cv.Rounds:
		d.Kernel, d.Choice, d.Gap = "", newChoice(float64(t.Rounds), t.Parameter), Number(math.NaN())
		d.Exhausted = t.Exhausted
	}
	d.Chosen = newChosen(r.Selection, r.Model.Names)
	if r.Choice.Measured() {
		d.addChoice(r, about)
	}
	return d
}

// addChoice adds the choice of the candidate.
func (d *Training) addChoice(r *pairrank.Result, about About) {
	chosen := r.Choice.Chosen()
	d.Valid, d.Method, d.Retrained = about.Valid, chosen.Method.String(), r.Choice.Retrained
	d.Measure, d.Metric = r.Choice.Measure, about.metric()
	candidates := func(e *cv.Estimate) []Candidate { return newCandidates(e, chosen.Parameter, about.Metric) }
	if n := len(r.Choice.Kernels); n > 1 {
		d.Tried = n
	}
	if len(chosen.Outputs) > 1 {
		for c, e := range chosen.Outputs {
			own := candidates(e)
			d.Outputs = append(d.Outputs, Output{c + 1, own[e.Best].Choice, own})
		}
		if d.Lambda == 0 {
			d.Lambda = Number(math.NaN())
		}
		return
	}
	d.Selection = candidates(chosen.Outputs[0])
	if d.Tried > 0 {
		for _, k := range r.Choice.Kernels {
			d.Kernels = append(d.Kernels, Kernel{k.Kernel.String(), candidates(k.Outputs[0])})
		}
	}
}

// NewEstimate is the document of an estimate by a learner.
func NewEstimate(e *pairrank.Estimated, learner string, about About) *Estimate {
	d := &Estimate{
		Kind: KindEstimate, Method: e.Choice.Method.String(),
		Facts:     Facts{Learner: learner, Solver: e.Solver, Why: e.Why},
		Retrained: e.Choice.Retrained, Metric: about.metric(), Rows: e.Rows, Queries: e.Queries,
		Weight:   Number(e.Weight),
		Compared: e.Comparisons,
		Seconds:  EstimateSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
		Columns:  about.Columns, Told: newTold(e.Notes),
	}
	if chosen := e.Choice.Chosen(); chosen.Kernel != nil && chosen.Parameter == cv.Lambda {
		d.Kernel = chosen.Kernel.String()
	}
	if e.Outputs == 1 {
		all, best := newResults(e, 0, about.Metric)
		if d.Results, d.Best = all, &best; len(all) > 1 {
			d.ChosenOf = len(all)
		}
	} else {
		for c := range e.Outputs {
			all, best := newResults(e, c, about.Metric)
			d.Outputs = append(d.Outputs, EstimateOutput{c + 1, all, best})
		}
	}
	var nested *Nested
	if n := e.Nested; n != nil {
		nested = newNested(n, e.Queries == 1 && e.TwoLabels[0], e.Censored)
		if nested.AUC != nil {
			d.Study = about.Study
		}
	}
	d.Tests = newTests(e.Halves, nested, e.Permutation)
	if !slices.ContainsFunc(d.variances(), func(v cv.VarianceSource) bool { return v != "" }) &&
		(nested == nil || nested.CI95 == nil) {
		d.Interval = nil
	}
	if e.Independent > 0 && d.Best != nil && d.Best.CI95 != nil {
		d.Interval = &Interval{Method: byStdErr, Units: e.Independent, Of: e.IndependentOf}
	}
	return d
}

// newResults returns the results of every kernel and candidate for one output, and the best of them.
func newResults(e *pairrank.Estimated, output int, m *metric.Metric) (all []Result, best Result) {
	least := 0.0
	for k, kernel := range e.Choice.Kernels {
		estimate := kernel.Outputs[output]
		for _, c := range newCandidates(estimate, kernel.Parameter, m) {
			r := Result{Candidate: c}
			if kernel.Kernel != nil && kernel.Parameter == cv.Lambda {
				r.Kernel = kernel.Kernel.String()
			}
			if kernel.Method.Kind == cv.LeavePairOut && e.TwoLabels[output] {
				r.AUC = &AUC{Value: 1 - c.Error}
			}
			if e.Censored {
				r.CIndex = &AUC{Value: 1 - c.Error}
			}
			all = append(all, r)
		}
		c := estimate.Criterion(m)
		better := k == 0 || c < least
		if e.Choice.ByLoss {
			better = k == e.Choice.Best
		}
		if better {
			best, least = all[len(all)-len(estimate.Points)+estimate.Best], c
		}
	}
	if best.CI95 = newRange(e.Interval(output)); best.CI95 != nil {
		best.Variance = e.IntervalSource(output)
	}
	for _, a := range []**AUC{&best.AUC, &best.CIndex} {
		if best.CI95 != nil && *a != nil {
			*a = &AUC{(*a).Value, best.CI95.complement()}
		}
	}
	return all, best
}

// newNested is the document of a nested error.
func newNested(n *cv.NestedEstimate, auc, timed bool) *Nested {
	d := &Nested{Outer: n.Outer.String(), Error: Number(n.Error), StdErr: valueNumber(n.StdErr),
		Over: overUnits(n.StdErr, n.Over), Pairs: n.Pairs,
		Effective: newEffective(n.Point), Times: len(n.Draws), All: n.All, CI95: newRange(n.Interval)}
	if auc {
		d.AUC = &AUC{Value: 1 - d.Error, CI95: d.CI95.complement()}
	}
	if timed {
		d.CIndex = &AUC{Value: 1 - d.Error, CI95: d.CI95.complement()}
	}
	if d.CI95 != nil && n.Halves != nil {
		d.Halves = HalvesOfNest
	} else if d.CI95 != nil {
		d.Halves = HalvesOfEstimate
	}
	for _, c := range n.Chosen {
		of := NestedChosen{Lambda: Number(c.Candidate), Features: c.Features, Times: c.Times}
		if c.Kernel != nil {
			of.Kernel = c.Kernel.String()
		}
		if n.Parameter == cv.Rounds {
			of.Lambda, of.Rounds = 0, int(c.Candidate)
		}
		d.Chosen = append(d.Chosen, of)
	}
	return d
}

// AddImportance adds the importance of the features.
func (d *Estimate) AddImportance(i *cv.Importance) {
	of := cv.Lambda
	if d.Best != nil {
		of = d.Best.of()
	}
	out := &Importance{Choice: newChoice(i.Candidate, of), Value: Number(i.Value), Left: i.Left,
		Features: []ImportanceFeature{}}
	for _, f := range i.Features {
		line := ImportanceFeature{f.Feature + 1, f.Name, Number(f.Value), Number(f.Worse), valueNumber(f.StdErr),
			Number(f.Size), nil}
		if i.Again {
			line.Again = &ImportanceAgain{newChoice(f.AgainCandidate, of), Number(f.AgainValue)}
		}
		out.Features = append(out.Features, line)
	}
	d.Importance = out
}

// AddSelection adds the selection of features, which have these names.
func (d *Estimate) AddSelection(s *pairrank.Selection, names []string) {
	d.Chosen = newChosen(s, names)
}

// AddLearningCurve adds a learning curve to the document.
func (d *Estimate) AddLearningCurve(c *cv.LearningCurve) {
	d.Learning = &LearningCurve{Of: c.Of}
	for _, p := range c.Points {
		d.Learning.Points = append(d.Learning.Points, LearningPoint{Number(p.Units), Number(p.Error),
			Number(p.Deviation), p.Repeats})
	}
}
