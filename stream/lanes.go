package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/learn/rls"
)

// lanes sum the queries of a part on several goroutines. The name of a query decides its lane. A lane adds its
// queries in their order; the lanes are merged in order. So each sum of a fold has the same bits for any number
// of threads. With eight folds or more, each fold belongs to one lane; fewer folds are cut so that there are
// eight pieces.
type lanes struct {
	s     *Statistics
	cuts  int // the number of pieces of each fold
	lanes []*lane
	count int64
	ended sync.WaitGroup
	// refused is the first error of a query that goes to no lane, in case Each does not return it.
	refused error
	wrong   atomic.Bool // a lane has an error

	room    sync.Mutex
	less    *sync.Cond
	waiting int64        // bytes of queries that wait to be summed
	spare   []*laneQuery // with memory to be reused, of kept bytes
	kept    int64
}

const (
	// leastLanes is the number of cores that one part can keep busy.
	leastLanes = 8
	// mostLanes bounds the lanes: more folds share them. Wide rows have fewer lanes, wideLanes, since their
	// lanes wait for sums in much memory, and are summed on all cores.
	mostLanes, wideLanes, wideFeatures = 16, 4, 256
	// laneQueue is the number of queries that wait for a lane, and waitingBytes the memory of the queries of
	// all lanes, unless a single query takes more.
	laneQueue, waitingBytes = 16, 16 << 20
)

// lane sums some queries.
type lane struct {
	queue      chan *laneQuery
	statistics *rls.Statistics
	scratch    queryScratch
	summed     []keyedQuery
	err        error // the first
	at         int64 // number of the query of err
}

// keyedQuery is the result of summing a query.
type keyedQuery struct {
	key queryKey
	summedQuery
}

// laneQuery is a copy of a query.
type laneQuery struct {
	q      data.Query
	key    queryKey
	fold   int
	number int64
	bytes  int64
	dense  data.Dense
	csr    data.CSR
}

func newLanes(s *Statistics) *lanes {
	l := &lanes{s: s, cuts: 1}
	l.less = sync.NewCond(&l.room)
	if folds := s.options.Folds; folds < leastLanes {
		l.cuts = (leastLanes + folds - 1) / folds
	}
	return l
}

// open makes the lanes, for rows of n features.
func (l *lanes) open(n int) error {
	folds := l.s.options.Folds
	number := folds * l.cuts
	if l.cuts == 1 {
		number = min(number, mostLanes)
		if l.s.options.Map.width(n) >= wideFeatures {
			number = wideLanes
		}
	}
	for range number {
		statistics, err := rls.NewStatistics(l.s.options.statistics())
		if err != nil {
			return err
		}
		lane := &lane{queue: make(chan *laneQuery, laneQueue), statistics: statistics}
		l.lanes = append(l.lanes, lane)
		l.ended.Go(func() { l.run(lane) })
	}
	return nil
}

// of is the lane of a query.
func (l *lanes) of(key queryKey, fold int) *lane {
	if l.cuts == 1 {
		return l.lanes[fold%len(l.lanes)]
	}
	cut := int(binary.BigEndian.Uint64(key[8:]) % uint64(l.cuts))
	return l.lanes[fold*l.cuts+cut]
}

// errLane ends the reading of a part if a lane has an error.
var errLane = errors.New("a query could not be added")

// add gives a copy of a query to its lane.
func (l *lanes) add(ctx context.Context, q data.Query) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.refused != nil {
		return l.refused
	}
	if l.wrong.Load() {
		return errLane
	}
	key := keyOfQuery(q.ID)
	q, some, err := l.s.options.present(q)
	if err == nil && some {
		err = l.s.admit(key, &q)
	}
	if l.refused = err; err != nil || !some {
		return err
	}
	l.s.register(key, &q)
	if l.lanes == nil {
		_, n := q.X.Dims()
		if err := l.open(n); err != nil {
			return err
		}
	}
	size := 8 * int64(2*data.Stored(q.X)+3*len(q.Y))
	c := l.enter(size)
	c.copy(&q)
	c.key, c.fold, c.number, c.bytes = key, key.fold(l.s.options.Folds), l.count, size
	l.count++
	l.of(key, c.fold).queue <- c
	return nil
}

// copy makes c a copy of q, in its own memory.
func (c *laneQuery) copy(q *data.Query) {
	y := append(c.q.Y[:0], q.Y...)
	c.q = *q
	c.q.Y, c.q.Censored, c.q.Weights, c.q.Comments = y, slices.Clone(q.Censored), slices.Clone(q.Weights), nil
	switch x := q.X.(type) {
	case *data.Dense:
		values := c.dense.Data[:0]
		for i := range x.Rows {
			values = append(values, x.Row(i)...)
		}
		c.dense = data.Dense{Rows: x.Rows, Cols: x.Cols, Stride: x.Cols, Data: values}
		c.q.X = &c.dense
	case *data.CSR:
		first, last := x.Ptr[0], x.Ptr[x.Rows]
		ptr := c.csr.Ptr[:0]
		for _, p := range x.Ptr[:x.Rows+1] {
			ptr = append(ptr, p-first)
		}
		c.csr = data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: ptr, Col: append(c.csr.Col[:0], x.Col[first:last]...),
			Val: append(c.csr.Val[:0], x.Val[first:last]...)}
		c.q.X = &c.csr
	}
}

// enter waits until there is room for a query, and returns memory for it.
func (l *lanes) enter(size int64) *laneQuery {
	l.room.Lock()
	defer l.room.Unlock()
	for l.waiting > 0 && l.waiting+size > waitingBytes {
		l.less.Wait()
	}
	l.waiting += size
	last := len(l.spare) - 1
	if last < 0 {
		return &laneQuery{}
	}
	c := l.spare[last]
	l.spare, l.kept = l.spare[:last], l.kept-c.memory()
	return c
}

// leave makes room for others. It keeps the memory of a summed query, unless much is kept.
func (l *lanes) leave(c *laneQuery) {
	l.room.Lock()
	l.waiting -= c.bytes
	if memory := c.memory(); l.kept+memory <= waitingBytes {
		l.spare, l.kept = append(l.spare, c), l.kept+memory
	}
	l.room.Unlock()
	l.less.Signal()
}

// memory is the bytes of the slices of a query.
func (c *laneQuery) memory() int64 {
	return 8*int64(cap(c.q.Y)+cap(c.dense.Data)+cap(c.csr.Ptr)+cap(c.csr.Val)) + 4*int64(cap(c.csr.Col))
}

// run adds the queries of a lane, up to its first error.
func (l *lanes) run(a *lane) {
	for c := range a.queue {
		if a.err == nil {
			var summed summedQuery
			if summed, a.err = l.s.options.add(a.statistics, c.fold, &c.q, &a.scratch); a.err != nil {
				a.at = c.number
				l.wrong.Store(true)
			}
			a.summed = append(a.summed, keyedQuery{c.key, summed})
		}
		l.leave(c)
	}
}

// finish waits for the lanes and merges them, unless reading ended with an error. The error is that of the
// first query that could not be added, for any number of threads, else that of reading.
func (l *lanes) finish(ctx context.Context, err error) error {
	for _, a := range l.lanes {
		close(a.queue)
	}
	l.ended.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var first *lane
	for _, a := range l.lanes {
		if a.err != nil && (first == nil || a.at < first.at) {
			first = a
		}
	}
	if first != nil {
		return first.err
	}
	if err == nil {
		err = l.refused
	}
	for k, a := range l.lanes {
		if err != nil {
			break
		}
		err = l.s.statistics.Merge(a.statistics)
		for _, q := range a.summed {
			l.s.settle(q.key, q.summedQuery)
		}
		l.lanes[k] = nil // free its memory
	}
	return err
}
