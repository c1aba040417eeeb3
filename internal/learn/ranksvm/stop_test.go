package ranksvm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"pairrank/data"
	"pairrank/internal/ostat"
)

// fuse is a context that is cancelled when it has been asked so many times.
type fuse struct {
	context.Context
	left  atomic.Int64
	after atomic.Int64 // questions since
}

func (f *fuse) Err() error {
	if f.left.Add(-1) >= 0 {
		return nil
	}
	f.after.Add(1)
	return context.Canceled
}

// A training that looks at every pair ends within a count, whenever it is
// cancelled, with the best that was evaluated by then.
func TestCancelWithinCount(t *testing.T) {
	const m, n = 900, 3
	r := rand.New(rand.NewPCG(3, 4))
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i] = x.Row(i)[0] + r.NormFloat64()
	}
	const lambda = 1e-3
	for _, loss := range Losses {
		o := Options{Loss: loss, Counter: ostat.Direct, Epsilon: 1e-6}
		train := func(ctx context.Context) (*Fit, error) {
			s, err := New(x, y, data.OneList(m), o)
			if err != nil {
				t.Fatal(err)
			}
			return s.Train(ctx, lambda)
		}
		whole := &fuse{Context: t.Context()}
		whole.left.Store(math.MaxInt64)
		best, err := train(whole)
		if err != nil || !best.Converged {
			t.Fatalf("%s: %+v, %v", loss, best, err)
		}
		asked := math.MaxInt64 - whole.left.Load()
		// A sweep of m rows looks at some m²/2 pairs, and asks once for stopPairs.
		if perCount := int64(m) * m / (1 << 17); asked < 10*perCount/2 {
			t.Fatalf("%s: asked %d times in %d evaluations", loss, asked, best.Evaluations)
		}
		fits := 0
		for cut := int64(0); cut < asked; cut += 1 + asked/25 {
			ctx := &fuse{Context: t.Context()}
			ctx.left.Store(cut)
			fit, err := train(ctx)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, cancelled at question %d of %d: %v", loss, cut, asked, err)
			}
			// Only the rest of a line search continues; its counts end at once.
			if after := ctx.after.Load(); after > 60 {
				t.Errorf("%s, cancelled at question %d: asked %d times after that", loss, cut, after)
			}
			if fit == nil {
				continue
			}
			fits++
			if j := objective(x, y, fit.Weights, lambda, loss); math.Abs(j-fit.Objective) > 1e-9*j {
				t.Errorf("%s, cancelled at question %d: J is %v, and %v is told", loss, cut, j, fit.Objective)
			}
			if fit.Objective-fit.Gap > best.Objective*(1+1e-9) {
				t.Errorf("%s, cancelled at question %d: J %v is at most %v above the optimum %v",
					loss, cut, fit.Objective, fit.Gap, best.Objective)
			}
		}
		if fits < 10 {
			t.Errorf("%s: only %d of the cancelled trainings have a fit", loss, fits)
		}
	}
}

// objective is J by its definition.
func objective(x *data.Dense, y, w []float64, lambda float64, loss Loss) float64 {
	f := make([]float64, x.Rows)
	x.MulVecTo(f, w)
	sum, pairs := 0.0, 0.0
	for i := range y {
		for j := range y {
			if y[i] > y[j] {
				pairs++
				if h := 1 - (f[i] - f[j]); h > 0 && loss == Hinge {
					sum += h
				} else if h > 0 {
					sum += h * h
				}
			}
		}
	}
	norm := 0.0
	for _, v := range w {
		norm += v * v
	}
	return sum/pairs + lambda*norm
}
