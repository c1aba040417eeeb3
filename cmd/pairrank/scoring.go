package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
	"pairrank/model"
)

// scoring scores rows as they are read. After an error it scores no more, and reading goes on: an error of the rows
// comes first.
type scoring struct {
	m      *model.Model
	extra  string // what is done with features that training never saw
	scores []float64
	untold map[string]int // by column: the rows with none of the texts of the training
	lacks  bool           // no row has a value of the first feature, of a model whose features are counted from 0
	large  error          // scores or features do not fit into memory
	err    error

	storage svmlight.Storage // of the rows, once some are read
	pick    []int            // the rows, ascending, whose features take keeps in the place of scores; nil scores
	ends    bool             // reading ends behind the last of them
	kept    []data.Matrix
}

// byBlocks returns s where some rows can be scored without the others, which may get levels; else nil.
func (s *scoring) byBlocks(levels bool) *scoring {
	if s == nil || levels || s.m.Normalizer != nil && s.m.Normalizer.Kind == data.NormalizeQueryMinMax {
		return nil
	}
	return s
}

// each is what receives the rows as they are read, nil where they are kept.
func (s *scoring) each() func(first int, block *data.Set) error {
	if s == nil {
		return nil
	}
	return s.add
}

// lacksFirst reports whether no row has a value of the first feature; s is nil where the rows are kept.
func (s *scoring) lacksFirst(set *data.Set) bool {
	if s == nil {
		return lacksFirst(set.X)
	}
	return s.lacks
}

// lacksFirst reports whether no row has a value of the first feature.
func lacksFirst(x data.Matrix) bool {
	rows, _ := x.Dims()
	has := false
	for i := 0; i < rows && !has; i++ {
		data.Each(x, i, func(j int, v float64) { has = has || j == 0 && v != 0 })
	}
	return !has
}

// add scores the rows from first on.
func (s *scoring) add(first int, block *data.Set) error {
	if first == 0 {
		*s = scoring{m: s.m, extra: s.extra, untold: map[string]int{}, lacks: s.m.Info.First() == 0, pick: s.pick,
			ends: s.ends}
	}
	s.lacks = s.lacks && lacksFirst(block.X)
	s.storage = svmlight.StoreDense
	if _, sparse := block.X.(*data.CSR); sparse {
		s.storage = svmlight.StoreCSR
	}
	if s.pick != nil {
		return s.take(first, block)
	}
	if s.large != nil || s.err != nil {
		return nil
	}
	block = s.known(block)
	if first == 0 {
		s.large = pairrank.CheckScoring(s.m, block.X)
	}
	rows, _ := block.X.Dims()
	if s.large == nil {
		s.scores, s.large = memory.Grow(s.scores, rows*s.m.Outputs(), first+rows)
	}
	if s.large != nil {
		return nil
	}
	untold, _ := s.m.Untold(block.X)
	for column, rows := range untold {
		s.untold[column] += rows
	}
	scores, err := s.m.Score(block)
	var factor *model.FactorError
	if errors.As(err, &factor) {
		factor.Row += first
	}
	if s.err = err; err == nil {
		s.scores = append(s.scores, scores...)
	}
	return nil
}

// known are rows without the features that are to be ignored.
func (s *scoring) known(rows *data.Set) *data.Set {
	if s.extra == "ignore" {
		return s.m.WithoutExtra(rows)
	}
	return rows
}

// all scores all rows of a set, unless that is done; Ctrl-C ends it at once.
func (s *scoring) all(a *app, set *data.Set, done bool) error {
	rows, _ := set.X.Dims()
	meter := a.Begin(fmt.Sprintf("scoring %d rows", rows), 0)
	defer meter.End()
	if done {
		return nil
	}
	_, err := cli.AwaitFor(a.Ctx, func() (struct{}, error) { return struct{}{}, s.add(0, set) })
	return cli.ReadError(err)
}

// result is the scores of the rows of a set, which were all added. A score that overflows is an error.
func (s *scoring) result(a *app, set *data.Set) ([]float64, error) {
	if s.large != nil {
		return nil, (&advice.Run{}).Error(s.large)
	}
	a.warnOneQuery(s.m, set)
	for _, column := range slices.Sorted(maps.Keys(s.untold)) {
		told := func(f data.Filled) bool { return f.Column == column }
		if of := set.Schema; of != nil && slices.ContainsFunc(of.Filled, told) {
			continue // in the note on the columns
		}
		a.Note("%s: none of the texts in training of column %q, so that the features of all of them are 0",
			spell.Plural(s.untold[column], "row"), column)
	}
	if factor, is := errors.AsType[*model.FactorError](s.err); is {
		factor.Row = set.Number(factor.Row)
	}
	if s.err != nil {
		return nil, likeTraining(cli.ReadError(s.err))
	}
	return s.scores, finite(s.scores, func(i int) string { return set.Called(i / s.m.Outputs()) })
}

// score scores the rows of a set.
func (a *app) score(m *model.Model, set *data.Set, extra string) ([]float64, error) {
	s := &scoring{m: m, extra: extra}
	if err := s.all(a, set, false); err != nil {
		return nil, err
	}
	return s.result(a, set)
}
