package rows

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/pref"
)

// model is what was learnt, ready to be saved.
func (t *task) model(f *fit, c *cv.Choice) *model.Model {
	m := &model.Model{Info: t.info(t.facts(f), f, c), Names: t.problem.Set.Names, Normalizer: t.norm}
	s := f.space
	switch {
	case f.boost != nil:
		m.Scorer = f.boost.Stumps
	case t.given != nil:
		m.Names = nil
		rows := t.support
		if !t.onBasis() {
			rows = indices(t.rows())
		}
		numbers := make([]int, len(rows))
		for a, i := range rows {
			numbers[a] = i + 1
		}
		m.Scorer = &model.Kernel{Kernel: s.kernel, SupportRows: numbers, Coef: f.coef}
	case randomFeatures(t.o.Kernels) > 0:
		m.Scorer = &model.Fourier{Kernel: s.spec.(kernel.Fourier), Inputs: t.features(), Weights: s.featureWeights(f.coef)}
	case isLinear(s.kernel):
		m.Scorer = &model.Linear{Weights: s.featureWeights(f.coef)}
	case t.onBasis():
		m.Scorer = &model.Kernel{Kernel: s.kernel, Support: data.Select(t.x, t.support), Coef: f.coef}
	default:
		m.Scorer = &model.Kernel{Kernel: s.kernel, Support: t.x, Coef: f.coef}
	}
	return m
}

// featureWeights are those of the features, v×n, whatever the basis of a linear
// kernel: w = Xᵀa of the rows that have coefficients.
func (s *space) featureWeights(coef *data.Dense) *data.Dense {
	w := data.NewDense(coef.Cols, s.features(), nil)
	var x data.Matrix // nil where the coefficients are weights
	switch {
	case s.solution.Solver == Dual:
		x = s.x
	case s.onBasis():
		x = s.basisRows()
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

// info are the facts that a model keeps of its training.
func (t *task) info(facts Training, f *fit, c *cv.Choice) model.Info {
	i := model.Info{
		Learner: facts.Learner, Solver: facts.Solver, Objective: facts.Objective, Lambda: facts.Lambda,
		Rows: facts.Rows, Queries: facts.Queries, Pairs: facts.Pairs,
	}
	switch l := t.learner.(type) {
	case LeastSquares:
		if !l.Regression {
			i.Cost = string(l.Pairs.Cost)
			if t.edges == nil {
				i.Ties, i.QueryWeight = l.Pairs.Ties, string(l.Pairs.Weight)
			}
		}
	case RankSVM:
		i.Loss, i.QueryWeight = string(l.Loss), string(l.Weight)
	case RankBoost:
		i.QueryWeight = string(l.Weight)
	}
	i.Further = t.savedFacts(f)
	if !c.Measured() {
		return i
	}
	chosen := c.Chosen()
	i.Selection = &model.Selection{Method: chosen.Method.String(), Metric: cmp.Or(c.Measure, "error"), Error: chosen.Error()}
	i.Selection.Count = c.Tried()
	if m := t.o.Metric; m != nil {
		i.SetChosenBy(m.String(), chosen.Value())
	}
	return i
}

// savedFacts are further facts, in the order they are written.
func (t *task) savedFacts(f *fit) (facts []model.Fact) {
	fact := func(name, value string) { facts = append(facts, model.Fact{Name: name, Value: value}) }
	if threshold := t.o.Threshold; threshold != nil {
		fact("binarize", strconv.FormatFloat(*threshold, 'g', -1, 64))
	}
	if t.o.AllPairs {
		fact("compared", "all rows, across queries")
	}
	if t.edges != nil {
		fact("compared", "an explicit list of preferences")
	}
	if f.lambda == 0 && f.lambdas != nil {
		texts := make([]string, len(f.lambdas))
		for k, v := range f.lambdas {
			texts[k] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		fact("lambdas", strings.Join(texts, " "))
	}
	switch {
	case f.cg != nil:
		fact("iterations", strconv.Itoa(f.cg.Iterations))
		fact("residual", fmt.Sprintf("%.3g", f.cg.Residual))
	case f.svm != nil:
		fact("iterations", strconv.Itoa(f.svm.Iterations))
		fact("gap", fmt.Sprintf("%.3g", f.svm.Gap))
	case f.boost != nil:
		fact("rounds", strconv.Itoa(len(f.boost.Stumps.Terms)))
	}
	return facts
}

func (l LeastSquares) objective(t *task) string {
	if l.Regression {
		return "sum_i (y_i - f_i)^2 + lambda |f|^2"
	}
	target := map[pref.Cost]string{pref.Magnitude: "(y_i - y_j)", pref.Unit: "1", pref.Relative: "(y_i - y_j)"}[l.Pairs.Cost]
	weight := map[pref.Weight]string{pref.Pairs: "", pref.Size: "1/m_q ", pref.Edges: "1/N_q "}[l.Pairs.Weight]
	switch {
	case t.edges != nil:
		target = map[pref.Cost]string{pref.Magnitude: "z_e", pref.Unit: "1", pref.Relative: "z_e"}[l.Pairs.Cost]
		if l.Pairs.Cost == pref.Relative {
			weight = "1/z_e^2 "
		}
		return "sum_e w_e " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over the preferences e = (i,j)"
	case l.Pairs.Cost == pref.Relative:
		weight += "1/(y_i - y_j)^2 "
	}
	over := "pairs of a query"
	if t.o.AllPairs {
		over = "all pairs"
	}
	if l.Pairs.Ties == pref.ExcludeTies {
		over += " with y_i > y_j"
	}
	return "sum " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over " + over
}

// overPairs are the pairs of a learner that leaves ties out.
func (t *task) overPairs() string {
	if t.o.AllPairs {
		return "all pairs with y_i > y_j"
	}
	return "pairs of a query with y_i > y_j"
}

func (r RankSVM) objective(t *task) string {
	loss := "max(0, 1 - (f_i - f_j))"
	if r.Loss == ranksvm.SquaredHinge {
		loss += "^2"
	}
	mean := "mean"
	if r.Weight == pref.Edges && !t.o.AllPairs {
		mean = "mean over queries of the mean"
	}
	return mean + " " + loss + " + lambda |f|^2 over " + t.overPairs()
}

func (r RankBoost) objective(t *task) string {
	mean := "mean"
	switch {
	case t.o.AllPairs:
	case r.Weight == pref.Edges:
		mean = "mean over queries of the mean"
	case r.Weight == pref.Size:
		mean = "mean, weighted by 1/m_q,"
	}
	return mean + " exp(f_j - f_i) over " + t.overPairs() + ", f a sum of stumps"
}
