package parallel

import (
	"sync/atomic"
	"testing"
)

func TestForCallsEveryIndexOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1000} {
		for _, w := range []int{0, 1, 2, 5} {
			seen := make([]atomic.Int32, n)
			ForWorkers(w, n, func(worker, i int) {
				if worker < 0 || worker >= max(1, w) {
					t.Errorf("worker %d of %d", worker, w)
				}
				seen[i].Add(1)
			})
			for i := range seen {
				if c := seen[i].Load(); c != 1 {
					t.Fatalf("n=%d w=%d: index %d ran %d times", n, w, i, c)
				}
			}
		}
	}
}

func TestChunksCoverTheRange(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 100} {
		var sum atomic.Int64
		Chunks(n, 10, func(_, lo, hi int) {
			if hi-lo < 1 || hi-lo > 10 {
				t.Errorf("chunk [%d,%d)", lo, hi)
			}
			for i := lo; i < hi; i++ {
				sum.Add(int64(i))
			}
		})
		if want := int64(n) * int64(n-1) / 2; sum.Load() != want {
			t.Errorf("n=%d: sum %d, want %d", n, sum.Load(), want)
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if r := recover(); r != "boom" {
			t.Errorf("recovered %v", r)
		}
	}()
	ForWorkers(4, 100, func(_, i int) {
		if i == 50 {
			panic("boom")
		}
	})
}
