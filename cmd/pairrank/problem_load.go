package main

import (
	"fmt"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/pref"
)

// loaded is a problem with the set that it was read from.
type loaded struct {
	problem *trainProblem
	set     *data.Set
	norm    *data.Normalizer // of the features, or nil
}

// loadProblem reads DATA and what else the flags name.
func (a *app) loadProblem(path string, plan *trainPlan) (*loaded, error) {
	o := readOptions{}
	if plan.normalize == data.NormalizeZScore {
		o.Storage = svmlight.StoreDense // a shift leaves no zeros
	}
	set, err := a.readSet(path, plan.rows, o)
	if err != nil {
		return nil, err
	}
	if plan.threshold != nil {
		data.Binarize(set.Y, *plan.threshold)
	}
	p := &trainProblem{plan: plan, y: set.Y, outputs: 1, unconverged: new(int), queries: set.Queries}
	t := &loaded{problem: p, set: set}
	if err := a.loadFeatures(t); err != nil {
		return nil, err
	}
	if err := a.loadGoal(path, t); err != nil {
		return nil, err
	}
	return t, p.prepareBasis(a)
}

// loadGoal reads what the rows are compared by: preferences, the labels of
// several outputs, or the labels of DATA, of which it counts the idle queries.
func (a *app) loadGoal(path string, t *loaded) error {
	p, set := t.problem, t.set
	switch {
	case p.plan.preferences != "":
		preferences, err := awaitFor(a.Ctx, func() ([]table.Preference, error) { return table.ReadPreferences(p.plan.preferences, p.rows()) })
		if err != nil {
			return readError(err)
		}
		p.edges = make([]pref.Edge, len(preferences))
		for e, v := range preferences {
			p.edges[e] = pref.Edge(v)
		}
		return nil
	case p.plan.labels != "":
		return p.loadLabels(a)
	}
	if err := sameLabels(path, set.Y); err != nil {
		return err
	}
	if single, alike := countIdle(set); single+alike > 0 && set.HasQID {
		a.note("%d of %d queries have nothing to compare: %d with one row, %d with one label", single+alike, set.Queries.Len(), single, alike)
	}
	return nil
}

// loadLabels reads the labels of several outputs, m×v, instead of those of DATA.
func (p *trainProblem) loadLabels(a *app) error {
	matrix, err := awaitFor(a.Ctx, func() (*table.Matrix, error) {
		return table.ReadMatrix(p.plan.labels, table.MatrixOptions{MaxLine: a.MaxLine})
	})
	if err != nil {
		return readError(err)
	}
	y := matrix.X
	if y.Rows != p.rows() || y.Cols == 0 {
		return asData(fmt.Errorf("%s is %d×%d, and the data has %d rows", p.plan.labels, y.Rows, y.Cols, p.rows()))
	}
	p.outputs = y.Cols
	p.y = make([]float64, 0, y.Rows*y.Cols)
	for i := range y.Rows {
		p.y = append(p.y, y.Row(i)...)
	}
	if p.plan.threshold != nil {
		data.Binarize(p.y, *p.plan.threshold)
	}
	return nil
}

// sameLabels refuses labels that are all equal: they order nothing.
func sameLabels(path string, y []float64) error {
	for _, v := range y {
		if v != y[0] {
			return nil
		}
	}
	if len(y) == 1 {
		return asData(fmt.Errorf("%s: there is only one row, so nothing can be learnt about an order", shown(path)))
	}
	return withHint(asData(fmt.Errorf("%s: all %d labels are %v, so nothing can be learnt about their order", shown(path), len(y), y[0])),
		"the label is the first number of a line; --binarize T makes two labels of more")
}

// loadFeatures sets the rows that are learnt from: features, normalised, or a
// kernel matrix.
func (a *app) loadFeatures(t *loaded) error {
	p, plan := t.problem, t.problem.plan
	if plan.precomputed {
		k, err := a.readKernel(plan.matrix, p.rows())
		p.k = k
		return err
	}
	p.x = t.set.X
	_, n := p.x.Dims()
	if err := plan.checkFeatures(p.x); err != nil {
		return err
	}
	if plan.names != "" {
		names, err := awaitFor(a.Ctx, func() ([]string, error) { return table.ReadNames(plan.names) })
		if err != nil {
			return readError(err)
		}
		if len(names) > n {
			return asData(fmt.Errorf("%s names %d features, and the data has %d", plan.names, len(names), n))
		}
		t.set.Names = append(names, make([]string, n-len(names))...)
	}
	if n == 0 {
		return asData(fmt.Errorf("the data has no features, so every row gets the same score"))
	}
	if plan.normalize != data.NormalizeNone {
		norm, err := data.FitNormalizer(plan.normalize, t.set)
		if err == nil {
			err = norm.Apply(t.set)
		}
		if err != nil {
			return asData(err)
		}
		t.norm, p.x = norm, t.set.X
	}
	if plan.precision == "float32" {
		const most = 1e-3
		lost := data.SingleLoss(p.x)
		single, ok := data.Single(p.x)
		switch {
		case !ok:
			return asData(fmt.Errorf("a feature is beyond 3.4e38, which --precision float32 does not hold"))
		case lost > most:
			return withHint(asData(fmt.Errorf("--precision float32 would round a feature by %.2g of all that it varies by", lost)),
				"scale the features, --normalize zscore, or leave --precision out")
		}
		p.x, t.set.X = single, nil // the double values can go
	}
	return nil
}

// readKernel reads a symmetric kernel matrix of m rows.
func (a *app) readKernel(path string, m int) (*data.Dense, error) {
	matrix, err := awaitFor(a.Ctx, func() (*table.Matrix, error) {
		return table.ReadMatrix(path, table.MatrixOptions{Square: true, MaxLine: a.MaxLine})
	})
	if err != nil {
		return nil, readError(err)
	}
	k := matrix.X
	if k.Rows != m || k.Cols != m {
		return nil, asData(fmt.Errorf("%s is %d×%d, and the data has %d rows", path, k.Rows, k.Cols, m))
	}
	largest, apart, at := 0.0, 0.0, [2]int{}
	for i := range m {
		for j := range i {
			largest = max(largest, k.Row(i)[j], -k.Row(i)[j])
			if d := k.Row(i)[j] - k.Row(j)[i]; d > apart || -d > apart {
				apart, at = max(d, -d), [2]int{i + 1, j + 1}
			}
		}
		largest = max(largest, k.Row(i)[i], -k.Row(i)[i])
	}
	if apart > 1e-6*largest {
		return nil, asData(fmt.Errorf("%s is not symmetric: entries (%d,%d) and (%d,%d) differ by %.3g", path, at[0], at[1], at[1], at[0], apart))
	}
	for i := range m {
		for j := range i {
			mean := (k.Row(i)[j] + k.Row(j)[i]) / 2
			k.Row(i)[j], k.Row(j)[i] = mean, mean
		}
	}
	return k, nil
}
