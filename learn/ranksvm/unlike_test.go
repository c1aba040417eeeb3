package ranksvm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/pref"
)

// objectiveOf is J of weights by its definition.
func objectiveOf(p gen.Problem, w []float64, lambda float64, loss Loss) float64 {
	sum, pairs := 0.0, 0.0
	for i := range p.M {
		for j := range p.M {
			if p.Query[i] != p.Query[j] || !(p.Y[i] > p.Y[j]) {
				continue
			}
			h := 1.0
			for k, v := range w {
				h -= v * (p.X[i*p.N+k] - p.X[j*p.N+k])
			}
			pairs++
			if h = max(0, h); loss == SquaredHinge {
				h *= h
			}
			sum += h
		}
	}
	for _, v := range w {
		sum += pairs * lambda * v * v
	}
	return sum / pairs
}

// Where several processes cannot train together, New or Train ends on all of them.
func TestRanksThatDoNotGoTogether(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := gen.New(rand.New(rand.NewPCG(59, 60)), gen.Options{MaxFeatures: 5})
	wide := data.Widen(rowsOf(p, true), p.N+1)
	alike := share{rowsOf(p, false), make([]float64, p.M), queriesOf(p)}
	for name, c := range map[string]struct {
		parts  []share
		o      [2]Options
		lambda [2]float64
		want   [2]error
		text   string
	}{
		"features": {parts: []share{{rowsOf(p, false), p.Y, queriesOf(p)}, {wide, p.Y, queriesOf(p)}},
			want: [2]error{ErrUnlike, ErrUnlike}, text: "features"},
		"loss": {o: [2]Options{{}, {Loss: SquaredHinge}}, want: [2]error{ErrUnlike, ErrUnlike},
			text: "loss hinge"},
		"unknown loss": {o: [2]Options{{Loss: "log"}, {}}, want: [2]error{nil, ErrElsewhere}, text: "unknown loss"},
		"counter": {o: [2]Options{{Counter: "abacus"}, {}}, want: [2]error{nil, ErrElsewhere},
			text: "unknown counter"},
		"epsilon": {o: [2]Options{{}, {Epsilon: 0.1}}, want: [2]error{ErrUnlike, ErrUnlike},
			text: "epsilon 0.001"},
		"λ":       {lambda: [2]float64{1, 2}, want: [2]error{ErrDiffer, ErrDiffer}, text: "the same λ"},
		"no pair": {parts: []share{alike, alike}, want: [2]error{pref.ErrNothingToLearn, pref.ErrNothingToLearn}},
		"start": {o: [2]Options{{Start: make([]float64, p.N)}, {}}, want: [2]error{ErrUnlike, ErrUnlike},
			text: "weights to start from"},
		"another start": {o: [2]Options{{Start: one(p.N)}, {Start: make([]float64, p.N)}},
			want: [2]error{ErrDiffer, ErrDiffer}},
		"squared start": {o: [2]Options{{Loss: SquaredHinge, Start: one(p.N)},
			{Loss: SquaredHinge, Start: make([]float64, p.N)}}, want: [2]error{ErrDiffer, ErrDiffer}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.parts == nil {
				c.parts = []share{{rowsOf(p, false), p.Y, queriesOf(p)}, {rowsOf(p, false), p.Y, queriesOf(p)}}
			}
			lambda := c.lambda
			if lambda[0] == 0 {
				lambda = [2]float64{1, 1}
			}
			errs := pairOf(t, c.parts, c.o, lambda)
			for process, err := range errs {
				if err == nil || c.want[process] != nil && !errors.Is(err, c.want[process]) || process == 0 &&
					!strings.Contains(err.Error(), c.text) {
					t.Errorf("process %d: %v", process, err)
				}
			}
		})
	}
}

func one(n int) []float64 {
	w := make([]float64, n)
	w[0] = 1
	return w
}

// pairOf trains two processes, each with its own options and λ.
func pairOf(t *testing.T, parts []share, o [2]Options, lambda [2]float64) [2]error {
	t.Helper()
	var errs [2]error
	done := make(chan int)
	for process, member := range NewInProcess(2) {
		go func() {
			defer func() { done <- process }()
			defer member.Leave(nil)
			o[process].Processes = member
			s, err := New(parts[process].x, parts[process].y, parts[process].queries, o[process])
			if err == nil {
				var f *Fit
				if f, err = s.Train(t.Context(), lambda[process]); err != nil && f != nil {
					t.Errorf("process %d: %+v beside %v", process, f, err)
				}
			}
			errs[process] = err
		}()
	}
	<-done
	<-done
	return errs
}

// An overflow on one process is an error on all.
func TestNumericalErrorOfOneProcess(t *testing.T) {
	defer goleak.VerifyNone(t)
	huge := share{&data.Dense{Rows: 3, Cols: 1, Stride: 1, Data: []float64{1e300, -1e300, 1e308}}, []float64{1, 2, 3},
		pref.OneList(3)}
	small := share{&data.Dense{Rows: 2, Cols: 1, Stride: 1, Data: []float64{1, 2}}, []float64{1, 2}, pref.OneList(2)}
	for _, loss := range Losses {
		fits, errs := together(t, []share{small, huge}, []float64{1e-300}, func(int) (context.Context, Options) {
			return t.Context(), Options{Loss: loss}
		})
		for process, err := range errs {
			if !errors.Is(err, ErrNumerical) || fits[process][0] != nil {
				t.Errorf("%s, process %d: %+v, %v", loss, process, fits[process][0], err)
			}
		}
	}
}

// TestAgree has an error of one process on all, and of none on none.
func TestAgree(t *testing.T) {
	defer goleak.VerifyNone(t)
	own := errors.New("own")
	if err := Agree(nil, own); err != own {
		t.Errorf("alone: %v", err)
	}
	for _, bad := range []int{-1, 0, 2} {
		errs := make(chan error, 3)
		for process, member := range NewInProcess(3) {
			go func() {
				var err error
				if process == bad {
					err = own
				}
				errs <- Agree(member, err)
			}()
		}
		counts := map[error]int{}
		for range 3 {
			counts[<-errs]++
		}
		if bad < 0 && counts[nil] != 3 || bad >= 0 && (counts[own] != 1 || counts[ErrElsewhere] != 2) {
			t.Errorf("process %d has an error: %v", bad, counts)
		}
	}
}

// The doc comment of AllReducer says how large messages are.
func TestBytesAnIteration(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := rand.New(rand.NewPCG(61, 62))
	p := gen.New(r, gen.Options{MaxRows: 120, MaxFeatures: 30})
	n := float64(p.N)
	for _, loss := range Losses {
		fits, errs := together(t, shares(p, 2, r), []float64{1e-3}, func(int) (context.Context, Options) {
			return t.Context(), Options{Loss: loss, Epsilon: 1e-6}
		})
		if errs[0] != nil {
			t.Fatal(errs[0])
		}
		f := fits[0][0]
		most := 8 * (n + 5 + float64(f.Iterations)*(n+5+5+6+5*5))
		if loss == SquaredHinge {
			most = 8 * (n + 3 + 4 + n + 4 + float64(f.Products)*(n+3) +
				float64(f.Iterations)*(2*(n+4)+n*(n+1)/2+3+n+3+4+13*6))
		}
		if float64(f.Bytes) > most || float64(f.Bytes) < 8*n*float64(f.Iterations) || math.IsNaN(most) {
			t.Errorf("%s: %d bytes in %d messages of %d iterations, and at most %v are documented",
				loss, f.Bytes, f.Messages, f.Iterations, most)
		}
		t.Logf("%s, n = %v: %d bytes in %d messages, %d iterations, %d products",
			loss, n, f.Bytes, f.Messages, f.Iterations, f.Products)
	}
}
