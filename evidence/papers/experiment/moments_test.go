package experiment_test

import (
	"math"
	"testing"

	"pairrank/evidence/papers/experiment"
)

// TestMoments has numbers whose mean and deviations are known: 2, 4, 4, 4, 5, 5, 7, 9
// have the sum of squares 32 about 5.
func TestMoments(t *testing.T) {
	v := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	mean, deviation := experiment.Moments(v)
	if want := math.Sqrt(32.0 / 7); mean != 5 || experiment.Mean(v) != 5 || deviation != want {
		t.Errorf("mean %v and deviation %v, want 5 and %v", mean, deviation, want)
	}
	if got, want := experiment.StdErr(v), deviation/math.Sqrt(8); got != want {
		t.Errorf("standard error %v, want %v", got, want)
	}
	mean, deviation = experiment.Moments([]float64{3})
	if mean != 3 || !math.IsNaN(deviation) || !math.IsNaN(experiment.StdErr([]float64{3})) {
		t.Errorf("of one number: mean %v, deviation %v; want 3 and NaN", mean, deviation)
	}
	if got := experiment.Mean(nil); !math.IsNaN(got) {
		t.Errorf("the mean of none is %v, want NaN", got)
	}
}
