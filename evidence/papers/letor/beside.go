package main

import (
	"fmt"
	"math"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// columns2007 are the names of the columns.
var columns2007 = [numColumns]string{"RankRLS", "RLS", "RankSVM", "RankBoost"}

// besidePaper compares MAP, and NDCG and P at 1, 5 and 10, with the paper. Both are means over
// the same queries. The columns that the paper took from the collection were published fold
// by fold, so that the folds can be compared one by one; for the others only a bound is known.
func besidePaper(
	found *experiment.Result, ours [numColumns][]measured, published map[string]map[string]*baseline,
) error {
	t := experiment.NewTable("less the published baseline", "%s", "fold 1", "%+.3f", "2", "%+.3f", "3", "%+.3f",
		"4", "%+.3f", "5", "%+.3f", "mean", "%+.3f", "±, t over the folds", "%.3f")
	for k, m := range measures() {
		measure := m.String()
		name, position, _ := strings.Cut(measure, "@")
		if name != "map" && position != "1" && position != "5" && position != "10" {
			continue
		}
		row := paper2007[measure]
		for column, paper := range row {
			f := experiment.Finding{Paper: "2007", Place: strings.ToLower(titles2007[name]) + ", OHSUMED",
				What: fmt.Sprintf("%s, %s", columns2007[column], measure), Format: "%.3f", Theirs: paper,
				Ours: ours[column][k].mean, Margin: experiment.HalfRange(row[:]...)}
			if learner := quoted[column]; learner == "" {
				f.Within, f.Of = sameQueries(ours[column][k].stderr, paper, ours[column][k].queries)
			} else {
				d, err := byFold(ours[column][k], published[learner][measure], paper)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", learner, measure, err)
				}
				f.Within = experiment.HalfInterval(experiment.StdErr(d), len(d)-1)
				f.Of = fmt.Sprintf("t of the differences in %d folds", len(d))
				cells := []any{f.What}
				for _, v := range d {
					cells = append(cells, v)
				}
				t.Row(append(cells, experiment.Mean(d), f.Within)...)
				if f.Verdict() == experiment.No {
					f.Reason = settingsUnknown
				}
			}
			found.Find(f)
		}
	}
	found.Text("**Fold by fold.** The paper took RankSVM and RankBoost from the collection, which has them for each " +
		"fold: ours less theirs on the same test queries, with labels from 1 on relevant.")
	found.Add(t)
	return nil
}

// settingsUnknown is why a published baseline may differ.
const settingsUnknown = "The settings of the published baselines are not known, and of twenty numbers one is so far " +
	"off by chance"

// byFold is ours less the published baseline, fold by fold. It is an error when the folds
// are not those of the paper's number.
func byFold(ours measured, theirs *baseline, paper float64) (differences []float64, err error) {
	if len(theirs.folds) != len(ours.folds) {
		return nil, fmt.Errorf("%d folds were published, and there are %d", len(theirs.folds), len(ours.folds))
	}
	if mean := experiment.Mean(theirs.folds); math.Abs(mean-paper) > 0.0005+1e-9 {
		return nil, fmt.Errorf("the published folds have the mean %.6f, and the paper %.3f", mean, paper)
	}
	for k, v := range ours.folds {
		differences = append(differences, v-theirs.folds[k])
	}
	return differences, nil
}

// sameQueries bounds by how much two means over the same n queries differ by chance when
// the values of theirs, which lie in [0,1], are not known: two standard errors of each,
// added, as if one were high where the other is low. The variance of values in [0,1] with
// mean μ is at most μ(1 − μ) (Bhatia and Davis 2000, A better bound on the variance,
// American Mathematical Monthly 107).
func sameQueries(stderr, theirs float64, n int) (within float64, of string) {
	return 2 * (stderr + math.Sqrt(theirs*(1-theirs)/float64(n-1))),
		fmt.Sprintf("a bound over the same %d queries, whose values the paper does not give", n)
}
