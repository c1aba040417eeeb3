package main

import (
	"context"
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/svmlight"
	"pairrank/kernel"
)

// validation is the rows of --valid, which judge every λ and kernel.
type validation struct {
	x      data.Matrix
	labels cv.Labels
}

// planValid checks --valid against what else chooses, or has no features.
func planValid(p *trainPlan) error {
	switch {
	case p.valid == "":
		return nil
	case p.selectBy != "":
		return usagef("--valid and --select are two ways to choose λ: give one of them")
	case p.precomputed:
		return withHint(usagef("--valid is of rows with features, and --kernel-matrix has none"), "--select kfold:10 chooses by folds")
	case p.labels != "":
		return usagef("--valid has one label a row, and --labels several: choose by --select")
	}
	return nil
}

// loadValid reads --valid as the training data was read: with its features,
// normalised by the normalizer of the training. Queries are its own.
func (a *app) loadValid(t *loaded) error {
	p, path := t.problem, t.problem.plan.valid
	if path == "" {
		return nil
	}
	_, n := p.x.Dims()
	o := readOptions{Features: n}
	if t.norm != nil && p.plan.normalize == data.NormalizeZScore {
		o.Storage = svmlight.StoreDense
	}
	set, err := a.readSet(path, p.plan.rows, o)
	if errors.Is(err, data.ErrExtraFeatures) {
		return asData(fmt.Errorf("%s has features beyond the %d of the training rows", path, n))
	}
	if err != nil {
		return err
	}
	if err := checkValidNames(path, set.Names, t.set.Names); err != nil {
		return err
	}
	if p.plan.threshold != nil {
		data.Binarize(set.Y, *p.plan.threshold)
	}
	if single, alike := countIdle(set); single+alike == set.Queries.Len() {
		return asData(fmt.Errorf("%s: no two rows of a query have different labels, so there is nothing to choose by", path))
	}
	if t.norm != nil {
		if err := t.norm.Apply(set); err != nil {
			return asData(fmt.Errorf("%s: %w", path, err))
		}
	}
	queries := set.Queries
	p.valid = &validation{set.X, cv.Labels{Y: set.Y, Outputs: 1, Queries: queries}}
	return nil
}

// checkValidNames refuses columns of other names than those of the training.
func checkValidNames(path string, names, training []string) error {
	if names == nil || training == nil {
		return nil
	}
	for j, want := range training {
		switch {
		case want == "" || j < len(names) && names[j] == want:
		case j >= len(names):
			return asData(fmt.Errorf("%s: feature %d, %q in training, is missing", path, j+1, want))
		default:
			return withHint(asData(fmt.Errorf("%s: feature %d is %q but %q in training", path, j+1, names[j], want)), "bring the columns into the order of the training data")
		}
	}
	return nil
}

// judgeValid estimates every λ of the kernel at work on the rows of --valid.
func (p *trainProblem) judgeValid(ctx context.Context, c *choice, report func(cv.Method) func(done, total int)) (judged, error) {
	j := judged{kernel: p.plan.kernel, method: cv.Method{Kind: cv.Validation}}
	predict := func(ctx context.Context, lambdas []float64, emit func(l int, f *data.Dense)) error {
		return p.predictValid(ctx, c, lambdas, emit)
	}
	var err error
	if j.lambdas, err = p.lambdas(c); err != nil {
		return judged{}, err
	}
	o := cv.Options{Lambdas: j.lambdas, Metric: p.plan.metric, Progress: report(j.method)}
	j.estimates, err = cv.Validated(ctx, predict, p.valid.labels, o)
	return j, p.estimateError(err)
}

// predictValid trains on all rows for each λ and predicts those of --valid.
func (p *trainProblem) predictValid(ctx context.Context, c *choice, lambdas []float64, emit func(l int, f *data.Dense)) error {
	switch {
	case p.plan.learner == rankBoost:
		return p.pathBoost(ctx, p.x, p.y, p.compared(), p.valid.x, lambdas, emit)
	case p.plan.learner == rankSVM:
		x, err := p.space()
		if err != nil {
			return err
		}
		held := p.validRows()
		return p.pathSVM(ctx, x, p.y, p.compared(), lambdas, func(l int, weights *data.Dense) {
			if p.plan.mapped() {
				weights = multiply(p.lift, weights)
			}
			emit(l, multiply(held, weights))
		})
	case p.plan.solver == "cg":
		return p.pathCG(ctx, c.goal, p.valid.x, lambdas, emit)
	}
	held := p.validRows()
	for l, lambda := range lambdas {
		if err := ctx.Err(); err != nil {
			return err
		}
		emit(l, multiply(held, c.path.At(lambda).Coef))
	}
	return nil
}

// validRows are the rows of --valid as coefficients meet them: their features, or
// their kernel values with the rows that have coefficients.
func (p *trainProblem) validRows() data.Matrix {
	switch {
	case p.onBasis():
		return kernel.Matrix(p.plan.kernel, p.valid.x, p.basisRows())
	case p.plan.solver == "dual":
		return kernel.Matrix(p.plan.kernel, p.valid.x, p.x)
	}
	return p.valid.x
}
