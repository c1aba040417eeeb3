package report

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"time"

	"pairrank/internal/memory"
	"pairrank/internal/spell"
)

// Training is the document of a training.
type Training struct {
	Kind Kind `json:"kind"`
	Facts
	Choice            // of the model
	Objective  Number `json:"objective"`
	Iterations int    `json:"iterations"` // of iterative solvers, else 0
	Gap        Number `json:"gap"`
	// Residual is that of conjugate gradients; Planes and Converged are those of cutting planes and Newton
	// steps.
	Residual  *Number `json:"residual,omitempty"`
	Planes    int     `json:"planes,omitempty"`
	Converged *bool   `json:"converged,omitempty"`
	Exhausted bool    `json:"exhausted,omitempty"` // no stump was left to learn
	Data
	Compared  int          `json:"compared,omitempty"`     // lines of comparisons, or preferences, in place of labels
	Labels    int          `json:"output_count,omitempty"` // if there are several outputs
	Seconds   TrainSeconds `json:"seconds"`
	Stream    *Stream      `json:"stream,omitempty"` // if the rows were not in memory
	Method    string       `json:"method"`
	Valid     string       `json:"valid,omitempty"` // the file of rows for validation
	Retrained bool         `json:"retrained"`
	Metric    string       `json:"metric,omitempty"`
	Measure   string       `json:"measure,omitempty"` // the name of the errors; "" is the mean disagreement
	Selection []Candidate  `json:"selection"`
	Chosen
	Outputs []Output `json:"outputs,omitempty"` // if there are several
	Kernels []Kernel `json:"kernels,omitempty"`
	Tried   int      `json:"kernels_tried,omitempty"` // if there are several
	Model   string   `json:"model"`
	Moments string   `json:"moments,omitempty"` // the file of sums that it was trained from
	Columns *Columns `json:"columns,omitempty"` // of a table
	Told
}

// MarshalJSON writes the keys in the order of all versions.
func (d Training) MarshalJSON() ([]byte, error) {
	type plain Training
	return object("kind learner solver solver_why kernel lambda objective formula pairs iterations gap residual loss "+
		"planes converged rounds exhausted rows", plain(d))
}

// Stream has the facts of a training whose rows were read once and not kept.
type Stream struct {
	Parts         int    `json:"parts"` // files
	RowsPerSecond Number `json:"rows_per_second"`
	Memory        Number `json:"memory"` // bytes that the program has obtained from the system
}

// NewStream has the facts of a stream that has ended: its parts and rows, and the time of reading them.
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

// Output is the choice for one of several outputs.
type Output struct {
	Output int `json:"output"`
	Choice
	Selection []Candidate `json:"selection"`
}

// Kernel is the estimate of one kernel of several.
type Kernel struct {
	Kernel    string      `json:"kernel"`
	Selection []Candidate `json:"selection"`
}

// WriteText writes the document for people.
func (d *Training) WriteText(w io.Writer) error {
	l := newLines(w, 10)
	kernel, outputs := "", ""
	if d.Kernel != "" {
		kernel = ", kernel " + d.Kernel
	}
	l.line("learner", "%s%s", d.Learner, kernel)
	if d.Labels > 1 {
		outputs = fmt.Sprintf(", %d outputs", d.Labels)
	}
	l.line("data", "%s, %s, %s%s", spell.Plural(d.Rows, "row"), spell.Plural(d.Features, "feature"),
		spell.Plural(d.Queries, "query"), outputs)
	if d.Pairs > 0 {
		l.line("pairs", "%.0f compared", float64(d.Pairs))
	}
	l.line("objective", "%s", d.Formula)
	l.line("solver", "%s: %s", d.Solver, d.Why)
	d.writeIterations(l)
	switch {
	case len(d.Outputs) > 0:
		d.writeOutputs(l)
	case len(d.Selection) > 0:
		d.writeSelection(l)
	}
	if len(d.Outputs) == 0 && !math.IsNaN(float64(d.Lambda)) {
		l.line("lambda", "%s", d.at())
		if text := optimistic(d.tried(), d.Metric, false, false); text != "" {
			l.line("", "%s", text)
		}
	}
	d.Chosen.write(l)
	l.line("seconds", "%.3g reading, %.3g training", float64(d.Seconds.Load), float64(d.Seconds.Train))
	if s := d.Stream; s != nil {
		l.line("stream", "%s, read once: %.3g rows/s, %s of memory", spell.Plural(s.Parts, "file"),
			float64(s.RowsPerSecond), memory.Size(float64(s.Memory)))
	}
	l.line("model", "%s", d.Model)
	if d.Moments != "" {
		l.line("moments", "%s", d.Moments)
	}
	_, err := io.WriteString(w, l.String())
	return err
}

// tried is the number of candidates that were estimated, over all kernels.
func (d *Training) tried() int {
	n := 0
	for _, k := range d.Kernels {
		n += len(k.Selection)
	}
	return max(n, len(d.Selection))
}

// writeIterations writes how an iterative training ended.
func (d *Training) writeIterations(l *lines) {
	switch {
	case d.Residual != nil:
		l.line("", "%d iterations, relative residual %.2g", d.Iterations, float64(*d.Residual))
	case d.Converged != nil:
		l.line("", "%s, J = %.6g, at most %.2g above the optimum", spell.Plural(d.Iterations, "iteration"),
			float64(d.Objective), float64(d.Gap))
	case d.Rounds > 0 || d.Exhausted:
		rounds := spell.Plural(d.Rounds, "round")
		if d.Exhausted {
			rounds += ", after which no stump was left to learn"
		}
		l.line("", "%s, loss %.6g", rounds, float64(d.Objective))
	}
}

// writeMethod writes how some candidates were held out, and over what; best is the index of the best one.
func (d *Training) writeMethod(l *lines, points []Candidate, best int, over string) {
	how := howHeldOut(d.Retrained, points, best)
	if d.Valid != "" {
		how = "rows of " + d.Valid
	}
	l.line("selection", "%s, %s%s", d.Method, how, over)
	if d.Tried > 1 {
		l.line("kernels", "%d tried; the errors are those of %s", d.Tried, d.Kernel)
	}
}

// writeSelection writes the error of each candidate around the chosen one, and of the ends.
func (d *Training) writeSelection(l *lines) {
	best, pairs, over := chosen(d.Selection, d.Choice), "held-out pair", ""
	switch {
	case d.Valid != "":
		pairs = "pair"
	case d.Compared > 0:
		pairs = "held-out win"
	}
	if best >= 0 && d.Selection[best].Pairs > 0 {
		over = ", over " + spell.Plural(int(d.Selection[best].Pairs), pairs)
	}
	d.writeMethod(l, d.Selection, best, over)
	candidateTable(d.Selection, best, d.Measure, d.Metric, "<- chosen").writeTo(l)
}

// candidateTable is the table of the estimates of one output under one kernel.
func candidateTable(points []Candidate, best int, measure, metric, mark string) *textTable {
	if measure == "" {
		measure = "error"
	}
	t := pathTable(len(points), best, mark, measure, func(l int) *Selection { return &points[l].Selection })
	if metric != "" {
		t.add(metric, 8, func(l int) string { return valueText(points[l].Value) })
	}
	return t
}

// cells are the error, its standard error and the metric, if there is one.
func (c *Candidate) cells(metric string) []string {
	row := []string{fmt.Sprintf("%.5f", float64(c.Error)), c.StdErr.String()}
	if metric != "" {
		row = append(row, valueText(c.Value))
	}
	return row
}

// valueText is the value of a metric in a table.
func valueText(n *Number) string {
	if n == nil {
		return "-"
	}
	return n.String()
}

// writeOutputs writes a row for each output: its λ and error.
func (d *Training) writeOutputs(l *lines) {
	first := &d.Outputs[0]
	d.writeMethod(l, first.Selection, chosen(first.Selection, first.Choice), "")
	t := &textTable{columns: []column{
		{"output", 6, false}, {"lambda", 10, false}, {"error", 8, false}, {"stderr", 8, false}}}
	if d.Metric != "" {
		t.columns = append(t.columns, column{head: d.Metric, width: 8})
	}
	for _, o := range d.Outputs {
		row := []string{strconv.Itoa(o.Output), o.at()}
		if k := chosen(o.Selection, o.Choice); k >= 0 {
			row = append(row, o.Selection[k].cells(d.Metric)...)
		}
		t.rows = append(t.rows, row)
	}
	t.writeTo(l)
}
