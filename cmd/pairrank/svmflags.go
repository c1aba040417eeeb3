package main

import (
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/learn/ranksvm"
	"pairrank/relation"
)

// svmFlags are the flags of ranksvm alone.
type svmFlags struct {
	loss, counter string
	precision     string
	epsilon       float64
	timeLimit     time.Duration
	warmStart     string
}

// named turns names of a type of their own into text.
func named[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}

func (f *svmFlags) register(cmd *cobra.Command) {
	cli.EnumFlag(cmd, &f.loss, "loss", string(ranksvm.Hinge), append(named(ranksvm.Losses), string(relation.Ranking), string(relation.Regression)), "what a pair costs in ranksvm; of edges between nodes, pairs of a row (the default there) or each edge")
	cli.EnumFlag(cmd, &f.counter, "counter", string(ranksvm.Counters[0]), named(ranksvm.Counters), "how ranksvm counts pairs; only the time differs, and last digits of the squared hinge; pairs takes as long as there are pairs")
	cli.EnumFlag(cmd, &f.precision, "precision", "float64", precisionNames, "how ranksvm keeps the values of sparse features; with float32 an iteration reads a third less, and sums are of double precision still")
	cli.NumberFlag(cmd, &f.epsilon, "epsilon", 1e-3, "where ranksvm stops: gap to the optimum, or relative gradient of the squared hinge")
}

// registerStops adds the flags of train alone.
func (f *svmFlags) registerStops(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0, "`TIME` after which ranksvm stops with the best so far, as in 90s or 10m (default: none)")
	cmd.Flags().StringVar(&f.warmStart, "warm-start", "", "`FILE` of a linear model whose weights ranksvm starts from")
}
