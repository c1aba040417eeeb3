package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/internal/student"
)

// labelled are numbers of positive and negative rows.
var labelled = [][2]int{{5, 5}, {10, 10}, {10, 40}, {30, 30}, {10, 200}, {100, 100}}

// aucs are areas of single scores, and pairsOfAUCs those of two scores of the same rows.
var (
	aucs        = []float64{0.5, 0.7, 0.9, 0.95, 0.99}
	pairsOfAUCs = [][2]float64{{0.5, 0.5}, {0.7, 0.7}, {0.9, 0.7}, {0.9, 0.9}, {0.95, 0.9}}
)

// scoresOf draws two scores of the rows, normal with a correlation and the areas given, and the labels.
func scoresOf(rng *rand.Rand, rows [2]int, areas [2]float64, correlation float64) (y, a, b []float64) {
	for i := range rows[0] + rows[1] {
		u, v := rng.NormFloat64(), rng.NormFloat64()
		v = correlation*u + math.Sqrt(1-correlation*correlation)*v
		label := 0.0
		if i < rows[0] {
			label = 1
			u += math.Sqrt2 * normalQuantile(areas[0])
			v += math.Sqrt2 * normalQuantile(areas[1])
		}
		y, a, b = append(y, label), append(a, u), append(b, v)
	}
	return y, a, b
}

// areas is the section on the areas of fixed scores.
func areas(ctx context.Context, s settings) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Coverage of the area in %%: the interval that is printed; ± 1.96 √V; the same on the logit scale. "+
		"%d simulations per cell, seed %d:\n\n| positives, negatives |", s.simulations, s.seed)
	for _, auc := range aucs {
		fmt.Fprintf(&b, " %g |", auc)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(aucs)) + "|\n")
	for r, rows := range labelled {
		fmt.Fprintf(&b, "| %d, %d |", rows[0], rows[1])
		for c, auc := range aucs {
			printed, plain, logit := make([]bool, s.simulations), make([]bool, s.simulations), make([]bool, s.simulations)
			err := simulate(ctx, s, uint64(900+10*r+c), func(k int, rng *rand.Rand) {
				y, scores, _ := scoresOf(rng, rows, [2]float64{auc, auc}, 0)
				roc, _ := cv.NewROC(scores, y) // of two labels
				half := student.Normal975 * roc.StdErr.Value
				printed[k] = holds(roc.Interval, auc)
				plain[k] = math.Abs(roc.AUC-auc) <= half
				lo, hi, ok := cv.AUCInterval(roc.AUC, roc.StdErr.Value)
				logit[k] = holds(cv.Interval{Lo: lo, Hi: hi, Defined: ok}, auc)
			})
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " **%s**; %s; %s |", share(printed), share(plain), share(logit))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nCoverage of the difference of two areas in %%, of simulations with √V above 0: the interval that "+
		"is printed, and ± 1.96 √V:\n\n| positives, negatives | correlation |")
	for _, pair := range pairsOfAUCs {
		fmt.Fprintf(&b, " %g, %g |", pair[0], pair[1])
	}
	b.WriteString("\n|---|---" + strings.Repeat("|---", len(pairsOfAUCs)) + "|\n")
	for r, rows := range labelled {
		for q, correlation := range []float64{0.5, 0.9} {
			fmt.Fprintf(&b, "| %d, %d | %g |", rows[0], rows[1], correlation)
			for c, pair := range pairsOfAUCs {
				text, err := differenceCell(ctx, s, uint64(1000+100*r+10*q+c), rows, pair, correlation)
				if err != nil {
					return "", err
				}
				b.WriteString(text)
			}
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

// differenceCell is the coverage of the difference of two areas.
func differenceCell(ctx context.Context, s settings, cell uint64, rows [2]int, pair [2]float64, correlation float64) (
	string, error) {
	found := make([]compare.AreaDifference, s.simulations)
	err := simulate(ctx, s, cell, func(k int, rng *rand.Rand) {
		y, one, other := scoresOf(rng, rows, pair, correlation)
		of, _ := compare.DeLong(y, one, other) // of two labels
		found[k] = of.Differences[0]
	})
	var printed, plain []bool
	for _, d := range found {
		if truth := pair[0] - pair[1]; d.Z.Defined {
			printed = append(printed, holds(d.Interval, truth))
			plain = append(plain, math.Abs(d.Difference-truth) <= student.Normal975*d.StdErr.Value)
		}
	}
	return fmt.Sprintf(" **%s**; %s |", share(printed), share(plain)), err
}

// holds reports whether an interval has a value.
func holds(i cv.Interval, v float64) bool { return i.Defined && i.Lo <= v && v <= i.Hi }
