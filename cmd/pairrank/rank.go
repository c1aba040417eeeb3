package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/relation/pairmodel"
	"pairrank/report"
)

// rankFlags are the flags of rank.
type rankFlags struct {
	given, rows, cols string
	top               int
	extra             string
}

func newRank(a *app) *cobra.Command {
	var f rankFlags
	cmd := &cobra.Command{
		Use:   "rank MODEL --given ID [--top N]",
		Short: "rank the columns for one row of a relational model",
		Long: `rank prints the conditional ranking of one object: the column nodes by falling
score with the row node --given, one a line with its score.

The nodes are those of the training, where the model keeps them with features;
--rows and --cols take others from files, in the form that train reads, or for a
precomputed kernel as similarities to the training nodes.`,
		Example: `  pairrank rank model.txt --given D00040 --top 20
  pairrank rank model.txt --given new7 --rows new.tsv
  pairrank rank model.txt --given D1 --rows drugs.tsv --cols targets.tsv --json`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.rows == "" && f.cols == "" {
				if err := cli.Refuse(cmd.Flags(), "the nodes of --rows FILE and --cols FILE", "extra-features", "max-line"); err != nil {
					return err
				}
			}
			return a.rank(args[0], &f, cmd.Flags())
		},
	}
	cmd.Flags().StringVar(&f.given, "given", "", "`ID` of the row node (needed)")
	cmd.Flags().IntVar(&f.top, "top", 20, "print `N` columns; 0 prints all")
	cmd.Flags().StringVar(&f.rows, "rows", "", "`FILE` of row nodes (default: those of the training)")
	cmd.Flags().StringVar(&f.cols, "cols", "", "`FILE` of column nodes (default: those of the training; in one domain those of --rows, if given)")
	a.MaxLineFlag(cmd)
	extraFlag(cmd, &f.extra)
	a.JSONFlag(cmd)
	return cmd
}

func (a *app) rank(path string, f *rankFlags, flags *pflag.FlagSet) error {
	m, err := a.modelToRank(path, f, flags)
	if err != nil {
		return err
	}
	rows, err := a.nodesFor(m, f.rows, true, f.extra)
	if err != nil {
		return err
	}
	i := slices.Index(rows.id, f.given)
	if i < 0 {
		return cli.WithHint(cli.AsData(fmt.Errorf("no row node has the id %q", f.given)), "--rows FILE names others than those of the training")
	}
	cols := rows
	if f.cols != "" || m.Cols != nil {
		if cols, err = a.nodesFor(m, f.cols, false, f.extra); err != nil {
			return err
		}
	}
	scores, err := scoreOf(m, rows, cols, i)
	if err != nil {
		return err
	}
	return a.Print(a.Ctx, report.NewNodeRanking(f.given, cols.id, scores, f.top))
}

// modelToRank checks the flags, and reads the model of edges that they are for.
func (a *app) modelToRank(path string, f *rankFlags, flags *pflag.FlagSet) (*pairmodel.Model, error) {
	if f.given == "" {
		return nil, cli.Usagef("--given ID is missing: which row is the ranking for?")
	}
	if err := fromFiles(f.rows, f.cols); err != nil {
		return nil, err
	}
	if f.top < 0 {
		return nil, cli.Usagef("--top is at least 0, not %d", f.top)
	}
	m, err := a.readModel(path)
	if err != nil {
		return nil, err
	}
	if m.pairs == nil {
		return nil, cli.Usagef("%s scores rows, not pairs of nodes: pairrank predict scores with it", cli.Shown(path))
	}
	return m.pairs, withoutFeatures(flags, m.pairs)
}

// nodesFor reads nodes from a file, or takes those of the training.
func (a *app) nodesFor(p *pairmodel.Model, path string, rows bool, extra string) (*modelNodes, error) {
	if path != "" {
		return a.readModelNodes(p, path, rows, extra)
	}
	side, values, flag := &p.Rows, p.RowValues, "--rows"
	if !rows {
		side, values, flag = p.ColSide(), p.ColValues, "--cols"
	}
	if side.Support == nil {
		return nil, cli.WithHint(cli.Usagef("the model does not keep the features of its nodes: %s FILE has them", flag), "for a precomputed kernel it is the similarity matrix")
	}
	v, err := values(&pairmodel.Nodes{X: side.Support, ID: side.ID, Names: side.Names})
	if err != nil {
		return nil, cli.AsData(err)
	}
	return &modelNodes{side.ID, v}, nil
}

// scoreOf is the scores of one row node with the given columns.
func scoreOf(p *pairmodel.Model, rows, cols *modelNodes, i int) ([]float64, error) {
	row, col := make([]int32, cols.values.Len()), make([]int32, cols.values.Len())
	for j := range col {
		row[j], col[j] = int32(i), int32(j)
	}
	return scorePairs(p, rows, cols, row, col)
}
