package main

import (
	"fmt"
	"math"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
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
	diff := study.Less(a, b)
	for _, v := range diff {
		switch {
		case math.Abs(v) < digit:
			d.alike++
		case v > 0:
			d.better++
		default:
			d.worse++
		}
	}
	d.p = study.Wilcoxon(diff)
	return d
}

// rivals are the learners against which RankRLS stands in tables 4 and 5, by their
// number in inPaper.
var rivals = []int{1, 2}

// versus is the table of RankRLS against the others, in every draw.
func versus(s *comparison, found *experiment.Result) {
	heads := []string{"", "%s"}
	for _, r := range rivals {
		heads = append(heads, "RankRLS against "+inPaper[r].name+": better", "%.0f", "alike", "%.0f", "worse", "%.0f",
			"p", "%.2g")
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
	found.Add(t)
}

// findWins compares with the paper the number of topics in which RankRLS is better; hindsight is the
// same with the λ that is best on the test documents, of RankRLS and RankSVM.
func findWins(s, hindsight *comparison, called string, found *experiment.Result) {
	for _, r := range rivals {
		mean, sd := experiment.Moments(s.wins(0, r))
		draws, quoted := len(s.reached[0]), fight(theirs(0), theirs(r))
		f := experiment.Finding{Paper: "2009", Place: inPaper[r].place,
			What: fmt.Sprintf("topics of %d in which RankRLS is better than %s, %s",
				numTopics, inPaper[r].name, called),
			Format: "%.1f", Says: fmt.Sprintf("of its %d: %d", numTopics, quoted.better),
			Theirs: float64(quoted.better), Ours: mean, Within: apart(sd, draws), Of: ofApart(draws),
			Margin: experiment.HalfRange(float64(quoted.better), float64(quoted.worse))}
		if f.Verdict() == experiment.No && inPaper[r].name == rankSVM.name {
			at, spread := experiment.Moments(hindsight.wins(0, 1))
			f.Reason = fmt.Sprintf("It is the choice of λ: with the best λ in hindsight it is better in %.1f ± %.1f.",
				at, spread)
		}
		found.Find(f)
	}
	ahead := study.Less(s.mean(0), s.mean(2))
	mean, sd := experiment.Moments(ahead)
	found.Find(experiment.Finding{Paper: "2009", Place: inPaper[2].place,
		What: "mean AUC of RankRLS less that of RankSVM, " + called, Format: "%+.3f",
		Says:   fmt.Sprintf("%.3f − %.3f", quotedMean(ofRankRLS), quotedMean(ofRankSVM)),
		Theirs: quotedMean(ofRankRLS) - quotedMean(ofRankSVM), Ours: mean,
		Within: apart(sd, len(ahead)), Of: ofApart(len(ahead)), Margin: meanMargin()})
}

// chosenTable is RankRLS against RankSVM with the λ that was chosen and the best one.
func chosenTable(s, hindsight *comparison) *experiment.Table {
	t := experiment.NewTable("λ", "%s", "RankRLS: mean AUC", "%.3f", "±", "%.3f", "RankSVM", "%.3f", "±", "%.3f",
		"difference", "%+.4f", "±", "%.4f", "topics better", "%.1f", "±", "%.1f")
	for _, of := range []struct {
		name string
		*comparison
		svm int
	}{{"ten folds, pooled", s, 2}, {"in hindsight", hindsight, 1}} {
		a, aSD := experiment.Moments(of.mean(0))
		b, bSD := experiment.Moments(of.mean(of.svm))
		d, dSD := experiment.Moments(study.Less(of.mean(0), of.mean(of.svm)))
		w, wSD := experiment.Moments(of.wins(0, of.svm))
		t.Row(of.name, a, aSD, b, bSD, d, dSD, w, wSD)
	}
	return t
}

// wins is in how many topics learner l is better than r, draw by draw.
func (s *comparison) wins(l, r int) (n []float64) {
	for d := range s.reached[l] {
		n = append(n, float64(fight(s.draw(l, d), s.draw(r, d)).better))
	}
	return n
}

// theirs is what the paper says of a learner.
func theirs(l int) (auc []float64) {
	for _, q := range paper {
		auc = append(auc, inPaper[l].of(q).auc)
	}
	return auc
}

// draw is the AUC of learner l in each topic of one draw.
func (s *comparison) draw(l, d int) (auc []float64) {
	for _, r := range s.reached[l][d] {
		auc = append(auc, r.auc)
	}
	return auc
}
