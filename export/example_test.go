package export_test

import (
	"fmt"
	"os"

	"pairrank/data"
	"pairrank/export"
	"pairrank/model"
)

// A linear model for RankLib: the normaliser is folded into the weights, and the notes say what is
// lost, here the constant that it adds to every score.
func ExampleWrite() {
	m := &model.Model{
		Info:       model.Info{Learner: "rankrls"},
		Normalizer: &data.Normalizer{Kind: data.NormalizeMinMax, Shift: []float64{1, 0}, Scale: []float64{0.5, 4}},
		Scorer:     &model.Linear{Weights: data.NewDense(1, 2, []float64{3, 0.25})},
	}
	notes, err := export.Write(os.Stdout, m, export.RankLib, export.Options{})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(notes[0])
	// Output:
	// ## Coordinate Ascent
	// ## Restart = 0
	// ## MaxIteration = 0
	// ## StepBase = 0.05
	// ## StepScale = 2.0
	// ## Tolerance = 0.001
	// ## Regularized = false
	// ## Slack = 0.001
	// 1:1.5 2:1
	// the constant -1.5 that the normaliser adds to every score is left out: it changes no order
}
