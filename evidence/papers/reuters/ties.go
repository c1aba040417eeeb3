package main

import (
	"context"
	"errors"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

// untied is RankRLS without the pairs of equal labels. Each topic then compares other
// pairs, has a factorisation of its own, and predicts held-out documents by training
// again.
var untied = learner{"RankRLS, tied pairs left out", func(ctx context.Context, t *trial) ([]reached, error) {
	out := make([]reached, t.v)
	return out, eachTopic(t.v, func(k int) error {
		r, err := t.topic(k).untied(ctx)
		if err == nil {
			out[k] = r[0]
		}
		return err
	})
}}

// discordantly is the goal of the pairs of different labels.
func discordantly(y []float64) (*goals.Goal, error) {
	return goals.Scored(y, 1, data.OneList(len(y)), pref.Options{Ties: pref.ExcludeTies})
}

// untied learns the one topic of a trial without tied pairs.
func (t *trial) untied(ctx context.Context) ([]reached, error) {
	trainer := holdout.Trainer(func(ctx context.Context, train, test []int, lambdas []float64,
		emit func(l int, f *data.Dense)) error {
		return t.untiedFold(ctx, train, test, lambdas, emit)
	})
	estimates, err := holdout.Measure(ctx, trainer.Predict, holdout.Labels{Y: t.y, Queries: t.list},
		holdout.Options{Splits: t.folds, Candidates: t.sums})
	if err != nil {
		return nil, err
	}
	goal, err := discordantly(t.y)
	if err != nil {
		return nil, err
	}
	path, err := rls.Factor(ctx, rls.Dual(t.k), goal)
	if err != nil {
		return nil, err
	}
	return t.test(estimates,
		func(k int, lambda float64) ([]float64, error) { return t.weights(path.At(lambda), k), nil })
}

// untiedFold trains on some documents and predicts others, for each λ.
func (t *trial) untiedFold(ctx context.Context, train, test []int, lambdas []float64,
	emit func(l int, f *data.Dense)) error {
	goal, err := discordantly(some(t.y, 1, train))
	if errors.Is(err, goals.ErrNothingToLearn) { // all positive documents are held out
		for l := range lambdas {
			emit(l, data.NewDense(len(test), 1, nil))
		}
		return nil
	}
	if err != nil {
		return err
	}
	path, err := rls.Factor(ctx, rls.Dual(data.SelectColumns(data.Select(t.k, train), train).(*data.Dense)), goal)
	if err != nil {
		return err
	}
	between := data.SelectColumns(data.Select(t.k, test), train)
	for l, lambda := range lambdas {
		f := data.NewDense(len(test), 1, nil)
		between.MulVecTo(f.Data, path.At(lambda).Coef.Data)
		emit(l, f)
	}
	return nil
}

// topic is the trial of topic k alone.
func (t *trial) topic(k int) *trial {
	one := *t
	one.y, one.truth, one.v = column(t.y, t.v, k), column(t.truth, t.v, k), 1
	return &one
}

// ties compares RankRLS with and without the pairs of equal labels.
func ties(ctx context.Context, s settings) (found experiment.Result, err error) {
	t, err := loadTasks(ctx, s.dir)
	if err != nil {
		return found, err
	}
	table := experiment.NewTable("a word in a document", "%s", "all pairs: mean AUC", "%.4f", "±", "%.4f",
		"tied pairs left out", "%.4f", "±", "%.4f",
		"difference", "%+.4f", "±", "%.4f", "topics better with all", "%.0f", "alike", "%.0f", "better without", "%.0f",
		"p", "%.2g")
	for _, f := range []form{binary, tfidf} {
		st, err := t.study(ctx, s, f, rankRLS, untied)
		if err != nil {
			return found, err
		}
		all, without := st.mean(0), st.mean(1)
		diff := study.Less(all, without)
		mean, sd := experiment.Moments(all)
		otherMean, otherSD := experiment.Moments(without)
		gain, spread := experiment.Moments(diff)
		d := fight(st.averages(0), st.averages(1))
		table.Row(f.name, mean, sd, otherMean, otherSD, gain, spread, d.better, d.alike, d.worse, d.p)
		found.Find(experiment.Finding{Paper: "2009", Place: "section 5.4, tied pairs",
			What: "mean AUC of RankRLS with them less without, " + f.name, Format: "%+.4f", Says: "“negligible”",
			Ours: gain, Within: apart(spread, len(diff)), Of: ofApart(len(diff)), Margin: meanMargin()})
	}
	found.Add(table)
	return found, nil
}
