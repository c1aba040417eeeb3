package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/cmd/pairrank/internal/workers"
	"pairrank/internal/option"
	"pairrank/stream"
)

func newMerge(a *app) *cobra.Command {
	f := trainFlags{}
	return a.Bind(&cobra.Command{
		Use:   "merge DIR -o MODEL",
		Short: "add the units that stats made, and train",
		Long: `merge adds the units of DIR and trains from the sums, as stream train does from the
files: the exact error on folds of queries chooses λ. It reads none of the files, and
holds the sum and one unit in memory.

The units are added in the order of DIR/manifest.json, so the model has the same
bytes for any number of workers in any order.

If a unit is missing, merge names it and ends with exit code 6. If a unit is cut off,
damaged, of another file or of other options, merge names it and ends with exit code
3: delete it and run stats again. A query in two files also ends with 3.

--keep-moments writes the sums beside the model, for update.`,
		Example: `  pairrank stream merge units -o model.txt
  pairrank stream merge units -o model.txt --keep-moments
  pairrank stream merge units -o model.txt --lambdas 2^-5:2^10:16 --json`,
		Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			return a.merge(args[0], &f)
		},
	}, func() cli.Targets { return f.targets("merge") })
}

func (a *app) merge(dir string, f *trainFlags) error {
	if err := f.checkMoments(); err != nil {
		return err
	}
	if err := f.checkChoice(len(f.lambdas) != 1); err != nil {
		return err
	}
	if err := a.CheckOutputs(f.outputs()); err != nil {
		return err
	}
	began := time.Now()
	s, as, err := a.addUnits(dir, f.outputs())
	if err != nil {
		return err
	}
	return a.trainStatistics(f, &statisticsToTrain{data: dir, statistics: s, as: as, load: time.Since(began)},
		&advice.Run{Data: dir, Method: "select", Stream: true})
}

// addUnits adds the units of a directory in the order of its manifest, and says how their rows were read. Outputs are
// not among them.
func (a *app) addUnits(dir string, outputs []string) (sum *stream.Statistics, as readAs, err error) {
	d, err := workers.Open(dir)
	if err != nil {
		return nil, as, workersError(cli.FileError(err), dir)
	}
	if k := slices.IndexFunc(outputs, func(path string) bool {
		return path != "" && path != "-" &&
			d.Owns(path)
	}); k >= 0 {
		return nil, as, cli.Usagef("%s would be among the files that stats wrote: put it into another directory",
			outputs[k])
	}
	missing, err := d.Missing()
	if err != nil {
		return nil, as, err
	}
	if len(missing) > 0 {
		return nil, as, missingUnits(dir, missing, len(d.Files))
	}
	meter := a.Begin("adding the units of "+dir, int64(len(d.Files)))
	defer meter.End()
	var bad []error
	for k := range d.Files {
		if err := a.Ctx.Err(); err != nil {
			return nil, as, err
		}
		s, err := readUnit(d, k)
		switch {
		case err != nil && !dataError(err):
			return nil, as, err
		case err != nil:
			bad = append(bad, err)
		case sum == nil:
			sum = s
		case len(bad) == 0:
			if err := sum.Merge(s); err != nil {
				return nil, as, streamError(err)
			}
		}
		meter.Add(1)
	}
	as = readAs{d.Options["missing"], d.Options["zero-based"] == "true"}
	return sum, as, firstFew(bad, "more units are wrong")
}

// missingUnits tells which files have no unit yet.
func missingUnits(dir string, missing []string, all int) error {
	const few = 10
	names := strings.Join(missing[:min(few, len(missing))], ", ")
	if rest := len(missing) - few; rest > 0 {
		names += fmt.Sprintf(" and %d more", rest)
	}
	return cli.WithHint(cli.AsIncomplete(fmt.Errorf("%s has no unit of %d of %d files: %s", dir, len(missing), all,
		names)),
		"run stats for them, or wait for its workers to end")
}

// readUnit reads the unit of the k-th file and checks that it is one.
func readUnit(d *workers.Directory, k int) (*stream.Statistics, error) {
	record, err := d.Record(k)
	if err != nil {
		return nil, workersError(err, d.Path)
	}
	if record == nil {
		return nil, missingUnits(d.Path, []string{d.Files[k].Name}, len(d.Files))
	}
	path := d.UnitPath(record.Unit)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &stream.Statistics{}
	if err = s.UnmarshalBinary(b); err == nil {
		err = checkUnit(d, record, s)
	}
	if err != nil {
		return nil, cli.WithHint(cli.AsData(fmt.Errorf("%s, the unit of %s: %w", path, record.File, err)),
			"delete %s, and run stats again", path)
	}
	return s, nil
}

// checkUnit refuses sums of other options, or of another file.
func checkUnit(d *workers.Directory, r *workers.Record, s *stream.Statistics) error {
	options := summedOptions(s.Options())
	for _, name := range option.Deciding(option.Summed) {
		if value, want := options[name], d.Options[name]; value != want {
			return fmt.Errorf("it was summed with other options: --%s is %q in it, and %q in %s", name, value, want,
				workers.ManifestName)
		}
	}
	if from := s.Sources(); len(from) != 1 || from[0].Name != r.File || s.Rows() != r.Rows || s.Queries() != r.Queries {
		return errors.New("it has the sums of another file")
	}
	return nil
}
