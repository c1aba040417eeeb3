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
	large  error          // scores or features do not fit into memory
	err    error
}

// byBlocks reports whether some rows can be scored without the others.
func (s *scoring) byBlocks() bool {
	return s != nil && (s.m.Normalizer == nil || s.m.Normalizer.Kind != data.NormalizeQueryMinMax)
}

// add scores the rows from first on.
func (s *scoring) add(first int, block *data.Set) error {
	if first == 0 {
		*s = scoring{m: s.m, extra: s.extra, untold: map[string]int{}}
	}
	if s.large != nil || s.err != nil {
		return nil
	}
	if s.extra == "ignore" {
		block = s.m.WithoutExtra(block)
	}
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
	scores, err := s.m.Score(notAlone(first, block))
	var factor *model.FactorError
	if errors.As(err, &factor) {
		factor.Row += first
	}
	if s.err = err; err == nil {
		s.scores = append(s.scores, scores[:rows*s.m.Outputs()]...)
	}
	return nil
}

// notAlone returns rows with copies of them where they are few and others came before: Score takes up to 16 rows alone
// one by one, which can give other last bits than they have among others.
func notAlone(first int, block *data.Set) *data.Set {
	const alone = 16
	rows, _ := block.X.Dims()
	if first == 0 || rows > alone {
		return block
	}
	copies := make([]int, alone+1)
	for k := range copies {
		copies[k] = k % rows
	}
	return &data.Set{X: data.Select(block.X, copies), Names: block.Names}
}

// task is what progress calls the scoring of a set.
func (s *scoring) task(set *data.Set) string {
	rows, _ := set.X.Dims()
	return fmt.Sprintf("scoring %d rows", rows)
}

// whole scores all rows of a set; Ctrl-C ends it at once.
func (s *scoring) whole(a *app, set *data.Set) error {
	meter := a.Begin(s.task(set), 0)
	defer meter.End()
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
	if s.err != nil {
		return nil, likeTraining(cli.ReadError(s.err))
	}
	return s.scores, finite(s.scores, func(i int) string { return set.Called(i / s.m.Outputs()) })
}

// score scores the rows of a set.
func (a *app) score(m *model.Model, set *data.Set, extra string) ([]float64, error) {
	s := &scoring{m: m, extra: extra}
	if err := s.whole(a, set); err != nil {
		return nil, err
	}
	return s.result(a, set)
}
