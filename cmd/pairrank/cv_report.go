package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
)

// cvJSON is the document of cv --json.
type cvJSON struct {
	Method      string           `json:"method"`
	Learner     string           `json:"learner"`
	Solver      string           `json:"solver"`
	Retrained   bool             `json:"retrained"`
	Metric      string           `json:"metric,omitempty"`
	Rows        int              `json:"rows"`
	Queries     int              `json:"queries"`
	Results     []cvResult       `json:"results,omitempty"`
	Best        *cvResult        `json:"best,omitempty"`
	Outputs     []cvOutput       `json:"outputs,omitempty"`
	Interval    *intervalJSON    `json:"interval,omitempty"`
	Nested      *cvNested        `json:"nested,omitempty"`
	Permutation *permutationJSON `json:"permutation,omitempty"`
	ROC         *rocJSON         `json:"roc,omitempty"`
	Seconds     struct {
		Load       jsonNumber `json:"load"`
		Validation jsonNumber `json:"validation"`
	} `json:"seconds"`
}

// cvOutput is one of several outputs.
type cvOutput struct {
	Output  int        `json:"output"`
	Results []cvResult `json:"results"`
	Best    cvResult   `json:"best"`
}

type cvResult struct {
	Kernel string `json:"kernel,omitempty"`
	selectionJSON
	CI95 *[2]jsonNumber `json:"ci95,omitempty"` // of the error, of the best alone
	AUC  *aucJSON       `json:"auc,omitempty"`
}

// intervalJSON says how the intervals were made.
type intervalJSON struct {
	Method string `json:"method"`
	Splits int    `json:"splits"`
	Units  int    `json:"units"`
	Of     string `json:"of"`
}

func (h *estimatedHalves) json() *intervalJSON {
	if h == nil {
		return nil
	}
	return &intervalJSON{"half-samples", h.Splits, h.units, h.what}
}

// aucJSON is the area under the ROC curve with its 95 % interval, null for all but
// the best, and where it has none.
type aucJSON struct {
	Value jsonNumber     `json:"value"`
	CI95  *[2]jsonNumber `json:"ci95"`
}

type cvNested struct {
	Outer  string     `json:"outer"`
	Error  jsonNumber `json:"error"`
	StdErr jsonNumber `json:"stderr"`
	Pairs  int64      `json:"pairs"`
}

type permutationJSON struct {
	N     int        `json:"n"`
	Below int        `json:"below"`
	Error jsonNumber `json:"error"`
	P     jsonNumber `json:"p"`
}

func (a *app) reportValidation(v *validated) error {
	if a.JSON {
		return a.writeJSON(v.json())
	}
	return a.writeAtomic("-", v.print)
}

// results are those of every kernel and λ for one output, and the best of them.
func (v *validated) results(output int) (all []cvResult, best cvResult) {
	least := 0.0
	for k, j := range v.choice.judged {
		e := j.estimates[output]
		for l, point := range e.Points {
			r := v.result(j, point, output)
			all = append(all, r)
			if c := e.Criterion(v.plan.metric); l == e.Best && (k == 0 || c < least) {
				best, least = r, c
			}
		}
	}
	if i := v.halves.interval(float64(best.Error), output); i.Defined {
		best.CI95 = &[2]jsonNumber{jsonNumber(i.Lo), jsonNumber(i.Hi)}
		if best.AUC != nil {
			best.AUC = &aucJSON{best.AUC.Value, &[2]jsonNumber{jsonNumber(1 - i.Hi), jsonNumber(1 - i.Lo)}}
		}
	}
	return all, best
}

func (v *validated) result(j judged, point cv.Point, output int) cvResult {
	r := cvResult{selectionJSON: v.plan.pointJSON(point)}
	if v.plan.learner != rankBoost {
		r.Kernel = j.kernel.String()
	}
	if j.method.Kind == cv.LeavePairOut && v.binary(output) {
		auc := 1 - point.Error
		r.AUC = &aucJSON{Value: jsonNumber(auc)}
	}
	return r
}

// binary reports whether an output has two labels.
func (v *validated) binary(output int) bool {
	p := v.problem
	y := make([]float64, p.rows())
	for i := range y {
		y[i] = p.y[i*p.outputs+output]
	}
	return binaryLabels(y)
}

func (v *validated) json() cvJSON {
	p, chosen := v.problem, v.choice.chosen()
	out := cvJSON{
		Method: chosen.method.String(), Learner: p.plan.learner, Solver: p.plan.solver,
		Retrained: chosen.estimates[0].Retrained, Rows: p.rows(), Queries: p.queries.Len(),
	}
	if p.plan.metric != nil {
		out.Metric = p.plan.metric.String()
	}
	out.Seconds.Load, out.Seconds.Validation = jsonNumber(v.load.Seconds()), jsonNumber(v.work.Seconds())
	if p.outputs == 1 {
		all, best := v.results(0)
		out.Results, out.Best = all, &best
	} else {
		for c := range p.outputs {
			all, best := v.results(c)
			out.Outputs = append(out.Outputs, cvOutput{c + 1, all, best})
		}
	}
	out.ROC, out.Interval = v.rocSummary(), v.halves.json()
	if v.nested != nil {
		out.Nested = &cvNested{v.plan.outer.String(), jsonNumber(v.nested.Error), valueNumber(v.nested.StdErr), v.nested.Pairs}
	}
	if t := v.permutation; t != nil {
		out.Permutation = &permutationJSON{t.N, t.Below, jsonNumber(t.Error), jsonNumber(t.P)}
	}
	return out
}

// print writes the report for people.
func (v *validated) print(w io.Writer) error {
	p, chosen := v.problem, v.choice.chosen()
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("learner", "%s, solver %s: %s", p.plan.learner, p.plan.solver, v.why)
	line("data", "%s, %s", plural(p.rows(), "row"), plural(p.queries.Len(), "query"))
	how := "exact, without retraining"
	if chosen.estimates[0].Retrained {
		how = "each fold trained again"
	}
	line("method", "%s, %s", chosen.method, how)
	if p.outputs > 1 {
		v.printOutputs(&b)
	} else {
		v.printTable(&b)
		_, best := v.results(0)
		line("best", "%s", best.text())
	}
	if h := v.halves; h != nil {
		line("interval", "of %d splits of the %s into halves, with every choice made again in each", h.Splits, plural(h.units, h.what))
	}
	if v.roc != nil {
		line("roc", "%s", v.rocText())
	}
	if n := v.nested; n != nil {
		line("nested", "error %.5f%s of choosing and training, over %s of %s", n.Error, plusMinus(valueNumber(n.StdErr)), plural(int(n.Pairs), "held-out pair"), v.plan.outer)
	}
	if t := v.permutation; t != nil {
		line("permutation", "p = %.4g: %d of %d permutations are as good", t.P, t.Below, t.N)
	}
	line("seconds", "%.3g reading, %.3g validating", v.load.Seconds(), v.work.Seconds())
	_, err := io.WriteString(w, b.String())
	return err
}

// text is a result on one line.
func (r cvResult) text() string {
	choice := fmt.Sprintf("kernel %s, lambda %s", r.Kernel, power(float64(r.Lambda)))
	if r.Rounds > 0 {
		choice = plural(r.Rounds, "round")
	}
	text := choice + fmt.Sprintf(": error %.5f%s over %s", float64(r.Error), plusMinus(r.StdErr), plural(int(r.Pairs), "held-out pair"))
	ci := r.CI95
	if r.AUC != nil {
		text += fmt.Sprintf(", AUC %.5f", float64(r.AUC.Value))
		ci = r.AUC.CI95
	}
	return text + intervalText(ci)
}

// intervalText is a 95 % interval behind its estimate, nothing where there is none.
func intervalText(ci *[2]jsonNumber) string {
	if ci == nil {
		return ""
	}
	return fmt.Sprintf(", 95 %% interval %.4f to %.4f", float64(ci[0]), float64(ci[1]))
}

// printTable writes the error of each λ of one kernel around the best one; of
// several kernels, a row for the best λ of each.
func (v *validated) printTable(b *strings.Builder) {
	if len(v.choice.judged) == 1 {
		v.plan.table(v.choice.chosen().estimates[0], true, "<- best").write(b)
		return
	}
	fmt.Fprintf(b, "\n  %-28s  %10s  %8s  %8s", "kernel", v.plan.candidate(), "error", "stderr")
	if v.plan.metric != nil {
		fmt.Fprintf(b, "  %8s", v.plan.metric)
	}
	b.WriteString("\n")
	for k, j := range v.choice.judged {
		point := j.estimates[0].Points[j.estimates[0].Best]
		fmt.Fprintf(b, "  %-28s  %10s  %8.5f  %8s", j.kernel, v.plan.candidateText(point.Lambda), point.Error, numberText(valueNumber(point.StdErr)))
		if v.plan.metric != nil {
			fmt.Fprintf(b, "  %8s", numberText(valueNumber(point.Metric)))
		}
		if k == v.choice.best {
			b.WriteString("  <- best")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// printOutputs writes a row for each output: its best λ.
func (v *validated) printOutputs(b *strings.Builder) {
	fmt.Fprintf(b, "\n  %6s  %-28s  %10s  %8s  %8s", "output", "kernel", "lambda", "error", "stderr")
	if v.plan.metric != nil {
		fmt.Fprintf(b, "  %8s", v.plan.metric)
	}
	if v.halves != nil {
		fmt.Fprintf(b, "  %16s", "95 % interval")
	}
	b.WriteString("\n")
	for c := range v.problem.outputs {
		_, best := v.results(c)
		fmt.Fprintf(b, "  %6d  %-28s  %10s  %8.5f  %8s", c+1, best.Kernel, power(float64(best.Lambda)), float64(best.Error), numberText(best.StdErr))
		if best.Value != nil {
			fmt.Fprintf(b, "  %8s", numberText(*best.Value))
		}
		if ci := best.CI95; ci != nil {
			fmt.Fprintf(b, "  %6.4f to %6.4f", float64(ci[0]), float64(ci[1]))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// valueNumber is a value, null in JSON where it has none.
func valueNumber(v metric.Value) jsonNumber {
	if !v.Defined {
		return jsonNumber(math.NaN())
	}
	return jsonNumber(v.Value)
}

// numberText is a number of a table, - where there is none.
func numberText(x jsonNumber) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return fmt.Sprintf("%.5f", float64(x))
}

// plusMinus is a standard error behind its estimate, nothing where there is none.
func plusMinus(x jsonNumber) string {
	if math.IsNaN(float64(x)) {
		return ""
	}
	return " ± " + numberText(x)
}
