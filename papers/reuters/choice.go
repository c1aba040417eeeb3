package main

import (
	"context"
	"math"

	"pairrank/papers/experiment"
)

// chosen are the learners whose λ is chosen in each way.
var chosen = []learner{rankRLS, signedRLS}

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
		st, err := t.study(ctx, s, binary, c.by(pooled), c.by(pairsOut), c.by(hindsight))
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
