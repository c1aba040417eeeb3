package main

import (
	"time"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/memory"
	"pairrank/internal/report"
	"pairrank/model"
	"pairrank/stream"
)

// trainStream is stream train.
func (a *app) trainStream(paths []string, f *trainFlags) error {
	if err := f.checkMoments(); err != nil {
		return err
	}
	o, err := f.streamOptions()
	if err != nil {
		return err
	}
	if o.Folds, err = f.streamFolds(); err != nil {
		return err
	}
	if err := a.CheckOutputs(f.outputs(), append(paths, f.names, f.basisData, f.knotsOf)...); err != nil {
		return err
	}
	if o.Names, err = a.readStreamNames(f.names); err != nil {
		return err
	}
	if err := a.nameFeatures(&o, paths, &f.rows, f.names, tableFormats...); err != nil {
		return err
	}
	if o.Map, err = a.streamMap(f); err != nil {
		return err
	}
	if err := f.checkKnots(o.Names); err != nil {
		return err
	}
	run := &advice.Run{Data: shownAll(paths), Method: "select", Stream: true}
	began := time.Now()
	sums, err := a.sumFiles(paths, &f.rows, o, run.Monitor(a.App, true))
	if err != nil {
		return err
	}
	load := time.Since(began)
	return a.trainStatistics(f, &statisticsToTrain{data: shownAll(paths), statistics: sums, load: load,
		stream: report.NewStream(len(paths), int(sums.Rows()), load, readsTwice(o)),
		as:     readAs{f.rows.missing, f.rows.zeroBased.is}}, run)
}

// readAs is how rows were read that are not in memory any more: a model keeps it, and reads other rows likewise.
type readAs struct {
	missing   string
	zeroBased bool
}

// record keeps it in a model.
func (as readAs) record(m *model.Model) error {
	missing := data.MissingError
	if as.missing == data.MissingZero.String() {
		missing = data.MissingZero
	}
	return m.Info.SetReading(as.zeroBased, missing)
}

// statisticsToTrain are statistics, and what is known of them.
type statisticsToTrain struct {
	data       string // what they are of, in messages
	statistics *stream.Statistics
	load       time.Duration
	stream     *report.Stream // or nil
	may        func() error   // of writeWithStatistics
	as         readAs
}

// trainStatistics trains from statistics, writes the model, and tells of it.
func (a *app) trainStatistics(f *trainFlags, t *statisticsToTrain, run *advice.Run) error {
	if f.rows.columns.Only == nil {
		a.tellNames(t.data, t.statistics.Options().Names, nil)
	}
	memory.Release() // what reading took: training reuses it
	began := time.Now()
	result, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Result, error) {
		return t.statistics.Train(a.Ctx, stream.TrainOptions{Lambdas: f.lambdas, Monitor: run.Monitor(a.App, true)})
	})
	if err != nil {
		return run.Error(err)
	}
	if err := t.as.record(result.Model); err != nil {
		return err
	}
	about := report.About{Model: f.output, Load: t.load, Work: time.Since(began), Stream: t.stream}
	if !f.keepMoments {
		return a.writeTraining(a.Ctx, t.data, f, result, about)
	}
	about.Moments = momentsFile(f.output)
	b, sum, err := encodedStatistics(t.statistics, result.Model)
	if err != nil {
		return err
	}
	// The pages come first: an update that fails leaves the model as it is, and can be run again.
	d := report.NewTraining(result, about)
	if err := a.trainingPages(a.Ctx, t.data, f, result, d); err != nil {
		return err
	}
	if err := a.writeWithStatistics(a.Ctx, f.output, result.Model, b, sum, t.may); err != nil {
		return err
	}
	return a.reportTraining(a.Ctx, f.output, d)
}

// shownAll names some inputs.
func shownAll(paths []string) string {
	if len(paths) == 1 {
		return cli.Shown(paths[0])
	}
	return cli.Shown(paths[0]) + " and others"
}
