package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
)

// measures are those of the papers: 2009 and 2007.
var measures = []metric.Metric{metric.Disagreement, metric.TauB}

// measured are the values of every sentence that has them, by measure.
type measured [2][]float64

// measure is what scores of some parses are worth.
func measure(test *data.Set, scores []float64) (m measured, err error) {
	_, values, err := study.Values(test, scores, measures, metric.Options{})
	if err == nil {
		m = measured(values)
	}
	return m, err
}

// mean has the standard error over the values.
func mean(v []float64) (mean, stderr float64) { return experiment.Mean(v), experiment.StdErr(v) }

// bySplit trains on the sentences of one file and tests on those of the other.
func bySplit(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := read(ctx, s.dir)
	if err != nil {
		return found, err
	}
	var train, test []int
	for i := range all.y {
		if i < all.train {
			train = append(train, i)
		} else {
			test = append(test, i)
		}
	}
	of := all.queries.Of()
	found.Text("%d parses of %d sentences train, %d of %d test.", len(train), of[all.train-1]+1, len(test),
		all.queries.Len()-int(of[all.train-1])-1)
	values, chosen := make([]measured, len(learners)), make([]string, len(learners))
	splits := []study.Split{all.split(train, test, s.seed)}
	err = study.Run(ctx, learners, splits, func(l, _ int, t *study.Trained) (err error) {
		chosen[l] = fmt.Sprintf("%.0f", math.Log2(t.Choice.Lambda))
		values[l], err = measure(splits[0].Test, t.Scores)
		return err
	})
	if err != nil {
		return found, err
	}
	table(&found, values, chosen)
	return found, nil
}

// byFolds holds folds of all sentences out, of both files, and draws them several times.
// A sentence's value is the mean over the draws.
func byFolds(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := read(ctx, s.dir)
	if err != nil {
		return found, err
	}
	found.Text("%d parses of %d sentences, each sentence predicted by training on those of the other %d folds, in %d "+
		"draws of the folds.", len(all.y), all.queries.Len(), s.folds-1, s.repeat)
	values := make([]measured, len(learners))
	for draw := range s.repeat {
		var splits []study.Split
		var tested [][]int
		for _, held := range all.folds(s.folds, s.seed+uint64(draw)) {
			others, rows := all.of(held)
			splits, tested = append(splits, all.split(others, rows, s.seed)), append(tested, rows)
		}
		scores := make([][]float64, len(learners)) // of all parses, each without its fold
		for l := range scores {
			scores[l] = make([]float64, len(all.y))
		}
		err := study.Run(ctx, learners, splits, func(l, k int, t *study.Trained) error {
			for a, i := range tested[k] {
				scores[l][i] = t.Scores[a]
			}
			return nil
		})
		if err != nil {
			return found, err
		}
		for l := range learners {
			m, err := measure(all.whole(), scores[l])
			if err != nil {
				return found, err
			}
			values[l].add(m, 1/float64(s.repeat))
		}
	}
	table(&found, values, nil)
	differences(&found, values)
	for k, l := range learners {
		find(&found, "2009", "table 2, BioInfer", l.Name+", disagreement", l.Theirs[disagreement], values[k][0])
		find(&found, "2007", "table 8, BioInfer", l.Name+", τ-b", l.Theirs[tau], values[k][1])
	}
	return found, nil
}

// add adds the values of another measurement of the same sentences, times weight.
func (m *measured) add(other measured, weight float64) {
	for k := range m {
		if m[k] == nil {
			m[k] = make([]float64, len(other[k]))
		}
		for q, v := range other[k] {
			m[k][q] += weight * v
		}
	}
}

// folds deals the sentences.
func (s *sentences) folds(n int, seed uint64) []map[int32]bool {
	folds := make([]map[int32]bool, n)
	for k, q := range rand.New(rand.NewPCG(seed, 0)).Perm(s.queries.Len()) {
		if folds[k%n] == nil {
			folds[k%n] = map[int32]bool{}
		}
		folds[k%n][int32(q)] = true
	}
	return folds
}

// find compares a number with the paper's, which trains on many more sentences and tests on others: it can neither
// agree nor differ.
func find(found *experiment.Result, paper, place, what string, theirs float64, v []float64) {
	if theirs == 0 {
		return
	}
	const tested = 600
	ours, stderr := mean(v)
	found.Find(experiment.Finding{Paper: paper, Place: place, What: what, Format: "%.3f", Theirs: theirs, Ours: ours,
		Within: experiment.HalfInterval(stderr*math.Sqrt(1+float64(len(v))/tested), len(v)-1),
		Of:     fmt.Sprintf("t over %d sentences here and %d there", len(v), tested),
		Unlike: "500 sentences train there, 38 here"})
}

// table is both tables of the papers.
func table(found *experiment.Result, values []measured, chosen []string) {
	heads := []string{"", "%s", "disagreement: 2009", "%.3f", "here", "%.3f", "±", "%.3f",
		"τ-b: 2007", "%.3f", "here", "%.3f", "±", "%.3f", "sentences", "%.0f"}
	if chosen != nil {
		heads = append(heads, "log₂ λ", "%s")
	}
	all := experiment.NewTable(heads...)
	paper := func(v float64) any {
		if v == 0 {
			return nil
		}
		return v
	}
	for k, l := range learners {
		d, dErr := mean(values[k][0])
		t, tErr := mean(values[k][1])
		row := []any{l.Name, paper(l.Theirs[disagreement]), d, dErr, paper(l.Theirs[tau]), t, tErr, len(values[k][0])}
		if chosen != nil {
			row = append(row, chosen[k])
		}
		all.Row(row...)
	}
	found.Add(all)
}

// differences are what the papers conclude from: relevant pairs against all pairs, and
// ranking against regression, over the sentences.
func differences(found *experiment.Result, values []measured) {
	t := experiment.NewTable("disagreement less", "%s", "2009", "%+.3f", "here", "%+.3f", "±", "%.3f",
		"p, Wilcoxon over sentences", "%.2g")
	for _, pair := range [][2]int{{1, 0}, {3, 2}, {5, 4}, {7, 0}, {7, 2}, {7, 4}, {7, 6}} {
		a, b := pair[0], pair[1]
		d := study.Less(values[a][0], values[b][0])
		here, stderr := mean(d)
		theirs := learners[a].Theirs[disagreement] - learners[b].Theirs[disagreement]
		t.Row(learners[a].Name+" less "+learners[b].Name, theirs, here, stderr, study.Wilcoxon(d))
	}
	found.Add(t)
}
