package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Relation is the document of a training on, or an estimate of, edges between nodes, as its kind says.
type Relation struct {
	Kind Kind `json:"kind"`
	Facts
	RowKernel string `json:"row_kernel"`
	ColKernel string `json:"col_kernel,omitempty"`
	Relation  string `json:"relation,omitempty"`
	Metric    string `json:"metric,omitempty"` // that chose, unless it is the error
	Choice
	Objective   *Number          `json:"objective,omitempty"`
	Edges       int              `json:"edges"`
	Rows        int              `json:"rows"`
	Cols        int              `json:"cols"`
	Iterations  int              `json:"iterations,omitempty"`
	Residual    *Number          `json:"residual,omitempty"`
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

// metric is the value of a metric, nil if there is none.
func (r *RelationResult) metric(name string) *Number {
	if v, has := r.Metrics[name]; has {
		return &v
	}
	return nil
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

// WriteText writes the document for people.
func (d *Relation) WriteText(w io.Writer) error {
	l := newLines(w, 10)
	l.line("learner", "%s, %s", d.Learner, d.kernels())
	l.line("data", "%s between %s", spell.Plural(d.Edges, "edge"), d.nodes())
	l.line("objective", "%s", d.Formula)
	if d.Kind == KindEdgeTraining {
		d.writeTraining(l)
	} else {
		d.writeEstimate(l)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

// writeTraining writes how the training ended, and how λ was chosen.
func (d *Relation) writeTraining(l *lines) {
	l.line("solver", "%s", d.Solver)
	switch s := d.EarlyStop; {
	case s != nil:
		l.line("", "iterate %d of %d kept, the best on the edges of --early-stop: error %.5f", s.Iteration,
			d.Iterations, float64(s.Error))
	case d.Residual != nil:
		l.line("", "%s, relative residual %.2g", spell.Plural(d.Iterations, "iteration"), float64(*d.Residual))
	}
	d.writeTable(l, "<- chosen")
	if !d.unlearnt() {
		l.line("lambda", "%s", d.at())
	}
	l.line("seconds", "%.3g reading, %.3g training", float64(d.Seconds.Load), float64(d.Seconds.Train))
	l.line("model", "%s", d.Model)
}

// writeEstimate writes the errors and the further metrics.
func (d *Relation) writeEstimate(l *lines) {
	d.writeNested(l)
	d.writeTable(l, "<- best")
	best := d.Best
	if best == nil {
		best = &RelationResult{}
	}
	l.line("best", "%s%s", best.text(), best.CI95.Behind())
	if d.Over != "" {
		l.line("±", "%s", d.Over)
	}
	if f := d.Folds; f != nil {
		l.line("by fold", "%s at %s, each fold trained once", f.Method, best.words())
		f.CIndex.line(l, "c-index")
		f.AUPR.line(l, "aupr")
	}
	d.writeInterval(l, best.Variance)
	d.writePermutation(l)
	l.line("seconds", "%.3g reading, %.3g validating", float64(d.Seconds.Load), float64(d.Seconds.Train))
}

// line writes the means of a measure, if there are any.
func (m RelationByNode) line(l *lines, name string) {
	if m.Row.N+m.Col.N+m.Fold.N == 0 {
		return
	}
	of := func(v RelationMean) string { return v.Mean.String() + plusMinus(v.StdErr) }
	l.line("", "%s per row %s, per column %s, per fold %s", name, of(m.Row), of(m.Col), of(m.Fold))
}

// writeTable writes the estimate of every λ, if one was chosen.
func (d *Relation) writeTable(l *lines, mark string) {
	if len(d.Results) == 0 || d.Best == nil {
		return
	}
	how := "exact, without retraining"
	if d.Retrained {
		how = d.Again
	}
	l.line("selection", "setting %s, %s, %s, %s", d.Setting, d.Method, how, d.heldOut())
	best := slices.IndexFunc(d.Results, func(r RelationResult) bool { return r.Same(d.Best.Choice) })
	t := pathTable(len(d.Results), best, mark, "error", func(l int) *Selection { return &d.Results[l].Selection })
	if !math.IsNaN(float64(d.Results[0].CIndex)) {
		t.add("c-index", 8, func(l int) string { return d.Results[l].CIndex.String() })
	}
	names := slices.Clone(d.Also)
	if d.Metric != "" {
		names = append(names, d.Metric)
	}
	for _, name := range names {
		if !slices.ContainsFunc(d.Results, func(r RelationResult) bool {
			m := r.metric(name)
			return m != nil && !math.IsNaN(float64(*m))
		}) {
			continue // undefined at every λ
		}
		t.add(name, 12, func(l int) string { return valueText(d.Results[l].metric(name)) })
	}
	t.writeTo(l)
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
