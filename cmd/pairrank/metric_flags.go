package main

import (
	"slices"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/option"
)

// judgingFlags are the flags of the verbs that measure rankings.
type judgingFlags struct {
	metrics   []metric.Metric // nil for those of the style
	options   metric.Options
	threshold *float64 // of --binarize
}

// targets are where the values of the options go.
func (f *judgingFlags) targets() cli.Targets {
	return cli.Targets{
		"metrics": option.Into(&f.metrics, metric.ParseList), "style": option.Into(&f.options.Style, metric.ParseStyle),
		"min-relevant": &f.options.MinRelevant, "binarize": &f.threshold,
	}
}

// check sets the metrics, with those of gates, and refuses what the style does not define, and a threshold that no
// metric looks at.
func (f *judgingFlags) check(gates ...gate) error {
	if f.metrics == nil {
		f.metrics = slices.Clone(f.options.Style.Metrics())
	}
	for _, g := range gates {
		if !slices.Contains(f.metrics, g.metric) {
			f.metrics = append(f.metrics, g.metric)
		}
	}
	if f.options.MinRelevant != nil && !slices.ContainsFunc(f.metrics, metric.Metric.CountsRelevant) {
		return cli.Usagef("--min-relevant is for metrics of relevant documents, which none of those asked for is")
	}
	_, err := metric.NewEvaluator(f.metrics, f.options)
	return cli.AsUsage(err)
}

// binarizeLabels makes labels binary when that was asked for.
func (f *judgingFlags) binarizeLabels(lists ...[]float64) {
	if f.threshold == nil {
		return
	}
	for _, labels := range lists {
		data.Binarize(labels, *f.threshold)
	}
}
