package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/model"
	"pairrank/model/contribution"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	scoredRows
	of         []string // rows, or columns of a model of edges: one or two
	query      string
	limit, top int
	output     int
	pairs      rankFlags // given, rows, cols
	by         string
}

func newExplain(a *app) *cobra.Command {
	var f explainFlags
	return a.Bind(&cobra.Command{
		Use:   "explain MODEL DATA [--of A,B]",
		Short: "why a row stands above another",
		Long: `explain decomposes the score of a row, or the difference of two, into additive
parts, exactly:

  linear   each feature: its weight times the difference of its values
  spline   each feature: the difference of its curve at its values
  kernel   each support row: its coefficient times the difference of the kernel
           with it; a support row is called by its number in the model
  stumps   each feature: the thresholds that one row passes and the other does not
  edges    each training edge: its coefficient times the difference of the
           pairwise kernel; --by row or column adds up those of a training node

By default it explains why the best row of each query stands above the second, by the
scores of the model. --of A,B explains any two rows by their names or numbers, and
--of A the score of one. It lists the largest contributions, and the sum of the
others.

Features have the values of DATA and, if the model normalises them, also the
normalised ones. A model that normalises by query needs all rows of the queries.

A model of edges compares columns for the row --given ID; --of takes their ids. Give
nodes as for rank.`,
		Example: `  pairrank explain model.txt test.txt
  pairrank explain model.txt test.txt --query 1014 --top 5
  pairrank explain model.txt test.txt --of 3,17 --json
  pairrank explain model.txt patients.csv --of P07,P12`,
		Args: between(1, "MODEL", "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.flags = cmd.Flags()
			return a.explain(args[0], strings.Join(args[1:], ""), &f) // DATA, or nothing
		},
	}, f.targets)
}

// targets are where the values of the options go.
func (f *explainFlags) targets() cli.Targets {
	return cli.Join(f.rows.targets("explain"), cli.Targets{
		"of": option.Into(&f.of, oneOrTwo), "query": &f.query, "limit": &f.limit, "top": &f.top, "score-column": &f.output,
		"kernel-matrix": &f.matrix, "given": &f.pairs.given, "rows": cli.Texts(&f.pairs.rows, "FILE"),
		"cols": cli.Texts(&f.pairs.cols, "FILE"), "by": &f.by,
	})
}

func (a *app) explain(modelPath, dataPath string, f *explainFlags) error {
	if err := cli.OnceStdin(modelPath, dataPath, f.matrix); err != nil {
		return err
	}
	saved, err := a.readModel(modelPath)
	if err != nil {
		return err
	}
	var d *report.Explanation
	if saved.pairs != nil {
		d, err = a.explainPairs(saved, modelPath, dataPath, f)
	} else {
		d, err = a.explainRows(saved, modelPath, dataPath, f)
	}
	if err != nil {
		return err
	}
	return a.Print(a.Ctx, d)
}

// oneOrTwo reads --of.
func oneOrTwo(text string) ([]string, error) {
	of, err := listOf(text)
	if err != nil || len(of) > 2 {
		return nil, cli.WithHint(fmt.Errorf("%q is not A or A,B", text),
			`an id with a comma stands in quotes: --of '"a,b",c'`)
	}
	return of, nil
}

// explainRows explains rows by a model of them.
func (a *app) explainRows(saved savedModel, modelPath, dataPath string, f *explainFlags) (*report.Explanation, error) {
	if err := f.checkRows(saved, modelPath, dataPath); err != nil {
		return nil, err
	}
	m := saved.rows.Output(f.output - 1)
	e := &explained{m: m, scoring: &scoring{m: m, extra: f.rows.extra}}
	if f.of != nil {
		e.scoring.pick = numbered(f.of)
	}
	first := e.scoring
	if !isReadAgain(dataPath) || f.matrix != "" {
		first = nil
	}
	set, err := a.readScored(saved.rows, dataPath, &f.scoredRows, true, first)
	if err != nil {
		return nil, err
	}
	e.Set = set
	d := &report.Explanation{Kind: report.KindExplanation, Columns: report.ColumnsOf(set)}
	var rows [][]int
	if f.of != nil {
		a.warnOneQuery(m, set)
		rows, err = givenRows(set, f.of)
	} else {
		rows, err = a.leaders(e, first != nil, cmp.Or(dataPath, f.matrix), d, f)
	}
	if err == nil {
		err = a.readFeatures(e, saved.rows, dataPath, f, rows)
	}
	if err != nil {
		return nil, err
	}
	return cli.AwaitFor(a.Ctx, func() (*report.Explanation, error) {
		for _, of := range rows {
			x, err := e.one(of, f.top)
			if err = cmp.Or(a.Ctx.Err(), err); err != nil {
				return nil, err
			}
			d.Explained = append(d.Explained, *x)
		}
		return d, nil
	})
}

// checkRows refuses flags that are not for a model of rows, or of this one.
func (f *explainFlags) checkRows(saved savedModel, modelPath, dataPath string) error {
	m := saved.rows
	if err := f.checkMatrix("explain", saved, modelPath, dataPath); err != nil {
		return err
	}
	if f.matrix == "" && dataPath == "" {
		return cli.WithHint(cli.Usagef("DATA is missing"), "the form is pairrank explain %s DATA; - is standard input",
			modelPath)
	}
	if err := refuseOthers(f.flags, "explain", option.Rows); err != nil {
		return cli.WithHint(err, "%s scores rows, not pairs of nodes", cli.Shown(modelPath))
	}
	return f.checkOutput(m)
}

// checkOutput refuses an output that the model does not have, and asks for one of several.
func (f *explainFlags) checkOutput(m *model.Model) error {
	switch n := m.Outputs(); {
	case f.output > n:
		return cli.Usagef("--score-column %d of a model of %d", f.output, n)
	case n > 1 && !f.flags.Changed("score-column"):
		return cli.Usagef("the model has %d outputs: --score-column N says which one is explained", n)
	}
	return nil
}

// givenRows are the rows of --of.
func givenRows(set *data.Set, of []string) ([][]int, error) {
	rows := make([]int, len(of))
	for k, text := range of {
		i, err := rowOf(set, text)
		if err != nil {
			return nil, err
		}
		rows[k] = i
	}
	return [][]int{rows}, nil
}

// numbered are the rows, ascending, that --of means where it has numbers, and these are no names.
func numbered(of []string) []int {
	rows := []int{}
	for _, text := range of {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			rows = append(rows, n-1)
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// rowOf is the row of a name or, where no row has it, of a number from 1.
func rowOf(set *data.Set, text string) (int, error) {
	rows, _ := set.X.Dims()
	ids := docIDs(set)
	at := slices.Index(ids, text)
	if at >= 0 {
		if next := slices.Index(ids[at+1:], text); next >= 0 {
			return 0, cli.WithHint(cli.AsData(fmt.Errorf("rows %d and %d are both named %q", at+1, at+next+2, text)),
				"--of takes the numbers of rows, too")
		}
		return at, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && ids != nil:
		return 0, cli.AsData(fmt.Errorf("no row is named %q", text))
	case err != nil || n < 1:
		return 0, cli.Usagef("--of takes names of rows, and the rows have none, or numbers from 1, not %q", text)
	case n > rows:
		return 0, cli.AsData(fmt.Errorf("row %d of %d is to be explained", n, rows))
	}
	return n - 1, nil
}

// leaders are the first two rows of the queries by their scores, which may be there already, as many as --limit says.
// It counts the other queries.
func (a *app) leaders(e *explained, scored bool, path string, d *report.Explanation, f *explainFlags) (rows [][]int,
	err error) {
	if !scored {
		err = e.scoring.all(a, e.Set, false)
	}
	var scores []float64
	if err == nil {
		scores, err = e.scoring.result(a, e.Set)
	}
	if err != nil {
		return nil, err
	}
	queries := cmp.Or(e.Queries, data.OneList(len(scores)))
	from, to := 0, queries.Len()
	if f.query != "" {
		g := -1
		if e.HasQID {
			g = slices.Index(queries.IDs, f.query)
		}
		if g < 0 {
			return nil, cli.AsData(fmt.Errorf("%s has no query %q", cli.Shown(path), f.query))
		}
		from, to = g, g+1
	}
	for g, lead := range contribution.Leaders(queries, scores)[from:to] {
		switch {
		case lead[0] < 0 && len(queries.Part(from+g)) == 0:
		case lead[0] < 0:
			d.Alone++
			d.LeftOut++
		case f.limit > 0 && len(rows) == f.limit:
			d.LeftOut++
		default:
			rows = append(rows, lead[:])
		}
	}
	if len(rows) == 0 {
		return nil, cli.WithHint(cli.AsData(fmt.Errorf("no query has two rows, so none stands above another")),
			"--of A explains the score of row A")
	}
	return rows, nil
}
