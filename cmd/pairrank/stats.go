package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/cmd/pairrank/internal/workers"
	"pairrank/internal/report"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	trainFlags
	list         string // --files
	index, count int
}

func newStats(a *app) *cobra.Command {
	f := statsFlags{}
	return a.Bind(&cobra.Command{
		Use:   "stats FILE… -o DIR",
		Short: "sum files on several machines, for merge",
		Long: `stats sums each FILE into a unit in DIR; merge adds the units and trains. With
--index I --count N a worker sums every N-th file, beginning with file I, counted
from 0. Give all workers the same files, in the same order, and the same options.
The first worker writes them into DIR/manifest.json; a worker that differs is
refused.

Without --index or --count the numbers come from the array of the job:
JOB_COMPLETION_INDEX of Kubernetes, SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP and
_COUNT, AWS_BATCH_JOB_ARRAY_INDEX and _SIZE, BATCH_TASK_INDEX and _COUNT of Google
Cloud Batch, CLOUD_RUN_TASK_INDEX and _COUNT. Kubernetes has no variable for the
number of workers: give --count, or set PAIRRANK_COUNT. Without any of them one
worker sums all files.

A file that is done is skipped if its size and time, or else its content, have not
changed, so a killed worker is simply started again. Units are written whole or not
at all, and are named by their content; two workers with the same file write the
same bytes.

If a file has a wrong line, the worker still sums its other files, and ends with
exit code 3.`,
		Example: `  pairrank stream stats part-*.txt.gz -o units
  pairrank stream stats part-*.txt.gz -o units --index 0 --count 8
  pairrank stream stats --files files.txt -o units --normalize query-minmax --cost unit
  pairrank stream stats --files files.txt -o units --kernel gaussian:gamma=0.25 --random-features 500
  pairrank stream stats --files files.txt -o units --knots-of curves.txt
  sbatch --array=0-7 --wrap 'pairrank stream stats --files files.txt -o units'
  pairrank stream merge units -o model.txt`,
		Args: atLeast(0, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return a.stats(args, &f)
		},
	}, func() cli.Targets {
		own := cli.Targets{"files": &f.list, "index": &f.index, "count": &f.count}
		return cli.Join(own, f.trainFlags.targets("stats"))
	})
}

// given is the place on the command line.
func (f *statsFlags) given() (g workers.Given) {
	if f.changed("index") {
		g.Index = &f.index
	}
	if f.changed("count") {
		g.Count = &f.count
	}
	return g
}

func (a *app) stats(names []string, f *statsFlags) error {
	place, err := workers.FindPlace(f.given(), os.LookupEnv)
	if err != nil {
		return cli.AsUsage(err)
	}
	if names, err = a.fileNames(names, f.list); err != nil {
		return err
	}
	began := time.Now()
	w, err := a.newSumming(names, f, place)
	if err != nil {
		return err
	}
	doc, err := w.run(a.Ctx)
	if err != nil {
		return err
	}
	doc.Seconds.Work = report.Number(time.Since(began).Seconds())
	return a.Print(a.Ctx, doc)
}

// fileNames are the files of the command line, or of a list.
func (a *app) fileNames(names []string, list string) ([]string, error) {
	switch {
	case list == "" && len(names) == 0:
		return nil, cli.WithHint(cli.Usagef("FILE is missing"), "--files LIST takes the names from a file")
	case list == "":
		if slices.Contains(names, "-") {
			return nil, cli.Usagef("standard input cannot be a unit: it can be read only once")
		}
		return names, nil
	}
	var text []byte
	err := a.ReadFrom(list, func(r io.Reader, _ string) (err error) {
		text, err = io.ReadAll(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			names = append(names, line)
		}
	}
	if len(names) == 0 {
		return nil, cli.AsData(fmt.Errorf("%s names no file", cli.Shown(list)))
	}
	return names, nil
}

// workersError gives an error of package workers its kind and a way out.
func workersError(err error, dir string) error {
	var (
		conflict *workers.ConflictError
		damage   *workers.DamageError
	)
	switch {
	case errors.As(err, &conflict):
		return cli.WithHint(cli.AsUsage(err),
			"give another DIR; or, when no worker runs, delete %s/%s: what was done with the same options is not "+
				"done again", dir, workers.ManifestName)
	case errors.As(err, &damage):
		return cli.WithHint(cli.AsData(err), "delete %s, and run stats again", damage.Path)
	}
	return err
}

// dataError reports whether other files may be right where this is wrong with one.
func dataError(err error) bool {
	return cli.ExitCode(err) == cli.ExitData && !errors.Is(err, context.Canceled)
}
