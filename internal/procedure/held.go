package procedure

import (
	"context"

	"pairrank/data"
	"pairrank/internal/holdout"
)

// Held describes how scores are held out.
type Held struct {
	Predict holdout.Predictor
	Labels  holdout.Labels
	Options holdout.Options // with the candidates if these give the measured scores to the last bit
}

// HeldOut returns the held-out scores of all units, m×v, at the best candidate, as the error was measured.
func (r *Run) HeldOut(ctx context.Context) (*data.Dense, error) {
	held, err := r.source().Held(r.Choice)
	if err != nil {
		return nil, err
	}
	return holdout.HeldOut(ctx, held.Predict, held.Labels, held.Options, r.Choice.Candidate())
}
