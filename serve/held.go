package serve

import (
	"net/http"
	"sync"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/jsonrows"
)

// budget is the bytes that requests take together, from the first of a body to the last of
// its answer.
type budget struct {
	most int64
	held atomic.Int64
}

// job is the memory of one request, used again by others.
type job struct {
	body   []byte
	matrix jsonrows.Matrix
	dense  data.Dense
	scores []float64
	rows   int // that are scored
	seen   seen
	order  []int
	out    []byte

	budget *budget // nil of golden scores, which are the operator's own
	taken  int64   // of the budget
}

// kept bounds the memory of a job that is kept for other requests, in bytes.
const kept = 1 << 20

var jobs = sync.Pool{New: func() any { return new(job) }}

// inSeveral is the hint of a request that asks for too much.
const inSeveral = "send it in several requests"

// newJob returns a job that takes its memory from a budget, which refuses requests that need too
// much.
func newJob(b *budget) *job {
	j := jobs.Get().(*job)
	j.budget = b
	if j.take(j.size()) != nil {
		*j = job{budget: b}
	}
	return j
}

// size is the number of bytes that a job keeps for other requests.
func (j *job) size() int64 {
	return int64(cap(j.body) + cap(j.out) + 8*(cap(j.matrix.Data)+cap(j.matrix.Ends)+cap(j.order)))
}

// take reserves further bytes for the request, and refuses them where all requests together would
// exceed the budget.
func (j *job) take(n int64) *Problem {
	b := j.budget
	if b == nil {
		return nil
	}
	switch {
	case n > b.most-j.taken:
		p := problem(http.StatusRequestEntityTooLarge, "too-large",
			"the request needs %d bytes of memory with its answer; all requests together have %d", j.taken+n,
			b.most)
		return p.hint(inSeveral)
	case b.held.Add(n) > b.most:
		b.held.Add(-n)
		return overloaded("memory-full", "other requests and their answers fill the memory")
	}
	j.taken += n
	return nil
}

// settle releases the memory that a finished answer does not need.
func (j *job) settle() {
	j.scores = nil // of the model, or of golden rows
	if j.size() > kept {
		j.body, j.order, j.matrix, j.dense = nil, nil, jsonrows.Matrix{}, data.Dense{}
	}
	j.give(j.taken - j.size())
}

func (j *job) give(n int64) {
	if j.budget != nil {
		j.budget.held.Add(-n)
		j.taken -= n
	}
}

// free gives the memory back, and keeps the job unless it has become large.
func (j *job) free() {
	j.scores, j.rows, j.seen = nil, 0, seen{}
	j.give(j.taken)
	if j.size() <= kept {
		jobs.Put(j)
	}
}
