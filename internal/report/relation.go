package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Relation is the document of a training on, or an estimate of, edges between nodes, as its kind says.
type Relation struct {
	Kind Kind `json:"kind"`
	Facts
	RowKernel string `json:"row_kernel"`
	ColKernel string `json:"col_kernel,omitempty"`
	// RowSum and ColSum are the learnt weights where a side has several kernels.
	RowSum   []KernelShare `json:"row_sum,omitempty"`
	ColSum   []KernelShare `json:"col_sum,omitempty"`
	Relation string        `json:"relation,omitempty"`
	Metric   string        `json:"metric,omitempty"` // that chose, unless it is the error
	Choice
	Objective   *Number          `json:"objective,omitempty"`
	Edges       int              `json:"edges"`
	Rows        int              `json:"rows"`
	Cols        int              `json:"cols"`
	Iterations  int              `json:"iterations,omitempty"`
	Residual    *Number          `json:"residual,omitempty"`
	ScoreError  *Number          `json:"score_error,omitempty"` // where the scores may stop the iteration
	EarlyStop   *EarlyStop       `json:"early_stop,omitempty"`
	Setting     string           `json:"setting,omitempty"`
	Method      string           `json:"method"`
	Retrained   bool             `json:"retrained"`
	Again       string           `json:"why,omitempty"` // why folds were retrained
	Held        int              `json:"held_out,omitempty"`
	Unconverged int              `json:"unconverged,omitempty"` // trainings on folds
	Also        []string         `json:"also,omitempty"`        // further metrics, which did not choose
	Results     []RelationResult `json:"results,omitempty"`
	Best        *RelationResult  `json:"best,omitempty"`
	// Over says which nodes the standard errors of the results are over, or why there are none.
	Over  string         `json:"stderr_over,omitempty"`
	Folds *RelationFolds `json:"folds,omitempty"`
	Tests
	Seconds TrainSeconds `json:"seconds"`
	Model   string       `json:"model,omitempty"`
	Told
}

// MarshalJSON writes the keys in the order of all versions.
func (d Relation) MarshalJSON() ([]byte, error) {
	type plain Relation
	return object("kind nested learner solver kernel row_kernel col_kernel relation loss", plain(d))
}

// KernelShare is a kernel of a learnt sum: its weight, and its share of the sum of kernels of one size.
type KernelShare struct {
	Kernel string `json:"kernel"`
	Weight Number `json:"weight"`
	Share  Number `json:"share"`
}

// EarlyStop describes the kept iterate.
type EarlyStop struct {
	Iteration int    `json:"iteration"`
	Error     Number `json:"error"`
}

// RelationResult is the estimate of one λ.
type RelationResult struct {
	Selection
	CIndex  Number            `json:"c_index"` // for folds, over all edges of a fold; AUC with two labels
	Metrics map[string]Number `json:"metrics"` // means over rows; undefined for leave-pair-out
	Drawing
	CI95 *Range `json:"ci95,omitempty"` // of the error, only for the best
	// Variance is the source of the variance of the interval.
	Variance cv.VarianceSource `json:"ci95_variance,omitempty"`
}

// RelationFolds is how well folds rank at the best λ: see relation.Measures.
type RelationFolds struct {
	Method string         `json:"method"`
	CIndex RelationByNode `json:"c_index"`       // AUC with two labels
	AUPR   RelationByNode `json:"aupr,omitzero"` // with two labels
}

// RelationByNode has the means of a measure over the edges of a row node, of a column node, and of a fold.
type RelationByNode struct {
	Row  RelationMean `json:"row"`
	Col  RelationMean `json:"column"`
	Fold RelationMean `json:"fold"`
}

// RelationMean is the mean of N values with its standard error over the nodes.
type RelationMean struct {
	Mean   Number `json:"mean"`
	StdErr Number `json:"stderr"`
	N      int    `json:"n"`
}

// View is the training or the estimate: the choice, and the errors of all values of λ.
func (d *Relation) View() *View {
	v, p := &View{Title: "Estimate of edges between nodes", Keys: 10}, d.path()
	training := d.Kind == KindEdgeTraining
	if training {
		v.Title = "Training on edges between nodes"
	} else if p.optimistic = d.Tests.nested(v); p.optimistic {
		d.best(v)
	}
	switch {
	case d.Best != nil && !p.empty():
		var beside *[2]string
		if f := d.Folds; f != nil {
			beside = &[2]string{"c-index of a fold", f.CIndex.Fold.text() + ", " + f.Method}
		}
		p.find(v, beside)
	case d.Lambda > 0:
		v.fact(Headline, "choice", "%s, as given: nothing was held out, so there is no error", candidate(d.Choice))
	}
	v.state("learner", "%s, %s", d.Learner, d.kernels())
	v.state("data", "%s between %s", spell.Plural(d.Edges, "edge"), d.nodes())
	v.state("objective", "%s", d.Formula)
	if training {
		v.state("solver", "%s", d.Solver)
		v.state("", "%s", d.ended())
		p.marked = "<- chosen"
	}
	if len(d.Results) > 0 && d.Best != nil {
		how := "exact, without retraining"
		if d.Retrained {
			how = d.Again
		}
		v.state("selection", "setting %s, %s, %s, %s", d.Setting, d.Method, how, d.heldOut())
		p.tell(v)
	}
	switch {
	case !training:
		d.estimate(v)
	case !d.unlearnt():
		v.fact(Detail, "lambda", "%s", d.at())
	}
	v.draw(ErrorFigure, p.figure())
	v.draw(MetricFigure, p.metricFigure())
	if len(d.Results) > 0 {
		v.draw("", p.values("c-index", "The share of all pairs of edges of a fold, between any nodes, in the right order, "+
			"ties counting one half. With two labels it is the AUC.", func(l int) Number { return d.Results[l].CIndex }))
	}
	if training {
		v.took(d.Seconds.Load, d.Seconds.Train, "training")
		v.state("model", "%s", d.Model)
	} else {
		v.took(d.Seconds.Load, d.Seconds.Train, "validating")
	}
	return v
}

// ended says how an iterative training ended, "" for others.
func (d *Relation) ended() string {
	switch s := d.EarlyStop; {
	case s != nil:
		return fmt.Sprintf("iterate %d of %d kept, the best on the edges of --early-stop: error %s", s.Iteration,
			d.Iterations, s.Error)
	case d.Residual != nil:
		end := fmt.Sprintf("%s, relative residual %.2g", spell.Plural(d.Iterations, "iteration"), float64(*d.Residual))
		if d.ScoreError != nil {
			end += fmt.Sprintf(", scores within %.2g of their length", float64(*d.ScoreError))
		}
		return end
	}
	return ""
}

// estimate adds the error of the best λ, and how folds rank.
func (d *Relation) estimate(v *View) {
	best := d.Best
	if best == nil {
		best = &RelationResult{}
	}
	if d.Nested == nil {
		d.best(v)
	}
	v.state("±", "%s", d.Over)
	if f := d.Folds; f != nil {
		v.state("by fold", "%s at %s, each fold trained once", f.Method, best.words())
		f.CIndex.facts(v, "c-index")
		f.AUPR.facts(v, "aupr")
	}
	d.Tests.interval(v, best.Variance)
	d.Tests.permutation(v)
}

// best adds the error of the best λ, which is optimistic beside a nested one.
func (d *Relation) best(v *View) {
	if best := d.Best; best != nil {
		v.fact(Detail, bestKey(d.Nested), "%s: error %s", best.words(),
			estimated(best.Error, best.StdErr, best.CI95))
	}
}

// facts adds the means of a measure, if there are any.
func (m RelationByNode) facts(v *View, name string) {
	if m.Row.N+m.Col.N+m.Fold.N > 0 {
		v.state("", "%s per row %s, per column %s, per fold %s", name, m.Row.text(), m.Col.text(), m.Fold.text())
	}
}

// text is the mean with its standard error.
func (m RelationMean) text() string { return estimated(m.Mean, m.StdErr, nil) }

// path has the errors over λ.
func (d *Relation) path() *path {
	over := "" // or why there is none
	if strings.HasPrefix(d.Over, "over ") {
		over = " " + d.Over
	}
	p := &path{chosen: -1, band: "The band is ± one standard error" + over + aboutNodes, metric: d.Metric,
		marked: "<- best"}
	p.about = fmt.Sprintf("The error is the share of pairs of edges of one row node in the wrong order, over edges "+
		"that were held out by setting %s, %s, %s.", d.Setting, method(d.Method), trained(d.Retrained))
	if len(d.Results) == 0 {
		return p
	}
	one, names := series{}, map[string]bool{}
	for _, r := range d.Results {
		c := Candidate{Selection: r.Selection, Drawing: r.Drawing}
		for name, v := range r.Metrics {
			if name == d.Metric {
				c.Value = &v
			}
			names[name] = names[name] || !math.IsNaN(float64(v)) // else it is undefined at every λ
		}
		one.points = append(one.points, c)
	}
	p.series = []series{one}
	p.beside = d.beside(names)
	if d.Best != nil {
		if d.Interval != nil && d.Best.CI95 != nil {
			p.ci, p.of = d.Best.CI95, d.Interval.text(d.Best.Variance)
		}
		p.choose(d.Best.Choice)
	}
	return p
}

// beside are the c-index and the metrics that did not choose; defined tells those that are defined at some λ.
func (d *Relation) beside(defined map[string]bool) (all []beside) {
	if !math.IsNaN(float64(d.Results[0].CIndex)) {
		all = append(all, beside{"c-index", 8, Everywhere, func(l int) Number { return d.Results[l].CIndex }})
	}
	also := slices.Clone(d.Also)
	if also == nil { // in a document that others have written
		also = slices.DeleteFunc(slices.Sorted(maps.Keys(defined)), func(name string) bool { return name == d.Metric })
	}
	for _, name := range also {
		if !defined[name] {
			continue
		}
		defined[name] = false // once
		in := Everywhere
		if name == d.Metric { // the last column, too
			in = InText
		}
		all = append(all, beside{name, 12, in, func(l int) Number {
			if v, has := d.Results[l].Metrics[name]; has {
				return v
			}
			return Number(math.NaN())
		}})
	}
	return all
}

// heldOut counts the edges, or pairs of edges, that were held out.
func (d *Relation) heldOut() string {
	switch best := d.Best; {
	case d.Held > 0:
		return spell.Plural(d.Held, "edge") + " held out"
	case best.Drawn > 0:
		_, worst := drawn(d.Results)
		return fmt.Sprintf("%s of edges left out, drawn from %d: standard error of drawing at most %.2g",
			spell.Plural(int(best.Drawn), "pair"), best.Pairs, worst)
	}
	return spell.Plural(int(d.Best.Pairs), "pair") + " of edges left out"
}

// nodes counts the nodes; those of one domain have one kernel.
func (d *Relation) nodes() string {
	if d.ColKernel == "" {
		return spell.Plural(d.Rows, "node")
	}
	return fmt.Sprintf("%s and %s", spell.Plural(d.Rows, "row node"), spell.Plural(d.Cols, "column node"))
}

// unlearnt reports whether the kernel itself ranks, without training.
func (d *Relation) unlearnt() bool { return d.Learner == "similarity" }

// kernels names the kernels.
func (d *Relation) kernels() string {
	if d.unlearnt() {
		return "kernel " + d.RowKernel
	}
	text := fmt.Sprintf("%s of kernels %s", d.Kernel, d.RowKernel)
	if d.ColKernel != "" {
		text += " and " + d.ColKernel
	}
	return text
}
