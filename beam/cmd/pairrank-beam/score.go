package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pairrank/beam/pipeline"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/option"
)

// scoreFlags are the flags of score.
type scoreFlags struct {
	folder, missing, extra string
	zeroBased              bool
	files                  int
}

func newScore() *verb {
	f, flags := &scoreFlags{}, flag.NewFlagSet("pairrank-beam score MODEL FILE… -o FOLDER", flag.ContinueOnError)
	flags.StringVar(&f.folder, "o", "", "`FOLDER` of the scores: one file for each FILE, its name and .scores")
	bind(flags, option.Some("predict", "missing", "extra-features", "zero-based"),
		option.Targets{"missing": &f.missing, "extra-features": &f.extra, "zero-based": &f.zeroBased})
	return &verb{flags: flags, build: f.build, done: f.done}
}

func (f *scoreFlags) build(ctx context.Context, s beam.Scope, args []string) (outputs int64, err error) {
	if f.folder == "" {
		return 0, usagef("-o FOLDER is missing")
	}
	if len(args) < 2 {
		return 0, usagef("MODEL and the files to score are missing")
	}
	missing := data.MissingModel
	if f.missing != missing.String() {
		if missing, err = data.ParseMissing(f.missing); err != nil {
			return 0, usagef("--missing: %w", err)
		}
	}
	files, err := pipeline.Match(ctx, args[1:])
	if err != nil {
		return 0, err
	}
	o := pipeline.Scoring{
		Model: args[0], Files: files, Folder: f.folder,
		Reading: svmlight.Options{ZeroBased: f.zeroBased, Missing: missing, Extra: f.extra == "ignore"},
	}
	f.files = len(files)
	return int64(f.files), pipeline.Score(s, o)
}

// done reports where the scores are.
func (f *scoreFlags) done(_ context.Context, stderr io.Writer) error {
	fmt.Fprintf(stderr, "scores of %d files in %s\n", f.files, f.folder)
	return nil
}
