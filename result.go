package pairrank

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
)

// Result is the result of Train.
type Result struct {
	// Model scores new rows; its WriteFile saves it.
	Model *model.Model
	// Choice is the chosen kernel and candidate with its held-out error. The Error is NaN if nothing was held
	// out, since there was a single candidate and no Method.
	Choice cv.Choice
	// Training has the facts of the training that made the model.
	Training Training
	// Notes are the decisions made on the way and the doubts about the result, in order.
	Notes []event.Note
	// Selection is the selection of features; nil unless the learner is Greedy.
	Selection *Selection

	halves *halves // of a model of splines, for ShapeErrors, or nil
}

// Training has the facts of how a model was trained.
type Training struct {
	// Facts is the part that the model file keeps, too: the learner, its solver, objective and λ (0 if the
	// outputs have different ones or there is none), and the numbers m, q and of compared pairs.
	training.Facts
	// Why is the reason for the choice of the solver.
	Why    string
	Kernel kernel.Kernel

	Features, Outputs int // n, which is 0 for a kernel matrix, and v
	// Weight is the sum of the weights of the rows, 0 where they have none.
	Weight float64

	// Parameter is the chosen or given parameter.
	Parameter cv.Parameter
	// Lambdas are the values of λ of several outputs.
	Lambdas []float64
	// Rounds is the number of stumps of RankBoost. Exhausted reports that no further stump was left to learn.
	Rounds    int
	Exhausted bool
	// Minimum is the value of the objective at the model.
	Minimum float64
	// Iterations is the number of iterations of an iterative solver.
	Iterations int
	// Residual is the relative residual of CG, else NaN.
	Residual float64
	// ScoreError bounds the error of the differences of scores at which CG stopped, relative to their mean; 0 if a
	// tolerance was asked for, and of other solvers.
	ScoreError float64
	// Gap bounds how far RankSVM is above the optimum; NaN for other learners.
	Gap float64
	// Converged is false if an iteration ended before it reached the requested accuracy.
	Converged bool
	// Planes is the number of cutting planes that RankSVM kept for the hinge loss.
	Planes int
	// Chosen are the selected features of Greedy, from 0, in the order in which they came in.
	Chosen []int
}

// facts are the facts of the training that made a fit.
func (t *trainer) facts(f *fit) Training {
	out := Training{
		Facts: training.Facts{Learner: t.o.Learner.Name(), Solver: string(t.solution.Solver),
			Objective: t.learner.objective(t),
			Lambda:    f.lambda, Rows: t.rows(), Queries: t.queries.Len(), Pairs: f.pairs},
		Why: t.solution.Why, Kernel: f.trainer.used(), Features: t.features(), Outputs: t.outputs, Weight: t.weighted(),
		Parameter: t.learner.parameter(), Lambdas: f.lambdas, Minimum: f.objective,
		Residual: math.NaN(), Gap: math.NaN(), Converged: true,
	}
	t.learner.describe(t, &out.Facts)
	f.outcome.tell(&out)
	return out
}

// savedFacts are further facts of a training, in the order of writing.
func (t *trainer) savedFacts(of *Training) []model.Fact {
	facts := rows.Labels(t.o.Threshold, t.censored != nil)
	if t.o.AllPairs {
		facts = append(facts, model.Fact{Name: "compared", Value: "all rows, across queries"})
	}
	if t.edges != nil {
		facts = append(facts, model.Fact{Name: "compared", Value: t.pairs.Fact()})
	}
	if basis, _ := t.learner.basis(); basis.Size > 0 {
		facts = append(facts, model.Fact{Name: "basis", Value: fmt.Sprintf("%d of %d rows, drawn with seed %d", basis.Size,
			t.rows(), t.o.Seed)})
	}
	return append(facts, rows.Lambdas(of.Lambda, of.Lambdas)...)
}

// model returns the model to be saved.
func (t *trainer) model(f *fit, facts training.Facts) *model.Model {
	m := &model.Model{Info: facts, Names: t.problem.Set.Names, Normalizer: t.norm, Scorer: f.outcome.scorer(t, f)}
	// Texts and finite numbers are always JSON.
	_ = m.Info.SetSchema(t.problem.Set.Schema)
	if t.given != nil { // there are no features
		m.Names = nil
		return m
	}
	_ = m.Info.SetSubstitutes(t.problem.Set.Substitutes)
	m.Info.SetZeroBased(t.problem.Set.ZeroBased)
	return m
}

// scorer is the scorer of coefficients.
func (direct) scorer(t *trainer, f *fit) model.Scorer {
	s := f.trainer
	switch {
	case t.given != nil:
		rows := t.support
		if !t.onBasis() {
			rows = indices(t.rows())
		}
		numbers := make([]int, len(rows))
		for a, i := range rows {
			numbers[a] = i + 1
		}
		return &model.Kernel{Kernel: s.kernel, SupportRows: numbers, Coef: f.coef}
	case isRandom(s.spec):
		return &model.Fourier{Kernel: s.spec.(kernel.Fourier), Inputs: t.features(), Weights: s.featureWeights(f.coef)}
	case isMapped(s.spec):
		spline := &model.Spline{Map: s.z.(*kernel.SplineMap), Weights: s.featureWeights(f.coef)}
		spline.Describe(s.origin.x, s.origin.weights, s.levels()...)
		return spline
	case isLinear(s.kernel):
		return &model.Linear{Weights: s.featureWeights(f.coef)}
	}
	return &model.Kernel{Kernel: s.kernel, Support: s.solution.form.of(s), Coef: f.coef}
}

// featureWeights are the weights of the features, v×n, for any basis of a linear kernel: w = Xᵀa over the rows
// that have coefficients.
func (t *trainer) featureWeights(coef *data.Dense) *data.Dense {
	x, columns := t.solution.form.of(t), coef.T()
	if x == nil {
		return columns
	}
	w := data.NewDense(coef.Cols, t.features(), nil)
	for c := range coef.Cols {
		x.MulTransVecTo(w.Row(c), columns.Row(c))
	}
	return w
}

// halves are what is kept of a fit for ShapeErrors.
func (f *fit) halves() *halves {
	rows := f.trainer.of(f.trainer.origin, f.trainer.round)
	rows.origin = rows.sample
	return &halves{rows, f.lambda}
}

// overPairs describes the pairs of a learner that leaves out ties.
func (t *trainer) overPairs() string {
	pairs, order := "pairs of a query", " with y_i > y_j"
	if t.o.AllPairs {
		pairs = "all pairs"
	}
	if t.censored != nil {
		order = rows.Comparable
	}
	if t.weights != nil {
		order += ", each w_i w_j times"
	}
	return pairs + order
}

// difference is the score of the row of a pair with the greater label less that of the other one, and its opposite.
func (t *trainer) difference() (above, below string) {
	if t.censored != nil { // i is the shorter one
		return "f_j - f_i", "f_i - f_j"
	}
	return "f_i - f_j", "f_j - f_i"
}
