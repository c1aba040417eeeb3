package comparison

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pairrank/fault"
)

// The squared loss has no distance from training again, and the step of the logistic loss a small one.
func TestDistanceOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0x64697374))
	checked := 0
	for trial := range 40 {
		p := made(r)
		o := losses(0.4)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"comparison", "line", "pair", "annotator"} {
			d, err := b.distanceOf(context.Background(), Unit{Kind: kind}, 1)
			if err != nil {
				t.Fatal(err)
			}
			most := 0.6
			if o.Loss == Squared {
				most = 1e-8
			}
			if !d.Share.Defined || d.Share.Value < 0 || d.Share.Value > most || d.Sets < 1 || d.Sets > mostSets {
				t.Errorf("trial %d, %+v, %s: %+v", trial, o, kind, d)
			}
			if o.Loss == Logistic && d.Share.Value > 0 {
				checked++
			}
		}
		var lacks *fault.Error
		if _, err := b.distanceOf(context.Background(), Unit{Kind: "item"}, 1); p.Features == nil && !errors.As(err, &lacks) {
			t.Errorf("items without features: %v", err)
		}
	}
	if checked < 50 {
		t.Errorf("only %d distances", checked)
	}
}
