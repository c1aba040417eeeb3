package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
	"pairrank/format/svmlight"
	"pairrank/kernel"
)

// folds are the folds of a table: row i, from 0, is in fold i mod folds.
const folds = 5

// lists is the table of tables of shared data as one list: the share of pairs in the wrong order within each fold.
func lists(ctx context.Context, s settings) (found experiment.Result, err error) {
	t := experiment.NewTable("pairs in the wrong order", "%s", "rows", "%d", "features", "%d", "linear", "%s",
		"spline, 4 knots", "%s", "Gaussian", "%s", "XGBoost", "%s")
	for _, name := range []string{"cadata/cadata", "uci/housing", "uci/breastcancer", "uci/ionosphere", "uci/parkinsons",
		"uci/pimaindiansdiabetes2", "uci/sonar", "uci/spam"} {
		path := filepath.Join(s.dir, filepath.FromSlash(name)+".svm.gz")
		set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense})
		if err != nil {
			return found, err
		}
		m, n := set.X.Dims()
		row := []any{filepath.Base(name), m, n}
		for _, kernels := range [][]kernel.Kernel{{kernel.Linear{}}, {spline(4)}, gaussian(m, n)} {
			scores := make([]float64, m)
			for k := range folds {
				rest, part := dealt(set, k)
				values, chosen, err := learnt(ctx, set.Subset(rest), set.Subset(part),
					pairrank.Options{Kernels: kernels, Normalize: data.NormalizeZScore})
				if err != nil {
					return found, fmt.Errorf("%s: %w", name, err)
				}
				fmt.Fprintf(os.Stderr, "splines: %s, fold %d: %s\n", name, k+1, chosen)
				for at, i := range part {
					scores[i] = values[at]
				}
			}
			if row, err = appended(row, set, scores); err != nil {
				return found, err
			}
		}
		scores, err := s.scored(filepath.Base(name), m)
		if err != nil {
			return found, err
		}
		if scores == nil {
			row = append(row, "")
		} else if row, err = appended(row, set, scores); err != nil {
			return found, err
		}
		t.Row(row...)
	}
	found.Text("Mean over the five folds of the share of pairs in the wrong order within the fold (for two labels 1 − " +
		"AUC), ± its standard error over the folds.")
	found.Add(t)
	return found, nil
}

// gaussian are Gaussian kernels of different widths, or random features of them for many rows.
func gaussian(m, n int) (all []kernel.Kernel) {
	for _, k := range random(n, 1000) {
		if m < 5000 {
			k = kernel.Gaussian{Gamma: k.(kernel.Fourier).Gamma}
		}
		all = append(all, k)
	}
	return all
}

// dealt are the rows outside of a fold and in it.
func dealt(set *data.Set, fold int) (rest, part []int) {
	for i := range set.Y {
		if i%folds == fold {
			part = append(part, i)
		} else {
			rest = append(rest, i)
		}
	}
	return rest, part
}

// appended adds the mean error over the folds to a row.
func appended(row []any, set *data.Set, scores []float64) ([]any, error) {
	errors := make([]float64, folds)
	for k := range folds {
		_, part := dealt(set, k)
		values := make([]float64, len(part))
		for at, i := range part {
			values[at] = scores[i]
		}
		means, _, err := study.Values(set.Subset(part), values, []metric.Metric{metric.Disagreement}, metric.Options{})
		if err != nil {
			return nil, err
		}
		errors[k] = means[0]
	}
	return append(row, fmt.Sprintf("%.4f ± %.4f", experiment.Mean(errors), experiment.StdErr(errors))), nil
}
