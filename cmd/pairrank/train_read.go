package main

import (
	"errors"
	"fmt"
	"slices"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/rows"
	"pairrank/model"
	"pairrank/pref"
)

// read reads DATA and what else the flags name into the problem.
func (a *app) read(path string, p *learning) error {
	f := p.flags
	o, rows := readOptions{Comments: f.withIDs}, &f.rows
	if p.kernelMatrix {
		rows = rows.withoutFeatures()
	}
	if f.normalize == data.NormalizeZScore {
		o.Storage = svmlight.StoreDense // a shift leaves no zeros
	}
	from := a.readSet
	if f.comparisons != "" {
		from = a.readItems
	}
	set, err := from(path, rows, o)
	if err != nil {
		return err
	}
	p.path, p.problem = path, pairrank.Problem{Set: set}
	return readBeside(p, beside{f.names, a.readNames}, beside{f.matrix, a.readKernel},
		beside{f.preferences, a.readPreferences}, beside{f.comparisons, a.readCompared}, beside{f.labels, a.readLabels},
		beside{f.basisRows, a.readBasis}, beside{f.baseline, readBaseline}, beside{f.valid, a.readValid},
		beside{f.warmStart, a.readStart}, beside{f.beside, a.readCompany})
}

// beside is the value of an option, most often a file, from which read adds to the problem or the learner; "" adds
// nothing.
type beside struct {
	value string
	read  func(value string, p *learning) error
}

// readBeside reads what is given.
func readBeside(p *learning, all ...beside) error {
	for _, one := range all {
		if one.value == "" {
			continue
		}
		if err := one.read(one.value, p); err != nil {
			return err
		}
	}
	return nil
}

// readNames reads names of features; features beyond the last name get none.
func (a *app) readNames(path string, p *learning) error {
	const vectors = 2 // the names themselves, as many bytes
	if err := rows.CheckWidth(p.problem.Set.X, vectors); err != nil {
		return (&advice.Run{}).Error(err)
	}
	names, err := cli.AwaitFor(a.Ctx, func() ([]string, error) { return table.ReadNames(path) })
	if err != nil {
		return cli.ReadError(err)
	}
	_, n := p.problem.Set.X.Dims()
	of := p.problem.Set.Substitutes
	if n, _ = of.Given(n, nil); len(names) > n {
		return cli.AsData(fmt.Errorf("%s names %d features, and the data has %d", path, len(names), n))
	}
	p.problem.Set.Names = of.Called(append(names, make([]string, n-len(names))...))
	return nil
}

// presentRows are the numbers of the rows of a set in the input.
func presentRows(set *data.Set) []int {
	numbers := make([]int, len(set.Y))
	for i := range numbers {
		numbers[i] = set.Number(i)
	}
	return numbers
}

// readKernel reads a kernel matrix of the rows, or of these and the absent ones.
func (a *app) readKernel(path string, p *learning) error {
	set := p.problem.Set
	k, err := a.readMatrix(path, true)
	if err == nil && set.Absent != nil && k.Rows == len(set.Y)+len(set.Absent) {
		rows := presentRows(set)
		k = k.Submatrix(rows, rows)
	}
	if m := len(set.Y); err == nil && (k.Rows != m || k.Cols != m) {
		return cli.AsData(fmt.Errorf("%s is %d×%d, and the data has %d rows", path, k.Rows, k.Cols, m))
	}
	p.problem.Kernel = k
	return err
}

// readPreferences reads preferences between rows.
func (a *app) readPreferences(path string, p *learning) error {
	rows := len(p.problem.Set.Y)
	read := func() ([]table.Preference, error) { return table.ReadPreferences(path, rows) }
	preferences, err := cli.AwaitFor(a.Ctx, read)
	if err != nil {
		return cli.ReadError(err)
	}
	edges := make([]pref.Edge, len(preferences))
	for e, v := range preferences {
		edges[e] = pref.Edge(v)
	}
	p.problem.Preferences = edges
	return nil
}

// readLabels reads the labels of several outputs, m×v, instead of those of DATA.
func (a *app) readLabels(path string, p *learning) error {
	y, err := a.readMatrix(path, false)
	if set := p.problem.Set; err == nil && set.Absent != nil && y.Rows == len(set.Y)+len(set.Absent) {
		y = y.SelectRows(presentRows(set))
	}
	if m := len(p.problem.Set.Y); err == nil && (y.Rows != m || y.Cols == 0) {
		return cli.AsData(fmt.Errorf("%s is %d×%d, and the data has %d rows", path, y.Rows, y.Cols, m))
	}
	p.problem.Labels = y
	return err
}

// readBasis reads the rows of a basis that are named.
func (a *app) readBasis(path string, p *learning) error {
	set := p.problem.Set
	read := func() ([]int, error) { return table.ReadIndices(path, len(set.Y)+len(set.Absent)) }
	rows, err := cli.AwaitFor(a.Ctx, read)
	if err != nil {
		return cli.ReadError(err)
	}
	slices.Sort(rows)
	for k, number := range rows {
		absent, is := slices.BinarySearch(set.Absent, number)
		if is {
			return cli.AsData(fmt.Errorf("%s names row %d, which has weight 0", path, number+1))
		}
		rows[k] = number - absent
	}
	if len(slices.Compact(slices.Clone(rows))) < len(rows) {
		return cli.AsData(fmt.Errorf("%s names a row twice", path))
	}
	if len(rows) == 0 {
		return cli.AsData(fmt.Errorf("%s names no row", path))
	}
	switch l := p.options.Learner.(type) {
	case pairrank.LeastSquares:
		l.Basis.Rows = rows
		p.options.Learner = l
	case pairrank.RankSVM:
		l.Basis.Rows = rows
		p.options.Learner = l
	}
	return nil
}

// readValid reads --valid as the training data was read, with its features.
func (a *app) readValid(path string, p *learning) error {
	_, n := p.problem.Set.X.Dims()
	of := p.problem.Set
	o := readOptions{Features: n, Names: of.Names, Schema: of.Schema, Substitutes: of.Substitutes}
	if p.flags.normalize == data.NormalizeZScore {
		o.Storage = svmlight.StoreDense
	}
	set, err := a.readSet(path, &p.flags.rows, o)
	if errors.Is(err, data.ErrExtraFeatures) {
		return cli.AsData(fmt.Errorf("%s has features beyond the %d of the training rows", path, n))
	}
	p.problem.Valid = set
	return err
}

// readStart reads the weights of --warm-start.
func (a *app) readStart(path string, p *learning) error {
	saved, err := a.readModel(path)
	if err != nil {
		return err
	}
	m, linear := saved.rows, (*model.Linear)(nil)
	if m != nil {
		linear, _ = m.Scorer.(*model.Linear)
	}
	set := p.problem.Set
	_, n := set.X.Dims()
	if linear == nil || linear.Weights.Rows != 1 || linear.Weights.Cols > n {
		return cli.AsData(fmt.Errorf("%s is not a linear model of one output and at most %d features, so training "+
			"cannot start from it", path, n))
	}
	if names := set.Names; m.Names != nil && names != nil && !slices.Equal(m.Names, names[:len(m.Names)]) {
		return cli.AsData(fmt.Errorf("%s has other features than the data, or in another order", path))
	}
	kind := data.NormalizeNone
	if m.Normalizer != nil {
		kind = m.Normalizer.Kind
	}
	if kind != p.options.Normalize {
		a.Note("%s was trained on features with another normalisation: its weights are only a start", path)
	}
	l := p.options.Learner.(pairrank.RankSVM)
	l.Start = make([]float64, n)
	copy(l.Start, linear.Weights.Row(0))
	p.options.Learner = l
	return nil
}
