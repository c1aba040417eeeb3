package rows

import (
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
)

// The interval of an estimate is by the standard error where that is over the queries or
// rows that are split, else by the halves alone; it is within [0,1] and holds the error.
func TestIntervalSources(t *testing.T) {
	queries, list := made(96, 5, 12, 3), made(40, 5, 1, 4)
	two := func(set *data.Set, at float64) *data.Set {
		c := *set
		c.Y = make([]float64, len(set.Y))
		for i, v := range set.Y {
			if v > at {
				c.Y[i] = 1
			}
		}
		return &c
	}
	easy := made(30, 5, 1, 5)
	for i := range easy.Y {
		easy.Y[i] = float64(i % 2)
		easy.X.(*data.Dense).Row(i)[2] = 100 * easy.Y[i]
	}
	for name, c := range map[string]struct {
		set    *data.Set
		method *cv.Method
		want   cv.VarianceSource
	}{
		"queries":           {queries, nil, cv.VarianceHalves},
		"folds of queries":  {queries, &cv.Method{Kind: cv.KFold, Folds: 4}, cv.VarianceHalves},
		"list":              {list, nil, cv.VarianceGiven},
		"two labels":        {two(list, 0), nil, cv.VarianceHalves},
		"error 0":           {easy, nil, cv.VarianceHalves},
		"list, each row":    {list, &cv.Method{Kind: cv.LeaveOneOut}, cv.VarianceHalves},
		"folds of the list": {list, &cv.Method{Kind: cv.KFold, Folds: 5}, cv.VarianceHalves},
	} {
		p := Problem{Set: c.set}
		e, err := Estimate(t.Context(), p, Plan{Method: c.method, Lambdas: []float64{1, 16}})
		if err != nil {
			t.Fatal(name, err)
		}
		if e.Halves == nil {
			t.Fatalf("%s: no halves, notes %v", name, e.Notes)
		}
		point := e.Choice.Chosen().Outputs[0]
		best := point.Points[point.Best]
		i, source := e.Interval(0), e.IntervalSource(0)
		if source != c.want || !i.Defined || !(0 <= i.Lo && i.Lo <= best.Error && best.Error <= i.Hi && i.Hi <= 1) {
			t.Errorf("%s: error %v, interval %+v, variance of %q, want of %q", name, best.Error, i, source, c.want)
		}
		if name == "error 0" && (best.Error != 0 || i.Lo != 0 || i.Hi < 0.05) {
			t.Errorf("%s: error %v, interval %+v", name, best.Error, i)
		}
	}
	none, err := Estimate(t.Context(), Problem{Set: list}, Plan{Intervals: cv.IntervalsNone, Lambdas: []float64{1}})
	if err != nil || none.Interval(0).Defined || none.IntervalSource(0) != "" {
		t.Errorf("without halves: %v, %v, %q", err, none.Interval(0), none.IntervalSource(0))
	}
}
