package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pairrank"
	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
)

// partOf makes queries a part that reads each query once into the same memory.
func partOf(name string, queries []data.Query, reads *atomic.Int64) Part {
	return Part{Name: name, Each: func(ctx context.Context, add func(data.Query) error) error {
		var x data.Dense
		for _, q := range queries {
			if reads != nil {
				reads.Add(1)
			}
			q.Source = ""
			if d, dense := q.X.(*data.Dense); dense {
				x = data.Dense{Rows: d.Rows, Cols: d.Cols, Stride: d.Cols + 1, Data: make([]float64, d.Rows*(d.Cols+1))}
				for i := range d.Rows {
					copy(x.Row(i), d.Row(i))
				}
				q.X = &x
			}
			q.Y, q.Censored = append([]float64(nil), q.Y...), append([]bool(nil), q.Censored...)
			q.Weights = append([]float64(nil), q.Weights...)
			if err := add(q); err != nil {
				return err
			}
			for k := range x.Data {
				x.Data[k] = math.NaN() // add must not keep its argument
			}
			for k := range q.Y {
				q.Y[k] = math.NaN()
			}
			for k := range q.Weights {
				q.Weights[k] = math.NaN()
			}
			for k := range q.Censored {
				q.Censored[k] = !q.Censored[k]
			}
		}
		return ctx.Err()
	}}
}

// partsOf cuts queries into parts of different sizes.
func partsOf(queries []data.Query, parts int, reads *atomic.Int64) []Part {
	out := make([]Part, parts)
	for k := range out {
		lo, hi := len(queries)*k*k/parts/parts, len(queries)*(k+1)*(k+1)/parts/parts
		out[k] = partOf(fmt.Sprint("part", k), queries[lo:hi], reads)
	}
	return out
}

// The sums have the same bits for any number of threads, and the same as those of each part alone, merged in
// order. Each query is read once.
func TestSumBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ctx := context.Background()
	set := gen.Set(900, 7, 90, 6)
	for _, sparse := range []bool{false, true} {
		for name, o := range streamed() {
			queries := queriesIn(o.timed(set), nil, sparse)
			if o.Folds == 0 && name != "plain" {
				o.Folds = 3 // each is cut into lanes
			}
			var first []byte
			for _, threads := range []int{1, 2, 5} {
				runtime.GOMAXPROCS(threads)
				var reads atomic.Int64
				s, err := Sum(ctx, partsOf(queries, 7, &reads), o)
				if err != nil {
					t.Fatal(name, err)
				}
				if reads.Load() != int64(len(queries)) {
					t.Errorf("%s: %d queries are read %d times", name, len(queries), reads.Load())
				}
				if b := bytesOf(t, s); first == nil {
					first = b
				} else if !bytes.Equal(b, first) {
					t.Errorf("%s: other bits with %d threads", name, threads)
				}
			}
			merged := summed(t, o, nil)
			for _, part := range partsOf(queries, 7, nil) {
				alone, err := Sum(ctx, []Part{part}, o)
				if err != nil {
					t.Fatal(name, err)
				}
				var read Statistics
				if err := read.UnmarshalBinary(bytesOf(t, alone)); err != nil {
					t.Fatal(name, err)
				}
				if err := merged.Merge(&read); err != nil {
					t.Fatal(name, err)
				}
			}
			if !bytes.Equal(bytesOf(t, merged), first) {
				t.Errorf("%s: parts summed alone and merged have other bits", name)
			}
			one, err := Sum(ctx, partsOf(queries, 1, nil), o)
			if err != nil {
				t.Fatal(name, err)
			}
			for k := range queries {
				queries[k].Source = "part0"
			}
			if added := summed(t, o, queries); added.options.Folds >= leastLanes &&
				!bytes.Equal(bytesOf(t, added), bytesOf(t, one)) {
				t.Errorf("%s: a part and its queries, added one by one, have other bits", name)
			}
		}
	}
}

// The model is that of the rows in memory, for any parts.
func TestSumTrainAsRowsDo(t *testing.T) {
	ctx := context.Background()
	set := gen.Set(900, 7, 90, 7)
	want, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, pairrank.Options{Lambdas: []float64{3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, parts := range []int{1, 2, 9} {
		var heard []event.Progress
		s, err := Sum(ctx, partsOf(queriesIn(set, nil, false), parts, nil), Options{
			Monitor: event.Monitor{Progress: func(p event.Progress) { heard = append(heard, p) }}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Train(ctx, TrainOptions{Lambdas: []float64{3}})
		if err != nil {
			t.Fatal(err)
		}
		if d := apart(got, want); !(d <= sameWeights) {
			t.Errorf("%d parts: weights differ by %g", parts, d)
		}
		if last := heard[len(heard)-2]; last.Done != int64(parts) || last.Total != int64(parts) ||
			!heard[len(heard)-1].Ended {
			t.Errorf("%d parts: heard %+v", parts, heard)
		}
	}
}

// Sum returns the first error, for any number of threads, and ends everything.
func TestSumErrors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	set := gen.Set(300, 3, 60, 8)
	queries := queriesIn(set, nil, false)
	bad := func(k int, v float64) []data.Query {
		some := append([]data.Query(nil), queries...)
		x := data.NewDense(1, 3, nil)
		x.Data[0] = v
		some[k].X, some[k].Y = x, []float64{1}
		return some
	}
	broken := errors.New("the disk is gone")
	for _, threads := range []int{1, 4} {
		runtime.GOMAXPROCS(threads)
		for _, c := range []struct {
			parts []Part
			want  string
		}{
			{[]Part{partOf("a", bad(7, math.NaN()), nil)}, `a:8: query "q7": row 1 has a feature`},
			{[]Part{partOf("a", append(bad(40, math.NaN())[:41], bad(41, math.Inf(1))[41:]...), nil)},
				`a:41: query "q40"`},
			{[]Part{partOf("a", append(queries[:9:9], queries[3]), nil)},
				`a:4: the query "q3" comes twice, first in a:4`},
			{[]Part{partOf("a", queries[:9], nil), partOf("b", queries[8:12], nil)}, "a query is in both a and b"},
			{[]Part{partOf("a", queries[:9], nil),
				{Name: "b", Each: func(context.Context, func(data.Query) error) error { return broken }}},
				"the disk is gone"},
			{[]Part{{Name: "a"}}, "part 1, a, has no Each"},
		} {
			if _, err := Sum(context.Background(), c.parts, Options{}); err == nil ||
				!strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%d threads: error %v, want %s", threads, err, c.want)
			}
		}
	}
	if s, err := Sum(context.Background(), nil, Options{}); err != nil || s.Rows() != 0 {
		t.Errorf("no parts: %v", err)
	}
	if _, err := Sum(context.Background(), nil, Options{Folds: -1}); err == nil {
		t.Error("-1 folds")
	}
}

// A part that waits ends with the context; so does a part after many others.
func TestSumEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan struct{})
	waits := Part{Name: "a", Each: func(ctx context.Context, add func(data.Query) error) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}}
	go func() {
		<-begun
		cancel()
	}()
	ended := make(chan error, 1)
	go func() {
		_, err := Sum(ctx, []Part{waits,
			{Name: "b", Each: func(context.Context, func(data.Query) error) error { return nil }}}, Options{})
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(time.Minute): // only if it hangs
		t.Fatal("Sum does not end")
	}
}

// If Each does not return the errors of add, no query is lost silently.
func TestSumKeepsErrors(t *testing.T) {
	q := data.Query{ID: "a", X: data.NewDense(2, 1, []float64{1, 2}), Y: []float64{1, 2}}
	deaf := Part{Name: "deaf", Each: func(_ context.Context, add func(data.Query) error) error {
		for range 2 {
			_ = add(q)
		}
		return nil
	}}
	_, err := Sum(t.Context(), []Part{deaf}, Options{})
	var fault *fault.Error
	if !errors.As(err, &fault) || fault.Code != codes.FaultQueryTwice {
		t.Errorf("error %v", err)
	}
}
