package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
)

// model is what was learnt, ready to be saved.
func (t *trained) model() *model.Model {
	p := t.problem
	m := &model.Model{Info: t.info(), Names: t.set.Names, Normalizer: t.norm}
	coef := t.fit.coef
	switch {
	case t.boost != nil:
		m.Scorer = t.boost.Stumps
	case p.plan.precomputed:
		m.Names = nil
		rows := p.basis
		if !p.onBasis() {
			rows = indices(p.rows())
		}
		numbers := make([]int, len(rows))
		for a, i := range rows {
			numbers[a] = i + 1
		}
		m.Scorer = &model.Kernel{Kernel: p.plan.kernel, SupportRows: numbers, Coef: coef}
	case p.plan.kernel == kernel.Linear{}:
		m.Scorer = &model.Linear{Weights: p.weights(coef)}
	case p.onBasis():
		m.Scorer = &model.Kernel{Kernel: p.plan.kernel, Support: data.Select(p.x, p.basis), Coef: coef}
	default:
		m.Scorer = &model.Kernel{Kernel: p.plan.kernel, Support: p.x, Coef: coef}
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

// weights are those of the features, v×n, whatever the basis of a linear
// kernel: w = Xᵀa of the rows that have coefficients.
func (p *trainProblem) weights(coef *data.Dense) *data.Dense {
	_, n := p.x.Dims()
	w := data.NewDense(coef.Cols, n, nil)
	var x data.Matrix // nil where the coefficients are weights
	switch {
	case p.plan.solver == "dual":
		x = p.x
	case p.onBasis():
		x = p.basisRows()
	}
	column := make([]float64, coef.Rows)
	for c := range coef.Cols {
		for j := range column {
			column[j] = coef.Row(j)[c]
		}
		if x == nil {
			copy(w.Row(c), column)
		} else {
			x.MulTransVecTo(w.Row(c), column)
		}
	}
	return w
}

func (t *trained) info() model.Info {
	p := t.problem
	i := model.Info{
		Learner: p.plan.learner, Solver: p.plan.solver, Objective: p.formula(), Lambda: t.fit.lambda,
		Rows: p.rows(), Queries: p.queries.Len(), Pairs: t.fit.pairs,
	}
	switch p.plan.learner {
	case rankRLS:
		i.Cost = string(p.plan.goal.Cost)
		if p.edges == nil {
			i.Ties, i.QueryWeight = p.plan.goal.Ties, string(p.plan.goal.Weight)
		}
	case rankSVM:
		i.Loss, i.QueryWeight = p.plan.loss, string(p.plan.goal.Weight)
	case rankBoost:
		i.QueryWeight = string(p.plan.goal.Weight)
	}
	if t.estimate != nil {
		i.Selection = &model.Selection{Method: t.method.String(), Metric: "error", Error: t.choice.chosen().error(), Count: len(t.estimate.Points)}
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
	if t.fit.lambda == 0 && t.fit.lambdas != nil {
		fact("lambdas", lambdasText(t.fit.lambdas))
	}
	if t.cg != nil {
		fact("iterations", strconv.Itoa(t.cg.Iterations))
		fact("residual", fmt.Sprintf("%.3g", t.cg.Residual))
	}
	if t.svm != nil {
		fact("iterations", strconv.Itoa(t.svm.Iterations))
		fact("gap", fmt.Sprintf("%.3g", t.svm.Gap))
		if p.plan.precision == "float32" {
			fact("precision", p.plan.precision)
		}
	}
	if t.boost != nil {
		fact("rounds", strconv.Itoa(len(t.boost.Stumps.Terms)))
	}
	return i
}

// formula is the objective on one line.
func (p *trainProblem) formula() string {
	switch p.plan.learner {
	case rankSVM:
		return p.plan.svmFormula()
	case rankBoost:
		return p.plan.boostFormula()
	case plainRLS:
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

// print writes the report for people.
func (t *trained) print(w io.Writer) error {
	p := t.problem
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	if p.plan.learner == rankBoost {
		line("learner", "%s", p.plan.learner)
	} else {
		line("learner", "%s, kernel %s", p.plan.learner, p.plan.kernel)
	}
	outputs := ""
	if p.outputs > 1 {
		outputs = fmt.Sprintf(", %d outputs", p.outputs)
	}
	line("data", "%s, %s, %s%s", plural(p.rows(), "row"), plural(p.features(), "feature"), plural(p.queries.Len(), "query"), outputs)
	if p.plan.learner != plainRLS {
		line("pairs", "%.0f compared", t.fit.pairs)
	}
	line("objective", "%s", p.formula())
	line("solver", "%s: %s", p.plan.solver, t.why)
	if t.cg != nil {
		line("", "%d iterations, relative residual %.2g", t.cg.Iterations, t.cg.Residual)
	}
	if t.svm != nil {
		of := ""
		if p.plan.precision == "float32" {
			of = " for features rounded to float32"
		}
		line("", "%s, J = %.6g, at most %.2g above the optimum%s", plural(t.svm.Iterations, "iteration"), t.svm.Objective, t.svm.Gap, of)
	}
	if t.boost != nil {
		t.printBoost(line)
	}
	if t.estimate != nil {
		t.printSelection(&b, line)
	}
	if t.boost == nil && t.fit.lambdas == nil {
		line("lambda", "%s", power(t.fit.lambda))
	}
	line("seconds", "%.3g reading, %.3g training", t.load.Seconds(), t.train.Seconds())
	line("model", "%s", p.plan.output)
	_, err := io.WriteString(w, b.String())
	return err
}

// printSelection writes the error of each λ around the chosen one, and of the
// ends; of several outputs, the choice for each.
func (t *trained) printSelection(b *strings.Builder, line func(key, format string, args ...any)) {
	e := t.estimate
	how, pairs := "exact, without retraining", "held-out pair"
	if e.Retrained {
		how = "each fold trained again"
	}
	if t.problem.valid != nil {
		how, pairs = "rows of "+t.problem.plan.valid, "pair"
	}
	over := ""
	if t.problem.outputs == 1 {
		over = ", over " + plural(int(e.Points[e.Best].Pairs), pairs)
	}
	line("selection", "%s, %s%s", t.method, how, over)
	if n := len(t.choice.judged); n > 1 {
		line("kernels", "%d tried; the errors are of %s", n, t.problem.plan.kernel)
	}
	if t.problem.outputs > 1 {
		t.printOutputs(b)
		return
	}
	t.problem.plan.table(e, false, "<- chosen").write(b)
}

// printBoost writes how many rounds there were.
func (t *trained) printBoost(line func(key, format string, args ...any)) {
	rounds := plural(len(t.boost.Stumps.Terms), "round")
	if t.boost.Exhausted {
		rounds += ", after which no stump was left to learn"
	}
	line("", "%s, loss %.6g", rounds, t.fit.objective)
}

// candidate is the name of what is chosen, in tables.
func (p *trainPlan) candidate() string {
	if p.learner == rankBoost {
		return "rounds"
	}
	return "lambda"
}

// candidateText writes one value of it.
func (p *trainPlan) candidateText(v float64) string {
	if p.learner == rankBoost {
		return strconv.Itoa(int(v))
	}
	return power(v)
}

// power writes λ as a power of two where it is one, as the papers do, the exponent
// in halves; --lambda reads it back as it is.
func power(lambda float64) string {
	if exponent := math.Round(2*math.Log2(lambda)) / 2; math.Pow(2, exponent) == lambda {
		return "2^" + strconv.FormatFloat(exponent, 'g', -1, 64)
	}
	return strconv.FormatFloat(lambda, 'g', 6, 64)
}
