package holdout_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pairrank/data"
	"pairrank/internal/holdout"
)

// eachOfTwelve are splits of twelve rows, each held out alone.
func eachOfTwelve() *holdout.Splits { return holdout.SplitsOf(data.Singletons(12)) }

// trainedAtOnce calls the trainer for sets at the same time, and returns what is emitted, by
// set and λ.
func trainedAtOnce(ctx context.Context, n int, t holdout.Trainer, s *holdout.Splits, lambdas []float64) ([]string,
	error) {
	emitted := make([]string, s.Len()*len(lambdas))
	err := t.AtOnce(n)(ctx, s, lambdas, func(g, l int, held holdout.Held) {
		emitted[g*len(lambdas)+l] = fmt.Sprint(held.F.Data)
	})
	return emitted, err
}

// TestAtOnceIsOneAfterAnother: any number of test sets at once gives the predictions of one at a
// time, and no more sets are in work than allowed.
func TestAtOnceIsOneAfterAnother(t *testing.T) {
	lambdas := []float64{1, 3}
	for name, s := range map[string]*holdout.Splits{"parts": eachOfTwelve(), "sets": blocks(),
		"none": holdout.NewSplits(3, nil, nil)} {
		var n int
		want, err := trainedAtOnce(ctx, 1, calls(&n), s, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		for _, atOnce := range []int{0, 1, 2, 5, 40} {
			var now, most, all atomic.Int64
			trainer := holdout.Trainer(func(ctx context.Context, train, test []int, lambdas []float64,
				emit func(l int, f *data.Dense)) error {
				working := now.Add(1)
				for seen := most.Load(); working > seen && !most.CompareAndSwap(seen, working); seen = most.Load() {
				}
				defer now.Add(-1)
				all.Add(1)
				var own int
				return calls(&own)(ctx, train, test, lambdas, emit)
			})
			got, err := trainedAtOnce(ctx, atOnce, trainer, s, lambdas)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d at once: %v, %v, want %v", name, atOnce, got, err, want)
			}
			if all.Load() != int64(n) || most.Load() > int64(max(1, atOnce)) {
				t.Errorf("%s, %d at once: %d trainings, want %d, and %d at the same time",
					name, atOnce, all.Load(), n, most.Load())
			}
		}
	}
}

// TestFirstErrorDecides: the first set in order with an error gives the error, even if a later one
// has its error earlier. Later sets end, or are not begun.
func TestFirstErrorDecides(t *testing.T) {
	begun := make([]atomic.Bool, 12)
	failed := make(chan struct{})
	var once sync.Once
	trainer := holdout.Trainer(func(ctx context.Context, _, test []int, _ []float64,
		_ func(l int, f *data.Dense)) error {
		g := test[0]
		begun[g].Store(true)
		switch g {
		case 1: // fails after 2 has
			<-failed
			return errors.New("of the second set")
		case 2:
			once.Do(func() { close(failed) })
			return errors.New("of the third set")
		case 0:
			return nil
		}
		<-ctx.Done() // goes on until it is ended
		return ctx.Err()
	})
	for _, atOnce := range []int{3, 4} {
		for g := range begun {
			begun[g].Store(false)
		}
		_, err := trainedAtOnce(ctx, atOnce, trainer, eachOfTwelve(), []float64{1})
		if want := "training without fold 2: of the second set"; err == nil || err.Error() != want {
			t.Errorf("%d at once: error %v, want %s", atOnce, err, want)
		}
		for g := atOnce + 1; g < 12; g++ { // the first set made room for one
			if begun[g].Load() {
				t.Errorf("%d at once: set %d was begun after an earlier one had failed", atOnce, g)
			}
		}
	}
}

// TestAtOnceEndsWithItsContext: a deadline or an interruption ends all trainings.
func TestAtOnceEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var waiting atomic.Int64
	trainer := holdout.Trainer(func(ctx context.Context, _, _ []int, _ []float64, _ func(l int, f *data.Dense)) error {
		if waiting.Add(1) == 3 {
			cancel()
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if _, err := trainedAtOnce(ctx, 3, trainer, eachOfTwelve(), []float64{1}); !errors.Is(err, context.Canceled) ||
		waiting.Load() > 3 {
		t.Errorf("error %v after %d trainings", err, waiting.Load())
	}
}

// TestPanicOfATrainingReachesTheCaller checks that, and that the trainings in parallel end.
func TestPanicOfATrainingReachesTheCaller(t *testing.T) {
	defer func() {
		if r := recover(); r != "boom" {
			t.Errorf("recovered %v", r)
		}
	}()
	trainer := holdout.Trainer(func(_ context.Context, _, test []int, _ []float64, _ func(l int, f *data.Dense)) error {
		if test[0] == 4 {
			panic("boom")
		}
		return nil
	})
	_, _ = trainedAtOnce(ctx, 2, trainer, eachOfTwelve(), []float64{1})
}
