package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// plain is the kind around which the others vary.
var plain = kind{rows: 30, share: 0.3, features: 10, kernel: kernel.Linear{}}

// sizes are the numbers of rows of the figure.
var sizes = []int{15, 30, 60, 120}

// kinds are plain with other numbers of rows, and with one thing changed at a time; each
// without and with a signal.
func kinds() (all []kind) {
	add := func(change func(*kind)) {
		for _, signal := range []bool{false, true} {
			k := plain
			k.signal = signal
			change(&k)
			all = append(all, k)
		}
	}
	for _, m := range sizes {
		add(func(k *kind) { k.rows = m })
	}
	for _, share := range []float64{0.1, 0.5} {
		add(func(k *kind) { k.share = share })
	}
	add(func(k *kind) { k.features = 1000 })
	add(func(k *kind) { k.kernel = kernel.Gaussian{Gamma: 0.1} })
	return all
}

// judged is what the samples of a kind say of each estimator.
type judged struct {
	kind
	auc          float64   // the mean of the AUC on other rows
	bias, stderr []float64 // mean of estimate − AUC, and its standard error
	spread       []float64 // standard deviation of estimate − AUC
	without      []int     // samples that had no estimate
}

// simulation is the table of all kinds, and its figures.
func simulation(ctx context.Context, s settings) (found experiment.Result, err error) {
	var all []judged
	for _, k := range kinds() {
		j, err := k.judge(ctx, s)
		if err != nil {
			return found, fmt.Errorf("%+v: %w", k, err)
		}
		all = append(all, j)
	}
	for _, part := range []struct {
		title, format string
		of            func(j judged, e int) float64
	}{
		{"Bias: the mean of estimate − AUC.", "%+.4f", func(j judged, e int) float64 { return j.bias[e] }},
		{"Spread: the standard deviation of estimate − AUC.", "%.4f",
			func(j judged, e int) float64 { return j.spread[e] }},
	} {
		heads := []string{"rows", "%.0f", "positive", "%.0f", "features", "%.0f", "kernel", "%s", "signal", "%s",
			"AUC", "%.3f"}
		for _, name := range estimators {
			heads = append(heads, name, part.format)
		}
		t := experiment.NewTable(append(heads, "standard error, at most", "%.4f")...)
		for _, j := range all {
			row := []any{j.rows, j.positives(), j.features, fmt.Sprint(j.kernel),
				map[bool]string{false: "none", true: "yes"}[j.signal], j.auc}
			most := 0.0
			for e := range estimators {
				row = append(row, part.of(j, e))
				most = max(most, j.stderr[e])
			}
			t.Row(append(row, most)...)
		}
		found.Text("**%s** %d samples of each kind; λ is the number of rows.", part.title, s.samples)
		found.Add(t)
	}
	draw(&found, all)
	return found, nil
}

// judge draws samples and compares their estimates with what they estimate.
func (k kind) judge(ctx context.Context, s settings) (judged, error) {
	j := judged{kind: k}
	estimates, auc, failed := make([][]float64, s.samples), make([]float64, s.samples), make([]error, s.samples)
	parallel.For(s.samples, func(_, n int) {
		if failed[n] = ctx.Err(); failed[n] == nil {
			estimates[n], auc[n], failed[n] = k.draw(n, s.seed).estimates(ctx, s.seed+uint64(n))
		}
	})
	if err := errors.Join(failed...); err != nil {
		return j, err
	}
	for e := range estimators {
		var off []float64
		for n := range estimates {
			if v := estimates[n][e] - auc[n]; !math.IsNaN(v) {
				off = append(off, v)
			}
		}
		mean, sd := experiment.Moments(off)
		j.bias, j.spread = append(j.bias, mean), append(j.spread, sd)
		j.stderr, j.without = append(j.stderr, sd/math.Sqrt(float64(len(off)))), append(j.without, s.samples-len(off))
	}
	j.auc, _ = experiment.Moments(auc)
	return j, nil
}
