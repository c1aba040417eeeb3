package main

import (
	"context"
	"math"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/goals"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/learn/rls"
)

// byPairs learns all topics with λ by leave-pair-out, through the entrance.
func byPairs(l pairrank.LeastSquares, change func(y []float64, v int)) learner {
	return learner{"leave-pair-out", func(ctx context.Context, t *trial) ([]reached, error) {
		split := study.Split{
			Test: &data.Set{X: t.rest, Y: make([]float64, t.rest.Rows), Queries: data.OneList(t.rest.Rows)},
		}
		split.Set = &data.Set{X: t.x, Y: make([]float64, t.x.Rows), Queries: t.list}
		split.Labels = data.NewDense(t.x.Rows, t.v, changed(t.y, t.v, change))
		choosing := study.Learner{Name: "leave-pair-out", Options: []pairrank.Options{
			{Learner: l, Lambdas: t.sums, Method: &cv.Method{Kind: cv.LeavePairOut}}}}
		trained, err := choosing.Train(ctx, split)
		if err != nil {
			return nil, err
		}
		out := make([]reached, t.v)
		for k, e := range trained.Choice.Chosen().Outputs {
			p := e.Points[e.Best]
			out[k] = reached{lambda: p.Candidate, held: 1 - p.Error}
			if out[k].tested, err = t.newTested(column(trained.Scores, t.v, k), k); err != nil {
				return nil, err
			}
		}
		return out, nil
	}}
}

// inHindsight learns with the λ that is best on the test documents, which no choice can
// know.
func inHindsight(goal func(t *trial) (*goals.Goal, error)) learner {
	return learner{"in hindsight", func(ctx context.Context, t *trial) ([]reached, error) {
		g, err := goal(t)
		if err != nil {
			return nil, err
		}
		path, err := rls.Factor(ctx, rls.Dual(t.k), g)
		if err != nil {
			return nil, err
		}
		best := make([]reached, t.v)
		for _, lambda := range t.sums {
			fit := path.At(lambda)
			err := eachTopic(t.v, func(k int) error {
				r, err := t.score(t.weights(fit, k), k)
				if r.auc > best[k].auc {
					best[k] = reached{lambda, math.NaN(), r}
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
		return best, nil
	}}
}

// hingeInHindsight is RankSVM with the λ that is best on the test documents.
var hingeInHindsight = learner{"RankSVM, in hindsight", func(ctx context.Context, t *trial) ([]reached, error) {
	x := used(t.x)
	best := make([]reached, t.v)
	return best, eachTopic(t.v, func(k int) error {
		svm, err := ranksvm.New(x.of, column(t.y, t.v, k), t.list, svmOptions)
		if err != nil {
			return err
		}
		for _, lambda := range t.means {
			fit, err := svm.Train(ctx, lambda)
			if err != nil {
				return err
			}
			r, err := t.score(x.widen(fit.Weights), k)
			if err != nil {
				return err
			}
			if r.auc > best[k].auc {
				best[k] = reached{lambda, math.NaN(), r}
			}
		}
		return nil
	})
}}

// chosen are the learners whose λ is chosen in each way.
var chosen = []struct {
	name string
	by   [3]learner
}{
	{"RankRLS", [3]learner{rankRLS, byPairs(pairrank.LeastSquares{}, asTheyAre), inHindsight(compared)}},
	{signedRLS.name, [3]learner{signedRLS, byPairs(pairrank.LeastSquares{Regression: true}, signs),
		inHindsight(signed)}},
}

// howChosen are the names of the ways.
var howChosen = [3]string{"ten folds, pooled", "leave-pair-out", "in hindsight"}

// bands are topics by how many positive documents there are to train on.
var bands = []struct {
	name   string
	lo, hi int
}{{"2 to 4", leastPositive, 4}, {"5 to 9", 5, 9}, {"10 or more", 10, trainingSize}}

// choice compares ways to choose λ: the pooled predictions of ten folds, leave-pair-out
// and hindsight.
func choice(ctx context.Context, s settings) (found experiment.Result, err error) {
	t, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	heads := []string{"λ chosen by", "%s", "median of log₂ λ", "%.0f", "mean AUC", "%.3f", "±", "%.3f"}
	for _, b := range bands {
		heads = append(heads, b.name+" positive: AUC", "%.3f", "held out less test", "%+.3f", "±", "%.3f")
	}
	table := experiment.NewTable(heads...)
	for _, c := range chosen {
		st, err := t.study(ctx, s, binary, c.by[:]...)
		if err != nil {
			return found, err
		}
		for l, how := range howChosen {
			mean, sd := experiment.Moments(st.mean(l))
			row := []any{c.name + ", " + how, experiment.Median(st.exponents(l)), mean, sd}
			for _, b := range bands {
				auc, off := t.band(st, l, b.lo, b.hi)
				mean, _ := experiment.Moments(auc)
				bias, spread := experiment.Moments(off)
				row = append(row, mean, bias, spread)
			}
			table.Row(row...)
		}
	}
	found.Add(table)
	return found, nil
}

// exponents are log₂ of the λ that were chosen, of all draws and topics.
func (s *comparison) exponents(l int) (all []float64) {
	for _, draw := range s.reached[l] {
		for _, r := range draw {
			all = append(all, math.Log2(r.lambda))
		}
	}
	return all
}

// band is, of all draws and topics with lo to hi positive documents to train on, the AUC
// of the test documents, and the held-out one less that.
func (t *tasks) band(s *comparison, l, lo, hi int) (auc, off []float64) {
	for _, draw := range s.reached[l] {
		for k, r := range draw {
			if n := t.totals[k] - r.positives; n >= lo && n <= hi {
				auc, off = append(auc, r.auc), append(off, r.held-r.auc)
			}
		}
	}
	return auc, off
}
