package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/board"
	"pairrank/internal/memory"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/scores"
)

// scoreFlags are the flags of leaderboard about tables of scores.
type scoreFlags struct {
	table.ScoreTableOptions
	lower, ranks         bool
	standardize, against string
	claims               claimFlags
	given                option.Given
}

// targets are where the values of the options go.
func (f *scoreFlags) targets() cli.Targets {
	return cli.Join(f.claims.targets(), cli.Targets{
		"score-column": &f.Score, "system-column": &f.System, "item-column": &f.Item, "repeat-column": &f.Repeat,
		"wide": &f.Wide, "system-from-file": &f.SystemFromFile, "lower-is-better": &f.lower, "ranks": &f.ranks,
		"standardize": &f.standardize, "against": &f.against,
	})
}

// boardRead is what readEither finds: comparisons, or a table of scores.
type boardRead struct {
	comparisons *table.Comparisons
	scores      *table.ScoreTable
}

// readEither reads comparisons or a table of scores: what options, or several files, ask for, else what the file has.
// It refuses options that are for the other kind of data.
func (a *app) readEither(paths []string, f *boardFlags) (read boardRead, err error) {
	kind, err := option.KindGiven("leaderboard", f.scores.given)
	if err != nil {
		return read, cli.AsUsage(err)
	}
	if kind == option.Compared && len(paths) > 1 {
		return read, f.scores.refuse(option.Scores, fmt.Sprintf("%d files are a table of scores", len(paths)))
	}
	o, c := f.scores.ScoreTableOptions, f.columns
	o.MaxLine, o.Cluster, o.Rows, c.MaxLine = a.MaxLine, c.Cluster, c.Rows, a.MaxLine
	scored := kind == option.Scores || len(paths) > 1
	if len(paths) > 1 && slices.Contains(paths, "-") {
		return read, cli.Usagef("- is standard input, and is given beside other files")
	}
	read, err = a.readOne(paths, scored, c, o)
	switch {
	case err != nil && len(paths) == 1 && f.scores.isCompared(paths[0], err, c):
		return read, f.scores.refuse(option.Compared, cli.Shown(paths[0])+" has comparisons")
	case err != nil:
		return read, scoreHint(cli.ReadError(err))
	case read.comparisons != nil:
		a.noteColumns(cli.Shown(paths[0]), read.comparisons.Columns)
	default:
		memory.Release() // what reading took beside the table: ranking reuses it
		a.noteColumns(shownFiles(paths), read.scores.Columns)
		if kind == option.Compared {
			err = f.scores.refuse(option.Scores, cli.Shown(paths[0])+" is a table of scores")
		}
	}
	return read, err
}

// readOne reads a table of scores from files, where it is scored, or else what one file has.
func (a *app) readOne(paths []string, scored bool, c table.ComparisonsOptions, o table.ScoreTableOptions) (boardRead,
	error) {
	meter := a.Begin("reading "+cli.Shown(paths[0]), 0)
	defer meter.End()
	return cli.AwaitFor(a.Ctx, func() (r boardRead, err error) {
		switch {
		case scored && paths[0] != "-":
			r.scores, err = table.ReadScoreTable(paths, o)
		case paths[0] != "-":
			r.comparisons, r.scores, err = table.ReadBoard(paths[0], c, o)
		default:
			err = a.ReadFrom("-", func(in io.Reader, name string) (err error) {
				if scored {
					r.scores, err = table.ReadScoreTableFrom(in, name, o)
				} else {
					r.comparisons, r.scores, err = table.ReadBoardFrom(in, name, c, o)
				}
				return err
			})
		}
		return r, err
	})
}

// isCompared reports whether a file, whose columns are not those of a table of scores, has comparisons.
func (f *scoreFlags) isCompared(path string, err error, c table.ComparisonsOptions) bool {
	if !errors.Is(err, table.ErrScoreColumns) || path == "-" {
		return false
	}
	_, wrong := table.ReadComparisons(path, c)
	return wrong == nil
}

// refuse refuses an option that is not for the kind of data that something is.
func (f *scoreFlags) refuse(kind option.Kind, is string) error {
	return cli.AsUsage(fmt.Errorf("%w, and %s", option.Check("leaderboard", option.Use{Data: kind, Given: f.given}), is))
}

// shownFiles names files.
func shownFiles(paths []string) string {
	shown := make([]string, len(paths))
	for k, path := range paths {
		shown[k] = cli.Shown(path)
	}
	return strings.Join(shown, ", ")
}

// scoredHint is the way out where the columns of a table of scores are not found.
const scoredHint = "--system-column, --item-column and --score-column COLUMN name the columns of a table of scores; " +
	"--wide systems takes a column for each system, --system-from-file a file"

// scoreHint adds the way out of an error about the columns of a table of scores.
func scoreHint(err error) error {
	switch {
	case errors.Is(err, table.ErrColumns):
		return cli.WithHint(err, "%s\n%s", comparedHint, scoredHint)
	case errors.Is(err, table.ErrScoreColumns):
		return cli.WithHint(err, "%s", scoredHint)
	case errors.Is(err, table.ErrRows):
		return cli.WithHint(err, "--rows PATH says where the list of rows is, as results or data.rows")
	case errors.Is(err, table.ErrRepeatedScore):
		return cli.WithHint(err, "--repeat-column COLUMN names the repeats, such as seeds, and --item-column A,B more "+
			"columns of the items")
	}
	return err
}

// rankScores ranks the systems of a table of scores.
func (a *app) rankScores(paths []string, t *table.ScoreTable, f *boardFlags) error {
	s := &f.scores
	claims, err := s.claims.claims("system", t.Systems)
	if err == nil && s.against != "" && !slices.Contains(t.Systems, s.against) {
		err = fmt.Errorf("--against: %w", cli.Unknown("system", s.against, t.Systems, ""))
	}
	if err != nil {
		return err
	}
	p := board.Scores(t)
	if s.lower {
		p.LowerIsBetter()
	}
	scale := ""
	switch {
	case s.ranks:
		scale = report.RankScale
		p.Ranked()
	case s.standardize != "":
		scale = report.StandardScale
		p.Standardize()
	}
	advice.Tell(a.App, board.ScoreNotes(t)...)
	r, err := cli.AwaitFor(a.Ctx, func() (*scores.Ranking, error) {
		return scores.Rank(a.Ctx, *p, scores.Options{Against: s.against, Claims: claims, Seed: f.Seed,
			Monitor: (&advice.Run{}).Monitor(a.App, true)})
	})
	if err != nil {
		return (&advice.Run{}).Error(err)
	}
	file := shownFiles(paths)
	d := report.NewScores(file, scale, r)
	a.tellFormulas(f.output, t.Systems...)
	if f.output != "" {
		err := a.Write(f.output, func(w io.Writer) error { return d.WriteTable(w, separatorOf(f.output)) })
		if err != nil {
			return err
		}
	}
	return cmp.Or(a.present(&f.pages, file, d), gated(d.Gates))
}
