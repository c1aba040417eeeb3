package main

import (
	"errors"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/report"
)

// trainStream is train --stream.
func (a *app) trainStream(cmd *cobra.Command, paths []string, f *trainFlags) error {
	if err := checkStream(cmd.Flags()); err != nil {
		return err
	}
	if err := a.checkModelOutput(f, "pairrank train --stream FILE… -o MODEL"); err != nil {
		return err
	}
	o, err := f.streamOptions()
	if err != nil {
		return err
	}
	lambdas, err := f.lambdaValues()
	if err != nil {
		return err
	}
	if o.Folds, err = f.streamFolds(lambdas); err != nil {
		return err
	}
	if err := cli.FilesOnly(f.names); err != nil {
		return err
	}
	if err := a.CheckOutputs(append(f.pages.files(), f.output), append(paths, f.names)...); err != nil {
		return err
	}
	if o.Names, err = a.readStreamNames(f.names); err != nil {
		return err
	}
	run := &advice.Run{Data: shownAll(paths), Method: "select"}
	monitor := run.Monitor(a.App, true)
	began := time.Now()
	sums, err := a.sumFiles(paths, f.rows, o, monitor)
	if err != nil {
		return err
	}
	load := time.Since(began)
	debug.FreeOSMemory() // what reading took: training reuses it
	began = time.Now()
	result, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Result, error) { return sums.Train(a.Ctx, lambdas, monitor) })
	if err != nil {
		return run.Error(err)
	}
	about := report.About{Model: f.output, Load: load, Work: time.Since(began), Stream: report.NewStream(len(paths), result.Training.Rows, load)}
	return a.writeTraining(a.Ctx, shownAll(paths), f, result, about)
}

// shownAll names some inputs.
func shownAll(paths []string) string {
	if len(paths) == 1 {
		return cli.Shown(paths[0])
	}
	return cli.Shown(paths[0]) + " and others"
}

// trainArgs are the files of train: one, or with --stream one or more.
func trainArgs(f *trainFlags) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if !f.stream {
			return between(0, "DATA")(cmd, args)
		}
		if len(args) == 0 {
			return errors.New("--stream reads files, and FILE is missing")
		}
		for _, path := range args {
			if path == "" {
				return errors.New("the name of a file is empty")
			}
		}
		return nil
	}
}
