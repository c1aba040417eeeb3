package processes

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// Same recognises equal digests, and one different digest, for any number of processes with exact
// sums.
func TestSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 3, 100, 1 << 16} {
		for range 20 {
			h := r.Uint64()
			a, b := Moments(h)
			first, second := float64(size)*a, float64(size)*b
			if !Same(first, second, size) {
				t.Fatalf("%d processes with digest %x are not the same", size, h)
			}
			other, square := Moments(h ^ 1<<r.IntN(digestBits))
			if size > 1 && Same(first-a+other, second-b+square, size) {
				t.Fatalf("%d processes of which one has another digest than %x are the same", size, h)
			}
		}
	}
}

// echo is a group of two whose other process sends given numbers.
type echo struct {
	other func(v []float64) error
}

func (echo) Rank() int { return 0 }
func (echo) Size() int { return 2 }
func (e echo) Sum(v []float64) error {
	other := append([]float64(nil), v...)
	if err := e.other(other); err != nil {
		return err
	}
	for i := range v {
		v[i] += other[i]
	}
	return nil
}

// A message ends the group where a process wants to stop, where they have computed other
// numbers, and where it is lost; then sums are NaN, and nothing is sent.
func TestEnds(t *testing.T) {
	broken := errors.New("broken")
	same := func([]float64) error { return nil }
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		halt  error
		other func(v []float64) error
		want  error
	}{
		"goes on":   {t.Context(), nil, same, nil},
		"cancelled": {cancelled, nil, same, context.Canceled},
		"halted":    {t.Context(), broken, same, broken},
		"other process stops": {t.Context(), nil, func(v []float64) error {
			v[len(v)-3] = 1
			return nil
		}, ErrElsewhere},
		"other numbers": {t.Context(), nil, func(v []float64) error { v[len(v)-2]++; return nil }, ErrDiffer},
		"lost":          {t.Context(), nil, func([]float64) error { return broken }, ErrLost},
	} {
		g := New(echo{c.other})
		g.Begin(c.ctx)
		if c.halt != nil {
			g.Halt(c.halt)
		}
		g.Steer(1, 2)
		a, b := []float64{1, 2}, []float64{3}
		g.Sum(a, b)
		if err := g.Err(); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if c.want == nil {
			if a[0] != 2 || a[1] != 4 || b[0] != 6 || g.Context(c.ctx).Err() != nil || g.ErrOr(c.ctx) != nil {
				t.Errorf("%s: the sums are %v and %v", name, a, b)
			}
			continue
		}
		if !math.IsNaN(a[0]) || !math.IsNaN(b[0]) || g.Context(t.Context()).Err() == nil {
			t.Errorf("%s: the sums are %v and %v", name, a, b)
		}
		if g.Sum(a); g.Messages != 1 || g.Numbers != 6 {
			t.Errorf("%s: %d messages of %d numbers", name, g.Messages, g.Numbers)
		}
		if g.Begin(t.Context()); (g.Err() != nil) != g.Lost() || g.Lost() != (c.want == ErrLost) {
			t.Errorf("%s, begun anew: %v", name, g.Err())
		}
	}
}

// Alone nothing is sent, and nothing changed.
func TestAlone(t *testing.T) {
	var g *Group
	v := []float64{1}
	g.Begin(t.Context())
	g.Steer(1)
	g.Sum(v)
	if v[0] != 1 || g.Err() != nil || !g.First() || g.Lost() || g.Context(t.Context()) != t.Context() ||
		New(nil) != nil {
		t.Errorf("alone: %v, %v", v, g.Err())
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if g.ErrOr(cancelled) != context.Canceled {
		t.Error("alone, the context is not what ends")
	}
}
