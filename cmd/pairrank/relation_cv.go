package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"pairrank/eval/cv"
	"pairrank/format/table"
	"pairrank/relation"
	"pairrank/relation/kron"
)

// relationValidated is the outcome of cv --edges.
type relationValidated struct {
	*relationProblem
	*relation.Estimated
	load time.Duration
	work time.Duration
}

// crossValidateRelation is cv --edges.
func (a *app) crossValidateRelation(f *cvFlags) error {
	plan, err := f.planRelation()
	if err != nil {
		return err
	}
	if err := a.checkOutputs([]string{f.heldOut}, f.relation.edges, f.relation.rows, f.relation.cols); err != nil {
		return err
	}
	v := &relationValidated{}
	began := time.Now()
	if v.relationProblem, err = a.loadRelation(plan); err != nil {
		return err
	}
	v.load, began = time.Since(began), time.Now()
	if f.nested == nestedDefault {
		plan.options.Nested.Folds = v.defaultFolds()
	}
	o := plan.options
	monitor, end := a.monitor()
	o.Monitor = monitor
	v.Estimated, err = awaitFor(a.Ctx, func() (*relation.Estimated, error) { return relation.Estimate(a.Ctx, v.Problem, o) })
	if end(); err != nil {
		return plan.fault(err)
	}
	if v.Halves == nil {
		plan.noteSeed(a, v.Estimated)
	}
	for _, name := range []string{"tolerance", "max-iterations"} {
		if plan.changed(name) && !v.Retrained {
			a.note("the edges were left out in closed form, which --%s is not for; --solver cg iterates", name)
		}
	}
	if f.heldOut != "" {
		err := a.writeAtomic(f.heldOut, func(w io.Writer) error {
			return writeEdges(w, v.Rows.ID, v.columns().ID, v.Edges.Row, v.Edges.Col, v.HeldOut)
		})
		if err != nil {
			return err
		}
	}
	v.work = time.Since(began)
	if a.JSON {
		return a.writeJSON(v.json())
	}
	return a.writeAtomic("-", v.print)
}

// planRelation checks the flags of cv --edges.
func (f *cvFlags) planRelation() (*relationPlan, error) {
	if f.method == "none" {
		return nil, usagef("cv holds out: --method loo or kfold:K")
	}
	plan, err := planRelation(&f.trainFlags, &f.relation, f.method, true)
	if err != nil {
		return nil, err
	}
	o := &plan.options
	o.Permutations, o.HeldOut, o.Intervals = f.permutations, f.heldOut != "", relation.Intervals(f.interval)
	switch {
	case o.Learner == relation.Similarity:
		return nil, usagef("--learner similarity learns nothing: evaluate its scores instead")
	case o.Solver == relation.Primal:
		return nil, usagef("--solver primal is for train; cv works with kernel matrices")
	case f.heldOut == "-":
		return nil, usagef("standard output takes the report; --held-out writes to a file")
	case f.changed("permutations") && f.permutations < 1:
		return nil, usagef("--permutations is at least 1, not %d", f.permutations)
	case f.nested == nestedDefault:
		o.Nested = cv.Method{Kind: cv.KFold, Folds: 10}
	case f.nested != "":
		if o.Nested, err = cv.ParseMethod(f.nested); err != nil {
			return nil, asUsage(err)
		}
	}
	return plan, plan.fault(relation.Check(plan.kinds(), *o))
}

// defaultFolds are the folds of --nested without a value: 10, or as many as there are
// edges or nodes.
func (v *relationValidated) defaultFolds() int {
	units := len(v.Y)
	rows, cols := len(v.Rows.ID), len(v.columns().ID)
	switch kron.Setting(v.plan.setting) {
	case kron.Rows:
		units = rows
	case kron.Cols:
		units = cols
	case kron.Both:
		units = min(rows, cols)
	}
	return max(2, min(10, units))
}

// interval are the halves as reports have them.
func (v *relationValidated) interval() *estimatedHalves {
	if v.Halves == nil {
		return nil
	}
	return &estimatedHalves{Halves: v.Halves.Halves, units: v.Halves.Units, what: "node"}
}

// best is the result of the best λ, with its intervals.
func (v *relationValidated) best() relationResult {
	best := newRelationResult(v.plan, v.BestPoint())
	err, cIndex := v.Halves.Intervals(v.BestPoint())
	if err.Defined {
		best.CI95 = &[2]jsonNumber{jsonNumber(err.Lo), jsonNumber(err.Hi)}
	}
	if cIndex.Defined {
		best.CIndexCI95 = &[2]jsonNumber{jsonNumber(cIndex.Lo), jsonNumber(cIndex.Hi)}
	}
	return best
}

func (v *relationValidated) json() relationJSON {
	d := v.document(v.Estimated)
	best := v.best()
	d.Best, d.Lambda, d.Interval = &best, best.Lambda, v.interval().json()
	if n := v.Nested; n != nil {
		d.Nested = &cvNested{v.plan.options.Nested.String(), jsonNumber(n.Error), valueNumber(n.StdErr), n.Pairs}
	}
	if t := v.Permutation; t != nil {
		d.Permutation = &permutationJSON{t.N, t.Below, jsonNumber(t.Error), jsonNumber(t.P)}
	}
	d.Seconds.Load, d.Seconds.Train = jsonNumber(v.load.Seconds()), jsonNumber(v.work.Seconds())
	return d
}

// print writes the report for people.
func (v *relationValidated) print(w io.Writer) error {
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("learner", "%s, %s", v.plan.learner, v.plan.describe())
	line("data", "%s between %s", plural(len(v.Y), "edge"), v.nodes())
	line("objective", "%s", v.plan.options.Formula())
	printRelationTable(&b, line, v.plan, v.Estimated, "<- best")
	best := v.best()
	line("best", "lambda %s: error %.5f%s%s, c-index %s%s", power(float64(best.Lambda)), float64(best.Error), plusMinus(best.StdErr), intervalText(best.CI95), numberText(best.CIndex), intervalText(best.CIndexCI95))
	if v.Halves != nil {
		line("intervals", "of %d splits of the nodes into halves, with λ chosen again in each", v.Halves.Splits)
	}
	if n := v.Nested; n != nil {
		line("nested", "error %.5f%s of choosing and training, over %s of %s", n.Error, plusMinus(valueNumber(n.StdErr)), plural(int(n.Pairs), "held-out pair"), v.plan.options.Nested)
	}
	if t := v.Permutation; t != nil {
		line("permutation", "p = %.4g: %d of %d permutations are as good", t.P, t.Below, t.N)
	}
	line("seconds", "%.3g reading, %.3g validating", v.load.Seconds(), v.work.Seconds())
	_, err := io.WriteString(w, b.String())
	return err
}

// writeEdges writes TSV lines of row, column and score; scores that are NaN are
// left out.
func writeEdges(w io.Writer, rows, cols []string, row, col []int32, scores []float64) error {
	var text []byte
	for e, s := range scores {
		if s != s {
			continue
		}
		var err error
		if text, err = table.AppendField(text[:0], rows[row[e]], '\t'); err != nil {
			return err
		}
		if text, err = table.AppendField(append(text, '\t'), cols[col[e]], '\t'); err != nil {
			return err
		}
		text = append(appendNumber(append(text, '\t'), s), '\n')
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}
