package pairrank

import (
	"pairrank/data"
	"pairrank/internal/rows"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
)

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
	case randomFeatures(t.o.Kernels) > 0:
		return &model.Fourier{Kernel: s.spec.(kernel.Fourier), Inputs: t.features(), Weights: s.featureWeights(f.coef)}
	case isLinear(s.kernel):
		return &model.Linear{Weights: s.featureWeights(f.coef)}
	}
	return &model.Kernel{Kernel: s.kernel, Support: s.solution.form.of(s), Coef: f.coef}
}

// featureWeights are the weights of the features, v×n, for any basis of a linear kernel: w = Xᵀa over the rows
// that have coefficients.
func (s *trainer) featureWeights(coef *data.Dense) *data.Dense {
	x, columns := s.solution.form.of(s), coef.T()
	if x == nil {
		return columns
	}
	w := data.NewDense(coef.Cols, s.features(), nil)
	for c := range coef.Cols {
		x.MulTransVecTo(w.Row(c), columns.Row(c))
	}
	return w
}

// savedFacts are further facts of a training, in the order of writing.
func (t *trainer) savedFacts(of *Training) []model.Fact {
	facts := rows.Binarized(t.o.Threshold)
	if t.o.AllPairs {
		facts = append(facts, model.Fact{Name: "compared", Value: "all rows, across queries"})
	}
	if t.edges != nil {
		facts = append(facts, model.Fact{Name: "compared", Value: t.pairs.Fact()})
	}
	return append(facts, rows.Lambdas(of.Lambda, of.Lambdas)...)
}

// overPairs describes the pairs of a learner that leaves out ties.
func (t *trainer) overPairs() string {
	if t.o.AllPairs {
		return "all pairs with y_i > y_j"
	}
	return "pairs of a query with y_i > y_j"
}
