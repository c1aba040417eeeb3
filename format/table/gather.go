package table

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/gaps"
)

// gathered are the rows of a table whose columns are known.
type gathered struct {
	*layout
	file    string
	number  func(text string) (x float64, ok bool)
	decimal func() bool      // reports whether numbers had decimal commas
	values  []float64        // of the features, width a row
	y       []float64        // the labels, where they are numbers
	numbers bool             // a label was a number
	texts   interned         // the labels, where they are texts
	parts   [roles]interned  // of roles that name parts
	amounts [roles][]float64 // of roles that are numbers, but for the labels
	ids     []string
	codes   []interned // by column: the levels of factors that the rows tell
	lacking []int      // by column: the rows without a level of a factor
	missing bool
	some    bool      // these are not all rows
	sparse  *data.CSR // the features, where they are not in values
	notes   []data.Note
	present []int // the rows of weight above 0, where others were left out; else nil
	passing *passing
}

func newGathered(l *layout, file string) *gathered {
	return &gathered{layout: l, file: file, number: parseNumber, decimal: func() bool { return false },
		codes: make([]interned, l.count), lacking: make([]int, l.count)}
}

// finish makes the set of m rows.
func (g *gathered) finish(m int) (*data.Set, error) {
	if m > math.MaxInt32 {
		return nil, fmt.Errorf("%s: more than %d rows", g.file, math.MaxInt32)
	}
	all := m
	m, err := g.leaveOut(m)
	if err != nil {
		return nil, err
	}
	y := g.y
	if y == nil {
		y = make([]float64, m)
	}
	if g.texts.of != nil {
		if y, err = g.textLabels(g.file, &g.texts); err != nil {
			if err := g.opts.check.pass(cellfault.Labels, err); err != nil {
				return nil, err
			}
			y = unknown(m)
		}
	}
	x, err := g.matrix(m)
	if err != nil {
		return nil, err
	}
	if err := g.opts.check.pass(cellfault.Columns, g.checkIndex()); err != nil {
		return nil, err
	}
	set := &data.Set{X: x, Absent: g.absent(all), Names: g.layout.names, IDs: g.ids, Notes: g.notes, Schema: &g.schema}
	if err := g.placeCells(set, y); err != nil {
		return nil, err
	}
	if set.HasQID = set.Queries != nil; !set.HasQID {
		set.Queries = data.OneList(m)
	}
	if g.missing {
		if err := g.fillOwn(x); err != nil {
			return nil, err
		}
	}
	if set.Substitutes, err = g.fill(x); err != nil {
		return nil, err
	}
	g.schema.Commas = g.decimal()
	return set, g.passWhole(set)
}

// placeCells sets the cells of the columns that are no features, with the labels y or times in their place.
func (g *gathered) placeCells(set *data.Set, y []float64) error {
	for _, r := range named {
		switch of := &roleTable[r]; {
		case of.parts != nil:
			*of.parts(set) = g.parts[r].partition()
		case of.numbers != nil:
			*of.numbers(set) = g.amounts[r]
		}
	}
	if set.Y = y; g.has(timed) {
		set.Y = g.amounts[timed]
		return g.events(set)
	}
	return nil
}

// unknown are m labels that are not known.
func unknown(m int) []float64 {
	y := make([]float64, m)
	for i := range y {
		y[i] = math.NaN()
	}
	return y
}

// fillOwn takes the missing features of rows that the model gives a score of their own for 0, as in training, and
// returns an error about the first other row that lacks one of these features, unless an option says what it becomes.
func (g *gathered) fillOwn(x data.Matrix) error {
	s := g.opts.Schema
	if s == nil || factorOf(s, s.ID) == nil {
		return nil
	}
	dense, is := x.(*data.Dense)
	if !is {
		return nil
	}
	own := factorOf(s, s.ID).Levels
	return g.eachFeature(func(column string, j int) error {
		if !g.opts.own(column) {
			return nil
		}
		for i := range dense.Rows {
			switch v := &dense.Row(i)[j]; {
			case !math.IsNaN(*v):
			case i < len(g.ids) && slices.Contains(own, g.ids[i]):
				*v = 0
			case refuses(g.opts.given(column)):
				return g.cellError(g.numberOf(i), fmt.Errorf("column %s: the value is missing", quotedID(column)))
			}
		}
		return nil
	})
}

// own reports whether rows that lack a feature had scores of their own in training.
func (o *Options) own(column string) bool {
	own := func(f data.Filled) bool { return f.Column == column && f.By == data.MissingOwn.String() }
	return o.Schema != nil && o.Substitutes.Levels() == nil && slices.ContainsFunc(o.Schema.Filled, own)
}

// fill counts the missing values of each feature, and fills them in. It returns the values that it takes.
func (g *gathered) fill(x data.Matrix) (*data.Substitutes, error) {
	m, n := x.Dims()
	rows := g.lackingIn(x)
	own := g.opts.Features == 0 // its means and least values
	by, columns := g.treatments(n)
	if err := g.treatedAsTrained(by, columns); err != nil {
		return nil, err
	}
	_ = g.eachFeature(func(column string, j int) error {
		policy := by[j]
		if rows[j] == m && own && policy != data.MissingOwn {
			policy = data.MissingZero // of no values
		}
		if rows[j] > 0 && by[j] != data.MissingError {
			g.schema.Filled = append(g.schema.Filled, data.Filled{Column: column, Rows: rows[j], By: policy.String()})
		}
		return nil
	})
	for k, rows := range g.lacking {
		if rows > 0 {
			g.schema.Filled = append(g.schema.Filled, data.Filled{Column: g.called(k), Rows: rows,
				By: data.MissingZero.String()})
		}
	}
	substitutes := g.opts.Substitutes
	if g.opts.check != nil {
		return nil, nil
	}
	if own {
		substitutes = data.SubstitutesOf(x, by)
	}
	switch {
	case !g.missing:
		return substitutes, nil
	case g.passing != nil:
		return substitutes, g.passing.err
	}
	var unfilled *data.UnfilledError
	err := substitutes.Fill(x, by)
	if errors.As(err, &unfilled) {
		err = g.unfilled(columns[unfilled.Feature], firstMissing(x, unfilled.Feature), err)
	}
	return substitutes, err
}

// treatments are those of the n features, and the columns that these are from. A row without a text has 0 for the
// features of all texts.
func (g *gathered) treatments(n int) (by []data.Missing, columns []string) {
	by, columns = make([]data.Missing, n), make([]string, n)
	_ = g.eachFeature(func(column string, j int) error {
		by[j], columns[j] = g.opts.missingIn(column, j), column
		return nil
	})
	for k, f := range g.factors {
		if f == nil || g.roles[k] != factor || g.missingOf(k) == data.MissingError {
			continue
		}
		for _, level := range f.Levels {
			if j := slices.Index(g.layout.names, f.FeatureName(level)); j >= 0 {
				by[j], columns[j] = data.MissingZero, f.Column
			}
		}
	}
	return by, columns
}

// treatedAsTrained refuses another treatment than that of the model.
func (g *gathered) treatedAsTrained(by []data.Missing, columns []string) error {
	if g.opts.Features == 0 {
		return nil
	}
	err := gaps.Resolve(g.opts.Substitutes, by)
	var other *data.OtherTreatmentError
	if errors.As(err, &other) {
		return &data.SyntaxError{File: g.file, Err: err, Msg: fmt.Sprintf("column %s: %v", quotedID(columns[other.Feature]),
			err)}
	}
	return err
}

// unfilled is the error about a missing value, in row i of a column, that is not filled.
func (g *gathered) unfilled(column string, i int, err error) error {
	return &data.SyntaxError{File: g.file, Err: err, Msg: fmt.Sprintf("column %s, row %d: %v", quotedID(column),
		g.numberOf(i)+1, err)}
}

// missingOf is how missing values of column k are treated.
func (l *layout) missingOf(k int) data.Missing {
	j := l.places[k]
	if f := l.factors[k]; f != nil {
		if j = -1; len(f.places) > 0 {
			j = f.places[0]
		}
	}
	return l.opts.missingIn(l.called(k), j)
}

// missingIn is how missing values of a column are treated, which is feature j of the model.
func (o *Options) missingIn(column string, j int) data.Missing {
	switch by := o.given(column); {
	case refuses(by) && o.own(column):
		return data.MissingOwn
	case by == data.MissingModel:
		return o.Substitutes.Of(j)
	default:
		return by
	}
}

// refuses reports whether no option says what a missing value becomes.
func refuses(by data.Missing) bool { return by == data.MissingError || by == data.MissingModel }

// given is how the options treat missing values of a column.
func (o *Options) given(column string) data.Missing {
	if by, is := o.MissingIn[column]; is {
		return by
	}
	return o.Missing
}

// matrix is the features of m rows. The levels that the rows tell become features at the place of
// their column.
func (g *gathered) matrix(m int) (data.Matrix, error) {
	switch {
	case g.passing != nil:
		return &data.CSR{Rows: m, Cols: g.width}, g.pass(m)
	case g.sparse != nil:
		return g.sparse, nil
	}
	x := data.NewDense(m, g.width, g.values)
	told, wide, err := g.told()
	if err != nil || told == nil {
		return x, err
	}
	out := data.NewDense(m, wide, nil)
	var names []string
	from, to := 0, 0 // places of a feature in x and in out
	copyUntil := func(at int) {
		for i := range m {
			copy(out.Row(i)[to:], x.Row(i)[from:at])
		}
		if g.layout.names != nil {
			names = append(names, g.layout.names[from:at]...)
		} else {
			names = append(names, make([]string, at-from)...)
		}
		from, to = at, to+at-from
	}
	for _, k := range told {
		f := g.factors[k]
		copyUntil(f.at)
		for v, level := range f.Levels {
			names = append(names, f.FeatureName(level))
			code, _ := g.codes[k].find(level)
			for i, c := range g.codes[k].of {
				if c == code {
					out.Row(i)[to+v] = 1
				}
			}
		}
		to += len(f.Levels)
		g.schema.Factors = append(g.schema.Factors, f.Factor)
	}
	copyUntil(g.width)
	g.layout.names = names
	g.movePlaces(told)
	return out, g.checkWidth(wide)
}

// told finds the levels that the rows tell, of some columns, and the width of the matrix with them.
func (g *gathered) told() (columns []int, wide int, err error) {
	wide = g.width
	for k, f := range g.factors {
		if f == nil || f.places != nil {
			continue
		}
		columns = append(columns, k)
		f.Levels = slices.Sorted(slices.Values(g.codes[k].ids))
		f.Levels = slices.DeleteFunc(f.Levels, func(level string) bool { return level == noLevel })
		if len(f.Levels) > mostLevels {
			return nil, 0, &data.SyntaxError{File: g.file, Msg: fmt.Sprintf("column %s has %d levels, more than %d",
				quotedID(f.Column), len(f.Levels), mostLevels)}
		}
		wide += len(f.Levels)
	}
	return columns, wide, nil
}

// movePlaces moves the places of features behind levels that the rows tell.
func (g *gathered) movePlaces(told []int) {
	place := map[int]int{} // of the features of x in out
	for at, shift, k := 0, 0, 0; at < g.width; at++ {
		for ; k < len(told) && g.factors[told[k]].at == at; k++ {
			shift += len(g.factors[told[k]].Levels)
		}
		place[at] = at + shift
	}
	for k, r := range g.roles {
		if r == feature {
			g.places[k] = place[g.places[k]]
		}
	}
}

// checkWidth refuses another number of features than a model has.
func (g *gathered) checkWidth(n int) error {
	if err := g.opts.checkFeatures(n); err != nil {
		return &data.SyntaxError{File: g.file, Msg: err.Error()}
	}
	return nil
}

// mostLevels is the largest number of levels of a factor.
const mostLevels = 1000

// level sets the feature of a factor in a row of features, or keeps the level for later.
func (g *gathered) level(k int, row []float64, text string) error {
	f := g.factors[k]
	v, is := f.number[text]
	if !is && g.roles[k] == factor && gaps.IsMissing(text) {
		if g.missingOf(k) == data.MissingError {
			return errMissing
		}
		g.lacking[k]++
		text = noLevel
	}
	switch {
	case f.places == nil:
		g.codes[k].add(text)
		return nil
	case !is && text != noLevel && !g.opts.Extra && !f.Open:
		return &levelError{f.Column, text}
	}
	if is {
		row[f.places[v]] = 1
	}
	return nil
}

// levelError is about a level that a model does not have.
type levelError struct{ column, level string }

// Error names the level.
func (e *levelError) Error() string {
	return fmt.Sprintf("the model has no level %s of column %s", quotedID(e.level), quotedID(e.column))
}

// Unwrap returns data.ErrExtraFeatures.
func (e *levelError) Unwrap() error { return data.ErrExtraFeatures }
