package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gaps"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/stream"
)

// updateFlags are the flags of update.
type updateFlags struct {
	trainFlags
	forget     bool
	forgetQIDs []string // each by a flag of its own: one may have any sign in it but a blank
}

func newUpdate(a *app) *cobra.Command {
	f := updateFlags{}
	return a.Bind(&cobra.Command{
		Use:   "update MODEL NEW… -o MODEL2",
		Short: "add data to a model, or forget data, exactly",
		Long: `update adds the queries of the files NEW to those that MODEL was trained from, or
with --forget takes them away, and trains again. The result is the model of all files
at once, up to rounding, without reading the old files. It needs the sums of MODEL,
which --keep-moments wrote as MODEL.moments, and writes those of MODEL2, which may be
MODEL. Without NEW it trains again from the same sums.

Learner, cost, ties, weights, normalisation and folds are those of MODEL. New features
make the model wider. The folds choose λ again; if MODEL was trained for a single λ,
update keeps it. --lambda or --lambdas override both.

A query that is there already is refused. So is a query to forget that is not there,
or whose rows are not those that were added, in any order: the sums have a hash of the
rows. --forget-qid forgets a query by its name alone, before NEW is added; it needs a
MODEL that was trained with --keep-query-sums.

If a run is killed, MODEL2 is the old or the new one, with its sums. If another run
replaces MODEL meanwhile, update changes nothing: run it again.`,
		Example: `  pairrank stream train part-*.txt.gz -o model.txt --keep-moments
  pairrank stream update model.txt today.txt -o model.txt
  pairrank stream update model.txt --forget withdrawn.txt -o model.txt
  pairrank stream update model.txt --forget-qid 17 corrected-17.txt -o model.txt
  pairrank stream update model.txt -o smoother.txt --lambda 2^12`,
		Args: atLeast(1, "MODEL", "NEW"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			f.keepMoments = true
			return a.update(args[0], args[1:], &f)
		},
	}, func() cli.Targets {
		own := cli.Targets{"forget": &f.forget, "forget-qid": cli.Texts(&f.forgetQIDs, "qid")}
		return cli.Join(own, f.trainFlags.targets("update"))
	})
}

func (a *app) update(path string, names []string, f *updateFlags) error {
	if err := f.checkMoments(); err != nil {
		return err
	}
	if path == "-" {
		return cli.Usagef("MODEL cannot be -: its sums are beside it")
	}
	if err := a.checkUpdated(path, names, f); err != nil {
		return err
	}
	began := time.Now()
	m, s, err := a.readWithStatistics(path)
	if err != nil {
		return err
	}
	if f.lambdas == nil {
		f.lambdas = singleLambda(m)
	}
	if err := f.checkChoice(len(f.lambdas) != 1); err != nil {
		return err
	}
	as, err := f.readAsTrained(m)
	if err != nil {
		return err
	}
	run := &advice.Run{Data: path, Method: "select", Stream: true}
	if err := a.change(s, path, names, f, run.Monitor(a.App, true)); err != nil {
		return err
	}
	return a.trainStatistics(&f.trainFlags, &statisticsToTrain{data: path, statistics: s, as: as,
		load: time.Since(began), may: func() error { return a.stillThat(path, f.output, m) }}, run)
}

// readAsTrained has new files read as those of a model were.
func (f *updateFlags) readAsTrained(m *model.Model) (as readAs, err error) {
	first := m.Info.First()
	if f.rows.zeroBased.is, err = f.rows.zeroBased.as(first); err != nil {
		return as, err
	}
	zero := gaps.All(m.Info.Substitutes()) == data.MissingZero
	if zero && !f.changed("missing") {
		f.rows.missing = data.MissingZero.String()
	}
	as = readAs{f.rows.missing, first == 0}
	if zero {
		as.missing = data.MissingZero.String()
	}
	return as, nil
}

// checkUpdated refuses outputs that would overwrite what is read: only MODEL, and with it
// its sums, may be replaced, and by a model.
func (a *app) checkUpdated(path string, names []string, f *updateFlags) error {
	if err := a.CheckOutputs(f.outputs(), names...); err != nil {
		return err
	}
	pages := f.pages.files()
	if err := a.CheckOutputs(pages, path); err != nil {
		return err
	}
	return a.CheckOutputs(append(pages, f.output), momentsFile(path))
}

// readWithStatistics reads a model of rows and its statistics, while nobody replaces them.
func (a *app) readWithStatistics(path string) (*model.Model, *stream.Statistics, error) {
	release, err := lockModel(a.Ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	saved, err := a.readModel(path)
	if err != nil {
		return nil, nil, err
	}
	if saved.rows == nil {
		return nil, nil, cli.Usagef("%s is a model of edges: update adds rows", path)
	}
	s, err := readStatistics(path, saved.rows)
	return saved.rows, s, err
}

// stillThat refuses to replace a model that is no longer the one that was read: what
// another run added to it meanwhile would be lost.
func (a *app) stillThat(path, output string, m *model.Model) error {
	if from, err := os.Stat(path); err != nil {
		return err
	} else if to, err := os.Stat(output); err != nil || !os.SameFile(from, to) {
		return nil
	}
	now, err := a.readModel(path)
	if err != nil {
		return err
	}
	if now.rows == nil || momentsOf(now.rows) != momentsOf(m) {
		return cli.WithHint(fmt.Errorf("%s was replaced by another run after this one read it, and is left as it is",
			path), "run update again, for what is there now")
	}
	return nil
}

// singleLambda is the λ of a model that was trained for one, else nil.
func singleLambda(m *model.Model) []float64 {
	if m.Info.Selection != nil || m.Info.Lambda == 0 {
		return nil
	}
	return []float64{m.Info.Lambda}
}

// change forgets the queries of --forget-qid, and adds those of files to sums, or takes them
// away.
func (a *app) change(s *stream.Statistics, path string, names []string, f *updateFlags,
	monitor event.Monitor) error {
	if len(f.forgetQIDs) > 0 {
		if !s.Options().KeepQueries {
			err := fmt.Errorf("%s has the sums of all queries, and not those of single ones, which --forget-qid needs",
				momentsFile(path))
			return cli.WithHint(cli.AsData(err),
				"train it with --keep-query-sums; --forget takes queries away by their rows")
		}
		if err := a.changeBy(s, "forgot", func() error { return s.Forget(f.forgetQIDs...) }); err != nil {
			return err
		}
	}
	if len(names) > 0 {
		if err := a.changeByFiles(s, names, f, monitor); err != nil {
			return err
		}
	}
	if s.Queries() == 0 {
		return cli.AsData(errors.New("every query of the model is forgotten, and nothing is left to train from: " +
			"delete the model and its sums"))
	}
	return nil
}

// changeByFiles adds the queries of files to sums, or takes them away.
func (a *app) changeByFiles(s *stream.Statistics, names []string, f *updateFlags, monitor event.Monitor) error {
	o, column := s.Options(), &f.rows.columns.Weight
	if o.Weights && o.Schema != nil {
		*column = cmp.Or(*column, o.Schema.Weight)
	}
	switch given := *column != ""; {
	case given && !o.Weights:
		return cli.Usagef("the model was trained without weights of rows, and rows with weights cannot be added to it: " +
			"leave out --weight-column")
	case !given && o.Weights:
		return cli.Usagef("the model was trained with weights of rows, and rows without cannot be added to it: " +
			"--weight-column names the column of the weights")
	}
	if f.rows.extra != "auto" {
		f.rows.width = s.Features()
	}
	more, err := a.sumFiles(names, &f.rows, o, monitor)
	if errors.Is(err, data.ErrExtraFeatures) {
		return likeTraining(err)
	} else if err != nil {
		return err
	}
	if !f.forget {
		return a.changeBy(s, "added", func() error { return s.Merge(more) })
	}
	unchecked := s.Unchecked(more)
	if err := a.changeBy(s, "forgot", func() error { return s.Subtract(more) }); err != nil || unchecked == 0 {
		return err
	}
	a.Note("%d of %s that were forgotten were added by an earlier version, which kept no hash of their rows: "+
		"that names and numbers of rows agree was checked, and not that their values do",
		unchecked, spell.Plural(more.Queries(), "query"))
	return nil
}

// changeBy changes sums, and tells what was done.
func (a *app) changeBy(s *stream.Statistics, what string, change func() error) error {
	rows, queries := s.Rows(), s.Queries()
	var known *fault.Error
	switch err := change(); {
	case errors.As(err, &known) && known.Code == codes.FaultQueryTwice:
		return cli.WithHint(cli.AsData(err), "what is in the model already is not added again; --forget takes it away")
	case err != nil:
		return streamError(err)
	}
	rows, queries = s.Rows()-rows, s.Queries()-queries
	a.Note("%s %d rows of %s: now %d rows of %s", what, max(rows, -rows), spell.Plural(max(queries, -queries),
		"query"), s.Rows(), spell.Plural(s.Queries(), "query"))
	return nil
}
