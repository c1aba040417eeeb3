package pairrank

import (
	"bytes"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/pref"
)

// A training of preferences does not change the rows, gives the same result when it is repeated, or done in place, and
// chooses as the estimate does.
func TestPreferencesChangeNothing(t *testing.T) {
	set := gen.Set(60, 5, 6, 1)
	x := slices.Clone(set.X.(*data.Dense).Data)
	edges := []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 1}, {I: 30, J: 31, Magnitude: 2, Weight: 1}}
	p, written := problem(set, edges, nil), [3]bytes.Buffer{}
	for k := range written {
		r, err := learn(t.Context(), p, EstimateOptions{Options: Options{InPlace: k == 2}})
		if err != nil {
			t.Fatal(err)
		}
		if k < 2 && !slices.Equal(x, set.X.(*data.Dense).Data) {
			t.Error("the rows are not what they were")
		}
		if err := r.Model.Write(&written[k]); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written[k].Bytes(), written[0].Bytes()) {
			t.Error("trained again, or in place, the model is another")
		}
	}
	p = problem(gen.Set(60, 5, 6, 1), edges, nil)
	r, err := learn(t.Context(), p, EstimateOptions{})
	e, failed := Estimate(t.Context(), p, EstimateOptions{Intervals: cv.IntervalsNone})
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	if a, b := r.Choice, e.Choice; a.Lambda != b.Lambda || a.Error != b.Error || a.Method != b.Method {
		t.Errorf("chosen in training %+v, by the estimate %+v", a, b)
	}
}
