package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pairrank/experiments/internal/experiment"
	"pairrank/kernel"
	"pairrank/relation/kron"
)

// countLambdas go from none to much: a message of thousands of words has a large
// eigenvalue, and edges have products of two.
var countLambdas = append(experiment.Powers(-20, 20, 40), experiment.Powers(40, 55, 5)...)

// counts is table 2 with counts of words and the linear kernel, without a choice of
// λ.
func counts(ctx context.Context, s settings) (string, error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return "", err
	}
	all = all.counts()
	var text strings.Builder
	fmt.Fprintf(&text, "| train → test | messages | loss |%s the paper |\n|---|---|---|%s---|\n", columns(countLambdas, func(l float64) string { return "λ = " + power(l) }), strings.Repeat("---|", len(countLambdas)))
	began := time.Now()
	for k := range sets {
		train, test := all.of(sets[k], s.most, s.seed), all.of(sets[1-k], s.most, s.seed)
		for l, loss := range []kron.Loss{kron.Ranking, kron.Regression} {
			errors, err := newsErrors(ctx, train, test, kernel.Linear{}, loss, countLambdas)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&text, "| set %d → set %d | %d → %d | %s |%s %s |\n", k+1, 2-k, len(train.group), len(test.group), []string{"c.rank", "c.reg"}[l], columns(errors, fourDigits), tableTwo[k][l])
			tell("counts: set %d, %s after %.0f s", k+1, loss, time.Since(began).Seconds())
		}
	}
	return fmt.Sprintf("%s\nAll of it took %.0f s.\n", text.String(), time.Since(began).Seconds()), nil
}
