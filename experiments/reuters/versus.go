package main

import (
	"fmt"
	"math"

	"pairrank/eval/compare"
	"pairrank/experiments/internal/experiment"
)

// duel is one learner against another over the topics.
type duel struct {
	better, alike, worse int
	p                    float64 // Wilcoxon's
}

// digit is half a unit of the last digit that the paper prints.
const digit = 0.0005

// fight compares the AUC of two learners, topic by topic.
func fight(a, b []float64) (d duel) {
	diff := make([]float64, len(a))
	for k := range a {
		switch diff[k] = a[k] - b[k]; {
		case math.Abs(diff[k]) < digit:
			d.alike++
		case diff[k] > 0:
			d.better++
		default:
			d.worse++
		}
	}
	d.p = compare.Wilcoxon(compare.FlushRounding(diff), compare.DropZeros).P
	return d
}

// rivals are the learners against which RankRLS stands in tables 4 and 5, by their
// number in inPaper.
var rivals = []int{1, 2}

// versus is the table of RankRLS against the others, in every draw. found, where it is
// not nil, gets how often RankRLS is better, beside the paper.
func versus(s *study, found *experiment.Result) *experiment.Table {
	heads := []string{"", "%s"}
	for _, r := range rivals {
		heads = append(heads, "RankRLS against "+inPaper[r].name+": better", "%.0f", "alike", "%.0f", "worse", "%.0f", "p", "%.2g")
	}
	t := experiment.NewTable(heads...)
	row := func(name string, of func(l int) []float64) {
		cells := []any{name}
		for _, r := range rivals {
			d := fight(of(0), of(r))
			cells = append(cells, d.better, d.alike, d.worse, d.p)
		}
		t.Row(cells...)
	}
	row("the paper", theirs)
	row("mean of the draws", s.averages)
	for d := range s.reached[0] {
		row(fmt.Sprintf("draw %d", d+1), func(l int) []float64 { return s.draw(l, d) })
	}
	if found == nil {
		return t
	}
	for _, r := range rivals {
		var wins []float64
		for d := range s.reached[0] {
			wins = append(wins, float64(fight(s.draw(0, d), s.draw(r, d)).better))
		}
		mean, sd := moments(wins)
		found.Find(experiment.Finding{Paper: "2009", Place: inPaper[r].place, What: fmt.Sprintf("topics of %d in which RankRLS is better than %s", numTopics, inPaper[r].name),
			Format: "%.1f", Theirs: float64(fight(theirs(0), theirs(r)).better), Ours: mean, Within: apart(sd, len(wins)), Of: "two standard deviations of a draw"})
	}
	return t
}

// theirs is what the paper says of a learner.
func theirs(l int) (auc []float64) {
	for _, q := range paper {
		auc = append(auc, inPaper[l].of(q).auc)
	}
	return auc
}

// draw is the AUC of learner l in each topic of one draw.
func (s *study) draw(l, d int) (auc []float64) {
	for _, r := range s.reached[l][d] {
		auc = append(auc, r.auc)
	}
	return auc
}
