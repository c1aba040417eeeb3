package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
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

// rankedJSON is the document of rank --json.
type rankedJSON struct {
	Given   string       `json:"given"`
	Columns []rankedNode `json:"columns"`
}

type rankedNode struct {
	ID    string        `json:"id"`
	Score report.Number `json:"score"`
}

func (a *app) rank(path string, f *rankFlags, flags *pflag.FlagSet) error {
	if f.given == "" {
		return cli.Usagef("--given ID is missing: which row is the ranking for?")
	}
	if err := fromFiles(f.rows, f.cols); err != nil {
		return err
	}
	if f.top < 0 {
		return cli.Usagef("--top is at least 0, not %d", f.top)
	}
	m, err := a.readModel(path)
	if err != nil {
		return err
	}
	if m.pairs == nil {
		return cli.Usagef("%s scores rows, not pairs of nodes: pairrank predict scores with it", shown(path))
	}
	if err := withoutFeatures(flags, m.pairs); err != nil {
		return err
	}
	rows, err := a.nodesFor(m.pairs, f.rows, true, f.extra)
	if err != nil {
		return err
	}
	i := slices.Index(rows.id, f.given)
	if i < 0 {
		return cli.WithHint(cli.AsData(fmt.Errorf("no row node has the id %q", f.given)), "--rows FILE names others than those of the training")
	}
	cols := rows
	if f.cols != "" || m.pairs.Cols != nil {
		if cols, err = a.nodesFor(m.pairs, f.cols, false, f.extra); err != nil {
			return err
		}
	}
	scores, err := scoreOf(m.pairs, rows, cols, i)
	if err != nil {
		return err
	}
	order := make([]int, len(scores))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[y], scores[x]) })
	if f.top > 0 {
		order = order[:min(f.top, len(order))]
	}
	out := rankedJSON{Given: f.given, Columns: []rankedNode{}}
	for _, j := range order {
		out.Columns = append(out.Columns, rankedNode{cols.id[j], report.Number(scores[j])})
	}
	if a.JSON {
		return a.WriteJSON(out)
	}
	return a.Write("-", func(w io.Writer) error {
		for _, c := range out.Columns {
			line, err := table.AppendField(nil, c.ID, '\t')
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s\t%s\n", line, appendNumber(nil, float64(c.Score))); err != nil {
				return err
			}
		}
		return nil
	})
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
