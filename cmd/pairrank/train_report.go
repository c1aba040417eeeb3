package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/cv"
	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// model is what was learnt, ready to be saved.
func (t *trained) model() *model.Model {
	p := t.problem
	m := &model.Model{Info: t.info(), Names: t.set.Names, Normalizer: t.norm}
	coef := t.fit.Coef
	switch {
	case p.plan.precomputed:
		m.Names = nil
		rows := p.basis
		if p.plan.solver != "sparse" {
			rows = indices(p.rows())
		}
		numbers := make([]int, len(rows))
		for a, i := range rows {
			numbers[a] = i + 1
		}
		m.Kernel = &model.Kernel{Kernel: p.plan.kernel, SupportRows: numbers, Coef: coef}
	case p.plan.kernel == kernel.Linear{}:
		m.Linear = &model.Linear{Weights: p.weights(coef)}
	case p.plan.solver == "sparse":
		m.Kernel = &model.Kernel{Kernel: p.plan.kernel, Support: data.Select(p.x, p.basis), Coef: coef}
	default:
		m.Kernel = &model.Kernel{Kernel: p.plan.kernel, Support: p.x, Coef: coef}
	}
	return m
}

func indices(m int) []int {
	rows := make([]int, m)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// weights are those of the features, 1×n, whatever the basis of a linear
// kernel: w = Xᵀa of the rows that have coefficients.
func (p *trainProblem) weights(coef *data.Dense) *data.Dense {
	_, n := p.x.Dims()
	w := data.NewDense(1, n)
	column := make([]float64, coef.Rows)
	for j := range column {
		column[j] = coef.Row(j)[0]
	}
	switch p.plan.solver {
	case "dual":
		p.x.MulTransVecTo(w.Data, column)
	case "sparse":
		data.Select(p.x, p.basis).MulTransVecTo(w.Data, column)
	default:
		copy(w.Data, column)
	}
	return w
}

func (t *trained) info() model.Info {
	p := t.problem
	i := model.Info{
		Learner: p.plan.learner, Solver: p.plan.solver, Objective: p.formula(), Lambda: t.fit.Lambda,
		Rows: p.rows(), Queries: p.queries.Len(), Pairs: t.goal.Pairs,
	}
	if p.plan.learner == "rankrls" {
		i.Cost = string(p.plan.goal.Cost)
		if p.edges == nil {
			i.Ties, i.QueryWeight = p.plan.goal.Ties, string(p.plan.goal.Weight)
		}
	}
	if t.estimate != nil {
		point := t.estimate.Points[t.estimate.Best]
		i.Selection = &model.Selection{Method: t.method.String(), Metric: "error", Error: point.Error, Count: len(t.estimate.Points)}
		if p.plan.metric != nil {
			i.Selection.Metric = p.plan.metric.String()
		}
	}
	fact := func(name, value string) { i.Facts = append(i.Facts, model.Fact{Name: name, Value: value}) }
	if p.plan.threshold != nil {
		fact("binarize", strconv.FormatFloat(*p.plan.threshold, 'g', -1, 64))
	}
	if p.plan.pairs == "all" {
		fact("compared", "all rows, across queries")
	}
	if p.edges != nil {
		fact("compared", "an explicit list of preferences")
	}
	if t.cg != nil {
		fact("iterations", strconv.Itoa(t.cg.Iterations))
		fact("residual", fmt.Sprintf("%.3g", t.cg.Residual))
	}
	return i
}

// formula is the objective on one line.
func (p *trainProblem) formula() string {
	if p.plan.learner == "rls" {
		return "sum_i (y_i - f_i)^2 + lambda |f|^2"
	}
	target := map[string]string{"magnitude": "(y_i - y_j)", "unit": "1", "relative": "(y_i - y_j)"}[string(p.plan.goal.Cost)]
	weight := map[string]string{"pairs": "", "size": "1/m_q ", "edges": "1/N_q "}[string(p.plan.goal.Weight)]
	switch {
	case p.edges != nil:
		target = map[string]string{"magnitude": "z_e", "unit": "1", "relative": "z_e"}[string(p.plan.goal.Cost)]
		if p.plan.goal.Cost == "relative" {
			weight = "1/z_e^2 "
		}
		return "sum_e w_e " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over the preferences e = (i,j)"
	case p.plan.goal.Cost == "relative":
		weight += "1/(y_i - y_j)^2 "
	}
	over := "pairs of a query"
	if p.plan.pairs == "all" {
		over = "all pairs"
	}
	if p.plan.goal.Ties == "exclude" {
		over += " with y_i > y_j"
	}
	return "sum " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over " + over
}

func (a *app) writeModel(t *trained) error {
	m := t.model()
	return a.writeAtomic(t.problem.plan.output, m.Write)
}

// trainJSON is the document of train --json.
type trainJSON struct {
	Learner    string          `json:"learner"`
	Solver     string          `json:"solver"`
	Kernel     string          `json:"kernel"`
	Lambda     jsonNumber      `json:"lambda"`
	Objective  jsonNumber      `json:"objective"`
	Formula    string          `json:"formula"`
	Pairs      jsonNumber      `json:"pairs"`
	Iterations int             `json:"iterations"`
	Gap        jsonNumber      `json:"gap"`
	Residual   *jsonNumber     `json:"residual,omitempty"`
	Rows       int             `json:"rows"`
	Features   int             `json:"features"`
	Queries    int             `json:"queries"`
	Seconds    trainSeconds    `json:"seconds"`
	Method     string          `json:"method"`
	Retrained  bool            `json:"retrained"`
	Metric     string          `json:"metric,omitempty"`
	Selection  []selectionJSON `json:"selection"`
	Kernels    []kernelJSON    `json:"kernels,omitempty"`
	Model      string          `json:"model"`
}

type trainSeconds struct {
	Load  jsonNumber `json:"load"`
	Train jsonNumber `json:"train"`
}

type selectionJSON struct {
	Lambda jsonNumber  `json:"lambda"`
	Error  jsonNumber  `json:"error"`
	StdErr jsonNumber  `json:"stderr"`
	Pairs  int64       `json:"pairs"`
	Value  *jsonNumber `json:"value,omitempty"` // of the metric
}

// reportTraining tells the choice and its error on standard output, or on
// standard error when the model goes to standard output.
func (a *app) reportTraining(t *trained) error {
	p := t.problem
	toStdout := p.plan.output == "-"
	if a.JSON {
		return a.writeJSON(t.json())
	}
	if toStdout {
		a.lines(func() { t.print(a.Err) })
		return nil
	}
	return a.writeAtomic("-", func(w io.Writer) error { return t.print(w) })
}

func (t *trained) json() trainJSON {
	p := t.problem
	out := trainJSON{
		Learner: p.plan.learner, Solver: p.plan.solver, Kernel: p.plan.kernel.String(), Lambda: jsonNumber(t.fit.Lambda),
		Objective: jsonNumber(t.fit.Objective()), Formula: p.formula(), Pairs: jsonNumber(t.goal.Pairs),
		Rows: p.rows(), Features: p.features(), Queries: p.queries.Len(), Method: "none", Model: p.plan.output,
		Seconds:   trainSeconds{jsonNumber(t.load.Seconds()), jsonNumber(t.train.Seconds())},
		Selection: []selectionJSON{},
	}
	if t.cg != nil {
		residual := jsonNumber(t.cg.Residual)
		out.Iterations, out.Gap, out.Residual = t.cg.Iterations, jsonNumber(math.NaN()), &residual
	}
	if t.estimate == nil {
		return out
	}
	out.Method, out.Retrained = t.method.String(), t.estimate.Retrained
	if p.plan.metric != nil {
		out.Metric = p.plan.metric.String()
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
		s := selectionJSON{Lambda: jsonNumber(point.Lambda), Error: jsonNumber(point.Error), StdErr: valueNumber(point.StdErr), Pairs: point.Pairs}
		if p.plan.metric != nil {
			value := valueNumber(point.Metric)
			s.Value = &value
		}
		out = append(out, s)
	}
	return out
}

func (p *trainProblem) features() int {
	if p.plan.precomputed {
		return 0
	}
	_, n := p.x.Dims()
	return n
}

// print writes the report for people.
func (t *trained) print(w io.Writer) error {
	p := t.problem
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("learner", "%s, kernel %s", p.plan.learner, p.plan.kernel)
	line("data", "%s, %s, %s", plural(p.rows(), "row"), plural(p.features(), "feature"), plural(p.queries.Len(), "query"))
	if p.plan.learner == "rankrls" {
		line("pairs", "%.0f compared", t.goal.Pairs)
	}
	line("objective", "%s", p.formula())
	line("solver", "%s: %s", p.plan.solver, t.why)
	if t.cg != nil {
		line("", "%d iterations, relative residual %.2g", t.cg.Iterations, t.cg.Residual)
	}
	if t.estimate != nil {
		t.printSelection(&b, line)
	}
	line("lambda", "%s", power(t.fit.Lambda))
	line("seconds", "%.3g reading, %.3g training", t.load.Seconds(), t.train.Seconds())
	line("model", "%s", p.plan.output)
	_, err := io.WriteString(w, b.String())
	return err
}

// printSelection writes the error of each λ around the chosen one, and of the
// ends.
func (t *trained) printSelection(b *strings.Builder, line func(key, format string, args ...any)) {
	e := t.estimate
	how := "exact, without retraining"
	if e.Retrained {
		how = "each fold trained again"
	}
	line("selection", "%s, %s, over %s", t.method, how, plural(int(e.Points[e.Best].Pairs), "held-out pair"))
	if n := len(t.choice.judged); n > 1 {
		line("kernels", "%d tried; the errors are of %s", n, t.problem.plan.kernel)
	}
	metric := ""
	if t.problem.plan.metric != nil {
		metric = t.problem.plan.metric.String()
	}
	fmt.Fprintf(b, "\n  %10s  %8s", "lambda", "error")
	if metric != "" {
		fmt.Fprintf(b, "  %8s", metric)
	}
	b.WriteString("\n")
	const around = 3
	skipped := false
	for l, point := range e.Points {
		if l > 0 && l < len(e.Points)-1 && (l < e.Best-around || l > e.Best+around) {
			if !skipped {
				fmt.Fprintf(b, "  %10s  %8s\n", "…", "…")
			}
			skipped = true
			continue
		}
		skipped = false
		fmt.Fprintf(b, "  %10s  %8.5f", power(point.Lambda), point.Error)
		if metric != "" {
			fmt.Fprintf(b, "  %8s", numberText(valueNumber(point.Metric)))
		}
		if l == e.Best {
			b.WriteString("  <- chosen")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// power writes λ as a power of two where it is one, as the papers do.
func power(lambda float64) string {
	if fraction, exponent := math.Frexp(lambda); fraction == 0.5 {
		return "2^" + strconv.Itoa(exponent-1)
	}
	return strconv.FormatFloat(lambda, 'g', 6, 64)
}
