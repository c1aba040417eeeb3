package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/report"
	"pairrank/model"
	"pairrank/model/contribution"
)

// explained are rows that are explained by a model.
type explained struct {
	*data.Set
	m        *model.Model
	scoring  *scoring
	features *data.Set // of all rows, or of those picked
	picked   []int     // ascending; nil for all
}

// errPicked ends the reading of rows behind the last one that is picked.
var errPicked = errors.New("all picked rows are read")

// isReadAgain reports whether a path can be read twice.
func isReadAgain(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && err == nil && (info.Mode().IsRegular() || info.IsDir())
}

// take keeps the features of the picked rows among those from first on.
func (s *scoring) take(first int, block *data.Set) error {
	if len(s.pick) == 0 {
		return nil
	}
	if first == 0 {
		s.kept = nil
	}
	rows, _ := block.X.Dims()
	var some []int
	for _, i := range s.pick {
		if i >= first && i < first+rows {
			some = append(some, i-first)
		}
	}
	s.kept = append(s.kept, data.Select(s.known(block).X, some))
	if s.ends && s.pick[len(s.pick)-1] < first+rows {
		return errPicked
	}
	return nil
}

// readFeatures reads the features of some rows, where they were not kept.
func (a *app) readFeatures(e *explained, of *model.Model, path string, f *explainFlags, rows [][]int) error {
	x, read := e.X.(*data.CSR)
	if e.features = e.Set; !read || x.Ptr != nil {
		if f.matrix == "" {
			e.features = e.scoring.known(e.Set)
		}
		return nil
	}
	for _, some := range rows {
		e.picked = append(e.picked, some...)
	}
	slices.Sort(e.picked)
	e.picked = slices.Compact(e.picked)
	s := e.scoring
	if !slices.Equal(s.pick, e.picked) {
		s = &scoring{m: e.m, extra: f.rows.extra, pick: e.picked, ends: true, storage: e.scoring.storage}
		if _, err := a.readScored(of, path, &f.scoredRows, false, s); !errors.Is(err, errPicked) {
			return cli.AsData(fmt.Errorf("%s changed while it was read", cli.Shown(path)))
		}
	}
	e.features = &data.Set{X: stacked(s.kept), Names: e.Names}
	return nil
}

// stacked are copies of rows, one below the other.
func stacked(all []data.Matrix) data.Matrix {
	if first, dense := all[0].(*data.Dense); dense {
		var values []float64
		for _, x := range all {
			values = append(values, x.(*data.Dense).Data...)
		}
		return data.NewDense(len(values)/max(1, first.Cols), first.Cols, values)
	}
	out := &data.CSR{Ptr: []int{0}}
	for _, one := range all {
		x := one.(*data.CSR)
		for _, end := range x.Ptr[1:] {
			out.Ptr = append(out.Ptr, len(out.Val)+end)
		}
		out.Rows, out.Cols, out.Col, out.Val = out.Rows+x.Rows, x.Cols, append(out.Col, x.Col...), append(out.Val, x.Val...)
	}
	return out
}

// one explains one row, or the first of two above the second.
func (e *explained) one(rows []int, top int) (*report.Explained, error) {
	x, at := &report.Explained{}, slices.Clone(rows)
	for k, i := range rows {
		x.Of = append(x.Of, report.ExplainedRow{Row: i + 1, ID: e.DocID(i)})
		if e.picked != nil {
			at[k], _ = slices.BinarySearch(e.picked, i)
		}
	}
	if e.HasQID && e.Queries.Of()[rows[0]] == e.Queries.Of()[rows[len(rows)-1]] {
		x.Query = e.Queries.ID(int(e.Queries.Of()[rows[0]]))
	}
	var err error
	if len(rows) == 1 {
		x.Sum, err = contribution.Row(e.m, e.features, at[0])
	} else {
		x.Sum, err = contribution.Rows(e.m, e.features, at[0], at[1])
	}
	var factor *model.FactorError
	if errors.As(err, &factor) && e.picked != nil {
		factor.Row = e.picked[factor.Row]
	}
	if err != nil {
		return nil, likeTraining(cli.ReadError(err))
	}
	x.Sum = x.Sum.Top(top)
	return x, nil
}
