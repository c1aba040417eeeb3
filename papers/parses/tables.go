package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/papers/experiment"
)

// measures are those of the papers: 2009 and 2007.
var measures = []metric.Metric{metric.Disagreement, metric.TauB}

// measured are the values of every sentence that has them, by measure.
type measured [2][]float64

// measure is what scores of some parses are worth.
func (s *sentences) measure(rows []int, scores []float64) (m measured, err error) {
	set := s.set(rows, nil)
	report, err := metric.Evaluate(metric.Input{Labels: set.Y, Scores: scores, Queries: set.Queries}, measures, metric.Options{})
	if err != nil {
		return m, err
	}
	for _, q := range report.PerQuery {
		for k := range measures {
			if q.Values[k].Defined {
				m[k] = append(m[k], q.Values[k].Value)
			}
		}
	}
	return m, nil
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
	found.Text("%d parses of %d sentences train, %d of %d test.", len(train), of[all.train-1]+1, len(test), all.queries.Len()-int(of[all.train-1])-1)
	values, chosen := make([]measured, len(learners)), make([]string, len(learners))
	for k, l := range learners {
		scores, c, err := l.predict(ctx, all, train, test, s.seed)
		if err != nil {
			return found, fmt.Errorf("%s: %w", l.name, err)
		}
		chosen[k] = fmt.Sprintf("%.0f", math.Log2(c.Lambda))
		if values[k], err = all.measure(test, scores); err != nil {
			return found, err
		}
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
	found.Text("%d parses of %d sentences, each sentence predicted by training on those of the other %d folds, in %d draws of the folds.",
		len(all.y), all.queries.Len(), s.folds-1, s.repeat)
	values := make([]measured, len(learners))
	for k, l := range learners {
		for draw := range s.repeat {
			scores := make([]float64, len(all.y))
			for _, held := range all.folds(s.folds, s.seed+uint64(draw)) {
				others, rows := all.of(held)
				part, _, err := l.predict(ctx, all, others, rows, s.seed)
				if err != nil {
					return found, fmt.Errorf("%s: %w", l.name, err)
				}
				for a, i := range rows {
					scores[i] = part[a]
				}
			}
			every, _ := all.of(nil)
			m, err := all.measure(every, scores)
			if err != nil {
				return found, err
			}
			values[k].add(m, 1/float64(s.repeat))
		}
	}
	table(&found, values, nil)
	differences(&found, values)
	for k, l := range learners {
		find(&found, "2009", "table 2, BioInfer", l.name+", disagreement", l.disagreement, values[k][0])
		find(&found, "2007", "table 8, BioInfer", l.name+", τ-b", l.tau, values[k][1])
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

// find puts a number beside the paper's, which trains on many more sentences and tests on
// others: whatever it is, it neither agrees nor differs.
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
	heads := []string{"", "%s", "disagreement: 2009", "%.3f", "here", "%.3f", "±", "%.3f", "τ-b: 2007", "%.3f", "here", "%.3f", "±", "%.3f", "sentences", "%.0f"}
	if chosen != nil {
		heads = append(heads, "log₂ λ", "%s")
	}
	t := experiment.NewTable(heads...)
	paper := func(v float64) any {
		if v == 0 {
			return nil
		}
		return v
	}
	for k, l := range learners {
		d, dErr := mean(values[k][0])
		tau, tauErr := mean(values[k][1])
		row := []any{l.name, paper(l.disagreement), d, dErr, paper(l.tau), tau, tauErr, len(values[k][0])}
		if chosen != nil {
			row = append(row, chosen[k])
		}
		t.Row(row...)
	}
	found.Add(t)
}

// differences are what the papers conclude from: relevant pairs against all pairs, and
// ranking against regression, over the sentences.
func differences(found *experiment.Result, values []measured) {
	t := experiment.NewTable("disagreement less", "%s", "2009", "%+.3f", "here", "%+.3f", "±", "%.3f", "p, Wilcoxon over sentences", "%.2g")
	for _, pair := range [][2]int{{1, 0}, {3, 2}, {5, 4}, {7, 0}, {7, 2}, {7, 4}, {7, 6}} {
		a, b := pair[0], pair[1]
		d := make([]float64, len(values[a][0]))
		for q := range d {
			d[q] = values[a][0][q] - values[b][0][q]
		}
		here, stderr := mean(d)
		t.Row(learners[a].name+" less "+learners[b].name, learners[a].disagreement-learners[b].disagreement, here, stderr,
			compare.Wilcoxon(compare.FlushRounding(d), compare.DropZeros).P)
	}
	found.Add(t)
}
