package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/option"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// comparisonTargets are where the values of the options about columns of comparisons go.
func comparisonTargets(c *table.ComparisonsOptions) cli.Targets {
	return cli.Targets{
		"left": &c.Left, "right": &c.Right, "winner": &c.Winner, "loser": &c.Loser, "wins-left": &c.WinsLeft,
		"wins-right": &c.WinsRight, "ties-column": &c.Ties, "weight-column": &c.Weight, "annotator": &c.Annotator,
		"stratum": &c.Stratum, "cluster": option.Into(&c.Cluster, listOf), "score-left": &c.Outcome.ScoreLeft,
		"score-right": &c.Outcome.ScoreRight, "outcome": &c.Outcome.Column, "outcome-is": &c.Outcome.Are,
		"margin": &c.Outcome.Difference,
	}
}

// readComparisons reads comparisons of named items, and says which column is what.
func (a *app) readComparisons(path string, o table.ComparisonsOptions) (*table.Comparisons, error) {
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
			return nil, cli.WithHint(cli.ReadError(err), "%s", comparedHint)
		}
		return nil, cli.ReadError(err)
	}
	a.noteColumns(cli.Shown(path), read.Columns)
	return read, nil
}

// comparedHint is the way out where the columns of comparisons are not found.
const comparedHint = "--left, --right, --winner, --loser, --wins-left, --wins-right, --ties-column, --score-left, " +
	"--score-right and --outcome COLUMN name the columns, and --outcome-is probability, or margin, says what outcomes are"

// noteColumns says which columns are what.
func (a *app) noteColumns(file string, columns []string) {
	a.Note("%s: columns: %s", file, strings.Join(columns, ", "))
}

// readItems reads the features of named items.
func (a *app) readItems(path string, f *setFlags, o readOptions) (*data.Set, error) {
	f.columns.NoLabel = true
	set, err := a.readSet(path, f, o)
	if err != nil {
		return nil, err
	}
	if set.IDs == nil {
		return nil, cli.WithHint(cli.AsData(fmt.Errorf("%s does not name the items", path)),
			"--id-column COLUMN says which column has their names")
	}
	return set, nil
}

// placesOf are the rows of items that were compared, by their names in a file, which holds what.
func placesOf(path, what string, ids, items []string) ([]int, error) {
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		if _, twice := at[id]; twice {
			return nil, cli.AsData(fmt.Errorf("%s has item %q twice", path, id))
		}
		at[id] = i
	}
	var rows []int
	var lacking []string
	for _, item := range items {
		i, is := at[item]
		if !is {
			lacking = append(lacking, item)
		}
		rows = append(rows, i)
	}
	if n := len(lacking); n > 0 {
		return nil, cli.AsData(fmt.Errorf("%s has no %s of %s that %s compared: %s", path, what, spell.Plural(n, "item"),
			map[bool]string{true: "is", false: "are"}[n == 1], spell.First(lacking)))
	}
	return rows, nil
}

// ofRows are the comparisons that were read between rows, by the row of each item.
func ofRows(read *table.Comparisons, rows []int) *comparison.Problem {
	p := board.Problem(read).InRows()
	p.Items = nil
	for c := range p.Lines {
		l := &p.Lines[c]
		l.Left, l.Right = rows[l.Left], rows[l.Right]
	}
	return p
}

// readCompared reads the comparisons of --comparisons between the rows of the problem.
func (a *app) readCompared(path string, p *learning) error {
	f := p.flags
	o := f.compared
	m := p.options.Method
	o.CountsApart = m != nil && m.Kind == "line"
	read, err := a.readComparisons(path, o)
	if err != nil {
		return err
	}
	rows, err := placesOf(f.items, "features", p.problem.Set.IDs, read.Items)
	if err != nil {
		return err
	}
	if o.CountsApart && !read.Counts { // lines that are alike have been added up
		m.Kind = "comparison"
	}
	p.compared, p.problem.Comparisons = read, ofRows(read, rows)
	named := *p.problem.Comparisons
	named.Items = p.problem.Set.IDs
	named.Features = &data.Dense{} // which tells components apart
	advice.Tell(a.App, board.Notes(a.Ctx, read, named.Doubts())...)
	return nil
}

// lines is the number of comparisons or preferences in place of labels.
func (p *learning) lines() int {
	if c := p.problem.Comparisons; c != nil {
		return len(c.Lines)
	}
	return len(p.problem.Preferences)
}

// linesOf are preferences as the lines of a file of comparisons.
func linesOf(edges []pref.Edge) *table.Comparisons {
	c := &table.Comparisons{}
	for e := range edges {
		outcome := int8(0)
		if edges[e].Magnitude == 0 {
			outcome = 2
		}
		c.Of, c.Outcome = append(c.Of, int32(e)), append(c.Outcome, outcome)
	}
	return c
}

// writeMargins writes a line for each line of the file: the margin of left over right without what was left out
// with it; of counts with comparison three, without one win of the left, of the right, and a tie.
func writeMargins(w io.Writer, read *table.Comparisons, h *comparison.HeldOut) error {
	text := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for k, at := range read.Of {
		if at < 0 { // left out
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
			continue
		}
		m := h.Margins[at]
		line := text(m[max(read.Outcome[k], 0)])
		switch {
		case h.Sides != nil:
			line = text(h.Sides[at][0]) + "\t" + text(h.Sides[at][1])
		case h.Unit.Kind == "comparison" && read.Counts:
			line = text(m[0]) + "\t" + text(m[1]) + "\t" + text(m[2])
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
