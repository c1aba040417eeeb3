package report

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
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
	// Residual and ScoreError are those of conjugate gradients; Planes and Converged are those of cutting planes and
	// Newton steps.
	Residual   *Number `json:"residual,omitempty"`
	ScoreError *Number `json:"score_error,omitempty"` // without a tolerance
	Planes     int     `json:"planes,omitempty"`
	Converged  *bool   `json:"converged,omitempty"`
	Exhausted  bool    `json:"exhausted,omitempty"` // no stump was left to learn
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
	// Beside compares the held-out scores with those of another tool.
	Beside *Comparisons `json:"beside,omitempty"`
	Told
}

// MarshalJSON writes the keys in the order of all versions.
func (d Training) MarshalJSON() ([]byte, error) {
	type plain Training
	return object("kind learner solver solver_why kernel lambda objective formula pairs iterations gap residual "+
		"score_error loss planes converged rounds exhausted rows", plain(d))
}

// Stream has the facts of a training whose rows were read once, or twice, and not kept.
type Stream struct {
	Parts         int    `json:"parts"` // files
	RowsPerSecond Number `json:"rows_per_second"`
	Memory        Number `json:"memory"`               // bytes that the program has obtained from the system
	Twice         bool   `json:"read_twice,omitempty"` // first for the knots of splines
}

// NewStream has the facts of a stream that has ended: its parts and rows, the time of reading them, and whether they
// were read twice.
func NewStream(parts, rows int, load time.Duration, twice bool) *Stream {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return &Stream{parts, Number(float64(rows) / load.Seconds()), Number(m.Sys), twice}
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

// View is the training: the choice, and the errors of all candidates.
func (d *Training) View() *View {
	v, p := &View{Title: "Training", Keys: 10}, d.path()
	switch {
	case !p.empty():
		p.find(v, nil)
	case d.Rounds > 0 || d.Lambda > 0:
		v.fact(Headline, "choice", "%s, as given: nothing was held out, so there is no error", candidate(d.Choice))
	default:
		v.Notes = append(v.Notes, "Nothing was held out, so there is no error.")
	}
	kernel, outputs := "", ""
	if d.Kernel != "" {
		kernel = ", kernel " + d.Kernel
	}
	v.state("learner", "%s%s", d.Learner, kernel)
	if d.Labels > 1 {
		outputs = fmt.Sprintf(", %d outputs", d.Labels)
	}
	v.state("data", "%s%s, %s, %s%s", spell.Plural(d.Rows, "row"), weighing(d.Weight), spell.Plural(d.Features, "feature"),
		spell.Plural(d.Queries, "query"), outputs)
	v.columns(d.Columns)
	if d.Pairs > 0 {
		v.state("pairs", "%.0f compared", float64(d.Pairs))
	}
	v.state("objective", "%s", d.Formula)
	v.state("solver", "%s: %s", d.Solver, d.Why)
	v.state("", "%s", d.ended())
	d.selection(v, p)
	if len(d.Outputs) == 0 && !math.IsNaN(float64(d.Lambda)) {
		v.fact(Detail, "lambda", "%s", d.at())
		v.state("", "%s", optimistic(d.tried(), d.Metric, false, false))
	}
	v.draw(ErrorFigure, p.figure())
	v.draw(MetricFigure, p.metricFigure())
	v.draw(FeaturesFigure, d.Chosen.tell(v))
	d.Beside.tell(v, d.Method)
	v.took(d.Seconds.Load, d.Seconds.Train, "training")
	if s := d.Stream; s != nil {
		read := map[bool]string{false: "once", true: "twice"}[s.Twice]
		v.state("stream", "%s, read %s: %.3g rows/s, %s of memory", spell.Plural(s.Parts, "file"), read,
			float64(s.RowsPerSecond), memory.Size(float64(s.Memory)))
	}
	v.state("model", "%s", d.Model)
	v.state("moments", "%s", d.Moments)
	return v
}

// columns adds the columns of a table that are not features, of which the program tells when it reads them.
func (v *View) columns(c *Columns) {
	if c != nil {
		v.fact(Aside, "columns", "%s", c)
	}
}

// took adds the time that the work took, if it is known.
func (v *View) took(load, work Number, name string) {
	if load >= 0 && work >= 0 { // not NaN
		v.state("seconds", "%.3g reading, %.3g %s", float64(load), float64(work), name)
	}
}

// tried is the number of candidates that were estimated, over all kernels.
func (d *Training) tried() int {
	n := 0
	for _, k := range d.Kernels {
		n += len(k.Selection)
	}
	return max(n, len(d.Selection))
}

// ended says how an iterative training ended, "" for others.
func (d *Training) ended() string {
	switch {
	case d.Residual != nil:
		end := fmt.Sprintf("%d iterations, relative residual %.2g", d.Iterations, float64(*d.Residual))
		if d.ScoreError != nil {
			end += fmt.Sprintf(", score differences within %.2g of their mean", float64(*d.ScoreError))
		}
		return end
	case d.Converged != nil:
		return fmt.Sprintf("%s, J = %.6g, at most %.2g above the optimum", spell.Plural(d.Iterations, "iteration"),
			float64(d.Objective), float64(d.Gap))
	case d.Rounds > 0 || d.Exhausted:
		rounds := spell.Plural(d.Rounds, "round")
		if d.Exhausted {
			rounds += ", after which no stump was left to learn"
		}
		return fmt.Sprintf("%s, loss %.6g", rounds, float64(d.Objective))
	}
	return ""
}

// selection says how the candidates were held out, and over what, and has their table.
func (d *Training) selection(v *View, p *path) {
	points, best, over := d.Selection, chosen(d.Selection, d.Choice), ""
	if len(d.Outputs) > 0 {
		first := &d.Outputs[0]
		points, best = first.Selection, chosen(first.Selection, first.Choice)
	} else if best >= 0 && points[best].Pairs > 0 {
		pairs := "held-out pair"
		switch {
		case d.Valid != "":
			pairs = "pair"
		case d.Compared > 0:
			pairs = "held-out win"
		}
		over = ", over " + spell.Plural(int(points[best].Pairs), pairs)
	}
	if len(d.Outputs)+len(d.Selection) == 0 {
		return
	}
	how := howHeldOut(d.Retrained, points, best)
	if d.Valid != "" {
		how = "rows of " + d.Valid
	}
	v.state("selection", "%s, %s%s", d.Method, how, over)
	if d.Tried > 1 {
		v.state("kernels", "%d tried; the errors are those of %s", d.Tried, d.Kernel)
	}
	p.tell(v)
}

// path has the estimates that the training chose by.
func (d *Training) path() *path {
	p := &path{metric: d.Metric, chosen: -1, marked: "<- chosen"}
	over := "rows that were held out by " + method(d.Method) + ", " + trained(d.Retrained)
	if d.Valid != "" {
		over = "the rows of " + d.Valid
	}
	p.about = aboutError + over + "."
	if p.measure = strings.ReplaceAll(d.Measure, "-", " "); p.measure != "" { // relative squared error
		p.about = fmt.Sprintf("The error is the squared loss of each fold divided by that of equal scores, so equal "+
			"scores have 1, over %s.", over)
		p.band = "The band is ± one standard error over the folds. It takes the held-out predictions as given; its " +
			"coverage was not measured."
	}
	switch {
	case len(d.Outputs) > 0:
		for _, o := range d.Outputs {
			unknown := Number(math.NaN())
			choice := &Result{Candidate: Candidate{Selection: Selection{Choice: o.Choice, Error: unknown, StdErr: unknown}}}
			if at := chosen(o.Selection, o.Choice); at >= 0 {
				choice.Candidate = o.Selection[at]
			}
			p.series = append(p.series, series{fmt.Sprintf("output %d", o.Output), o.Selection})
			p.choices = append(p.choices, choice)
		}
		p.best, p.outputs = -1, true
	case len(d.Kernels) > 0:
		for _, k := range d.Kernels {
			p.series = append(p.series, series{k.Kernel, k.Selection})
		}
		p.best = slices.IndexFunc(p.series, func(s series) bool { return s.name == d.Kernel })
	case len(d.Selection) > 0:
		p.series = []series{{"", d.Selection}}
	}
	p.choose(d.Choice)
	return p
}

// choose marks the chosen point, and splits series of numbers of features.
func (p *path) choose(of Choice) {
	if points := p.bestPoints(); points != nil {
		p.chosen = chosen(points, of)
	}
	p.splitSizes(of)
}

// aboutError begins what is said of errors.
const aboutError = "The error is the share of pairs in the wrong order, tied scores counting one half, over "
