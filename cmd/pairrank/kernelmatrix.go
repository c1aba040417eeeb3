package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/model"
)

// checkMatrix refuses a kernel matrix for a model, called name, that takes features.
func checkMatrix(m *model.Model, name string) error {
	if !m.Precomputed() {
		return cli.Usagef("--kernel-matrix is for models of a precomputed kernel, and %s is none", name)
	}
	return nil
}

// withoutFeatures are the flags of reading rows whose features are not used: a value that is
// missing is no error.
func (f *setFlags) withoutFeatures() *setFlags {
	without := *f
	without.missing = "zero"
	return &without
}

// refuseReading refuses flags about rows, those of reading them and others, where a kernel
// matrix is without any.
func refuseReading(flags *pflag.FlagSet, others ...string) error {
	return cli.Refuse(flags, "DATA, which is not given", slices.Concat(rowsFlagNames, others)...)
}

// checkRowsOfMatrix refuses a kernel matrix that is not of the rows of a set.
func checkRowsOfMatrix(rows int, matrixPath string, set *data.Set, dataPath string) error {
	if rows != len(set.Y) {
		return cli.AsData(fmt.Errorf("%s has %d rows and %s has %d", cli.Shown(matrixPath), rows, cli.Shown(dataPath),
			len(set.Y)))
	}
	return nil
}
