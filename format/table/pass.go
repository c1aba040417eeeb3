package table

import (
	"errors"
	"slices"

	"pairrank/data"
)

// passing hands the features to Options.Each, some thousand rows at a time.
type passing struct {
	rows    int // that were handed on
	by      []data.Missing
	columns []string // of the features
	lacking []int    // by feature: the rows without a value
	first   []int    // by feature: the first of these
	least   int      // the least feature with a value that nothing fills in, or as many as there are
	err     error    // about its first row; nothing is handed on after one
	other   bool     // missing values are not treated as in training: an error of the end
}

// A panel of rows is handed on when it has leastPanel rows and panelValues values.
const leastPanel = 64

var panelValues = 1 << 17 // a test changes it

// watchEach tells from now on whether what receives the rows returned an error, which ends reading.
func (o *Options) watchEach() (ended *bool) {
	ended = new(bool)
	if each := o.Rows.each; each != nil {
		o.Rows.each = func(first int, block *data.Set) error {
			err := each(first, block)
			*ended = err != nil
			return err
		}
	}
	return ended
}

// passFrom prepares to hand on rows whose columns are known, where none of them depends on all rows.
func (g *gathered) passFrom() {
	o := &g.opts
	told := func(f *levels) bool { return f != nil && f.places == nil }
	own := o.Schema != nil && factorOf(o.Schema, o.Schema.ID) != nil // see fillOwn
	if o.Rows.each == nil || o.Features == 0 || own || g.has(weigh) || slices.ContainsFunc(g.factors, told) {
		return
	}
	p := &passing{lacking: make([]int, g.width), first: make([]int, g.width), least: g.width}
	p.by, p.columns = g.treatments(g.width)
	p.other = g.treatedAsTrained(p.by, p.columns) != nil
	g.passing = p
}

// row is the features of row i.
func (g *gathered) row(i int) []float64 {
	if g.passing != nil {
		i -= g.passing.rows
	}
	return g.values[i*g.width : (i+1)*g.width]
}

// passSome hands rows on, of so many in all, where there are enough.
func (g *gathered) passSome(all int) error {
	if n := len(g.values); g.passing == nil || n < panelValues || n < leastPanel*g.width {
		return nil
	}
	return g.pass(all)
}

// pass hands on what is left of so many rows.
func (g *gathered) pass(all int) error {
	p := g.passing
	first := p.rows
	if first == all {
		return nil
	}
	x := data.NewDense(all-first, g.width, g.values)
	g.values, p.rows = g.values[:0], all
	if g.missing {
		var e *data.UnfilledError
		for j, rows := range missingIn(x) {
			if rows > 0 && p.lacking[j] == 0 {
				p.first[j] = first + firstMissing(x, j)
			}
			p.lacking[j] += rows
		}
		if errors.As(g.opts.Substitutes.Fill(x, p.by), &e) && e.Feature < p.least {
			p.least = e.Feature
			p.err = g.unfilled(p.columns[e.Feature], p.first[e.Feature], e)
		}
	}
	if p.err != nil || p.other {
		return nil
	}
	return g.opts.Rows.each(first, &data.Set{X: x, Names: g.layout.names})
}

// passWhole hands all rows on at once, where none were.
func (g *gathered) passWhole(set *data.Set) error {
	if g.opts.Rows.each == nil || g.passing != nil {
		return nil
	}
	return g.opts.Rows.each(0, set)
}

// firstLacking is the first row that lacks feature j.
func (g *gathered) firstLacking(x data.Matrix, j int) int {
	if g.passing != nil {
		return g.passing.first[j]
	}
	return firstMissing(x, j)
}

// lackingIn is how many rows lack each feature.
func (g *gathered) lackingIn(x data.Matrix) []int {
	switch {
	case g.passing != nil:
		return g.passing.lacking
	case g.missing:
		return missingIn(x)
	}
	_, n := x.Dims()
	return make([]int, n)
}

// factorOf returns the factor of a column, nil where it is none.
func factorOf(s *data.Schema, column string) *data.Factor {
	if k := slices.IndexFunc(s.Factors, func(f data.Factor) bool { return f.Column == column }); k >= 0 {
		return &s.Factors[k]
	}
	return nil
}
