package pipeline

import (
	"context"
	"fmt"
	"io"
	"path"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pairrank"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/model"
)

func init() { register.DoFn2x1[context.Context, file, error](&scoreFile{}) }

// Scoring says which files to score, and where to write the scores.
type Scoring struct {
	// Model is the file of the model, which every worker reads.
	Model string
	// Files are scored one by one; see Outputs.
	Files []string
	// Folder is where the scores go.
	Folder string
	// Reading says how the files are read: its Extra, ZeroBased, Missing and MaxLine.
	Reading svmlight.Options
}

// scoresSuffix ends the name of a file of scores.
const scoresSuffix = ".scores"

// Outputs returns the names of the files of scores, one for each of Files: its name without the
// folder, plus .scores. Two equal names are an error.
func (o Scoring) Outputs() ([]string, error) {
	from := map[string]string{}
	var names []string
	for _, name := range o.Files {
		out := o.output(name)
		if before, twice := from[out]; twice {
			return nil, fmt.Errorf("the scores of %s and of %s would both be %s: score them into two folders",
				before, name, out)
		}
		from[out] = name
		names = append(names, out)
	}
	return names, nil
}

func (o Scoring) output(name string) string {
	if local(o.Folder) {
		return path.Join(o.Folder, base(name)+scoresSuffix)
	}
	return o.Folder + "/" + base(name) + scoresSuffix
}

// Score scores every row of every file and writes the scores of a row as a line, separated by tabs
// for several outputs: the bytes that pairrank predict prints. A worker holds the rows of a file in
// memory.
func Score(s beam.Scope, o Scoring) error {
	if len(o.Files) == 0 {
		panic("pipeline: no file to score")
	}
	if _, err := o.Outputs(); err != nil {
		return err
	}
	s = s.Scope("Score")
	reading := newReading(o.Reading, table.Options{})
	beam.ParDo0(s, &scoreFile{Model: o.Model, Folder: o.Folder, Reading: reading}, elements(s, o.Files))
	return nil
}

type scoreFile struct {
	Model, Folder string
	Reading       reading
	model         *model.Model // read by Setup
}

// Setup reads the model.
func (f *scoreFile) Setup(ctx context.Context) error {
	err := Open(ctx, f.Model, func(r io.Reader) (err error) {
		f.model, err = model.Read(r, f.Model)
		return contentError(err)
	})
	if err != nil {
		return say(err)
	}
	return nil
}

// ProcessElement scores a file.
func (f *scoreFile) ProcessElement(ctx context.Context, in file) error {
	if err := f.score(ctx, in.Name); err != nil {
		return say(err)
	}
	outputs.Inc(ctx, 1)
	return nil
}

func (f *scoreFile) score(ctx context.Context, name string) error {
	o := f.Reading.options()
	o.Substitutes = f.model.Info.Substitutes()
	o.Features, _ = o.Substitutes.Given(f.model.Features(), nil)
	o.ZeroBased = o.ZeroBased || f.model.Info.First() == 0
	if o.Missing == data.MissingModel && o.Substitutes == nil {
		o.Missing = data.MissingError
	}
	if f.model.NeedsDense() {
		o.Storage = svmlight.StoreDense
	}
	var set *data.Set
	err := Open(ctx, name, func(r io.Reader) (err error) {
		set, err = svmlight.ReadAll(ctx, r, name, o)
		return contentError(err)
	})
	if err != nil {
		return err
	}
	if o.Substitutes.Levels() != nil {
		if err := set.GiveLevels(o.Substitutes); err != nil {
			return contentError(fmt.Errorf("%s: %w", name, err))
		}
	}
	if o.Extra {
		set = f.model.WithoutExtra(set)
	}
	if err := pairrank.CheckScoring(f.model, set.X); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	scores, err := f.model.Score(set)
	if err != nil {
		return contentError(fmt.Errorf("%s: %w", name, err))
	}
	outputs := f.model.Outputs()
	if err := fault.Finite(scores,
		func(i int) string { return fmt.Sprintf("%s: row %d", name, i/outputs+1) }); err != nil {
		return err
	}
	content, err := written(func(w io.Writer) error { return table.WriteScores(w, scores, outputs) })
	if err != nil {
		return err
	}
	return write(ctx, Scoring{Folder: f.Folder}.output(name), content)
}
