package pairrank

import (
	"context"
	"math"
	"testing"

	"pairrank/eval/cv"
	"pairrank/internal/holdout"
)

// TestCurveHalves compares the half-samples of a curve with estimates and curves of the rows of each half as data.
func TestCurveHalves(t *testing.T) {
	const tiny = 1e-8
	set := made(40, 6, 1, 4)
	for i, v := range set.Y {
		if set.Y[i] = 0; v > 0 {
			set.Y[i] = 1
		}
	}
	q := cv.ROCQuestions{Specificities: []float64{0.5, 0.8}, Sensitivities: []float64{0.7},
		Partial: []cv.PartialRange{{Of: "sensitivity", From: 0.5, To: 1}}}
	for name, o := range map[string]EstimateOptions{"default λ": {}, "two λ": {Options: Options{Lambdas: []float64{1,
		16}}},
		"folds": {Options: Options{Method: &cv.Method{Kind: cv.KFold, Folds: 5}}}} {
		o.ROC, o.Seed = true, 7
		e, err := Estimate(t.Context(), Problem{Set: set}, o)
		if err != nil {
			t.Fatal(name, err)
		}
		curve, err := e.ROC(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		q.Band = curve.BandSpecificities()
		got, err := e.AnswerROC(t.Context(), curve, q)
		if err != nil || got.Halves == nil {
			t.Fatal(name, got, err)
		}
		if n := len(got.Band); n == 0 || !got.Band[0].Interval.Defined || !got.Band[n-1].Interval.Defined {
			t.Errorf("%s: band %+v", name, got.Band)
		}
		if o.Lambdas != nil { // a half has its share of them, which the source knows
			continue
		}
		want, err := cv.HalfSamples(t.Context(), holdout.HalfSplits, o.Seed, holdout.SplitRows(set.Y),
			func(ctx context.Context, rows []int) ([]float64, error) {
				alone := o
				alone.Intervals = cv.IntervalsNone
				half, err := Estimate(ctx, Problem{Set: set.Subset(rows)}, alone)
				if err != nil {
					return nil, err
				}
				curve, err := half.ROC(ctx)
				if err != nil {
					return nil, err
				}
				return q.Numbers(curve), nil
			}, nil)
		if err != nil || want.Splits != got.Halves.Splits {
			t.Fatalf("%s: %+v, want %+v, %v", name, got.Halves, want, err)
		}
		for k := range want.Half {
			if math.Abs(want.Half[k]-got.Halves.Half[k]) > tiny || math.Abs(want.Mean[k]-got.Halves.Mean[k]) > tiny {
				t.Errorf("%s, number %d: %v of mean %v, want %v of %v", name, k, got.Halves.Half[k], got.Halves.Mean[k],
					want.Half[k], want.Mean[k])
			}
		}
	}
	none, err := Estimate(t.Context(), Problem{Set: set}, EstimateOptions{ROC: true, Intervals: cv.IntervalsNone})
	if err != nil {
		t.Fatal(err)
	}
	curve, err := none.ROC(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := none.AnswerROC(t.Context(), curve, q); err != nil || got.Halves != nil ||
		got.Sensitivities[0].Interval.Defined || got.AveragePrecision.Defined {
		t.Errorf("without intervals: %+v, %v", got, err)
	}
	list, err := Estimate(t.Context(), Problem{Set: made(40, 6, 1, 4)}, EstimateOptions{Intervals: cv.IntervalsNone})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := list.AnswerROC(t.Context(), curve, q); err == nil {
		t.Errorf("of many labels: %+v", got)
	}
}
