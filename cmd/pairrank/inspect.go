package main

import (
	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/report"
	"pairrank/model"
)

func newInspect(a *app) *cobra.Command {
	top := 20
	return a.Bind(&cobra.Command{
		Use:   "inspect MODEL [--json]",
		Short: "show what a model holds, how it was trained",
		Long: `inspect shows the facts of the training (objective, λ and how it was chosen, rows,
queries, pairs) and what was learnt: the largest weights of a linear model with the
names of their features, the shapes of splines, or the support rows of a kernel model.
If the model has a normaliser, the weights are for normalised features. A shape is
what a feature adds to the score, on the scale of the data, by falling importance:
its standard deviation over the rows of training.`,
		Example: `  pairrank inspect model.txt
  pairrank inspect model.txt --top 5
  pairrank inspect model.txt --json`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.JSON && !cmd.Flags().Changed("top") {
				top = 0
			}
			m, err := a.readModel(args[0])
			if err != nil {
				return err
			}
			if m.onKernels() && cmd.Flags().Changed("top") {
				return cli.Usagef("--top is for weights, and %s has none: it is a model of a kernel",
					cli.Shown(args[0]))
			}
			if m.pairs != nil {
				return a.Print(a.Ctx, report.NewPairInspection(m.pairs))
			}
			return a.Print(a.Ctx, report.NewInspection(m.rows, top))
		},
	}, func() cli.Targets { return cli.Targets{"top": &top} })
}

// onKernels reports whether a model has neither weights of features nor stumps to show.
func (m savedModel) onKernels() bool {
	if m.pairs != nil {
		return true
	}
	switch m.rows.Scorer.(type) {
	case *model.Kernel, *model.Fourier:
		return true
	}
	return false
}
