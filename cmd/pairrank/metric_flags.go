package main

import (
	"slices"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
)

// judgingFlags are the flags of the verbs that measure rankings.
type judgingFlags struct {
	metrics     string
	style       string
	minRelevant float64
	binarize    float64
	cmd         *cobra.Command
}

// targets are where the values of the options go.
func (f *judgingFlags) targets(cmd *cobra.Command) cli.Targets {
	f.cmd = cmd
	return cli.Targets{
		"metrics": &f.metrics, "style": &f.style, "min-relevant": &f.minRelevant, "binarize": &f.binarize,
	}
}

// read returns the metrics and the conventions.
func (f *judgingFlags) read() ([]metric.Metric, metric.Options, error) {
	style, err := metric.ParseStyle(f.style)
	if err != nil {
		return nil, metric.Options{}, cli.AsUsage(err)
	}
	metrics := style.Metrics()
	if f.metrics != "" {
		if metrics, err = metric.ParseList(f.metrics); err != nil {
			return nil, metric.Options{}, cli.AsUsage(err)
		}
	}
	opts := metric.Options{Style: style}
	if f.cmd.Flags().Changed("min-relevant") {
		opts.MinRelevant = &f.minRelevant
	}
	return metrics, opts, nil
}

// checkMetrics refuses what the style does not define, and a threshold that no
// metric looks at.
func checkMetrics(metrics []metric.Metric, opts metric.Options) error {
	if opts.MinRelevant != nil && !slices.ContainsFunc(metrics, metric.Metric.CountsRelevant) {
		return cli.Usagef("--min-relevant has no effect: none of the metrics counts relevant documents")
	}
	_, err := metric.NewEvaluator(metrics, opts)
	return cli.AsUsage(err)
}

// binarizeLabels makes labels binary when that was asked for.
func (f *judgingFlags) binarizeLabels(lists ...[]float64) {
	if !f.cmd.Flags().Changed("binarize") {
		return
	}
	for _, labels := range lists {
		data.Binarize(labels, f.binarize)
	}
}
