package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/relation/edge"
)

// tableOne is table 1 of the paper by w, in the order of gameLearners. Each is the
// mean of so many repetitions.
var tableOne = map[float64][6]float64{
	1:   {0.4875, 0.4868, 0.4876, 0.4880, 0.4987, 0.4891},
	10:  {0.04172, 0.04145, 0.04519, 0.04291, 0.04535, 0.04116},
	100: {0.001380, 0.001366, 0.001424, 0.001354, 0.006997, 0.005824},
}

const paperRepeats = 100

// games is table 1 and figure 2.
func games(ctx context.Context, s settings) (found experiment.Result, err error) {
	first := strconv.Itoa(min(s.repeats, paperRepeats))
	beside := experiment.NewTable("data", "%s", "learner", "%s", first+" repetitions", "%#.4g", "±", "%.2g",
		strconv.Itoa(s.repeats)+" repetitions", "%#.4g", "±", "%.2g",
		"the paper", "%#.4g", "apart by standard errors", "%+.1f")
	path := pathTable("error, λ", gameLambdas, "%#.4g")
	draws := experiment.NewTable("data", "%s", "a draw", "%s", "c.reg", "%#.4g", "±", "%.2g", "c.rank", "%#.4g",
		"±", "%.2g", "the paper: c.reg", "%#.4g", "c.rank", "%#.4g")
	f := figure.Figure{Title: "Rock-paper-scissors, mean test error by λ: least squares is flat for small λ, RankSVM " +
		"needs the right one", Columns: 2}
	stopped, solved := [2]int{}, [2]int{}
	for _, weight := range strings.Split(s.weights, ",") {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return found, err
		}
		all, err := playAll(ctx, w, s)
		if err != nil {
			return found, err
		}
		tell("rps: w%g", w)
		for k, t := range all {
			learner := gameLearners[k]
			besidePaper(beside, &found, w, k, t.errors[len(t.errors)-1])
			means := make([]share, len(t.errors))
			for l, e := range t.errors {
				means[l] = meanOf(e)
			}
			addPath(path, fmt.Sprintf("w%g, %s", w, learner.name), means)
			svm := 0
			if learner.svm {
				svm = 1
			}
			stopped[svm] += sum(t.stopped)
			solved[svm] += len(gameLambdas) * s.repeats
		}
		if err := drawsTable(ctx, w, s, draws); err != nil {
			return found, err
		}
		f.Panels = append(f.Panels, gamePanel(w, all, edge.Arbitrary), gamePanel(w, all, edge.Reciprocal))
	}
	found.Add(beside)
	found.Text("Means and their standard errors, λ = %s. Among %d least-squares trainings %d did not reach the "+
		"tolerance; among %d trainings of RankSVM %d stopped at %d iterations above a gap of %g.",
		figure.Power(tiny), solved[0], stopped[0], solved[1], stopped[1], svmIterations, svmEpsilon)
	found.Text("Three readings of a draw, over %d repetitions; the first table takes: %s.", s.repeats, drawn)
	found.Add(draws)
	found.Text("Means of %d repetitions by λ:", s.repeats)
	found.Add(path)
	found.Draw("condrank-games.svg",
		"Test error by λ in six panels: w1, w10 and w100, each with the Kronecker and the reciprocal kernel; "+
			"regression, ranking and RankSVM", f.SVG())
	return found, nil
}

// besidePaper is the line of a learner in table 1: our means of as many repetitions as
// the paper has and of all, the paper's, and how far it is from the mean of all in
// standard errors of their difference, for which its repetitions are taken to vary
// as ours do.
func besidePaper(t *experiment.Table, found *experiment.Result, w float64, k int, errors []float64) {
	few, all := meanOf(errors[:min(len(errors), paperRepeats)]), meanOf(errors)
	row := []any{fmt.Sprintf("w%g", w), gameLearners[k].name, few.mean, few.stderr, all.mean, all.stderr}
	paper, ok := tableOne[w]
	if !ok || len(errors) < 2 {
		t.Row(append(row, nil, nil)...)
		return
	}
	away, unit := apart(paper[k], errors)
	t.Row(append(row, paper[k], away)...)
	f := experiment.Finding{
		Paper: "2013", Place: fmt.Sprintf("table 1, w%g", w), What: gameLearners[k].name + ", error",
		Format: map[float64]string{1: "%.4f", 10: "%.5f", 100: "%.6f"}[w],
		Theirs: paper[k], Ours: all.mean, Within: 2 * unit,
		Of: fmt.Sprintf("two standard errors of the difference of %d repetitions there and %d here", paperRepeats,
			len(errors)),
	}
	f.Margin = experiment.HalfRange(paper[:]...)
	if f.Verdict() == experiment.No {
		f.Reason = "The games are our reading of another paper, which says how the players are made. The six numbers " +
			"of one w are of the same games, and deviate together."
	}
	found.Find(f)
}

// apart is how many standard errors of the difference a mean of paperRepeats values
// is above that of v, and that standard error.
func apart(paper float64, v []float64) (away, unit float64) {
	_, deviation := experiment.Moments(v)
	unit = deviation * math.Sqrt(1.0/paperRepeats+1/float64(len(v)))
	return (paper - experiment.Mean(v)) / unit, unit
}

// gamePanel is a panel of figure 2; its title has the least error that any learner has.
func gamePanel(w float64, all []trained, relation edge.Relation) figure.Panel {
	p := figure.Panel{Below: "λ, log scales", X: figure.Power, Y: figure.Plain, Direct: true}
	best, least := "", math.Inf(1)
	for k, learner := range gameLearners {
		if learner.relation != relation {
			continue
		}
		line := figure.Series{Name: strings.TrimSuffix(learner.name, " (r)"), Style: len(p.Series)}
		for l, lambda := range slices.Backward(gameLambdas) {
			e := experiment.Mean(all[k].errors[l])
			if line.Points = append(line.Points, [2]float64{lambda, e}); e < least {
				best, least = fmt.Sprintf("%s is best, %s at %s", line.Name, figure.Plain(e), figure.Power(lambda)), e
			}
		}
		p.Series = append(p.Series, line)
	}
	p.Title = fmt.Sprintf("w%g, %s: %s", w,
		map[edge.Relation]string{edge.Arbitrary: "Kronecker", edge.Reciprocal: "reciprocal"}[relation], best)
	return p
}

func sum(v []int) (total int) {
	for _, n := range v {
		total += n
	}
	return total
}
