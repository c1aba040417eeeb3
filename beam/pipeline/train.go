package pipeline

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pairrank"
)

func init() { register.DoFn2x1[context.Context, unit, error](&trainModel{}) }

// Training is what is trained of a sum, and where it is written.
type Training struct {
	// Model is the file of the model, or "" for none.
	Model string
	// Statistics is the file of the sums, which further queries can be added to, or ""
	// for none.
	Statistics string
	// Lambdas are the values of λ to choose from; none are those of
	// pairrank.Statistics.Train.
	Lambdas []float64
}

// Train trains a model on the one element of what Sum returned, on a worker, and writes
// it.
func Train(s beam.Scope, sum beam.PCollection, t Training) {
	beam.ParDo0(s.Scope("Train"), &trainModel{t}, sum)
}

type trainModel struct{ Training Training }

// ProcessElement trains on the sum and writes. A worker that does so again writes the same
// bytes.
func (f *trainModel) ProcessElement(ctx context.Context, all unit) error {
	if name := f.Training.Statistics; name != "" {
		content, err := all.Sum.AppendBinary(nil)
		if err == nil {
			err = write(ctx, name, content)
		}
		if err != nil {
			return say(fmt.Errorf("writing the sums: %w", err))
		}
		outputs.Inc(ctx, 1)
	}
	if f.Training.Model == "" {
		return nil
	}
	result, err := all.Sum.Train(ctx, f.Training.Lambdas, pairrank.Monitor{})
	if err != nil {
		return say(err)
	}
	content, err := written(result.Model.Write)
	if err == nil {
		err = write(ctx, f.Training.Model, content)
	}
	if err != nil {
		return say(fmt.Errorf("writing the model: %w", err))
	}
	outputs.Inc(ctx, 1)
	return nil
}
