package main

import (
	"io"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/svmlight"
	"pairrank/internal/held"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// savedModel is a model of rows or a model of pairs of nodes; the other one is nil.
type savedModel struct {
	rows  *model.Model
	pairs *pairmodel.Model
}

// readModel reads a model, which may be compressed. A model that is held in memory is parsed once.
func (a *app) readModel(path string) (m savedModel, err error) {
	if m, is := held.Kept(path).(savedModel); is {
		return m, nil
	}
	err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
		m.rows, m.pairs, err = pairmodel.ReadEither(r, name)
		return err
	})
	if err == nil {
		held.Keep(path, m)
	}
	return m, err
}

// notRows refuses rows for a model of edges.
func notRows(path, hint string) error {
	return cli.WithHint(cli.Usagef("%s is a model of edges: it scores pairs of nodes, not rows", cli.Shown(path)), "%s",
		hint)
}

// readPairModel reads a model of edges; hint says what to do with a model of rows.
func (a *app) readPairModel(path, hint string) (*pairmodel.Model, error) {
	m, err := a.readModel(path)
	if err == nil && m.pairs == nil {
		err = cli.WithHint(cli.Usagef("%s scores rows, not pairs of nodes", cli.Shown(path)), "%s", hint)
	}
	return m.pairs, err
}

// checkRowsModel refuses rows for a model that scores a kernel matrix, or pairs
// of nodes.
func checkRowsModel(m savedModel, path string) error {
	if m.pairs != nil {
		return notRows(path, "the form is "+predictForm(m, path))
	}
	if !m.rows.Precomputed() {
		return nil
	}
	return cli.WithHint(cli.Usagef("%s is a model of a precomputed kernel: it scores a kernel matrix, not rows", path),
		"give the matrix new × training with --kernel-matrix FILE")
}

// readOptionsFor is how rows are read for a model.
func readOptionsFor(m *model.Model) readOptions {
	o := readOptions{Features: m.Features(), Names: m.Names, Schema: m.Info.Schema(),
		Substitutes: m.Info.Substitutes(), ZeroBased: m.Info.First() == 0}
	if m.NeedsDense() {
		o.Storage = svmlight.StoreDense
	}
	return o
}

// warnOneQuery tells of rows that count as one query where queries matter.
func (a *app) warnOneQuery(m *model.Model, set *data.Set) {
	if norm := m.Normalizer; norm != nil && norm.Kind == data.NormalizeQueryMinMax && m.Info.Queries > 1 &&
		!set.HasQID {
		a.Warn("the model normalises by query, and the rows have no qid: they count as one query")
	}
}

// finite refuses scores that overflow; name says what has the i-th score.
func finite(scores []float64, name func(i int) string) error {
	return (&advice.Run{}).Error(fault.Finite(scores, name))
}
