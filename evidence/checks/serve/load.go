package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// times are those of answers, ascending.
type times []time.Duration

// share is the time within which that share of the answers came.
func (t times) share(p float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	return t[min(len(t)-1, int(p*float64(len(t))))].Round(10 * time.Microsecond)
}

// atRate sends requests at a steady rate, over connections that only write and read bytes,
// so that the client takes little of the machine. The time of an answer counts from when
// its request was due where an earlier answer kept it from being sent, so that a server
// that stands still is not asked less.
func (s *server) atRate(ctx context.Context, path, text string, rate float64, during time.Duration) (times, error) {
	const connections = 16
	request := fmt.Appendf(nil,
		"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path,
		len(text), text)
	count := int64(rate * during.Seconds())
	var next atomic.Int64
	var mu sync.Mutex
	var all times
	var wrong error
	var wait sync.WaitGroup
	began := time.Now()
	for range connections {
		wait.Go(func() {
			own, err := s.inTime(request, func() (due time.Time, more bool) {
				k := next.Add(1) - 1
				return began.Add(time.Duration(float64(k) / rate * float64(time.Second))), k < count && ctx.Err() == nil
			})
			mu.Lock()
			defer mu.Unlock()
			all = append(all, own...)
			if err != nil {
				wrong = err
			}
		})
	}
	wait.Wait()
	slices.Sort(all)
	return all, wrong
}

// inTime sends a request whenever one is due, over one connection.
func (s *server) inTime(request []byte, next func() (due time.Time, more bool)) (own times, err error) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for due, more := next(); more; due, more = next() {
		if wait := time.Until(due); wait > 0 {
			time.Sleep(wait)
			due = time.Now() // that this sleeps too long is no fault of the server
		}
		if _, err := c.Write(request); err != nil {
			return own, err
		}
		if err := answered(in); err != nil {
			return own, err
		}
		own = append(own, time.Since(due))
	}
	return own, nil
}

// answered reads an answer, which must have the status 200 and a length.
func answered(in *bufio.Reader) error {
	status, length := "", 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		if status == "" {
			status = strings.TrimSpace(line)
		}
		if text, is := strings.CutPrefix(line, "Content-Length: "); is {
			if length, err = strconv.Atoi(strings.TrimSpace(text)); err != nil {
				return err
			}
		}
		if line == "\r\n" {
			break
		}
	}
	if _, err := in.Discard(length); err != nil {
		return err
	}
	if status != "HTTP/1.1 200 OK" {
		return fmt.Errorf("the answer is %s", status)
	}
	return nil
}

// memory looks at resident memory over many requests.
func (r *run) memory() error {
	if err := r.linear("linear.model", 46, 1); err != nil {
		return err
	}
	s, err := r.serve("linear.model")
	if err != nil {
		return err
	}
	defer s.kill()
	const looks = 10
	text := body(100, 46, 6)
	var first, last float64
	var seen []string
	for k := range looks {
		if err := s.many("/v1/models/linear/score", text, r.requests/looks); err != nil {
			return err
		}
		mb, err := s.resident()
		if err != nil {
			return err
		}
		if k == 0 {
			first = mb
		}
		last = mb
		seen = append(seen, fmt.Sprintf("%.0f", mb))
	}
	const slack = 10 // MB
	r.finding(last <= first*1.1+slack, "%d requests of 100 × 46: resident MB %v", r.requests/looks*looks, seen)
	return s.alive()
}

// many sends so many requests over eight connections; all must be answered with 200.
func (s *server) many(path, text string, count int) error {
	var left atomic.Int64
	left.Store(int64(count))
	var wrong atomic.Pointer[error]
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for left.Add(-1) >= 0 && wrong.Load() == nil {
				status, answer, err := s.post(path, text)
				if err == nil && status != 200 {
					err = fmt.Errorf("status %d: %.200s", status, answer)
				}
				if err != nil {
					wrong.Store(&err)
				}
			}
		})
	}
	wait.Wait()
	if err := wrong.Load(); err != nil {
		return *err
	}
	return nil
}
