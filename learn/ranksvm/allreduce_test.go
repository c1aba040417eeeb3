package ranksvm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// Over processes sums are added in another order, so that an optimum differs by rounding and
// by what training leaves: the gap of the hinge loss, and the gradient of the squared one.
const (
	gapOver      = 1e-12 // of the hinge loss, where J ≤ 1; J may differ by twice that
	gradientOver = 1e-12 // of the squared loss, relative to that at w = 0
	sameOptimum  = 1e-10 // of J, relative: what issue and documentation promise
	sameWeights  = 1e-8  // of the squared loss, relative: gradient over curvature, which is at least 2λ
)

// share is the queries of a problem that one process has.
type share struct {
	x       data.Matrix
	y       []float64
	queries *pref.Partition
}

// shares spreads the queries of a problem over processes at random; the last of more than two
// has none. A process stores its rows dense or sparse.
func shares(p gen.Problem, size int, r *rand.Rand) []share {
	owner := make([]int, p.Queries)
	for q := range owner {
		owner[q] = r.IntN(size)
		if size > 2 {
			owner[q] = r.IntN(size - 1)
		}
	}
	parts := make([]share, size)
	for process := range parts {
		part := gen.Problem{N: p.N, Queries: p.Queries}
		for i, q := range p.Query {
			if owner[q] == process {
				part.M++
				part.X, part.Y, part.Query = append(part.X, p.X[i*p.N:(i+1)*p.N]...), append(part.Y, p.Y[i]),
					append(part.Query, q)
			}
		}
		parts[process] = share{rowsOf(part, r.IntN(2) == 0), part.Y, queriesOf(part)}
	}
	return parts
}

// together trains on every part at the same time, for one λ after another, and returns
// what each process has found and its error.
func together(t *testing.T, parts []share, lambdas []float64,
	options func(process int) (context.Context, Options)) ([][]*Fit, []error) {
	t.Helper()
	fits, errs := make([][]*Fit, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for process, member := range NewInProcess(len(parts)) {
		all.Go(func() {
			defer member.Leave(nil)
			ctx, o := options(process)
			if o.Processes == nil {
				o.Processes = member
			}
			s, err := New(parts[process].x, parts[process].y, parts[process].queries, o)
			for _, lambda := range lambdas {
				if err != nil {
					break
				}
				var f *Fit
				f, err = s.Train(ctx, lambda)
				fits[process] = append(fits[process], f)
			}
			errs[process] = err
		})
	}
	all.Wait()
	return fits, errs
}

// worst are the largest relative differences that a test has seen, of J and of weights.
type worst struct{ j, w float64 }

// TestSameOptimumOnProcesses trains on 1 to 4 processes; one may have no row and others no pair,
// and alone, for a path of λ from warm starts.
func TestSameOptimumOnProcesses(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(51, 52))
	seen := map[Loss]*worst{Hinge: {}, SquaredHinge: {}}
	for range gen.Count(t, 60) {
		p := gen.New(r, gen.Options{MaxRows: 60, MaxFeatures: 12})
		first := gen.Lambda(r, -6, 3)
		lambdas := []float64{first, first / 4, first / 2}
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: gapOver, Weight: []pref.Weight{pref.Pairs, pref.Edges}[r.IntN(2)],
				Counter:      []Counter{ostat.Auto, ostat.Tree, ostat.Fenwick, ostat.Direct}[r.IntN(4)],
				NoLineSearch: loss == Hinge && r.IntN(8) == 0}
			if loss == SquaredHinge {
				o.Epsilon = gradientOver
			}
			alone, err := New(rowsOf(p, false), p.Y, queriesOf(p), o)
			if err != nil {
				t.Fatal(err)
			}
			var want []*Fit
			for _, lambda := range lambdas {
				f, err := alone.Train(t.Context(), lambda)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, f)
			}
			for size := 1; size <= 4; size++ {
				got, errs := together(t, shares(p, size, r), lambdas, func(int) (context.Context, Options) {
					return t.Context(), o
				})
				for process := range got {
					if errs[process] != nil {
						t.Fatalf("%s on %d processes: process %d: %v", loss, size, process, errs[process])
					}
					for l, f := range got[process] {
						compare(t, loss, f, got[0][l], want[l], seen[loss])
					}
				}
			}
		}
	}
	t.Logf("largest relative difference of J %.2g (hinge), %.2g (squared), of the weights of the squared hinge %.2g",
		seen[Hinge].j, seen[SquaredHinge].j, seen[SquaredHinge].w)
}

// compare compares the fit of a process with that of the first one, to the last bit, and with
// that of one process alone.
func compare(t *testing.T, loss Loss, f, first, want *Fit, seen *worst) {
	t.Helper()
	if !slices.Equal(f.Weights, first.Weights) || f.Objective != first.Objective || f.Iterations != first.Iterations {
		t.Fatalf("%s: process 0 has another fit than another process", loss)
	}
	if f.Pairs != want.Pairs {
		t.Fatalf("%s: N is %v, of all rows %v", loss, f.Pairs, want.Pairs)
	}
	off := math.Abs(f.Objective-want.Objective) / want.Objective
	if seen.j = max(seen.j, off); off > sameOptimum {
		t.Errorf("%s λ=%v: J = %v ± %v, alone %v ± %v", loss, f.Lambda, f.Objective, f.Gap, want.Objective, want.Gap)
	}
	if loss == SquaredHinge {
		apart := distance(f.Weights, want.Weights)
		if seen.w = max(seen.w, apart); apart > sameWeights {
			t.Errorf("λ=%v: weights differ by %v", f.Lambda, apart)
		}
	}
}

// distance is ‖a − b‖ / ‖b‖, or ‖a‖ where b is 0.
func distance(a, b []float64) float64 {
	off, size := 0.0, 0.0
	for j, v := range a {
		off += (v - b[j]) * (v - b[j])
		size += b[j] * b[j]
	}
	if size == 0 {
		return math.Sqrt(off)
	}
	return math.Sqrt(off / size)
}

// A cancelled process stops all of them, at the same iteration and with the same weights.
func TestOneRankCancelsAll(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(53, 54))
	p := gen.New(r, gen.Options{MaxRows: 200, MaxFeatures: 20})
	for _, loss := range Losses {
		for cut := int64(0); cut < 60; cut += 3 {
			parts := shares(p, 3, r)
			fits, errs := together(t, parts, []float64{1e-3}, func(process int) (context.Context, Options) {
				o := Options{Loss: loss, Epsilon: 1e-13, Counter: ostat.Direct}
				if process != 1 {
					return t.Context(), o
				}
				ctx := &fuse{Context: t.Context()}
				ctx.left.Store(cut)
				return ctx, o
			})
			for process, err := range errs {
				if want := []error{ErrElsewhere, context.Canceled, ErrElsewhere}[process]; !errors.Is(err, want) ||
					!errors.Is(err, context.Canceled) || process == 1 && err == ErrElsewhere {
					t.Fatalf("%s, cancelled at question %d: process %d: %v", loss, cut, process, err)
				}
				checkStopped(t, p, loss, fits[0][0], fits[process][0])
			}
			if cut > 30 && fits[0][0] == nil {
				t.Fatalf("%s: no fit at question %d", loss, cut)
			}
		}
	}
}

// checkStopped holds what a process has found by a training that was stopped against what
// the first one has, and against the definition of J at λ = 1e-3.
func checkStopped(t *testing.T, p gen.Problem, loss Loss, first, f *Fit) {
	t.Helper()
	if (first == nil) != (f == nil) || f != nil && (!slices.Equal(first.Weights, f.Weights) ||
		first.Iterations != f.Iterations) {
		t.Fatalf("%s: two processes end apart: %+v, %+v", loss, first, f)
	}
	if f == nil {
		return
	}
	if j := objectiveOf(p, f.Weights, 1e-3, loss); math.Abs(j-f.Objective) > 1e-9*j {
		t.Fatalf("%s: J is %v, and %v is told", loss, j, f.Objective)
	}
}

// A group whose training was cancelled trains again, from where it ended.
func TestRanksGoOnAfterCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(55, 56))
	p := gen.New(r, gen.Options{MaxRows: 100, MaxFeatures: 10})
	const lambda = 1e-3
	for _, loss := range Losses {
		want := fit(t, p, lambda, Options{Loss: loss, Epsilon: 1e-12}, false)
		parts := shares(p, 2, r)
		var all sync.WaitGroup
		for process, member := range NewInProcess(2) {
			all.Go(func() {
				defer member.Leave(nil)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				o := Options{Loss: loss, Epsilon: 1e-12, Processes: member, Progress: func(p Progress) {
					if process == 0 && p.Iteration == 2 {
						cancel()
					}
				}}
				s, err := New(parts[process].x, parts[process].y, parts[process].queries, o)
				if err != nil {
					t.Error(err)
					return
				}
				if f, err := s.Train(ctx, lambda); !errors.Is(err, context.Canceled) || f == nil {
					t.Errorf("process %d: %+v, %v", process, f, err)
				}
				f, err := s.Train(t.Context(), lambda)
				if err != nil || math.Abs(f.Objective-want.Objective) > sameOptimum*want.Objective {
					t.Errorf("%s, process %d: %+v, %v; alone J = %v", loss, process, f, err, want.Objective)
				}
			})
		}
		all.Wait()
	}
}

// failing is an AllReducer that ends at some message.
type failing struct {
	AllReducer
	left int
	err  error
}

func (f *failing) Sum(v []float64) error {
	if f.left--; f.left < 0 {
		f.AllReducer.(*InProcess).Leave(f.err)
		return f.err
	}
	return f.AllReducer.Sum(v)
}

// An error of the all-reduce, at any message, ends all processes with it.
func TestFailingReducer(t *testing.T) {
	defer goleak.VerifyNone(t)
	broken := errors.New("the network is down")
	r := rand.New(rand.NewPCG(57, 58))
	p := gen.New(r, gen.Options{MaxRows: 80, MaxFeatures: 10})
	for _, loss := range Losses {
		for left := range 25 { // the squared loss needs 31 messages
			parts := shares(p, 3, r)
			var all sync.WaitGroup
			for process, member := range NewInProcess(3) {
				all.Go(func() {
					o := Options{Loss: loss, Epsilon: 1e-13, Processes: member}
					if process == 2 {
						o.Processes = &failing{member, left, broken}
					}
					s, err := New(parts[process].x, parts[process].y, parts[process].queries, o)
					if err == nil {
						_, err = s.Train(t.Context(), 1e-4)
						if again, err := s.Train(t.Context(), 1e-4); again != nil || !errors.Is(err, broken) {
							t.Errorf("a broken group trains again: %+v, %v", again, err)
						}
					}
					if !errors.Is(err, broken) {
						t.Errorf("%s, broken at message %d: process %d: %v", loss, left, process, err)
					}
				})
			}
			all.Wait()
		}
	}
}
