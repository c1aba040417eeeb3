// Command splines measures rankings by curves beside straight lines, kernels and boosted trees: on two collections of
// LETOR, and on tables as one list.
//
//	python3 evidence/papers/splines/trees.py ../shared/data /tmp/trees
//	go -C evidence/papers run ./splines -trees /tmp/trees -o .
//
// The program looks for ohsumed_letor3, mq2008_letor4, cadata and uci in $PAIRRANK_DATA, or ../shared/data. trees.py
// trains XGBoost (Debian's python3-xgboost) on the same folds, and says how; without -trees those rows are left out.
//
// The files:
//
//   - main.go: flags, sections, scores of trees
//   - letor.go: the collections, by query
//   - lists.go: the tables, by fold
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/kernel"
)

// settings are what the flags say.
type settings struct{ dir, trees string }

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "ohsumed_letor3, mq2008_letor4, cadata and uci")
	flag.StringVar(&s.trees, "trees", "", "`FOLDER` of the scores that trees.py has written")
	sections := []experiment.Section[settings]{{Name: "letor", Make: collections}, {Name: "lists", Make: lists}}
	out := experiment.OutputFlags("splines", experiment.Names(sections))
	experiment.Main("splines", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, s) })
}

// scored are the scores of trees of a set of m rows, nil where there are none.
func (s settings) scored(name string, m int) ([]float64, error) {
	if s.trees == "" {
		return nil, nil
	}
	path := filepath.Join(s.trees, name+".txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(string(text))
	if len(lines) != m {
		return nil, fmt.Errorf("%s has %d scores of %d rows", path, len(lines), m)
	}
	scores := make([]float64, m)
	for i, line := range lines {
		if scores[i], err = strconv.ParseFloat(line, 64); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return scores, nil
}

// spline is splines of so many knots.
func spline(knots int) kernel.Kernel { return kernel.Spline{Knots: knots, Bends: 1} }

// random are random features of Gaussian kernels of different widths for rows of n features.
func random(n, features int) (all []kernel.Kernel) {
	for _, factor := range []float64{0.0625, 0.25, 1, 4} {
		all = append(all, kernel.Fourier{Gamma: factor / float64(n), Features: features, Seed: 1})
	}
	return all
}

// learnt are the scores of other rows by RankRLS with the best of some kernels, and what was chosen.
func learnt(ctx context.Context, set, other *data.Set, o pairrank.Options) ([]float64, string, error) {
	result, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, o)
	if err != nil {
		return nil, "", err
	}
	scores, err := result.Model.Score(other)
	return scores, result.Model.KernelSpec(), err
}
