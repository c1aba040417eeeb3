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

// Part is a part of the data, such as a file, that is read once, from its first query to its last, or twice where Sum
// finds the knots of a spline.
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
//
// Where the Map of o is a kernel.Spline without Knots, Sum reads all parts twice: first it finds the knots, the
// quantiles of each feature that kernel.NewSplineMap takes. They are exact where a feature has at most 4096 different
// values, else their ranks are within (1 + log₂(m/4096))/4094 of the weight of the m rows. A note of Train has the
// error that was found.
//
// In addition to the memory that Each keeps, Sum takes for n features
//
//   - 8n² bytes a fold, and twice as much for each part that is being read: at most 16 parts, as many as there
//     are cores and fit into memory;
//   - 60 to 100 bytes a query, twice as much for a part until it is merged;
//   - for each part up to 16 MB, or two queries, for queries that wait to be summed;
//   - to find knots 64 kB a feature and doubling of its rows beyond 4096, twice that for each part.
//
// Sum returns the errors of Each, of Add and of Merge, and that of ctx. An error ends all parts; if several
// parts have one, Sum returns that of the first.
func Sum(ctx context.Context, parts []Part, o Options) (*Statistics, error) {
	for k, p := range parts {
		if p.Each == nil {
			return nil, fault.Dataf("part %d, %s, has no Each", k+1, named(p.Name))
		}
	}
	monitor := o.Monitor
	o, told, err := o.withKnots(ctx, parts)
	if err != nil {
		return nil, err
	}
	total, err := New(o)
	if err != nil {
		return nil, err
	}
	total.told = told
	r := run[Statistics]{name: "summing", parts: parts, memory: total.options.memory, merge: total.Merge}
	r.one = func(ctx context.Context, p Part, learn func(n int)) (*Statistics, error) {
		return total.options.sum(ctx, p, learn)
	}
	if err := r.all(ctx, monitor); err != nil {
		return nil, err
	}
	return total, nil
}

// sum returns the statistics of a part, and tells learn how wide its queries are.
func (o *Options) sum(ctx context.Context, p Part, learn func(n int)) (*Statistics, error) {
	s, err := New(*o)
	if err != nil {
		return nil, err
	}
	l := newLanes(s)
	err = p.each(ctx, learn, func(q data.Query) error { return l.add(ctx, q) })
	return s, l.finish(ctx, err)
}

// each calls add with the queries of the part, which have a source, and tells learn how wide they are.
func (p Part) each(ctx context.Context, learn func(n int), add func(data.Query) error) error {
	return p.Each(ctx, func(q data.Query) error {
		q.Source = cmp.Or(q.Source, p.Name)
		if q.X != nil {
			_, n := q.X.Dims()
			learn(n)
		}
		return add(q)
	})
}

// run makes something of each part, of several at a time, and merges it in the order of the parts.
type run[T any] struct {
	name  string
	parts []Part
	// memory is the bytes that a part of n features takes while it is read, twice while it is merged.
	memory func(n int) float64
	// one makes it of a part, and tells learn how wide queries are. merge adds it to the others.
	one   func(ctx context.Context, p Part, learn func(n int)) (*T, error)
	merge func(*T) error

	made    []chan *T // of each part; nil after an error
	errs    []error
	running sync.WaitGroup
	cancel  func()

	once   sync.Once
	known  chan struct{} // closed when the first query of the first part is there
	widest int           // the number of its features
}

// all runs over all parts.
func (r *run[T]) all(ctx context.Context, monitor event.Monitor) error {
	r.known, r.errs = make(chan struct{}), make([]error, len(r.parts))
	for range r.parts {
		r.made = append(r.made, make(chan *T, 1))
	}
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.running.Wait()
	defer r.cancel()
	tell, end := monitor.Task(r.name, int64(len(r.parts)))
	defer end()
	started, atOnce := 0, 1
	for k := range r.parts {
		if started == 0 {
			r.start(ctx, 0)
			started++
			<-r.known
			atOnce = r.atOnce()
		}
		for started < min(len(r.parts), k+atOnce) {
			r.start(ctx, started)
			started++
		}
		made := <-r.made[k]
		if made == nil {
			return r.firstError()
		}
		if err := r.merge(made); err != nil {
			return err
		}
		tell(k+1, len(r.parts))
	}
	return ctx.Err()
}

// learn records the width of the first query.
func (r *run[T]) learn(n int) {
	r.once.Do(func() {
		r.widest = n
		close(r.known)
	})
}

// atOnce is the number of parts read at a time.
func (r *run[T]) atOnce() int {
	most := max(1, min(parallel.Workers(), len(r.parts), mostParts))
	need := r.memory(r.widest)
	if free, beyond := memory.Beyond(need * float64(most)); beyond {
		return max(1, min(most, int(free/need)-1))
	}
	return most
}

// start begins part k on a new goroutine.
func (r *run[T]) start(ctx context.Context, k int) {
	r.running.Go(func() {
		made, err := r.one(ctx, r.parts[k], r.learn)
		if err != nil {
			made, r.errs[k] = nil, err
			r.cancel()
		}
		r.learn(0)
		r.made[k] <- made
	})
}

// firstError is the error of the first part, except for parts that ended only because another had an error. It
// waits for all parts.
func (r *run[T]) firstError() error {
	r.running.Wait()
	for _, err := range r.errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return cmp.Or(r.errs...)
}
