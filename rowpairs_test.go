package pairrank

import (
	"math"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
)

// The pairs of all rows are those of the estimate, each counted for two rows.
func TestRowPairsAddUp(t *testing.T) {
	m := 24
	x := data.NewDense(m, 3, nil)
	y := make([]float64, m)
	for i := range y {
		y[i] = float64(i * 7 % 3)
		for j := range 3 {
			x.Row(i)[j] = math.Sin(float64(3*i+7*j)) + 0.4*y[i]
		}
	}
	set := &data.Set{X: x, Y: y, Queries: data.OneList(m)}
	e, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{Intervals: cv.IntervalsNone})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := e.RowPairs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pairs, wrong := int64(0), 0.0
	for _, r := range rows {
		pairs, wrong = pairs+r.Pairs, wrong+r.Wrong
	}
	p := e.Choice.BestPoint(0, nil)
	if pairs != 2*p.Pairs || math.Abs(wrong/float64(pairs)-p.Error) > 1e-12 {
		t.Errorf("%d pairs, %g wrong; the estimate has %d, error %g", pairs/2, wrong/2, p.Pairs, p.Error)
	}
	if e.Choice.Method.Kind != cv.LeavePairOut || !e.HasRowPairs() {
		t.Errorf("method %v", e.Choice.Method)
	}
}
