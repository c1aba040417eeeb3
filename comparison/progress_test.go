package comparison

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// What fits a board again and again, or chooses pair after pair, counts all of its steps, and ends with its context
// before it has done them.
func TestLongWorkCountsAndEnds(t *testing.T) {
	p := circle(1.2, 60, rand.New(rand.NewPCG(4, 4)))
	ranked := circle(0, 60, rand.New(rand.NewPCG(4, 4))) // whose draws end early
	voted := *p
	voted.Annotators = []string{"u", "v", "w"}
	voted.Lines = slices.Concat(p.Lines, p.Lines, p.Lines)
	for c := range voted.Lines {
		voted.Lines[c].Annotator = c / len(p.Lines)
	}
	b, err := Fit(context.Background(), p, Options{Loss: Logistic, BiasReduced: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, work := range map[string]func(ctx context.Context, progress func(done, total int)) error{
		"bootstrap": func(ctx context.Context, progress func(done, total int)) error {
			_, err := b.Bootstrap(ctx, 200, 1, progress)
			return err
		},
		"cycles": func(ctx context.Context, progress func(done, total int)) error {
			_, err := FindCycles(ctx, p, 1, progress)
			return err
		},
		"no cycles": func(ctx context.Context, progress func(done, total int)) error {
			_, err := FindCycles(ctx, ranked, 1, progress)
			return err
		},
		"cycles of annotators": func(ctx context.Context, progress func(done, total int)) error {
			_, err := FindCycles(ctx, &voted, 1, progress)
			return err
		},
		"next": func(ctx context.Context, progress func(done, total int)) error {
			_, err := b.NextOf(ctx, 20, nil, progress)
			return err
		},
	} {
		var most, of, reports atomic.Int64
		count := func(done, total int) {
			reports.Add(1)
			of.Store(int64(total))
			for old := most.Load(); int64(done) > old && !most.CompareAndSwap(old, int64(done)); old = most.Load() {
			}
		}
		if err := work(context.Background(), count); err != nil {
			t.Fatal(name, err)
		}
		if most.Load() != of.Load() || reports.Load() < 20 {
			t.Errorf("%s: %d of %d done in %d reports", name, most.Load(), of.Load(), reports.Load())
		}
		all := reports.Swap(0)
		ctx, end := context.WithCancel(context.Background())
		err := work(ctx, func(done, total int) {
			count(done, total)
			if done > 0 {
				end()
			}
		})
		if end(); !errors.Is(err, context.Canceled) || reports.Load() > all/2 {
			t.Errorf("%s: ended with %v after %d of %d reports", name, err, reports.Load(), all)
		}
	}
}
