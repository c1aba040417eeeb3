package stream

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
)

// Part is a part of the data, such as a file, that is read once, from its first query to its last.
type Part struct {
	// Name is the source of queries that do not name their source.
	Name string
	// Each calls add with each query, from one goroutine at a time. add neither keeps nor changes its argument.
	// Each returns an error of add, or of ctx, at once.
	Each func(ctx context.Context, add func(data.Query) error) error
}

// mostParts bounds the number of parts read at a time: enough to keep as many cores busy if each part is
// compressed, with little memory.
const mostParts = 16

// Sum reads all parts once, several at a time, on all cores, and merges their statistics in the order of the
// parts. The bits depend on the parts and their order, and not on the number of threads. A part has the same
// bits alone and among others, so statistics of single parts, merged in the same order, give the same bits.
// monitor receives the progress of the parts.
//
// In addition to the memory that Each keeps, Sum takes for n features
//
//   - 8n² bytes a fold, and twice as much for each part that is being read: at most 16 parts, as many as there
//     are cores and fit into memory;
//   - 60 to 100 bytes a query, twice as much for a part until it is merged;
//   - for each part up to 16 MB, or two queries, for queries that wait to be summed.
//
// Sum returns the errors of Each, of Add and of Merge, and that of ctx. An error ends all parts; if several
// parts have one, Sum returns that of the first.
func Sum(ctx context.Context, parts []Part, o Options, monitor event.Monitor) (*Statistics, error) {
	for k, p := range parts {
		if p.Each == nil {
			return nil, fault.Dataf("part %d, %s, has no Each", k+1, named(p.Name))
		}
	}
	total, err := New(o)
	if err != nil {
		return nil, err
	}
	r := newSumRun(ctx, parts, total.options)
	defer r.running.Wait()
	defer r.cancel()
	tell, end := monitor.Task("summing", int64(len(parts)))
	defer end()
	started, atOnce := 0, 1
	for k := range parts {
		if started == 0 {
			r.start(0)
			started++
			<-r.known
			atOnce = r.atOnce()
		}
		for started < min(len(parts), k+atOnce) {
			r.start(started)
			started++
		}
		sum := <-r.statistics[k]
		if sum == nil {
			return nil, r.firstError()
		}
		if err := total.Merge(sum); err != nil {
			return nil, err
		}
		tell(k+1, len(parts))
	}
	return total, ctx.Err()
}

// sumRun is a run of Sum.
type sumRun struct {
	ctx        context.Context
	cancel     func()
	parts      []Part
	options    Options
	statistics []chan *Statistics // of each part; nil after an error
	errs       []error
	running    sync.WaitGroup

	once   sync.Once
	known  chan struct{} // closed when the first query of the first part is there
	widest int           // the number of its features
}

func newSumRun(ctx context.Context, parts []Part, o Options) *sumRun {
	r := &sumRun{parts: parts, options: o, known: make(chan struct{}), statistics: make([]chan *Statistics, len(parts)),
		errs: make([]error, len(parts))}
	r.ctx, r.cancel = context.WithCancel(ctx)
	for k := range r.statistics {
		r.statistics[k] = make(chan *Statistics, 1)
	}
	return r
}

// learn records the width of the first query.
func (r *sumRun) learn(n int) {
	r.once.Do(func() {
		r.widest = n
		close(r.known)
	})
}

// atOnce is the number of parts read at a time.
func (r *sumRun) atOnce() int {
	most := max(1, min(parallel.Workers(), len(r.parts), mostParts))
	need := r.options.memory(r.widest) // of a part, twice, while it is merged
	if free, beyond := memory.Beyond(need * float64(most)); beyond {
		return max(1, min(most, int(free/need)-1))
	}
	return most
}

// start sums part k on new goroutines.
func (r *sumRun) start(k int) {
	r.running.Go(func() {
		sum, err := r.part(k)
		if err != nil {
			r.errs[k] = err
			r.cancel()
		}
		r.learn(0)
		r.statistics[k] <- sum
	})
}

// part returns the statistics of part k; nil with an error.
func (r *sumRun) part(k int) (*Statistics, error) {
	p := r.parts[k]
	s, err := New(r.options)
	if err != nil {
		return nil, err
	}
	l := newLanes(s)
	err = p.Each(r.ctx, func(q data.Query) error {
		if q.Source == "" {
			q.Source = p.Name
		}
		if q.X != nil {
			_, n := q.X.Dims()
			r.learn(n)
		}
		return l.add(r.ctx, q)
	})
	if err := l.finish(r.ctx, err); err != nil {
		return nil, err
	}
	return s, nil
}

// firstError is the error of the first part, except for parts that ended only because another had an error. It
// waits for all parts.
func (r *sumRun) firstError() error {
	r.running.Wait()
	for _, err := range r.errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return cmp.Or(r.errs...)
}
