package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/spell"
	"pairrank/report"
)

// readBoard reads the comparisons and the items, and says what is doubtful.
func (a *app) readBoard(path string, f *boardFlags) (*report.Rated, *table.Comparisons, error) {
	o := f.columns
	o.MaxLine = a.MaxLine
	meter := a.Begin("reading "+cli.Shown(path), 0)
	defer meter.End()
	read, err := cli.AwaitFor(a.Ctx, func() (c *table.Comparisons, err error) {
		if path != "-" {
			return table.ReadComparisons(path, o)
		}
		err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			c, err = table.ReadComparisonsFrom(r, name, o)
			return err
		})
		return c, err
	})
	if err != nil {
		if errors.Is(err, table.ErrColumns) {
			return nil, nil, cli.WithHint(cli.ReadError(err), "--left, --right, --winner, --loser, --wins-left, "+
				"--wins-right and --ties-column COLUMN name the columns")
		}
		return nil, nil, cli.ReadError(err)
	}
	a.Note("%s: columns: %s", cli.Shown(path), strings.Join(read.Columns, ", "))
	for _, doubt := range read.Doubts {
		a.Warn("%s", doubt)
	}
	f.single = !read.Counts
	p := &comparison.Problem{Items: read.Items, Annotators: read.Annotators, Strata: read.Strata,
		Covariates: read.Covariates, X: read.X, Lines: read.Lines}
	if f.side {
		p.AddSide()
	}
	if err := a.readItems(p, f); err != nil {
		return nil, nil, err
	}
	if f.loss == string(comparison.Logistic) && slices.ContainsFunc(read.Lines,
		func(l data.Comparison) bool { return l.Magnitude != 1 }) {
		a.Warn("the logistic loss does not use magnitudes: --weight-column has weights of comparisons")
	}
	for _, doubt := range p.Doubts() {
		a.Warn("%s", doubt)
	}
	return &report.Rated{File: cli.Shown(path), Problem: p, Anchor: -1}, read, nil
}

// readItems reads the features of the items, of which some may not have been compared.
func (a *app) readItems(p *comparison.Problem, f *boardFlags) error {
	if f.items == "" {
		return nil
	}
	f.rows.noLabel = true
	set, err := a.readSet(f.items, &f.rows, readOptions{Storage: svmlight.StoreDense})
	if err != nil {
		return err
	}
	if set.IDs == nil {
		return cli.WithHint(cli.AsData(fmt.Errorf("%s does not name the items", f.items)),
			"--id-column COLUMN says which column has their names")
	}
	at := map[string]int{}
	for i, id := range set.IDs {
		if _, twice := at[id]; twice {
			return cli.AsData(fmt.Errorf("%s has item %q twice", f.items, id))
		}
		at[id] = i
	}
	var rows []int
	var lacking []string
	for _, item := range p.Items {
		i, is := at[item]
		if !is {
			lacking = append(lacking, item)
		}
		rows = append(rows, i)
		delete(at, item)
	}
	if n := len(lacking); n > 0 {
		return cli.AsData(fmt.Errorf("%s has no features of %s that %s compared: %s", f.items, spell.Plural(n, "item"),
			map[bool]string{true: "is", false: "are"}[n == 1], firstNames(lacking)))
	}
	for i, id := range set.IDs {
		if _, is := at[id]; is {
			p.Items, rows = append(p.Items, id), append(rows, i)
		}
	}
	p.Features, p.Names, p.Schema = data.Select(set.X, rows).(*data.Dense), set.Names, set.Schema
	if p.GiveOwn(); len(p.Own) > 0 {
		var names []string
		for _, i := range p.Own {
			names = append(names, p.Items[i])
		}
		a.Note("%s lack%s features: a score of its own for %s", spell.Plural(len(p.Own), "item"),
			map[bool]string{true: "s"}[len(p.Own) == 1], firstNames(names))
	}
	return nil
}
