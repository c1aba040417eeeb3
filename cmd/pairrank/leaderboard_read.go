package main

import (
	"fmt"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/pick"
	"pairrank/internal/spell"
)

// boardOf is the problem of comparisons that were read, with the items; it says what is doubtful.
func (a *app) boardOf(read *table.Comparisons, f *boardFlags) (*comparison.Problem, error) {
	p := board.Problem(read)
	if p.Added = !read.Counts && !f.columns.Apart; f.columns.Apart && p.Clusters != nil {
		return nil, cli.Usagef("--intervals line takes lines as independent, and --cluster clusters: give one of them")
	}
	if f.side {
		if slices.ContainsFunc(read.Columns, func(c string) bool { return strings.HasPrefix(c, "loser ") }) {
			return nil, cli.AsData(fmt.Errorf("--side needs columns of the left and the right item: winner and loser say " +
				"nothing of sides"))
		}
		p.AddSide()
	}
	if err := a.addItems(p, f); err != nil {
		return nil, err
	}
	var l data.Comparison
	for c := 0; f.Loss == comparison.Logistic && c < read.Lines.Len(); c++ {
		if read.Lines.LineTo(&l, c); l.Magnitude != 1 && l.Rest == 0 {
			a.Warn("the logistic loss does not use magnitudes: --weight-column has weights of comparisons")
			break
		}
	}
	advice.Tell(a.App, board.Notes(a.Ctx, read, p.Doubts())...)
	return p, nil
}

// addItems reads the features of the items. Some items may not have been compared.
func (a *app) addItems(p *comparison.Problem, f *boardFlags) error {
	if f.items == "" {
		return nil
	}
	set, err := a.readItems(f.items, &f.rows, readOptions{Storage: svmlight.StoreDense})
	if err != nil {
		return err
	}
	rows, err := placesOf(f.items, "features", set.IDs, p.Items)
	if err != nil {
		return err
	}
	compared := make([]bool, len(set.IDs))
	for _, i := range rows {
		compared[i] = true
	}
	for i, id := range set.IDs {
		if !compared[i] {
			p.Items, rows = append(p.Items, id), append(rows, i)
		}
	}
	p.Features, p.Names, p.Schema = data.Select(set.X, rows).(*data.Dense), set.Names, set.Schema
	p.Substitutes = set.Substitutes
	if p.GiveOwn(); len(p.Own) > 0 {
		a.Note("scores of their own for %s without features: %s", spell.Plural(len(p.Own), "item"),
			spell.First(pick.Rows(p.Items, p.Own)))
	}
	return nil
}
