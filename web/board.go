package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"slices"
	"strings"

	"pairrank/comparison"
	"pairrank/event"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/codec"
	"pairrank/internal/report"
	"pairrank/scores"
)

// boardOptions are the options of boards.
type boardOptions struct {
	rank   comparison.RankOptions
	lines  table.ComparisonsOptions
	scores table.ScoreTableOptions
	lower  bool
	versus string
}

// define defines the options, some of which rows have, too.
func (o *boardOptions) define(of *flag.FlagSet) {
	l, s := &o.lines, &o.scores
	for name, to := range map[string]*string{"left": &l.Left, "right": &l.Right, "winner": &l.Winner, "loser": &l.Loser,
		"wins-left": &l.WinsLeft, "wins-right": &l.WinsRight, "ties-column": &l.Ties, "annotator": &l.Annotator,
		"score-left": &l.Outcome.ScoreLeft, "score-right": &l.Outcome.ScoreRight, "outcome": &l.Outcome.Column,
		"outcome-is": &l.Outcome.Are, "system-column": &s.System, "item-column": &s.Item, "score-column": &s.Score,
		"repeat-column": &s.Repeat, "wide": &s.Wide, "loss": (*string)(&o.rank.Loss), "against": &o.versus} {
		of.StringVar(to, name, "", "")
	}
	of.BoolVar(&o.lower, "lower-is-better", false, "")
	of.Func("cluster", "", func(text string) (err error) {
		l.Cluster, err = csv.NewReader(strings.NewReader(text)).Read()
		s.Cluster = l.Cluster
		return err
	})
	of.Func("hold-out", "", func(text string) error {
		u, err := comparison.ParseUnit(text)
		o.rank.HoldOut = &u
		return err
	})
}

// read reads comparisons, or else a table of scores.
func (q *question) read() (*table.Comparisons, *table.ScoreTable, error) {
	l := q.board.lines
	if l.CountsApart = true; q.board.rank.Loss == comparison.Logistic {
		l.Outcome.Are = "probability"
	}
	return table.ReadBoardFrom(bytes.NewReader(q.text), q.file, l, q.board.scores)
}

// ending is the format of a file by the end of its name, as the program takes it.
func ending(file string) string {
	switch end := codec.Ending(file); end {
	case ".csv", ".tsv", ".jsonl", ".npy", ".npz", ".parquet":
		return end[1:]
	case ".ndjson", ".json":
		return "jsonl"
	}
	return "svmlight"
}

// isBoard reports whether the columns of a table are those of a board, be the lines right or wrong.
func (q *question) isBoard() bool {
	if ending(q.file) == "svmlight" {
		return false
	}
	_, _, err := q.read()
	return !errors.Is(err, table.ErrColumns) && !errors.Is(err, table.ErrScoreColumns)
}

// rank ranks items by comparisons, or systems by their scores.
func (a *answer) rank(ctx context.Context, q *question) error {
	compared, scored, err := q.read()
	switch {
	case err != nil:
		return err
	case compared == nil:
		return a.rankScores(ctx, q, scored)
	}
	a.tell(event.Note{Text: q.file + ": columns: " + strings.Join(compared.Columns, ", ")})
	p := board.Problem(compared)
	p.Added = !compared.Counts
	a.tell(board.Notes(ctx, compared, p.Doubts())...)
	o, m := q.board.rank, a.monitor()
	o.Seed = 1
	o.Monitor = m
	r, err := comparison.Rank(ctx, *p, o)
	if err != nil {
		return err
	}
	if err := r.Unsolved(); err != nil {
		return err
	}
	return a.show(q, report.NewLeaderboard(q.file, r))
}

// rankScores ranks systems by a table of scores.
func (a *answer) rankScores(ctx context.Context, q *question, t *table.ScoreTable) error {
	a.tell(event.Note{Text: q.file + ": columns: " + strings.Join(t.Columns, ", ")})
	p := board.Scores(t)
	if q.board.lower {
		p.LowerIsBetter()
	}
	a.tell(board.ScoreNotes(t)...)
	against := q.board.versus
	if against != "" && !slices.Contains(t.Systems, against) {
		return errors.New("--against: there is no system " + against)
	}
	r, err := scores.Rank(ctx, *p, scores.Options{Against: against, Seed: 1, Monitor: a.monitor()})
	if err != nil {
		return err
	}
	return a.show(q, report.NewScores(q.file, "", r))
}
