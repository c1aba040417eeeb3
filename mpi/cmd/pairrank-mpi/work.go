package main

import (
	"slices"
	"syscall"
	"time"

	"pairrank/learn/ranksvm"
)

// timed is a group that knows how much processor time its process has spent with messages,
// which the libraries for MPI wait for by asking again and again.
type timed struct {
	ranksvm.AllReducer
	waiting time.Duration
}

// Sum is the sum of the group, timed.
func (w *timed) Sum(v []float64) error {
	start := processor()
	defer func() { w.waiting += processor() - start }()
	return w.AllReducer.Sum(v)
}

// processor is the processor time of this process.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// work returns the least and the most processor time that a process has spent since start, without
// messages, over all processes.
func (w *timed) work(start time.Duration) (least, most float64, err error) {
	all, err := gather(w.AllReducer, (processor() - start - w.waiting).Seconds())
	if err != nil {
		return 0, 0, err
	}
	return slices.Min(all), slices.Max(all), nil
}
