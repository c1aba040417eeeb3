package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/figure"
	"pairrank/relation/kron"
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
func games(ctx context.Context, s settings) (string, error) {
	var text, path strings.Builder
	fmt.Fprintf(&text, "| | repetitions |%s\n|---|---|%s\n", columns(learnerNames(), same), strings.Repeat("---|", len(gameLearners)))
	fmt.Fprintf(&path, "| error, λ |%s\n|---|%s\n", columns(gameLambdas, power), strings.Repeat("---|", len(gameLambdas)))
	f := figure.Figure{Title: "Rock-paper-scissors: mean test error by λ", Columns: 2}
	unfinished, solved := 0, 0
	for _, weight := range strings.Split(s.weights, ",") {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return "", err
		}
		all, err := playAll(ctx, w, s)
		if err != nil {
			return "", err
		}
		tell("rps: w%g", w)
		text.WriteString(besidePaper(w, all))
		for k, t := range all {
			fmt.Fprintf(&path, "| w%g, %s |%s\n", w, gameLearners[k].name, errorsByLambda(t, gameLearners[k].svm))
			if !gameLearners[k].svm {
				unfinished += sum(t.stopped)
				solved += len(gameLambdas) * s.repeats
			}
		}
		f.Panels = append(f.Panels, gamePanel(w, all, kron.Arbitrary), gamePanel(w, all, kron.Reciprocal))
	}
	return fmt.Sprintf("%s\nMeans ± their standard errors, λ = 2⁻³⁰. Of %d least-squares trainings %d did not reach the tolerance.\n\n%s\nMeans of %d repetitions. In brackets: how many of these trainings of RankSVM stopped at %d iterations above a gap of %g.\n",
		text.String(), solved, unfinished, path.String(), s.repeats, svmIterations, svmEpsilon), f.Write(s.figures, "condrank-games.svg")
}

// besidePaper is the lines of table 1 for a w: our means of as many repetitions as
// the paper has and of all, the paper's, and how far it is from the mean of all in
// standard errors of their difference, for which its repetitions are taken to vary
// as ours do.
func besidePaper(w float64, all []trained) string {
	var b strings.Builder
	last, repeats := len(gameLambdas)-1, len(all[0].errors[0])
	line := func(name, n string, cell func(k int, v []float64) string) {
		fmt.Fprintf(&b, "| %s | %s |", name, n)
		for k, t := range all {
			fmt.Fprintf(&b, " %s |", cell(k, t.errors[last]))
		}
		b.WriteString("\n")
	}
	name := fmt.Sprintf("**w%g**", w)
	if repeats > paperRepeats {
		line(name, strconv.Itoa(paperRepeats), func(_ int, v []float64) string { return meanAndError(v[:paperRepeats]) })
	}
	line(name, strconv.Itoa(repeats), func(_ int, v []float64) string { return meanAndError(v) })
	paper, ok := tableOne[w]
	if !ok {
		return b.String()
	}
	line("the paper", strconv.Itoa(paperRepeats), func(k int, _ []float64) string { return fourDigits(paper[k]) })
	if repeats > 1 {
		line("apart by standard errors", "", func(k int, v []float64) string { return fmt.Sprintf("%+.1f", apart(paper[k], v)) })
	}
	return b.String()
}

// apart is how many standard errors of the difference a mean of paperRepeats values
// is above that of v.
func apart(paper float64, v []float64) float64 {
	return (paper - mean(v)) / (deviation(v) * math.Sqrt(1.0/paperRepeats+1/float64(len(v))))
}

// errorsByLambda is the cells of a line.
func errorsByLambda(t trained, svm bool) string {
	var b strings.Builder
	for l, e := range t.errors {
		fmt.Fprintf(&b, " %s", fourDigits(mean(e)))
		if n := t.stopped[l]; svm && n > 0 {
			fmt.Fprintf(&b, " (%d)", n)
		}
		b.WriteString(" |")
	}
	return b.String()
}

// gamePanel is a panel of figure 2.
func gamePanel(w float64, all []trained, relation kron.Relation) figure.Panel {
	p := figure.Panel{Title: fmt.Sprintf("w%g, %s", w, map[kron.Relation]string{kron.Arbitrary: "Kronecker kernel", kron.Reciprocal: "reciprocal kernel"}[relation]), Unit: "log scale", Below: "λ, log scale", X: power, Y: figure.Plain, Direct: true}
	for k, learner := range gameLearners {
		if learner.relation != relation {
			continue
		}
		line := figure.Series{Name: strings.TrimSuffix(learner.name, " (r)"), Style: len(p.Series)}
		for l, lambda := range slices.Backward(gameLambdas) {
			line.Points = append(line.Points, [2]float64{lambda, mean(all[k].errors[l])})
		}
		p.Series = append(p.Series, line)
	}
	return p
}

func learnerNames() (names []string) {
	for _, l := range gameLearners {
		names = append(names, l.name)
	}
	return names
}

func same(name string) string { return name }

func sum(v []int) (total int) {
	for _, n := range v {
		total += n
	}
	return total
}
