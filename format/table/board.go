package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// ReadBoard reads what a board ranks: a file of comparisons, or else one of scores, a score a line. The columns say
// which it is, comparisons first; the other result is nil. It returns the errors of both, and where the columns are
// neither one that lists them.
func ReadBoard(path string, c ComparisonsOptions, s ScoreTableOptions) (of *Comparisons, scored *ScoreTable,
	err error) {
	of, err = reading(func(l *lines) (of *Comparisons, err error) {
		of, scored, err = readBoard(l, &c, &s)
		return of, err
	})(openShape(path, c.Separator, c.MaxLine))
	return of, scored, err
}

// ReadBoardFrom is ReadBoard of text from a reader; errors call it name.
func ReadBoardFrom(in io.Reader, name string, c ComparisonsOptions, s ScoreTableOptions) (*Comparisons, *ScoreTable,
	error) {
	return readBoard(shapeFrom(in, name, c.Separator, c.MaxLine), &c, &s)
}

func readBoard(l *lines, c *ComparisonsOptions, s *ScoreTableOptions) (*Comparisons, *ScoreTable, error) {
	l.wants(slices.Concat(c.asked(), s.asked()), slices.Concat(comparedNames[:], scoreNames[:]))
	first, err := l.header(c.Rows, "comparisons and no scores")
	if err != nil {
		return nil, nil, err
	}
	compared := newComparisonReader(l, c)
	noComparisons := compared.columns(first, c)
	if noComparisons == nil {
		l.wants(c.asked(), comparedNames[:])
		read, err := compared.rest(len(first), c)
		return read, nil, err
	}
	scored := newScoreReader(s)
	scored.lines, scored.files = l, []scoreFile{{name: l.name}}
	noScores := scored.head(first)
	switch {
	case noScores == nil:
		l.wants(s.asked(), scoreNames[:])
		if err := scored.rest(len(first)); err != nil {
			return nil, nil, err
		}
		read, err := scored.finish()
		return nil, read, err
	case !errors.Is(noComparisons, errNoComparisons):
		return nil, nil, columnsFault(noComparisons, ErrColumns)
	case !errors.Is(noScores, errNoScores):
		return nil, nil, columnsFault(noScores, ErrScoreColumns)
	}
	return nil, nil, columnsFault(l.fault(field{col: 1}, "the columns are neither %s, nor %s: %s", comparisonsAre,
		scoresAre, headerTexts(first)), ErrColumns)
}

// The kinds of columns.
const (
	comparisonsAre = "comparisons, which are left and right with winner, with counts of wins or with scores, or winner " +
		"and loser"
	scoresAre = "a table of scores, which are system, item and score"
)

// Errors about columns that are not of a kind, which wrap the errors of ReadComparisons and ReadScoreTable.
var (
	errNoComparisons = fmt.Errorf("%w", ErrColumns)
	errNoScores      = fmt.Errorf("%w", ErrScoreColumns)
)
