// Package parallel runs independent pieces of work on all cores.
//
// Every numerical result of pairrank is the same for any number of threads: the size of the problem
// decides how work is cut into pieces, never the number of workers, and partial sums are added in
// the order of the pieces.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the largest number of goroutines of For: GOMAXPROCS.
func Workers() int { return runtime.GOMAXPROCS(0) }

// For calls body(worker, i) once for every i in [0,n), on up to Workers() goroutines, and returns
// when all calls have. It starts the calls in ascending order. worker is in [0,Workers()), and no
// two concurrent calls share it, so that it may index scratch memory. A panic in body ends the loop
// and is raised again on the caller's goroutine.
func For(n int, body func(worker, i int)) { ForWorkers(Workers(), n, body) }

// ForWorkers is For with at most w goroutines. With w ≤ 1 or n ≤ 1 it is a
// plain loop on the caller's goroutine.
func ForWorkers(w, n int, body func(worker, i int)) {
	w = min(w, n)
	if w <= 1 {
		for i := range n {
			body(0, i)
		}
		return
	}
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		raised atomic.Pointer[any]
	)
	work := func(id int) {
		defer func() {
			if r := recover(); r != nil {
				raised.CompareAndSwap(nil, &r)
				next.Store(int64(n))
			}
		}()
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			body(id, i)
		}
	}
	for id := 1; id < w; id++ {
		wg.Go(func() { work(id) })
	}
	work(0)
	wg.Wait()
	if r := raised.Load(); r != nil {
		panic(*r)
	}
}

// Chunks calls body(worker, lo, hi) for consecutive ranges of at most size
// indices that cover [0,n).
func Chunks(n, size int, body func(worker, lo, hi int)) {
	For((n+size-1)/size, func(worker, q int) {
		body(worker, q*size, min(n, (q+1)*size))
	})
}
