package serve

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// admission bounds the concurrent work and the memory that requests hold.
type admission struct {
	slots   chan struct{} // one for each request that is scored
	waiting atomic.Int64  // requests that wait for one
	queue   int64
	wait    time.Duration

	budget  budget
	maxBody int64

	perClient int
	mu        sync.Mutex
	clients   map[string]int // requests by address, where they are bounded
}

func newAdmission(o *Options) *admission {
	return &admission{
		slots: make(chan struct{}, o.MaxConcurrent), queue: int64(o.MaxQueue), wait: o.QueueWait,
		maxBody: o.MaxBody, perClient: o.MaxPerClient, clients: map[string]int{},
	}
}

// overloaded is the answer to a request that is too many.
func overloaded(code, detail string) *Problem {
	p := problem(http.StatusServiceUnavailable, code, "%s", detail)
	p.retry = 1
	return p
}

// enter counts a request of an address, and refuses one too many.
func (a *admission) enter(r *http.Request) (leave func(), p *Problem) {
	if a.perClient == 0 {
		return func() {}, nil
	}
	client, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		client = r.RemoteAddr
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clients[client] == a.perClient {
		p := problem(http.StatusTooManyRequests, "too-many-requests",
			"%d requests from this address are in progress", a.perClient)
		p.retry = 1
		return nil, p
	}
	a.clients[client]++
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.clients[client]--; a.clients[client] == 0 {
			delete(a.clients, client)
		}
	}, nil
}

// slot waits until the request may be scored; it is given back by done.
func (a *admission) slot(ctx context.Context) *Problem {
	select {
	case a.slots <- struct{}{}:
		return nil
	default:
	}
	defer a.waiting.Add(-1)
	if a.waiting.Add(1) > a.queue {
		return overloaded("queue-full", "too many requests are waiting")
	}
	timer := time.NewTimer(a.wait)
	defer timer.Stop()
	select {
	case a.slots <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded("queue-slow", "the request waited too long")
	case <-ctx.Done():
		return gone()
	}
}

// statusGone is the status, in log and metrics, of a request whose client left before its turn; nobody
// reads the answer. HTTP has no number for it; this one is usual in proxies.
const statusGone = 499

func gone() *Problem {
	p := problem(statusGone, "gone", "the client left before the turn of its request")
	p.Title = "Client Closed Request"
	return p
}

func (a *admission) done() { <-a.slots }

// body reads the body of a request into the job. Its memory grows with the bytes received, not with
// the announced length.
func (a *admission) body(j *job, r *http.Request) *Problem {
	if r.ContentLength > a.maxBody {
		return a.tooLarge()
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return problem(http.StatusUnsupportedMediaType, "encoded",
			"the body has the encoding %s; send it without an encoding", clip(e))
	}
	j.body = j.body[:0]
	for {
		if len(j.body) == cap(j.body) {
			if p := a.grow(j, r.ContentLength); p != nil {
				return p
			}
		}
		n, err := r.Body.Read(j.body[len(j.body):cap(j.body)])
		j.body = j.body[:len(j.body)+n]
		switch {
		case int64(len(j.body)) > a.maxBody:
			return a.tooLarge()
		case err == io.EOF:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			p := problem(http.StatusRequestTimeout, "slow-body", "the body did not arrive in time")
			p.close = true
			return p
		case err != nil:
			p := malformed("the body broke off: %v", err)
			p.close = true
			return p
		}
	}
}

// firstBody is the number of bytes reserved for a body of unknown length.
const firstBody = 16 << 10

// grow makes room for more of the body: up to 1 MB of the announced length, then doubling.
func (a *admission) grow(j *job, announced int64) *Problem {
	before := int64(cap(j.body))
	size := 2 * before
	if size == 0 {
		size = firstBody
		if announced > 0 {
			size = min(announced+1, 1<<20) // one more, to see the end
		}
	}
	size = min(size, a.maxBody+1)
	if p := j.take(size); p != nil {
		p.close = true
		return p
	}
	grown := make([]byte, len(j.body), size)
	copy(grown, j.body)
	j.body = grown
	j.give(before)
	return nil
}

func (a *admission) tooLarge() *Problem {
	p := problem(http.StatusRequestEntityTooLarge, "too-large", "the body is longer than %d bytes", a.maxBody)
	p.close = true
	return p.hint(inSeveral)
}
