package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// finishBlock makes the set of rows whose features come as one matrix. The other columns have been
// taken. finite says that all values are known to be finite.
func (g *gathered) finishBlock(x data.Matrix, finite bool) (*data.Set, error) {
	m, n := x.Dims()
	if err := g.takeWidth(n); err != nil {
		return nil, err
	}
	as, err := g.arrange(0, x)
	if err != nil {
		return nil, err
	}
	x, finite = as, finite && as == x
	switch x := x.(type) {
	case *data.Dense:
		g.values = x.Data
	case *data.CSR:
		g.sparse = x
	}
	// FirstNotFinite runs on all cores. Only a matrix with NaN or Inf, which is rare, is searched for missing values.
	if !finite {
		if at, _ := data.FirstNotFinite(x); at >= 0 {
			g.missing = slices.ContainsFunc(missingIn(x), func(rows int) bool { return rows > 0 })
		}
	}
	if g.missing {
		if err := g.checkMissing(x); err != nil {
			return nil, err
		}
	}
	return g.finish(m)
}

// takeWidth takes a matrix of n columns as the features, where no option and no name is about one.
func (g *gathered) takeWidth(n int) error {
	if g.count > g.lead || n == 0 {
		return nil
	}
	g.width = n
	if err := g.opts.checkFeatures(n); err != nil {
		return &data.SyntaxError{File: g.file, Msg: err.Error(), Err: err}
	}
	return nil
}

// finishLater is finishBlock of a matrix whose rows are not read yet: some at a time, where they can be handed on so.
func (g *gathered) finishLater(a *npy.Array) (set *data.Set, err error) {
	rows, n := a.Shape[0], a.Shape[1]
	if err := g.takeWidth(n); err != nil {
		return nil, err
	}
	if g.passFrom(); g.passing != nil {
		rows = max(leastPanel, panelValues/n)
	}
	err = a.EachRows(rows, func(first int, x *data.Dense) error {
		if g.passing == nil {
			set, err = g.finishBlock(x, false)
			return err
		}
		as, err := g.arrange(first, x)
		if err != nil {
			return err
		}
		g.values = as.(*data.Dense).Data
		g.missing = g.missing || slices.ContainsFunc(g.values, math.IsNaN)
		return g.pass(first + x.Rows)
	})
	if err == nil && g.passing != nil {
		if err = g.checkMissing(nil); err == nil {
			set, err = g.finish(a.Shape[0])
		}
	}
	return set, err
}

// arrange puts the features of rows of a matrix, before which there are first, in their places.
func (g *gathered) arrange(first int, x data.Matrix) (data.Matrix, error) {
	_, n := x.Dims()
	if g.count == g.lead {
		return x, nil
	}
	as := g.width == n
	for j := range n {
		k := g.lead + j
		as = as && g.roles[k] == feature && g.places[k] == j
	}
	if as {
		return x, nil
	}
	if x, sparse := x.(*data.CSR); sparse {
		return g.arrangeSparse(x)
	}
	return g.arrangeDense(first, x.(*data.Dense))
}

func (g *gathered) arrangeDense(first int, x *data.Dense) (data.Matrix, error) {
	if err := memory.Ask(8*float64(x.Rows)*float64(g.width), "the features in another order"); err != nil {
		return nil, fmt.Errorf("%s: %w", g.file, err)
	}
	out := data.NewDense(x.Rows, g.width, nil)
	for i := range x.Rows {
		row := out.Row(i)
		g.values = row // where factors with known levels set theirs
		for j, v := range x.Row(i) {
			switch k := g.lead + j; g.roles[k] {
			case ignored:
			case feature:
				row[g.places[k]] = v
			default:
				if err := g.other(k, first+i, row, v); err != nil {
					return nil, g.cellError(first+i, err)
				}
			}
		}
	}
	return out, nil
}

// other takes a number of a column of a matrix that is no feature.
func (g *gathered) other(k, i int, row []float64, v float64) error {
	if err := g.checkDigits(k, v, npy.ExactInteger); err != nil {
		return err
	}
	text, err := g.entry(k, v)
	switch {
	case err != nil:
		return err
	case g.roles[k] == factor:
		return g.level(k, row, text)
	}
	if err := g.checkDigits(k, v, npy.ExactInteger); err != nil {
		return err
	}
	if g.factors[k] != nil { // the names of the rows
		g.ids = append(g.ids, text)
		return g.level(k, row, text)
	}
	return g.cell(k, i, text)
}

// cellError is an error about row i.
func (g *gathered) cellError(i int, err error) error {
	return &data.SyntaxError{File: g.file, Msg: fmt.Sprintf("row %d: %v", i+1, err), Err: err}
}

func (g *gathered) arrangeSparse(x *data.CSR) (data.Matrix, error) {
	place := make([]int32, x.Cols)
	for j := range place {
		switch k := g.lead + j; g.roles[k] {
		case feature:
			place[j] = int32(g.places[k])
		case ignored:
			place[j] = -1
		default:
			return nil, g.fault(k, nil, "column %s is the %s, but a sparse matrix holds features only",
				quotedID(g.called(k)), g.roles[k].noun())
		}
	}
	b := newRowsBuilder(x.Rows, g.width, len(x.Val))
	for i := range x.Rows {
		cols, vals := x.Row(i)
		for k, j := range cols {
			if at := place[j]; at >= 0 {
				b.add(at, vals[k])
			}
		}
		if err := b.end(); err != nil {
			return nil, g.cellError(i, err)
		}
	}
	return &b.CSR, nil
}

// checkMissing refuses missing values of features without a treatment.
func (g *gathered) checkMissing(x data.Matrix) error {
	if g.opts.check != nil {
		g.passMissing(x)
		return nil
	}
	rows := g.lackingIn(x)
	refuse := func(column string, j int) error {
		if rows[j] == 0 || g.opts.missingIn(column, j) != data.MissingError {
			return nil
		}
		return &data.SyntaxError{File: g.file, Err: errMissing, Msg: fmt.Sprintf("column %s: the value is missing in row %d",
			quotedID(column), 1+g.firstLacking(x, j))}
	}
	return g.eachFeature(refuse)
}

// passMissing tells a check of all missing values of features without a treatment.
func (g *gathered) passMissing(x data.Matrix) {
	m, n := x.Dims()
	columns := make([]string, n) // of features without a treatment
	_ = g.eachFeature(func(column string, j int) error {
		if g.opts.missingIn(column, j) == data.MissingError {
			columns[j] = column
		}
		return nil
	})
	for i := range m {
		data.Each(x, i, func(j int, v float64) {
			if v == v || columns[j] == "" {
				return
			}
			_ = g.opts.check.pass(cellfault.Missing, &data.SyntaxError{File: g.file, Err: errMissing,
				Msg: fmt.Sprintf("column %s: the value is missing in row %d", quotedID(columns[j]), i+1)})
		})
	}
}

// eachFeature calls visit with the name or number, and the place, of each feature, until an error.
func (g *gathered) eachFeature(visit func(column string, j int) error) error {
	if g.heading.apart && g.count == g.lead {
		for j := range g.width {
			if err := visit(strconv.Itoa(j+1), j); err != nil {
				return err
			}
		}
	}
	for k, r := range g.roles {
		if r != feature {
			continue
		}
		if err := visit(g.called(k), g.places[k]); err != nil {
			return err
		}
	}
	return nil
}

// firstMissing is the first row with NaN in column j.
func firstMissing(x data.Matrix, j int) int {
	m, n := x.Dims()
	row := make([]float64, n)
	for i := range m {
		if x.RowTo(row, i); math.IsNaN(row[j]) {
			return i
		}
	}
	return m
}

// missingIn counts the NaN of each column.
func missingIn(x data.Matrix) []int {
	_, n := x.Dims()
	rows := make([]int, n)
	switch x := x.(type) {
	case *data.Dense:
		for i := range x.Rows {
			for j, v := range x.Row(i) {
				if math.IsNaN(v) {
					rows[j]++
				}
			}
		}
	case *data.CSR:
		for k, j := range x.Col {
			if math.IsNaN(x.Val[k]) {
				rows[j]++
			}
		}
	}
	return rows
}
