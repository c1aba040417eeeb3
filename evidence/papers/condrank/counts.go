package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/kernel"
)

// countLambdas go from none to much: a message of thousands of words has a large
// eigenvalue, and edges have products of two.
var countLambdas = append(experiment.Powers(-20, 20, 40), experiment.Powers(40, 55, 5)...)

// counts is table 2 with counts of words and the linear kernel, by λ, and with the λ
// that is chosen as in the paper.
func counts(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return found, err
	}
	heads := []string{"train → test", "%s", "messages", "%.0f", "tested", "%.0f", "loss", "%s"}
	for _, lambda := range countLambdas {
		heads = append(heads, "λ = "+figure.Power(lambda), "%.4f")
	}
	t := experiment.NewTable(append(heads, "chosen λ", "%s", "its error", "%.4f", "±", "%.4f", "the paper", "%.4f")...)
	path := pathTable("error in choosing, λ", countLambdas, "%.4f")
	began := time.Now()
	c := variant{all: all.counts(), over: kernel.Linear{}}.pair(s)
	for k := range sets {
		for l, loss := range newsLosses {
			errors, err := newsErrors(ctx, c.of[k], c.of[1-k], c.within[k], c.cross[k], loss, countLambdas)
			if err != nil {
				return found, err
			}
			row := []any{direction(k), len(c.of[k].group), len(c.of[1-k].group), newsNames[l]}
			for _, e := range errors {
				row = append(row, e.mean)
			}
			choice, err := c.choose(ctx, k, loss, countLambdas)
			if err != nil {
				return found, err
			}
			best := errors[slices.Index(countLambdas, choice.lambda)]
			t.Row(append(row, figure.Power(choice.lambda), best.mean, best.stderr, tableTwo[k][l])...)
			addPath(path, fmt.Sprintf("set %d, %s", k+1, loss), choice.errors)
			found.Find(newsFinding(k, l, "counts of words", best))
			tell("counts: set %d, %s after %.0f s", k+1, loss, time.Since(began).Seconds())
		}
	}
	found.Add(t)
	found.Add(path)
	return found, nil
}
