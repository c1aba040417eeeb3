package main

import (
	"fmt"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
)

// drawn are the estimators in the figures, by their place in estimators: the pairs of a
// fold are the average with other weights.
var drawn = []int{0, 2, 3, 4, 5}

// draw draws bias and spread over the number of rows.
func draw(found *experiment.Result, all []judged) {
	for _, part := range []struct {
		file, title, alt string
		of               func(j judged, e int) float64
	}{
		{"auc-bias.svg", "Leaving every pair out has the least bias, pooling with a constant the most",
			"Bias of the estimates of AUC over the rows of the sample",
			func(j judged, e int) float64 { return j.bias[e] }},
		{"auc-spread.svg", "Averaging over folds spreads most",
			"Standard deviation of the estimates of AUC over the rows of the sample",
			func(j judged, e int) float64 { return j.spread[e] }},
	} {
		f := figure.Figure{Title: part.title}
		for _, signal := range []bool{false, true} {
			title := map[bool]string{false: "no signal", true: "signal in four of ten features"}[signal]
			p := figure.Panel{Title: title, Unit: "estimate − AUC",
				Below: "rows, three in ten positive", X: figure.Thousands,
				Y: func(v float64) string { return fmt.Sprintf("%.3g", v+0) }, Linear: true, Direct: true}
			for style, e := range drawn {
				series := figure.Series{Name: estimators[e], Style: style}
				for _, j := range all {
					if base := plain; j.signal == signal && j.share == base.share && j.features == base.features &&
						j.kernel == base.kernel {
						series.Points = append(series.Points, [2]float64{float64(j.rows), part.of(j, e)})
					}
				}
				p.Series = append(p.Series, series)
			}
			f.Panels = append(f.Panels, p)
		}
		found.Draw(part.file, part.alt, f.SVG())
	}
}
