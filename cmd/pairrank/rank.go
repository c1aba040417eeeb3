package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/pick"
	"pairrank/internal/report"
	"pairrank/internal/spell"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// rankFlags are the flags of rank.
type rankFlags struct {
	given, givenCol string
	all, newOnly    bool
	rows, cols      []string
	edges           string
	transpose       bool
	top             int
	extra           string
}

func newRank(a *app) *cobra.Command {
	var f rankFlags
	return a.Bind(&cobra.Command{
		Use:   "rank MODEL --given ID [--top N]",
		Short: "rank the columns for a row by a model",
		Long: `rank prints the column nodes for the row node --given, best first, one a line with
its score. --given-col ranks the row nodes for a column node, and --all ranks all
pairs of a row and a column.

--new-only leaves out known pairs: those with a value other than 0 in --edges FILE or,
without a file, the training edges that the model keeps.

By default the nodes are those of the training, if the model keeps their features or
similarities. --rows and --cols read other nodes from files, in the form that train
reads, or for a precomputed kernel their similarities to the training nodes.`,
		Example: `  pairrank relation rank model.txt --given D00040 --top 20
  pairrank relation rank model.txt --given new7 --rows new.tsv
  pairrank relation rank model.txt --given-col hsa1956 --new-only --edges known.tsv
  pairrank relation rank model.txt --all --new-only --edges known.tsv --top 100 --json`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.rank(args[0], &f, cmd.Flags())
		},
	}, func() cli.Targets {
		return cli.Targets{
			"given": &f.given, "given-col": &f.givenCol, "all": &f.all, "new-only": &f.newOnly, "edges": &f.edges,
			"transpose": &f.transpose, "top": &f.top, "rows": cli.Texts(&f.rows, "FILE"),
			"cols": cli.Texts(&f.cols, "FILE"), "extra-features": &f.extra,
		}
	})
}

func (a *app) rank(path string, f *rankFlags, flags *pflag.FlagSet) error {
	m, err := a.modelToRank(path, f, flags)
	if err != nil {
		return err
	}
	rows, cols, err := a.sidesFor(m, f.rows, f.cols, f.extra)
	if err != nil {
		return err
	}
	r := &ranker{m: m, rows: rows, cols: cols}
	if f.newOnly {
		if r.known, err = a.knownPairs(r, f); err != nil {
			return err
		}
	}
	var d *report.NodeRanking
	switch {
	case f.all:
		d, err = cli.AwaitFor(a.Ctx, func() (*report.NodeRanking, error) { return r.all(a.Ctx, f.top) })
	case f.givenCol != "":
		d, err = r.forColumn(f.givenCol, f.top)
	default:
		d, err = r.forRow(f.given, f.top)
	}
	if err != nil {
		return err
	}
	d.LeftOut = r.left
	if f.newOnly {
		a.Note("%s left out", spell.Plural(r.left, "known pair")+map[bool]string{true: " is",
			false: " are"}[r.left == 1])
	}
	return a.Print(a.Ctx, d)
}

// ranker ranks pairs of nodes that are not known.
type ranker struct {
	m          *pairmodel.Model
	rows, cols *modelNodes
	known      map[[2]string]bool
	left       int // known pairs that were left out
}

// unknown scores the pairs that are not known, of the numbers of their nodes.
func (r *ranker) unknown(row, col []int32) (fresh [2][]int32, scores []float64, err error) {
	for k, i := range row {
		if r.known[[2]string{r.rows.id[i], r.cols.id[col[k]]}] {
			r.left++
			continue
		}
		fresh[0], fresh[1] = append(fresh[0], i), append(fresh[1], col[k])
	}
	scores, err = scorePairs(r.m, r.rows, r.cols, fresh[0], fresh[1])
	return fresh, scores, err
}

// forRow ranks the columns for a row.
func (r *ranker) forRow(given string, top int) (*report.NodeRanking, error) {
	i, err := place(r.rows.id, given, "row", "--rows")
	if err != nil {
		return nil, err
	}
	row, col := pairsOf(i, r.cols.values.Len())
	fresh, scores, err := r.unknown(row, col)
	return report.NewNodeRanking(given, pick.Rows(r.cols.id, fresh[1]), scores, top), err
}

// forColumn ranks the rows for a column.
func (r *ranker) forColumn(given string, top int) (*report.NodeRanking, error) {
	j, err := place(r.cols.id, given, "column", "--cols")
	if err != nil {
		return nil, err
	}
	col, row := pairsOf(j, r.rows.values.Len())
	fresh, scores, err := r.unknown(row, col)
	return report.NewColumnRanking(given, pick.Rows(r.rows.id, fresh[0]), scores, top), err
}

// all ranks all pairs, and keeps the best of some rows at a time.
func (r *ranker) all(ctx context.Context, top int) (*report.NodeRanking, error) {
	const room = 1 << 16 // pairs beside the best
	d := &report.NodeRanking{Kind: report.KindNodeRanking, All: true, Pairs: []report.RankedPair{}}
	for i := range r.rows.id {
		row, col := pairsOf(i, r.cols.values.Len())
		fresh, scores, err := r.unknown(row, col)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		for k, j := range fresh[1] {
			d.Pairs = append(d.Pairs, report.RankedPair{Row: r.rows.id[i], Column: r.cols.id[j],
				Score: report.Number(scores[k])})
		}
		if top > 0 && len(d.Pairs) > top+room {
			d.Pairs = report.RankPairs(d.Pairs, top)
		}
	}
	d.Pairs = report.RankPairs(d.Pairs, top)
	return d, nil
}

// pairsOf is node i with each of n others.
func pairsOf(i, n int) (one, others []int32) {
	one, others = make([]int32, n), make([]int32, n)
	for j := range others {
		one[j], others[j] = int32(i), int32(j)
	}
	return one, others
}

// place is the number of the node with an id.
func place(id []string, given, what, flag string) (int, error) {
	i := slices.Index(id, given)
	if i < 0 {
		err := cli.AsData(fmt.Errorf("no %s node has the id %q", what, given))
		return 0, cli.WithHint(err, "%s FILE names others than those of the training", flag)
	}
	return i, nil
}

// among returns what tells whether an id is one of some nodes.
func among(id []string) func(string) bool {
	has := make(map[string]bool, len(id))
	for _, v := range id {
		has[v] = true
	}
	return func(v string) bool { return has[v] }
}

// knownPairs are those of a file with a value other than 0, or of the edges that the model keeps.
// Where (u,v) and (v,u) have one score, one of them is as good as both.
func (a *app) knownPairs(r *ranker, f *rankFlags) (map[[2]string]bool, error) {
	m, known := r.m, map[[2]string]bool{}
	add := func(row, col string) {
		known[[2]string{row, col}] = true
		if m.Kernel == pairwise.Symmetric || m.Kernel == pairwise.Reciprocal {
			known[[2]string{col, row}] = true
		}
	}
	if f.edges != "" {
		e, err := a.readEdges(f.edges, table.EdgesOptions{}, f.transpose)
		if err != nil {
			return nil, err
		}
		for k, y := range e.Y {
			if y != 0 {
				add(e.RowID[e.Row[k]], e.ColID[e.Col[k]])
			}
		}
		if !slices.ContainsFunc(e.RowID, among(r.rows.id)) || !slices.ContainsFunc(e.ColID, among(r.cols.id)) {
			err := cli.AsData(fmt.Errorf("%s: no pair is of a row and a column node that is ranked", f.edges))
			return nil, cli.WithHint(err, "--transpose exchanges rows and columns as it reads the edges")
		}
		return known, nil
	}
	if m.Edges == nil {
		return nil, cli.WithHint(cli.Usagef("--new-only needs --edges FILE of what is known: the model does not "+
			"keep the edges of its training"),
			"a pair of FILE is known where its value is not 0")
	}
	for k, i := range m.Edges.Row {
		add(m.Rows.ID[i], m.ColSide().ID[m.Edges.Col[k]])
	}
	return known, nil
}

// modelToRank checks the flags, and reads the model of edges that they are for.
func (a *app) modelToRank(path string, f *rankFlags, flags *pflag.FlagSet) (*pairmodel.Model, error) {
	if f.given == "" && f.givenCol == "" && !f.all {
		return nil, cli.Usagef("--given ID is missing: which row is the ranking for? --given-col ID is for a " +
			"column, --all for all pairs")
	}
	m, err := a.readPairModel(path, "pairrank predict scores with it")
	if err != nil {
		return nil, err
	}
	return m, withoutFeatures(flags, m)
}

// sidesFor reads the row and the column nodes from files, or takes those of the training. In one domain the columns are
// the row nodes where no file has others.
func (a *app) sidesFor(p *pairmodel.Model, rowPaths, colPaths []string,
	extra string) (rows, cols *modelNodes, err error) {
	if rows, err = a.nodesFor(p, rowPaths, true, extra); err != nil || colPaths == nil && p.Cols == nil {
		return rows, rows, err
	}
	cols, err = a.nodesFor(p, colPaths, false, extra)
	return rows, cols, err
}

// nodesFor reads nodes from a file, or takes those of the training.
func (a *app) nodesFor(p *pairmodel.Model, paths []string, rows bool, extra string) (*modelNodes, error) {
	if paths != nil {
		return a.readModelNodes(p, paths, rows, extra)
	}
	side, values, flag := &p.Rows, p.RowValues, "--rows"
	if !rows {
		side, values, flag = p.ColSide(), p.ColValues, "--cols"
	}
	trained := side.Trained()
	if trained == nil {
		return nil, cli.WithHint(cli.Usagef("the model keeps neither features nor similarities of its nodes: %s "+
			"FILE has them", flag), "for a precomputed kernel it is the similarity matrix")
	}
	v, err := values(trained)
	if err != nil {
		return nil, cli.AsData(err)
	}
	return &modelNodes{side.ID, v}, nil
}
