package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/model"
)

// scoredRows are where a verb finds what a model scores: DATA, or a kernel matrix in its place.
type scoredRows struct {
	rows   setFlags
	matrix string // FILE, or ""
	flags  *pflag.FlagSet
}

// checkMatrix refuses rows for a model that takes a kernel matrix, a matrix for one that takes rows, and flags about
// rows where there are none.
func (f *scoredRows) checkMatrix(verb string, saved savedModel, modelPath, dataPath string) error {
	switch {
	case f.matrix == "":
		return checkRowsModel(saved, modelPath)
	case !saved.rows.Precomputed():
		return cli.WithHint(cli.Usagef("--kernel-matrix is for models of a precomputed kernel, and %s is none",
			cli.Shown(modelPath)), "the form is pairrank %s %s DATA", verb, modelPath)
	case dataPath == "":
		return cli.Refuse(f.flags, "DATA, which is not given", append(rowsFlagNames, "query")...)
	}
	return nil
}

// readScored reads the rows that a model scores, or a kernel matrix with what DATA, if it is given, says of its rows.
// s, if it is not nil, scores rows, and their features are not kept.
func (a *app) readScored(m *model.Model, dataPath string, f *scoredRows, comments bool,
	s *scoring) (*data.Set, error) {
	if f.matrix == "" {
		o := readOptionsFor(m)
		o.Comments, o.NoLabel, o.Scoring = comments, true, s
		if s != nil {
			o.Storage = cmp.Or(s.storage, o.Storage)
		}
		return a.readSet(dataPath, &f.rows, o)
	}
	set, err := a.readMatrixRows(dataPath, f)
	if err == nil && s != nil {
		err = s.all(a, set, false)
	}
	return set, err
}

// readMatrixRows reads a kernel matrix, and what DATA says of its rows.
func (a *app) readMatrixRows(dataPath string, f *scoredRows) (*data.Set, error) {
	x, err := a.readMatrix(f.matrix, false)
	if err != nil || dataPath == "" {
		return &data.Set{X: x}, err
	}
	set, err := a.readSet(dataPath, f.rows.withoutFeatures(), readOptions{Comments: true, NoLabel: true})
	if err != nil {
		return nil, err
	}
	if x.Rows != len(set.Y) {
		return nil, cli.AsData(fmt.Errorf("%s has %d rows and %s has %d", cli.Shown(f.matrix), x.Rows, cli.Shown(dataPath),
			len(set.Y)))
	}
	set.X, set.Names = x, nil
	return set, nil
}

// withoutFeatures are the flags of reading rows whose features are not used: a value that is
// missing is no error.
func (f *setFlags) withoutFeatures() *setFlags {
	without := *f
	without.missing = "zero"
	return &without
}

// labelsOnly are the flags of reading rows of which only labels and names are used: of a table no column is a feature.
func (f *setFlags) labelsOnly(path string) *setFlags {
	only := f.withoutFeatures()
	if format, _, err := f.formatFor(path); err == nil && format != "svmlight" {
		only.columns.Only = []string{}
	}
	return only
}
