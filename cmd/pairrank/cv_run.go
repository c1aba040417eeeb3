package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/pref"
)

// validated is the outcome of cv.
type validated struct {
	*loaded
	plan        *cvPlan
	choice      *choice
	nested      *cv.Point
	permutation *cv.PermutationTest
	halves      *estimatedHalves // nil where there is no interval
	roc         *cv.ROC          // nil when not asked for
	comparisons int64            // pairs that quicksort held out
	why         string           // the solver was taken
	load        time.Duration
	work        time.Duration
}

func (a *app) crossValidate(path string, f *cvFlags) error {
	plan, err := f.plan()
	if err != nil {
		return err
	}
	if err := filesOnly(plan.matrix, plan.preferences, plan.basisRows, plan.labels); err != nil {
		return err
	}
	if err := a.checkOutputs([]string{plan.heldOut, plan.roc}, path, plan.matrix, plan.preferences, plan.basisRows, plan.labels); err != nil {
		return err
	}
	began := time.Now()
	input, err := a.loadProblem(path, plan.trainPlan)
	if err != nil {
		return err
	}
	v := &validated{loaded: input, plan: plan, load: time.Since(began)}
	began = time.Now()
	if err := v.check(); err != nil {
		return err
	}
	if err := a.announcePairs(v.problem, "--method"); err != nil {
		return err
	}
	if err := a.await(func() error { return a.validate(v) }); err != nil {
		return trainError(path, "--method", err)
	}
	if err := a.writeAsked(v); err != nil {
		return trainError(path, "--method", err)
	}
	v.work = time.Since(began)
	if doubt := cmp.Or(v.choice.doubt, v.problem.doubt); doubt != "" {
		a.warn("%s", doubt)
	}
	a.warnAlike(v.problem, v.choice.goal)
	v.problem.warnUnconverged(a)
	if plan.changed("seed") && v.halves == nil && !plan.random(v.choice.chosen().method) {
		a.note("--seed is for kfold, --interval, --nested, --permutations, --basis and --roc-by quicksort, and nothing was drawn")
	}
	a.noteEnds(plan.trainPlan, v.choice.chosen().estimates)
	if n := v.nested; n != nil && n.Pairs < fewPairs {
		a.warn("the outer folds of %s hold %s only: the nested error is coarse", v.plan.outer, plural(int(n.Pairs), "pair"))
	}
	return a.reportValidation(v)
}

// fewPairs is below what an error is worth much.
const fewPairs = 50

// check refuses, before the work, what the data cannot give.
func (v *validated) check() error {
	p := v.problem
	if v.plan.roc != "" {
		switch {
		case v.plan.solver == "cg":
			return usagef("--roc needs a factorisation, and --solver cg makes none")
		case p.queries.Len() != 1:
			return usagef("--roc needs a single list, and the data has %d queries", p.queries.Len())
		case !binaryLabels(p.y):
			return withHint(usagef("--roc needs two labels"), "--binarize T makes two of more")
		}
	}
	if m := p.plan.method; m != nil && m.Kind == cv.LeavePairOut && p.outputs > 1 && v.plan.heldOut != "" {
		return usagef("--held-out of lpo is for one output, not %d", p.outputs)
	}
	if v.plan.outer == nil {
		return nil
	}
	if v.plan.outerDefault {
		units := p.queries.Len()
		if units == 1 {
			units = p.rows()
		}
		v.plan.outer.Folds = max(2, min(v.plan.outer.Folds, units))
	}
	_, err := v.plan.outer.Groups(p.queries, p.plan.seed)
	return asUsage(err)
}

// writeAsked writes the files that were asked for. It is not awaited, so that
// an interruption takes a half-written file away before the run ends.
func (a *app) writeAsked(v *validated) error {
	if v.plan.heldOut != "" {
		if err := a.writeHeldOut(v); err != nil {
			return err
		}
	}
	if v.plan.roc != "" {
		return a.writeROC(v)
	}
	return nil
}

// validate does the work.
func (a *app) validate(v *validated) (err error) {
	p := v.problem
	if v.why, err = p.chooseSolver(); err != nil {
		return err
	}
	p.centreFeatures(v.mixesTrainings())
	meter := a.progress("cross-validating", 0)
	v.choice, err = p.judge(a.Ctx, a.reportJudging(meter))
	meter.End()
	if err != nil {
		return err
	}
	if err := p.returnToBest(a.Ctx, v.choice); err != nil {
		return err
	}
	if err := a.halve(v); err != nil {
		return err
	}
	if v.plan.permutations > 0 {
		if err := a.permute(v); err != nil {
			return err
		}
	}
	if v.plan.outer != nil {
		return a.nest(v)
	}
	return nil
}

// mixesTrainings reports whether scores of different trainings are ranked
// together or written to one file: there the constant that centring takes off
// all scores of a training would tell.
func (v *validated) mixesTrainings() bool {
	alone := func(m *cv.Method) bool { return m != nil && m.Kind == cv.LeaveOneOut }
	return v.plan.heldOut != "" || alone(v.plan.method) || alone(v.plan.outer)
}

// returnToBest makes the chosen kernel the one at work, with its path.
func (p *trainProblem) returnToBest(ctx context.Context, c *choice) error {
	if c.best == len(c.judged)-1 {
		return nil
	}
	p.use(c.chosen().kernel)
	if !p.plan.factors() {
		return nil
	}
	return p.factor(ctx, c)
}

// writeHeldOut writes the held-out scores at the chosen λ.
func (a *app) writeHeldOut(v *validated) error {
	p, method := v.problem, v.choice.chosen().method
	if method.Kind == cv.LeavePairOut {
		if p.outputs > 1 {
			return usagef("--held-out of lpo is for one output, not %d", p.outputs)
		}
		return a.writeAtomic(v.plan.heldOut, func(w io.Writer) error {
			pairs := pairWriter{w: w, query: p.queries.Of(), pending: map[int][]byte{}}
			err := v.choice.path.LeavePairOut(a.Ctx, v.choice.lambda(), pairs.take)
			return errors.Join(err, pairs.err)
		})
	}
	labels, err := p.labels(v.choice.goal)
	if err != nil {
		return err
	}
	var predict cv.Predictor = cv.Trainer(p.retrain).Predict
	if !v.choice.chosen().estimates[0].Retrained {
		predict = v.choice.path.HoldOut
	}
	scores, err := cv.HeldOut(a.Ctx, predict, labels, cv.Options{Method: method, Seed: p.plan.seed, Lambdas: v.choice.chosen().lambdas}, v.choice.lambda())
	if err != nil {
		return err
	}
	return a.writeAtomic(v.plan.heldOut, func(w io.Writer) error { return writeScores(w, scores.Data, p.outputs) })
}

// permute tests the labels against their permutations.
func (a *app) permute(v *validated) error {
	p, method := v.problem, v.choice.chosen().method
	if v.choice.chosen().estimates[0].Retrained {
		return usagef("--permutations needs the exact shortcut, and %s trained each fold again", method)
	}
	labels, err := p.labels(v.choice.goal)
	if err != nil {
		return err
	}
	meter := a.progress("permuting the labels", int64(v.plan.permutations))
	defer meter.End()
	o := cv.Options{Method: method, Lambdas: v.choice.chosen().lambdas, Seed: p.plan.seed,
		Progress: func(done, _ int) { meter.Set(int64(done)) }}
	retarget := func(y []float64, outputs int) (*pref.Goal, error) {
		other := *p
		other.y, other.outputs = y, outputs
		return other.newGoal()
	}
	v.permutation, err = cv.Permutations(a.Ctx, v.choice.path, labels, o, v.plan.permutations, retarget)
	return p.estimateError(err)
}

// nest estimates the error of choosing and training on the outer folds.
func (a *app) nest(v *validated) error {
	p := v.problem
	meter := a.progress("nested estimate over "+v.plan.outer.String(), 0)
	defer meter.End()
	labels := cv.Labels{Y: p.y, Queries: p.queries}
	point, err := cv.Nested(a.Ctx, *v.plan.outer, p.chooseAndPredict, labels, p.plan.seed+1,
		func(done, total int) { meter.SetTotal(int64(total)); meter.Set(int64(done)) })
	if err != nil {
		return p.estimateError(err)
	}
	v.nested = &point
	return nil
}

// chooseAndPredict makes every choice on some rows, trains on them, and predicts
// others.
func (p *trainProblem) chooseAndPredict(ctx context.Context, train, test []int) (*data.Dense, error) {
	whole := *p
	plan := *p.plan
	whole.plan = &plan
	whole.use(plan.kernels[0])
	part, _ := whole.part(train)
	silent := func(int, int, cv.Method) func(int, int) { return nil }
	c, err := part.judge(ctx, silent)
	if errors.Is(err, pref.ErrNothingToLearn) {
		return data.NewDense(len(test), 1, nil), nil
	}
	if err != nil {
		return nil, err
	}
	chosen := c.chosen().kernel
	whole.use(chosen)
	var out *data.Dense
	err = whole.retrain(ctx, train, test, []float64{c.lambda()}, func(_ int, f *data.Dense) { out = f })
	return out, err
}

// pairWriter writes the held-out pairs of rows of a query row by row, in order,
// whatever order the rows come in: i, j, f_i and f_j with tabs, rows numbered from 1.
type pairWriter struct {
	w       io.Writer
	query   []int32 // of each row
	mu      sync.Mutex
	next    int            // the row to be written next
	pending map[int][]byte // rows that came early
	err     error
}

func (p *pairWriter) take(_, i, _ int, fi, fj []float64) {
	var text []byte
	overflow := cmp.Or(finiteScores(fi, func(b int) string { return fmt.Sprintf("row %d without row %d", i+1, i+2+b) }),
		finiteScores(fj, func(b int) string { return fmt.Sprintf("row %d without row %d", i+2+b, i+1) }))
	for b := range fi {
		if p.query[i] != p.query[i+1+b] {
			continue
		}
		text = fmt.Appendf(text, "%d\t%d\t", i+1, i+2+b)
		text = append(appendNumber(text, fi[b]), '\t')
		text = append(appendNumber(text, fj[b]), '\n')
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, overflow)
	p.pending[i] = text
	for {
		text, ok := p.pending[p.next]
		if !ok || p.err != nil {
			return
		}
		delete(p.pending, p.next)
		p.next++
		_, p.err = p.w.Write(text)
	}
}

// binaryLabels reports whether there are exactly two labels.
func binaryLabels(y []float64) bool {
	distinct := slices.Clone(y)
	slices.Sort(distinct)
	return len(slices.Compact(distinct)) == 2
}
