package pairrank

import (
	"errors"
	"testing"

	"pairrank/data"
	"pairrank/internal/rows"
)

// Censored times are refused by every learner, as labels and as those of validation, and a subset keeps them.
func TestTimesAreNoLabels(t *testing.T) {
	set := &data.Set{X: data.NewDense(4, 1, []float64{1, 2, 3, 5}), Y: []float64{4, 3, 2, 1}, Queries: data.OneList(4)}
	timed := *set
	timed.Censored = []bool{false, true, false, true}
	if sub := timed.Subset([]int{3, 0}); !sub.Censored[0] || sub.Censored[1] || sub.Y[0] != 1 {
		t.Errorf("%+v", sub)
	}
	for _, p := range []Problem{{Set: &timed}, {Set: set, Valid: &timed}} {
		for _, l := range []Learner{LeastSquares{}, RankSVM{}, RankBoost{}} {
			_, err := Train(t.Context(), p, Options{Learner: l})
			var of *Error
			if !errors.As(err, &of) || of.Code != rows.FaultTimes {
				t.Errorf("%T: %v", l, err)
			}
		}
		if _, err := Estimate(t.Context(), p, EstimateOptions{}); err == nil {
			t.Error("an estimate of times")
		}
	}
}
