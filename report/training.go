package report

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
)

// Training is the document of a training.
type Training struct {
	Learner    string       `json:"learner"`
	Solver     string       `json:"solver"`
	Kernel     string       `json:"kernel,omitempty"`
	Lambda     Number       `json:"lambda"` // null where outputs differ in it
	Objective  Number       `json:"objective"`
	Formula    string       `json:"formula"`
	Pairs      Number       `json:"pairs"`
	Iterations int          `json:"iterations"` // of solvers that iterate, else 0
	Gap        Number       `json:"gap"`
	Residual   *Number      `json:"residual,omitempty"`
	Loss       string       `json:"loss,omitempty"`
	Planes     int          `json:"planes,omitempty"`
	Converged  *bool        `json:"converged,omitempty"`
	Rounds     int          `json:"rounds,omitempty"`
	Rows       int          `json:"rows"`
	Features   int          `json:"features"`
	Queries    int          `json:"queries"`
	Seconds    TrainSeconds `json:"seconds"`
	Stream     *Stream      `json:"stream,omitempty"` // where the rows were not in memory
	Method     string       `json:"method"`
	Valid      string       `json:"valid,omitempty"` // the file that chose
	Retrained  bool         `json:"retrained"`
	Metric     string       `json:"metric,omitempty"`
	Measure    string       `json:"measure,omitempty"` // what the errors are; "" is the mean disagreement
	Selection  []Candidate  `json:"selection"`
	Outputs    []Output     `json:"outputs,omitempty"` // where there are several
	Kernels    []Kernel     `json:"kernels,omitempty"`
	Model      string       `json:"model"`
	Moments    string       `json:"moments,omitempty"` // the sums it was trained from
	Columns    *Columns     `json:"columns,omitempty"` // of a table

	result *pairrank.Result
	metric *metric.Metric
}

// Stream are the facts of a training whose rows were read once and not kept.
type Stream struct {
	Parts         int    `json:"parts"` // files
	RowsPerSecond Number `json:"rows_per_second"`
	Memory        Number `json:"memory"` // bytes that the program has taken from the system
}

// NewStream are the facts of a stream that has ended: its parts and rows, and how long they
// took to read.
func NewStream(parts, rows int, load time.Duration) *Stream {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return &Stream{parts, Number(float64(rows) / load.Seconds()), Number(m.Sys)}
}

// TrainSeconds are the times of a training.
type TrainSeconds struct {
	Load  Number `json:"load"`
	Train Number `json:"train"`
}

// Candidate is the estimate for one λ, or for so many rounds.
type Candidate struct {
	Lambda Number  `json:"lambda"` // null for rounds
	Rounds int     `json:"rounds,omitempty"`
	Error  Number  `json:"error"`
	StdErr Number  `json:"stderr"`
	Pairs  int64   `json:"pairs"`
	Value  *Number `json:"value,omitempty"` // of the metric
	// Drawn is how many pairs were drawn, 0 where all were left out, and DrawErr the standard
	// error of Error by drawing alone.
	Drawn   int64   `json:"drawn,omitempty"`
	DrawErr *Number `json:"draw_stderr,omitempty"`
	// Residual and ScoreError are what conjugate gradients solved the trainings of folds to.
	Residual   *Number `json:"residual,omitempty"`
	ScoreError *Number `json:"score_error,omitempty"` // without a tolerance
}

// again says how folds were trained again: by conjugate gradients how far.
func again(e *cv.Estimate) string {
	bound := 0.0
	for _, p := range e.Points {
		bound = max(bound, p.ScoreError)
	}
	residual := e.Points[e.Best].Residual
	switch {
	case residual == 0:
		return "each fold trained again"
	case bound == 0:
		return fmt.Sprintf("each fold trained again, of the best to a relative residual of %.2g", residual)
	}
	return fmt.Sprintf("each fold trained again, to differences of scores within %.2g of their mean: "+
		"of the best a relative residual of %.2g", bound, residual)
}

// exactly says how estimates without training again were made.
func exactly(points []cv.Point) string {
	drawn, worst := int64(0), 0.0
	for _, p := range points {
		if p.Drawn > 0 {
			drawn, worst = max(drawn, p.Drawn), max(worst, p.DrawErr.Value)
		}
	}
	if drawn == 0 {
		return "exact, without retraining"
	}
	return fmt.Sprintf("without retraining, from at most %s drawn for each lambda: standard error of drawing at most %.2g", spell.Plural(int(drawn), "pair"), worst)
}

// Output is the choice for one of several outputs.
type Output struct {
	Output    int         `json:"output"`
	Lambda    Number      `json:"lambda"`
	Selection []Candidate `json:"selection"`
}

// Kernel is the estimate of one kernel of several.
type Kernel struct {
	Kernel    string      `json:"kernel"`
	Selection []Candidate `json:"selection"`
}

// About is what a document says of a run beside its result.
type About struct {
	Model string // the file of the model
	// Moments is the file of the sums it was trained from, or "".
	Moments string
	Valid   string // the file of rows for validation, or ""
	Load    time.Duration
	Work    time.Duration
	// Stream is of rows that were not in memory, else nil.
	Stream *Stream
	// Columns are of rows from a table, else nil.
	Columns *Columns
	// Metric is what chose, or nil.
	Metric *metric.Metric
}

// NewTraining is the document of a result.
func NewTraining(r *pairrank.Result, about About) *Training {
	t := &r.Training
	d := &Training{
		Learner: t.Learner, Solver: t.Solver, Kernel: t.Kernel.String(), Lambda: Number(t.Lambda),
		Objective: Number(t.Minimum), Formula: t.Objective, Pairs: Number(t.Pairs),
		Rows: t.Rows, Features: t.Features, Queries: t.Queries, Method: "none", Model: about.Model, Moments: about.Moments,
		Seconds:   TrainSeconds{Number(about.Load.Seconds()), Number(about.Work.Seconds())},
		Stream:    about.Stream,
		Columns:   about.Columns,
		Selection: []Candidate{}, result: r, metric: about.Metric,
	}
	switch {
	case !math.IsNaN(t.Residual):
		residual := Number(t.Residual)
		d.Iterations, d.Gap, d.Residual = t.Iterations, Number(math.NaN()), &residual
	case !math.IsNaN(t.Gap):
		d.Loss, d.Iterations, d.Gap, d.Planes, d.Converged = t.Loss, t.Iterations, Number(t.Gap), t.Planes, &t.Converged
	case t.Parameter == cv.Rounds:
		d.Kernel, d.Lambda, d.Gap, d.Rounds = "", Number(math.NaN()), Number(math.NaN()), t.Rounds
	}
	if !r.Choice.Estimated() {
		return d
	}
	chosen := r.Choice.Chosen()
	d.Valid, d.Method, d.Retrained = about.Valid, chosen.Method.String(), r.Choice.Retrained
	d.Measure = r.Choice.Measure
	if about.Metric != nil {
		d.Metric = about.Metric.String()
	}
	if len(chosen.Outputs) > 1 {
		for c, e := range chosen.Outputs {
			d.Outputs = append(d.Outputs, Output{c + 1, Number(e.Points[e.Best].Candidate), d.candidates(e)})
		}
		if d.Lambda == 0 {
			d.Lambda = Number(math.NaN())
		}
		return d
	}
	d.Selection = d.candidates(chosen.Outputs[0])
	if len(r.Choice.Kernels) > 1 {
		for _, k := range r.Choice.Kernels {
			d.Kernels = append(d.Kernels, Kernel{k.Kernel.String(), d.candidates(k.Outputs[0])})
		}
	}
	return d
}

func (d *Training) candidates(e *cv.Estimate) []Candidate {
	out := []Candidate{}
	for _, p := range e.Points {
		out = append(out, newCandidate(p, d.result.Training.Parameter == cv.Rounds, d.metric))
	}
	return out
}

// newCandidate is one point of an estimate, of λ or of rounds.
func newCandidate(p cv.Point, rounds bool, m *metric.Metric) Candidate {
	c := Candidate{Lambda: Number(p.Candidate), Error: Number(p.Error), StdErr: ValueNumber(p.StdErr), Pairs: p.Pairs}
	if p.Drawn > 0 {
		drawErr := ValueNumber(p.DrawErr)
		c.Drawn, c.DrawErr = p.Drawn, &drawErr
	}
	if p.Residual != 0 {
		residual := Number(p.Residual)
		c.Residual = &residual
	}
	if p.ScoreError != 0 {
		bound := Number(p.ScoreError)
		c.ScoreError = &bound
	}
	if rounds {
		c.Lambda, c.Rounds = Number(math.NaN()), int(p.Candidate)
	}
	if m != nil {
		value := ValueNumber(p.Metric)
		c.Value = &value
	}
	return c
}

// lines writes lines of a key and a text.
type lines struct {
	strings.Builder
	width   int
	styled  bool // for a terminal that shows styles
	columns int  // of that, 0 where it is not known
}

// newLines begins lines that will be written to w.
func newLines(w io.Writer, width int) *lines {
	s, styled := w.(Styled)
	return &lines{width: width, styled: styled, columns: s.Columns}
}

func (l *lines) line(key, format string, args ...any) {
	fmt.Fprintf(l, "%-*s %s\n", l.width, key, unmarked(fmt.Sprintf(format, args...)))
}

// WriteText writes the document for people.
func (d *Training) WriteText(w io.Writer) error {
	if d.result == nil {
		return errNoText
	}
	t := &d.result.Training
	l := newLines(w, 10)
	if t.Parameter == cv.Rounds {
		l.line("learner", "%s", t.Learner)
	} else {
		l.line("learner", "%s, kernel %s", t.Learner, t.Kernel)
	}
	outputs := ""
	if t.Outputs > 1 {
		outputs = fmt.Sprintf(", %d outputs", t.Outputs)
	}
	l.line("data", "%s, %s, %s%s", spell.Plural(t.Rows, "row"), spell.Plural(t.Features, "feature"), spell.Plural(t.Queries, "query"), outputs)
	if t.Pairs > 0 {
		l.line("pairs", "%.0f compared", t.Pairs)
	}
	l.line("objective", "%s", t.Objective)
	l.line("solver", "%s: %s", t.Solver, t.Why)
	d.writeIterations(l)
	if d.result.Choice.Estimated() {
		d.writeChoice(l)
	}
	if t.Parameter == cv.Lambda && t.Lambdas == nil {
		l.line("lambda", "%s", spell.Power(t.Lambda))
	}
	l.line("seconds", "%.3g reading, %.3g training", float64(d.Seconds.Load), float64(d.Seconds.Train))
	if s := d.Stream; s != nil {
		l.line("stream", "%s, read once: %.3g rows/s, %s of memory", spell.Plural(s.Parts, "file"), float64(s.RowsPerSecond), memory.Size(float64(s.Memory)))
	}
	l.line("model", "%s", d.Model)
	if d.Moments != "" {
		l.line("moments", "%s", d.Moments)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

// writeIterations says how a training ended that iterates.
func (d *Training) writeIterations(l *lines) {
	t := &d.result.Training
	switch {
	case !math.IsNaN(t.Residual):
		l.line("", "%d iterations, relative residual %.2g", t.Iterations, t.Residual)
	case !math.IsNaN(t.Gap):
		l.line("", "%s, J = %.6g, at most %.2g above the optimum", spell.Plural(t.Iterations, "iteration"), t.Minimum, t.Gap)
	case t.Parameter == cv.Rounds:
		rounds := spell.Plural(t.Rounds, "round")
		if t.Exhausted {
			rounds += ", after which no stump was left to learn"
		}
		l.line("", "%s, loss %.6g", rounds, t.Minimum)
	}
}

// writeChoice writes the error of each candidate around the chosen one, and of the
// ends; of several outputs, the choice for each.
func (d *Training) writeChoice(l *lines) {
	c := &d.result.Choice
	how, pairs := exactly(c.Chosen().Outputs[0].Points), "held-out pair"
	if c.Retrained {
		how = again(c.Chosen().Outputs[0])
	}
	if d.Valid != "" {
		how, pairs = "rows of "+d.Valid, "pair"
	}
	over := ""
	chosen := c.Chosen()
	if len(chosen.Outputs) == 1 && c.Pairs > 0 {
		over = ", over " + spell.Plural(int(c.Pairs), pairs)
	}
	l.line("selection", "%s, %s%s", chosen.Method, how, over)
	if n := len(c.Kernels); n > 1 {
		l.line("kernels", "%d tried; the errors are of %s", n, chosen.Kernel)
	}
	if len(chosen.Outputs) > 1 {
		d.writeOutputs(l, chosen.Outputs)
		return
	}
	table := candidateTable(chosen.Outputs[0], d.result.Training.Parameter == cv.Rounds, d.metric, "<- chosen")
	if c.Measure != "" {
		table.columns[1] = column{c.Measure, len(c.Measure)}
	}
	table.writeTo(l)
}

// candidateTable is the estimate of one output under one kernel.
func candidateTable(e *cv.Estimate, rounds bool, m *metric.Metric, mark string) *choiceTable {
	t := newChoiceTable(len(e.Points), e.Best, mark, func(l int) float64 { return e.Points[l].Error })
	t.add(candidateName(rounds), 10, func(l int) string { return candidateText(e.Points[l].Candidate, rounds) })
	t.add("error", 8, func(l int) string { return Number(e.Points[l].Error).String() })
	t.add("stderr", 8, func(l int) string { return ValueNumber(e.Points[l].StdErr).String() })
	if m != nil {
		t.add(m.String(), 8, func(l int) string { return ValueNumber(e.Points[l].Metric).String() })
	}
	return t
}

// candidateName is what is chosen.
func candidateName(rounds bool) string {
	if rounds {
		return "rounds"
	}
	return "lambda"
}

// candidateText writes one value of it.
func candidateText(v float64, rounds bool) string {
	if rounds {
		return strconv.Itoa(int(v))
	}
	return spell.Power(v)
}

// writeOutputs writes a row for each output: its λ and the error of it.
func (d *Training) writeOutputs(l *lines, outputs []*cv.Estimate) {
	fmt.Fprintf(l, "\n  %6s  %10s  %8s  %8s", "output", "lambda", "error", "stderr")
	if d.metric != nil {
		fmt.Fprintf(l, "  %8s", d.metric)
	}
	l.WriteString("\n")
	for c, e := range outputs {
		best := e.Points[e.Best]
		fmt.Fprintf(l, "  %6d  %10s  %8.5f  %8s", c+1, spell.Power(best.Candidate), best.Error, ValueNumber(best.StdErr))
		if d.metric != nil {
			fmt.Fprintf(l, "  %8s", ValueNumber(best.Metric))
		}
		l.WriteString("\n")
	}
	l.WriteString("\n")
}
