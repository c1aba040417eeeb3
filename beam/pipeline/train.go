package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pairrank/data"
	"pairrank/model"
	"pairrank/stream"
)

func init() { register.DoFn2x1[context.Context, unit, error](&trainModel{}) }

// Training says what to train of a sum, and where to write the model.
type Training struct {
	// Model is the file of the model.
	Model string
	// KeepMoments writes the sums next to the model, as MODEL.moments, and their SHA-256 into it,
	// so that pairrank update can add and forget queries.
	KeepMoments bool
	// Lambdas are the candidates for λ; none means those of stream.Statistics.Train.
	Lambdas []float64
	// ZeroBased and Missing say how the files were read. The model keeps it, for other rows.
	ZeroBased bool
	Missing   data.Missing
}

// Train trains a model on the element that Sum returned, on a worker, and writes it. It panics
// where the model has no name.
func Train(s beam.Scope, sum beam.PCollection, t Training) {
	if t.Model == "" {
		panic("pipeline: the model has no name")
	}
	beam.ParDo0(s.Scope("Train"), &trainModel{t}, sum)
}

type trainModel struct{ Training Training }

// ProcessElement trains on the sum and writes. A worker that does so again writes the same
// bytes.
func (f *trainModel) ProcessElement(ctx context.Context, all unit) error {
	result, err := all.Statistics.Train(ctx, stream.TrainOptions{Lambdas: f.Training.Lambdas})
	if err != nil {
		return say(err)
	}
	if err := result.Model.Info.SetReading(f.Training.ZeroBased, f.Training.Missing); err != nil {
		return say(err)
	}
	if err := f.write(ctx, result.Model, all.Statistics); err != nil {
		return say(fmt.Errorf("writing %s: %w", f.Training.Model, err))
	}
	outputs.Inc(ctx, 1)
	return nil
}

// write writes the model, and with KeepMoments the sums: the sums under a name that identifies
// them, then the model, then the sums under their final name. Wherever this is interrupted, the
// existing model has its sums under one of the two names.
func (f *trainModel) write(ctx context.Context, m *model.Model, sum *stream.Statistics) error {
	path, fresh := f.Training.Model, ""
	if f.Training.KeepMoments {
		b, err := sum.AppendBinary(nil)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(b)
		text := hex.EncodeToString(digest[:])
		m.Info.Further = append(m.Info.Further, model.Fact{Name: "moments", Value: text})
		fresh = path + momentsSuffix + "." + text[:16]
		if err := write(ctx, fresh, b); err != nil {
			return err
		}
	}
	content, err := written(m.Write)
	if err != nil {
		return err
	}
	if err := write(ctx, path, content); err != nil || fresh == "" {
		return err
	}
	return rename(ctx, fresh, path+momentsSuffix)
}

// momentsSuffix ends the name of the sums of a model.
const momentsSuffix = ".moments"
